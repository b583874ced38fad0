// SPDX-License-Identifier: Apache-2.0
import type { App } from './app';
import { bindKeys } from './bindings';
import { clock } from './clock';
import type { Manifest } from './data/manifest';
import { el, icon, iconButton, relabel } from './dom';
import { listenToDrops } from './drops';
import { kNoFlesh } from './input';
import type { Character } from './scene/character';
import { Dock } from './palette/dock';
import type { Insets } from './scene/cells';
import { FilePanel } from './ui/file_panel';
import { FleshPanel } from './ui/flesh_panel';
import { ForcesPanel } from './ui/forces_panel';
import { Gallery } from './ui/gallery';
import { HandleTools } from './ui/handle_tools';
import { makeHelp } from './ui/help';
import { Legend } from './ui/legend';
import { ModesPanel } from './ui/modes_panel';
import { type Notice, Notices } from './ui/notices';
import { Panel } from './ui/panel';
import { Plots } from './ui/plots';
import { RecordButton } from './ui/record_button';
import { ScenePanel } from './ui/scene_panel';
import { Sides } from './ui/sides';
import { Transport } from './ui/transport';
import { BendWarning } from './ui/warning';

const kFadeSeconds = 2.5; // of a problem
const kHint = 'Drag the character to shake it, click flesh to poke it, drag the background to '
  + 'turn the view.';
const kShellHint = 'Drag the shell to pull it by a vertex, drag the background to turn the view.';
const kSceneHint = 'Press a button of the palette, or its key; drag to turn the view.';
const kStrengthHint = 'Press a button of the palette, or its key: hold it for strength. '
  + 'Drag to turn the view.';
const kRecordedSwim = 'A recording: to steer the swimmer, start “supple view --swim”.';
const kStage = 'Stage. Arrow keys shake the character; ? lists all keys.';
const kSceneStage = 'Stage. The keys of the palette act on the scene; ? lists all others.';
const kCompareFlesh = 'Compare with undeformed';
const kCompareShells = 'Compare methods';
const kCompareScene = 'Side by side with the simulation';
const kNotRecorded = 'recorded for another gravity';
const kAccepted = '.glb,.gltf,.supple,.toml,.bin,.png,.jpg,.jpeg,.webp,.json';

function sceneHint({ play }: Character): string {
  const strengths = play?.entries.some(({ weakest, strongest }) => weakest < strongest);
  return strengths ? kStrengthHint : kSceneHint;
}

/// Everything on the page except the stage itself.
export class Page {
  readonly notices = new Notices();
  readonly legend = new Legend();
  readonly plots: Plots;
  private contextNotice: Notice | null = null;
  private readonly record: RecordButton;
  private readonly transport: Transport;
  private readonly flesh: FleshPanel;
  private readonly modes: ModesPanel;
  private readonly file: FilePanel;
  private readonly forces: ForcesPanel;
  private readonly handles: HandleTools;
  private readonly scene: ScenePanel;
  private readonly dock: Dock;
  private readonly warning = new BendWarning();
  private readonly panel: Panel;
  private readonly gallery = new Gallery();
  private readonly help = makeHelp();
  private readonly plotsPage = el('section', { 'aria-label': 'Plots' });
  private readonly narrow = matchMedia('(max-width: 720px)');
  private readonly title = el('h1', { class: 'title' });
  private readonly hint = el('p', { class: 'hint', role: 'status' });
  private readonly busy = el('div', { class: 'busy', role: 'status', hidden: true }, 'Loading …');
  private readonly empty: HTMLElement;
  private readonly bakeText = el('p', { hidden: true },
    'A rigged character without flesh can be baked here.');
  private readonly sides = new Sides();
  private readonly picker: HTMLInputElement;
  private readonly buttons: Record<string, HTMLButtonElement>;
  private readonly bar: HTMLElement;

  constructor(private readonly app: App) {
    this.record = new RecordButton(() => app.output.toggleRecording());
    this.plots = new Plots(() => this.togglePlots());
    this.transport = new Transport({
      togglePlay: () => app.togglePlay(),
      choose: (clip) => app.chooseClip(clip),
      scrub: (seconds) => app.scrub(seconds),
      speed: (factor) => app.setSpeed(factor),
    });
    this.flesh = new FleshPanel({
      select: (object) => app.select(object),
      settingsChanged: () => {
        this.modes.refresh();
        app.wake();
      },
      download: () => void app.output.downloadSettings(),
      save: () => void app.output.saveSettings(),
    });
    this.file = new FilePanel((count) => app.setCopies(count));
    this.modes = new ModesPanel((mode) => app.showMode(mode));
    this.forces = new ForcesPanel({
      set: (change) => app.setForces(change),
      release: (held) => app.release(held),
    });
    this.handles = new HandleTools({
      mode: (mode) => app.setHandleMode(mode),
      keep: (on) => app.keepHandles(on),
    });
    this.scene = new ScenePanel({
      reset: () => app.restartScene(),
      saveLog: () => app.output.sceneLog(),
    }, app.beside.box.element);
    this.dock = new Dock({
      wake: () => app.wake(),
      acted: (problem) => this.acted(problem),
      acting: () => {
        if ((app.character?.shownMode ?? -1) >= 0) app.showMode(-1);
        app.beside.close();
      },
      busy: () => this.helpOpen || this.inGallery,
    });
    this.panel = new Panel([
      { name: 'Scene', element: this.scene.element },
      { name: 'Flesh', element: this.flesh.element },
      { name: 'Modes', element: this.modes.element },
      { name: 'Forces', element: this.forces.element },
      { name: 'Plots', element: this.plotsPage },
      { name: 'File', element: this.file.element },
    ], () => app.resized(), () => this.forces.refresh());
    this.picker = el('input', {
      type: 'file', multiple: true, accept: kAccepted, class: 'hidden', tabindex: -1,
      'aria-label': 'Files to open',
      onchange: () => {
        void app.opening.openFiles([...(this.picker.files ?? [])]);
        this.picker.value = '';
      },
    });
    this.buttons = this.makeButtons();
    for (const name of ['plots', 'panel']) this.buttons[name]?.classList.add('mild');
    this.bar = this.makeBar();
    this.empty = this.makeEmpty();
    this.assemble();
    new ResizeObserver(() => app.resized()).observe(app.baking.card.element);
    listenToDrops((files) => void app.opening.openFiles(files));
    bindKeys(app, this);
    this.narrow.addEventListener('change', () => this.arrange());
  }

  // ---- Parts of the page ----

  private makeButtons(): Record<string, HTMLButtonElement> {
    const { app } = this;
    return {
      back: iconButton('back', 'Gallery', 'G', () => app.opening.toGallery()),
      colour: iconButton('colour', 'Colour by displacement', 'D', () => app.setColour(!app.colour)),
      compare: iconButton('compare', kCompareFlesh, 'C',
        () => app.toggleCompare()),
      frame: iconButton('frame', 'Frame the character', 'F', () => app.frameCharacter()),
      picture: iconButton('picture', 'Take a picture', 'S', () => app.output.picture()),
      record: this.record.element,
      plots: iconButton('plots', 'Plots', 'P', () => this.togglePlots()),
      panel: iconButton('panel', 'Panel', 'H', () => this.togglePanels()),
      open: iconButton('open', 'Open files', 'O', () => this.pickFiles()),
      theme: iconButton('theme', 'Dark or light', 'N', () => app.themes.toggle()),
      help: iconButton('help', 'Help', '?', () => this.showHelp()),
    };
  }

  private makeBar(): HTMLElement {
    const b = this.buttons as Record<string, HTMLButtonElement>;
    const group = (...names: string[]): HTMLElement =>
      el('div', { class: 'group card' }, ...names.map((name) => b[name] as HTMLButtonElement));
    b.plots?.classList.add('desktop');
    b.panel?.classList.add('desktop');
    return el('header', { class: 'bar' },
      el('div', { class: 'heading' }, b.back as HTMLButtonElement, this.title),
      el('div', { class: 'tools' },
        this.handles.element, group('colour', 'compare', 'frame'), group('picture', 'record'),
        group('plots', 'panel', 'open', 'theme', 'help')));
  }

  private makeEmpty(): HTMLElement {
    return el('main', { class: 'empty', hidden: true },
      el('div', { class: 'drop' },
        icon('drop'),
        el('h2', {}, 'Drop a character here'),
        el('p', {}, 'A .glb, or a .gltf with its files. Add its .supple for flesh, and its .toml '
          + 'to export settings.'),
        this.bakeText,
        el('button', { type: 'button', class: 'button', onclick: () => this.pickFiles() },
          'Choose files')));
  }

  private assemble(): void {
    document.body.append(
      this.app.stage.canvas, this.sides.element, this.bar, this.legend.element, this.panel.element,
      this.plots.element, this.warning.element, this.hint, this.app.baking.card.element,
      this.transport.element, this.dock.element, this.empty,
      this.gallery.element, this.busy, this.notices.element, this.picker, this.help,
      el('div', { class: 'drop-target', 'aria-hidden': 'true' }, el('span', {}, 'Drop to open')),
    );
  }

  /// Plots are a card on a desktop and a page of the sheet on a phone.
  arrange(): void {
    const narrow = this.narrow.matches;
    if (narrow) this.plotsPage.append(this.plots.element);
    else this.transport.element.before(this.plots.element);
    this.panel.showTab('Plots', narrow);
    this.panel.setOpen(!narrow);
  }

  /// The part of the stage covered by panels.
  insets(): Insets {
    const none = { left: 0, right: 0, top: 0, bottom: 0 };
    if (document.body.classList.contains('bare')) return none;
    if (this.app.swimming) return none; // water on all sides
    const transport = this.footing();
    const card = this.app.baking.card.element.offsetHeight;
    if (this.narrow.matches) {
      const sheet = window.innerHeight - this.panel.element.getBoundingClientRect().top;
      const dock = this.dock.element.offsetHeight;
      const below = this.panel.open ? sheet + dock : sheet + transport + card;
      const bottom = Math.min(below, window.innerHeight * (dock > 0 ? 0.72 : 0.6));
      return { ...none, top: this.bar.getBoundingClientRect().bottom, bottom };
    }
    const roomy = window.innerWidth > 1000;
    return {
      left: roomy && !this.plots.element.hidden ? this.plots.element.offsetWidth + 12 : 0,
      right: this.panel.open ? this.panel.element.offsetWidth + 12 : 0,
      top: 52,
      bottom: transport + 32 + card, // and the hint above it
    };
  }

  /// The height of what floats at the bottom: clips, or the palette of a scene.
  private footing(): number {
    const { offsetHeight } = this.dock.element;
    if (offsetHeight > 0) return offsetHeight + 20;
    return this.transport.element.hidden ? 0 : 64;
  }

  /// Floating elements at the bottom stay between the panels.
  place(insets: Insets): void {
    const { style } = document.documentElement;
    style.setProperty('--bar', `${this.bar.getBoundingClientRect().bottom}px`);
    style.setProperty('--left', `${this.narrow.matches ? 0 : insets.left}px`);
    style.setProperty('--right', `${this.narrow.matches ? 0 : insets.right}px`);
    style.setProperty('--footing', `${Math.max(this.footing(), 58)}px`);
    const sheet = window.innerHeight - this.panel.element.getBoundingClientRect().top;
    style.setProperty('--sheet', `${this.narrow.matches ? sheet : 0}px`);
    const { offsetHeight } = this.app.baking.card.element;
    style.setProperty('--card', offsetHeight > 0 ? `${offsetHeight + 8}px` : '0px');
    this.showSides();
  }

  private showSides(): void {
    const { character, stage } = this.app;
    const labels = character?.sides.map(({ label }) => label) ?? [];
    const notes = labels.map((label) =>
      (label === 'nonlinear' && !character?.recorded ? kNotRecorded : ''));
    this.sides.show(labels, notes, stage.cells());
  }

  // ---- Content ----

  get inGallery(): boolean {
    return !this.gallery.element.hidden;
  }

  showFirstPage(manifest: Manifest | null, character: Character | null): void {
    const gallery = manifest !== null && manifest.items.length > 0;
    const hasCharacter = character !== null;
    if (gallery) this.gallery.show(manifest, character?.sources.item?.id ?? null);
    document.body.classList.toggle('in-gallery', gallery);
    if (gallery) this.app.swimming?.live?.watch(false);
    this.empty.hidden = gallery || hasCharacter;
    this.markEmpty();
    this.bakeText.hidden = !this.app.opening.server?.bake;
    if (!hasCharacter) this.title.textContent = 'Supple';
    // Its button is not visible there.
    if (gallery && this.app.output.recorder.running) this.app.output.toggleRecording();
  }

  private markEmpty(): void {
    document.body.classList.toggle('nothing', this.app.character === null);
    if (this.buttons.back) this.buttons.back.hidden = !this.app.opening.hasGallery;
  }

  showStage(): void {
    const from = this.inGallery;
    this.gallery.hide();
    document.body.classList.remove('in-gallery');
    this.app.swimming?.live?.watch(true);
    if (from) this.app.stage.canvas.focus({ preventScroll: true }); // the link no longer exists
    this.empty.hidden = this.app.character !== null;
    this.markEmpty();
    this.app.resized();
  }

  show(character: Character): void {
    this.showStage();
    const { item } = character.sources;
    this.title.textContent = character.sources.title;
    document.title = `${character.sources.title} – Supple`;
    const { asset } = character.flesh ?? {};
    const allShells = asset !== undefined && asset.shells.length === asset.objects.length;
    this.panel.label('Flesh', allShells ? 'Shell' : 'Flesh');
    const compare = character.play ? kCompareScene
      : character.handles ? kCompareShells : kCompareFlesh;
    if (this.buttons.compare) relabel(this.buttons.compare, compare, 'C');
    this.showPlay(character);
    const { live, server } = this.app.opening;
    this.flesh.show(character, live !== null, !!server?.bake);
    this.modes.show(character);
    this.file.show(character);
    this.forces.show(character);
    this.handles.show(character.handles);
    this.transport.show(character);
    const hint = character.handles ? kShellHint : character.play ? sceneHint(character) : kHint;
    const swims = item?.action === 'swim';
    this.hint.textContent = character.flesh || swims ? item?.try ?? hint : kNoFlesh;
  }

  /// What belongs to scenes alone, and what to flesh alone.
  private showPlay(character: Character): void {
    const { play } = character;
    document.body.classList.toggle('scene-open', play !== null);
    this.scene.show(play);
    this.dock.show(play);
    const only = play !== null && play.parts.length === play.flesh.asset.objects.length;
    this.panel.showTab('Scene', play !== null);
    for (const name of ['Flesh', 'Modes', 'Forces']) this.panel.showTab(name, !only);
    this.panel.choose(play ? 0 : this.panel.first, false);
    this.app.stage.canvas.setAttribute('aria-label', play ? kSceneStage : kStage);
  }

  /// The card of a bake says more than the hint.
  baking(): void {
    if (this.app.baking.card.shown && this.hint.textContent === kNoFlesh) {
      this.hint.textContent = '';
    }
  }

  /// Without the program there is no swimmer to steer.
  recordedSwim(): void {
    this.hint.textContent = kRecordedSwim;
  }

  /// Updates buttons and panels to match the state.
  refresh(): void {
    const { app, buttons } = this;
    const press = (name: string, on: boolean): void =>
      buttons[name]?.setAttribute('aria-pressed', String(on));
    press('colour', app.colour);
    press('compare', app.comparing || !!app.character?.beside);
    press('plots', !this.plots.element.hidden);
    press('panel', this.panel.open);
    if (buttons.colour) buttons.colour.disabled = !app.character?.flesh;
    if (buttons.compare) {
      buttons.compare.disabled = app.character?.play ? !app.beside.possible
        : !app.character?.flesh;
    }
    this.markEmpty();
    this.record.refresh(app.output.recorder.running);
    this.place(this.insets());
    this.transport.refresh();
    this.file.refresh();
    this.flesh.refresh();
    this.modes.refresh();
    this.forces.refresh();
    this.handles.refresh();
  }

  select(object: number): void {
    this.flesh.select(object);
  }

  restyle(): void {
    this.plots.restyle();
    this.scene.portrait.restyle();
    this.dock.restyle();
    this.forces.plots.restyle();
  }

  setBusy(busy: boolean): void {
    this.busy.hidden = !busy;
  }

  /// The hint disappears when the user acts; a problem replaces it.
  acted(problem: string): void {
    const { character, swimming, baking } = this.app;
    const lasting = character?.flesh || swimming || baking.card.shown ? '' : kNoFlesh;
    this.hint.textContent = problem || lasting;
    this.baking();
    if (!problem) return;
    clock.after(kFadeSeconds * 1000, () => {
      if (this.hint.textContent === problem) this.hint.textContent = lasting;
    });
  }

  /// Called every frame; an infinite time means the last one.
  tick(now: number): void {
    const { app } = this;
    if (Number.isFinite(now)) this.plots.add(app.cost);
    if (!this.plots.element.hidden) this.plots.draw(app.character, app.object, app.cost, now);
    this.transport.tick();
    this.scene.tick(now);
    app.beside.box.tick(now);
    this.dock.tick();
    if (app.character?.handles) {
      const { beyond, turn } = app.character.bend();
      this.warning.show(beyond, turn, now);
    }
    if (app.output.recorder.running) this.record.tick(app.output.recorder.seconds);
  }

  togglePlots(): void {
    this.plots.element.hidden = !this.plots.element.hidden;
    this.app.resized();
    this.app.changed();
  }

  togglePanels(): void {
    document.body.classList.toggle('bare');
    this.panel.setOpen(!document.body.classList.contains('bare'));
    this.app.changed();
  }

  contextLost(): void {
    this.contextNotice = this.notices.info(
      'The browser took the graphics context away; waiting for it to come back', 0);
  }

  contextRestored(): void {
    this.contextNotice?.close();
    this.notices.info('The graphics context is back');
  }

  get scenePoint(): { x: number; y: number } {
    return { ...this.scene.portrait.point };
  }

  get helpOpen(): boolean {
    return this.help.open;
  }

  showHelp(): void {
    this.help.showModal();
  }

  // ---- Files ----

  pickFiles(): void {
    this.picker.click();
  }
}
