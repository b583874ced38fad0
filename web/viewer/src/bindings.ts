// SPDX-License-Identifier: Apache-2.0
import type { App } from './app';
import { giveFocusBack, listenToKeys } from './keys';
import type { Page } from './page';

/// Which key does what; ui/help.ts lists them.
export function bindKeys(app: App, page: Page): void {
  const turn = (x: number, y: number) => (): void => {
    app.stage.orbit.turn(x, y);
    app.wake();
  };
  const move = (x: number, y: number) => (): void => {
    app.stage.orbit.pan(x, y);
    app.wake();
  };
  const zoom = (factor: number) => (): void => {
    app.stage.orbit.zoom(factor);
    app.wake();
  };
  const onStage = (): boolean => app.character !== null && !page.inGallery;
  listenToKeys({
    ArrowLeft: () => app.jolt(-1, 0),
    ArrowRight: () => app.jolt(1, 0),
    ArrowUp: () => app.jolt(0, 1),
    ArrowDown: () => app.jolt(0, -1),
    ' ': () => app.jolt(0, 1.6),
    t: () => app.twist(),
    x: () => app.pokeSelected(),
    'Shift+ArrowLeft': turn(-0.15, 0),
    'Shift+ArrowRight': turn(0.15, 0),
    'Shift+ArrowUp': turn(0, -0.1),
    'Shift+ArrowDown': turn(0, 0.1),
    // Keyboards without these keys produce them by Fn with an arrow.
    Home: move(-0.05, 0),
    End: move(0.05, 0),
    PageUp: move(0, -0.05),
    PageDown: move(0, 0.05),
    '+': zoom(0.88),
    '=': zoom(0.88),
    '-': zoom(1.14),
    f: () => app.frameCharacter(),
    k: () => app.togglePlay(),
    '[': () => app.nextClip(-1),
    ']': () => app.nextClip(1),
    m: () => app.nextMode(1),
    'Shift+m': () => app.nextMode(-1),
    Escape: () => app.showMode(-1),
    d: () => app.setColour(!app.colour),
    c: () => app.toggleCompare(),
    1: () => app.setHandleMode('position'),
    2: () => app.setHandleMode('orientation'),
    3: () => app.setHandleMode('both'),
    i: () => app.keepHandles(!app.character?.handles?.keep),
    l: () => app.release(null),
    0: () => app.resetSettings(),
    p: () => page.togglePlots(),
    h: () => page.togglePanels(),
    s: () => app.output.picture(),
    r: () => app.output.toggleRecording(),
    e: () => void app.output.downloadSettings(),
    o: () => page.pickFiles(),
    g: () => app.opening.toGallery(),
    n: () => app.themes.toggle(),
    '?': () => page.showHelp(),
  }, { modal: () => page.helpOpen, onStage });
  giveFocusBack(app.stage.canvas, () => onStage() && !page.helpOpen);
}
