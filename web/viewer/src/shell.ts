// SPDX-License-Identifier: Apache-2.0
import type { App } from './app';
import { filesOf } from './data/sources';
import type { Manifest } from './data/manifest';
import { el, icon, iconButton, setIcon } from './dom';
import { listenToKeys } from './keys';
import type { Character } from './scene/character';
import type { Insets } from './scene/stage';
import { FilePanel } from './ui/file_panel';
import { FleshPanel } from './ui/flesh_panel';
import { Gallery } from './ui/gallery';
import { makeHelp } from './ui/help';
import { Legend } from './ui/legend';
import { ModesPanel } from './ui/modes_panel';
import { type Notice, Notices } from './ui/notices';
import { Panel } from './ui/panel';
import { Plots } from './ui/plots';
import { Transport } from './ui/transport';

const kHint = 'Drag the character to shake it, click flesh to poke it, drag beside it to turn.';
const kAccepted = '.glb,.gltf,.supple,.toml,.bin,.png,.jpg,.jpeg,.webp';

/// Everything of the page that is not the stage itself.
export class Shell {
  readonly notices = new Notices();
  readonly legend = new Legend();
  readonly plots: Plots;
  contextNotice: Notice | null = null;
  private readonly transport: Transport;
  private readonly flesh: FleshPanel;
  private readonly modes: ModesPanel;
  private readonly file: FilePanel;
  private readonly panel: Panel;
  private readonly gallery = new Gallery();
  private readonly help = makeHelp();
  private readonly plotsPage = el('section', { 'aria-label': 'Plots' });
  private readonly narrow = matchMedia('(max-width: 720px)');
  private readonly title = el('h1', { class: 'title' });
  private readonly hint = el('p', { class: 'hint' });
  private readonly busy = el('div', { class: 'busy', role: 'status', hidden: true }, 'Loading …');
  private readonly empty: HTMLElement;
  private readonly labels = el('div', { class: 'sides', hidden: true, 'aria-hidden': 'true' },
    el('span', {}, 'bones alone'), el('span', {}, 'with flesh'));
  private readonly picker: HTMLInputElement;
  private readonly buttons: Record<string, HTMLButtonElement>;
  private readonly bar: HTMLElement;

  constructor(private readonly app: App) {
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
      download: () => app.downloadSettings(),
      save: () => void app.saveSettings(),
    });
    this.file = new FilePanel((count) => app.setCopies(count));
    this.modes = new ModesPanel((mode) => app.showMode(mode));
    this.panel = new Panel([
      { name: 'Flesh', element: this.flesh.element },
      { name: 'Modes', element: this.modes.element },
      { name: 'Plots', element: this.plotsPage },
      { name: 'File', element: this.file.element },
    ], () => app.resized());
    this.picker = el('input', {
      type: 'file', multiple: true, accept: kAccepted, class: 'hidden', tabindex: -1,
      'aria-label': 'Files to open',
      onchange: () => {
        void app.openFiles([...(this.picker.files ?? [])]);
        this.picker.value = '';
      },
    });
    this.buttons = this.makeButtons();
    for (const name of ['plots', 'panel']) this.buttons[name]?.classList.add('mild');
    this.bar = this.makeBar();
    this.empty = this.makeEmpty();
    this.assemble();
    this.listenToDrops();
    this.bindKeys();
    this.narrow.addEventListener('change', () => this.arrange());
  }

  // ---- Parts of the page ----

  private makeButtons(): Record<string, HTMLButtonElement> {
    const { app } = this;
    return {
      back: iconButton('back', 'Gallery', 'G', () => app.toGallery()),
      colour: iconButton('colour', 'Colour by displacement', 'D', () => app.setColour(!app.colour)),
      compare: iconButton('compare', 'Compare with undeformed', 'C',
        () => app.setCompare(!app.stage.compare)),
      frame: iconButton('frame', 'Frame the character', 'F', () => app.frameCharacter()),
      picture: iconButton('picture', 'Take a picture', 'S', () => app.picture()),
      record: iconButton('record', 'Record a film', 'R', () => app.toggleRecording()),
      plots: iconButton('plots', 'Plots', 'P', () => this.togglePlots()),
      panel: iconButton('panel', 'Panel', 'H', () => this.togglePanels()),
      open: iconButton('open', 'Open files', 'O', () => this.picker.click()),
      theme: iconButton('theme', 'Dark or light', 'N', () => app.themes.toggle()),
      help: iconButton('help', 'Help', '?', () => this.help.showModal()),
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
        group('colour', 'compare', 'frame'), group('picture', 'record'),
        group('plots', 'panel', 'open', 'theme', 'help')));
  }

  private makeEmpty(): HTMLElement {
    return el('main', { class: 'empty', hidden: true },
      el('div', { class: 'drop' },
        icon('drop'),
        el('h2', {}, 'Drop a character here'),
        el('p', {}, 'A .glb, or a .gltf with its files; with its .supple it has flesh, with its '
          + '.toml the settings can be tuned and exported.'),
        el('button', { type: 'button', class: 'button', onclick: () => this.picker.click() },
          'Choose files')));
  }

  private assemble(): void {
    document.body.append(
      this.app.stage.canvas, this.labels, this.bar, this.legend.element, this.panel.element,
      this.plots.element, this.hint, this.transport.element, this.empty, this.gallery.element,
      this.busy, this.notices.element, this.picker, this.help,
      el('div', { class: 'drop-target', 'aria-hidden': 'true' }, el('span', {}, 'Drop to open')),
    );
  }

  /// Plots are a card on a desk and a page of the sheet on a phone.
  arrange(): void {
    const narrow = this.narrow.matches;
    if (narrow) this.plotsPage.append(this.plots.element);
    else this.transport.element.before(this.plots.element);
    this.panel.showTab('Plots', narrow);
    this.panel.setOpen(!narrow);
  }

  /// What panels cover of the stage.
  insets(): Insets {
    const none = { left: 0, right: 0, top: 0, bottom: 0 };
    if (document.body.classList.contains('bare')) return none;
    const transport = this.transport.element.hidden ? 0 : 64;
    if (this.narrow.matches) {
      const sheet = window.innerHeight - this.panel.element.getBoundingClientRect().top;
      const below = this.panel.open ? sheet : sheet + transport;
      return { ...none, top: 52, bottom: Math.min(below, window.innerHeight * 0.6) };
    }
    const roomy = window.innerWidth > 1000;
    return {
      left: roomy && !this.plots.element.hidden ? this.plots.element.offsetWidth + 12 : 0,
      right: this.panel.open ? this.panel.element.offsetWidth + 12 : 0,
      top: 52,
      bottom: transport + 32, // and the hint above it
    };
  }

  /// What floats at the bottom stays between the panels.
  place(insets: Insets): void {
    const { style } = document.documentElement;
    style.setProperty('--left', `${this.narrow.matches ? 0 : insets.left}px`);
    style.setProperty('--right', `${this.narrow.matches ? 0 : insets.right}px`);
    this.labels.style.setProperty('--split', `${this.app.stage.split}px`);
  }

  // ---- What is shown ----

  showFirstPage(manifest: Manifest | null, hasCharacter: boolean): void {
    const gallery = manifest !== null && manifest.items.length > 0;
    if (gallery) this.gallery.show(manifest);
    document.body.classList.toggle('in-gallery', gallery);
    this.empty.hidden = gallery || hasCharacter;
    document.body.classList.toggle('nothing', !hasCharacter);
    this.title.textContent = hasCharacter ? this.title.textContent : 'supple';
  }

  showStage(): void {
    this.gallery.hide();
    document.body.classList.remove('in-gallery');
    this.empty.hidden = this.app.character !== null;
    document.body.classList.toggle('nothing', this.app.character === null);
    this.app.resized();
  }

  show(character: Character): void {
    this.showStage();
    const { item } = character.sources;
    this.title.textContent = character.sources.title;
    document.title = `${character.sources.title} – Supple`;
    this.flesh.show(character, this.app.canSave);
    this.modes.show(character);
    this.file.show(character);
    this.transport.show(character);
    this.hint.textContent = character.flesh
      ? item?.try ?? kHint
      : 'No flesh: drop the character’s .supple file to add it.';
    this.hint.hidden = false;
  }

  /// Buttons and panels as the state says.
  refresh(): void {
    const { app, buttons } = this;
    const press = (name: string, on: boolean): void =>
      buttons[name]?.setAttribute('aria-pressed', String(on));
    press('colour', app.colour);
    press('compare', app.stage.compare);
    press('record', app.recorder.running);
    press('plots', !this.plots.element.hidden);
    press('panel', this.panel.open);
    if (buttons.colour) buttons.colour.disabled = !app.character?.flesh;
    if (buttons.compare) buttons.compare.disabled = !app.character?.flesh;
    if (buttons.back) buttons.back.hidden = !app.hasGallery;
    const record = buttons.record;
    if (record) {
      setIcon(record, app.recorder.running ? 'stop' : 'record');
      record.setAttribute('aria-label', app.recorder.running ? 'Stop recording' : 'Record a film');
    }
    this.labels.hidden = !app.stage.compare;
    this.place(this.insets());
    this.transport.refresh();
    this.file.refresh();
    this.flesh.refresh();
    this.modes.refresh();
  }

  select(object: number): void {
    this.flesh.select(object);
  }

  setBusy(busy: boolean): void {
    this.busy.hidden = !busy;
  }

  /// The hint has done its work when somebody acts; a problem takes its place.
  acted(problem: string): void {
    if (!problem) {
      if (this.app.character?.flesh) this.hint.hidden = true;
      return;
    }
    this.hint.hidden = false;
    this.hint.textContent = problem;
    setTimeout(() => {
      if (this.hint.textContent === problem) this.hint.hidden = true;
    }, 2500);
  }

  /// Every frame; an infinite time is the last one.
  tick(now: number): void {
    const { app } = this;
    if (Number.isFinite(now)) this.plots.add(app.cost);
    if (!this.plots.element.hidden) this.plots.draw(app.character, app.object, app.cost, now);
    this.transport.tick();
    if (app.recorder.running) {
      this.buttons.record?.setAttribute('title', `Recording, ${app.recorder.seconds.toFixed(1)} s`);
    }
  }

  private togglePlots(): void {
    this.plots.element.hidden = !this.plots.element.hidden;
    this.app.resized();
    this.app.changed();
  }

  private togglePanels(): void {
    document.body.classList.toggle('bare');
    this.panel.setOpen(!document.body.classList.contains('bare'));
    this.app.changed();
  }

  // ---- Files and keys ----

  private listenToDrops(): void {
    let depth = 0;
    const mark = (): unknown => document.body.classList.toggle('dragging', depth > 0);
    addEventListener('dragenter', (event) => {
      event.preventDefault();
      ++depth;
      mark();
    });
    addEventListener('dragleave', () => {
      depth = Math.max(depth - 1, 0);
      mark();
    });
    addEventListener('dragover', (event) => event.preventDefault());
    addEventListener('drop', (event) => {
      event.preventDefault();
      depth = 0;
      mark();
      if (!event.dataTransfer) return;
      void filesOf(event.dataTransfer).then((files) => this.app.openFiles(files));
    });
  }

  private bindKeys(): void {
    const { app } = this;
    const turn = (x: number, y: number) => (): void => {
      app.stage.orbit.turn(x, y);
      app.wake();
    };
    const zoom = (factor: number) => (): void => {
      app.stage.orbit.zoom(factor);
      app.wake();
    };
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
      c: () => app.setCompare(!app.stage.compare),
      0: () => this.resetSettings(),
      p: () => this.togglePlots(),
      h: () => this.togglePanels(),
      s: () => app.picture(),
      r: () => app.toggleRecording(),
      e: () => app.downloadSettings(),
      o: () => this.picker.click(),
      g: () => app.toGallery(),
      n: () => app.themes.toggle(),
      '?': () => this.help.showModal(),
    }, () => this.help.open, () => !this.gallery.element.hidden);
  }

  private resetSettings(): void {
    this.app.character?.settings?.reset(-1);
    this.app.changed();
  }
}
