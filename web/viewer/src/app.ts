// SPDX-License-Identifier: Apache-2.0
import { Vector3 } from 'three';

import { fetchItem, DroppedFiles, type Sources } from './data/sources';
import { fetchManifest, type Manifest } from './data/manifest';
import { listen, save } from './data/live';
import { exportSettings } from './data/toml';
import { download } from './dom';
import { Hands } from './input';
import { loadCharacter } from './load';
import { Pacer } from './pacer';
import { Recorder } from './record';
import type { Character } from './scene/character';
import type { Tunable } from './scene/flesh';
import { Stage } from './scene/stage';
import { Shell } from './shell';
import type { ThemeSwitch } from './theme';
import type { FrameCost } from './ui/plots';
import { installHook } from './install_hook';

const kMostCopies = 100;
const kIdleFrames = 3; // drawn after the last motion, so that the page shows where it ended

/// What is open, what moves, and who asked for it.
export class App {
  readonly stage: Stage;
  readonly shell: Shell;
  readonly recorder = new Recorder();
  readonly cost: FrameCost = { cpu: 0, gpu: null, draws: 0, uploads: 0, bytes: 0 };
  readonly ready: Promise<void>;
  character: Character | null = null;
  object = -1; // the selected part; -1: all
  colour = false;
  frames = 0;
  moving = false;
  private manifest: Manifest | null = null;
  private readonly dropped = new DroppedFiles();
  private readonly reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
  private scheduled = 0;
  private idle = 0;
  private last = 0;
  private loading = 0;
  private wasPlaying = false;
  private saved = false; // since the flesh was baked
  private readonly direction = new Vector3();
  private readonly onFrame = (now: number): void => this.frame(now);
  private readonly beforeDraw = (bare: boolean): void => {
    if (this.character) this.character.bare = bare;
  };
  private readonly pacer: Pacer;
  private readonly fixedQuality: boolean;

  constructor(readonly themes: ThemeSwitch) {
    const asked = new URLSearchParams(location.search).get('quality');
    const quality = asked === 'low' ? 'low' : 'high';
    this.fixedQuality = asked !== null;
    this.stage = new Stage(() => this.reducedMotion.matches, quality);
    this.pacer = new Pacer(this.stage);
    this.shell = new Shell(this);
    this.stage.restyle(themes.theme);
    themes.onChange((theme) => {
      this.stage.restyle(theme);
      this.shell.plots.restyle();
      this.wake();
    });
    this.stage.onLost = () => this.contextLost();
    this.stage.onRestored = () => {
      this.shell.contextNotice?.close();
      this.shell.notices.info('The graphics context is back');
      this.wake();
    };
    new Hands(this.stage, () => this.character, {
      wake: () => this.wake(),
      acted: (problem) => this.shell.acted(problem),
    });
    addEventListener('resize', () => this.resized());
    addEventListener('hashchange', () => void this.followHash());
    document.addEventListener('visibilitychange', () => this.wake());
    this.shell.arrange();
    this.ready = this.begin();
    installHook(this);
  }

  // ---- What is open ----

  private async begin(): Promise<void> {
    try {
      this.manifest = await fetchManifest();
    } catch (error) {
      this.shell.notices.error('The list of characters could not be read',
        (error as Error).message);
    }
    if (this.manifest) {
      document.title = this.manifest.title;
      if (this.manifest.live) {
        listen(this.manifest.live, (id) => void this.reload(id),
          () => this.shell.notices.info('The server has stopped; what is open stays open', 8));
      }
    }
    await this.followHash();
  }

  get hasGallery(): boolean {
    return this.manifest !== null && (this.manifest.gallery || this.manifest.items.length > 1);
  }

  get canSave(): boolean {
    return !!this.manifest?.live && !!this.character?.sources.item;
  }

  private hashValue(key: string): string | null {
    return new URLSearchParams(location.hash.slice(1)).get(key);
  }

  private async followHash(): Promise<void> {
    const id = this.hashValue('item');
    const items = this.manifest?.items ?? [];
    const item = id === null && !this.hasGallery ? items[0] : items.find((one) => one.id === id);
    if (item) {
      if (this.character?.sources.item !== item) await this.load(() => fetchItem(item));
      this.shell.showStage();
      return;
    }
    if (id !== null) {
      this.shell.notices.error(`There is no character “${id}” here`,
        items.length ? 'choose one of the list' : 'drop its files on this page');
    }
    this.shell.showFirstPage(this.hasGallery ? this.manifest : null, this.character !== null);
  }

  toGallery(): void {
    if (!this.hasGallery) return;
    location.hash = '';
    this.shell.showFirstPage(this.manifest, this.character !== null);
  }

  async openFiles(files: File[]): Promise<void> {
    if (files.length === 0) return;
    const known = files.filter((file) => /\.(glb|gltf|supple|toml|bin|png|jpe?g|webp|ktx2)$/i
      .test(file.name));
    if (known.length === 0) {
      this.shell.notices.clearErrors();
      this.shell.notices.error(`${files[0]?.name ?? 'This file'} cannot be opened`,
        'drop a .glb or .gltf with its files, and its .supple and .toml');
      return;
    }
    const item = this.character?.sources.item;
    this.dropped.add(known);
    if (this.dropped.hasCharacter) {
      const opened = await this.load(() => this.dropped.sources());
      if (opened && item) history.replaceState(null, '', location.pathname + location.search);
      return;
    }
    if (item && (this.dropped.flesh || this.dropped.settings)) {
      await this.load(async () => this.joined(await fetchItem(item)));
      return;
    }
    this.shell.showStage();
    const name = known[0]?.name ?? '';
    this.shell.notices.info(`${name} waits for its character: drop the .glb too`, 8);
  }

  /// Dropped flesh or settings for a character of the list.
  private async joined(sources: Sources): Promise<Sources> {
    const { flesh, settings } = this.dropped;
    if (flesh) sources.flesh = { name: flesh.name, bytes: await flesh.arrayBuffer() };
    if (settings) sources.settings = { name: settings.name, text: await settings.text() };
    this.dropped.clear();
    return sources;
  }

  /// A file changed on disk: the same again, with what was set.
  private async reload(id: string): Promise<void> {
    const item = this.character?.sources.item;
    if (!item || item.id !== id) return;
    const before = this.character?.sources ?? null;
    const tuned = this.character?.settings?.save() ?? null;
    const clip = this.character?.clip?.name ?? null;
    const playing = this.character?.playing ?? false;
    const object = this.object;
    if (!await this.load(() => fetchItem(item), true)) return;
    const sources = this.character?.sources;
    const bakedAnew = !sameBytes(before?.flesh?.bytes, sources?.flesh?.bytes);
    // Settings belong to the bake that was made of them: until it is made anew, saved ones must
    // not be scaled a second time, and once it is, what was saved is in the flesh already.
    if (sources && before && !bakedAnew) sources.settings = before.settings;
    if (tuned && !(bakedAnew && this.saved)) this.character?.settings?.restore(tuned);
    if (bakedAnew) this.saved = false;
    this.character?.choose(clip);
    if (this.character) this.character.playing = playing;
    this.select(object < (this.character?.flesh?.asset.objects.length ?? 0) ? object : -1);
    this.shell.notices.info('Reloaded: the file changed');
    this.shell.refresh();
  }

  private async load(fetch: () => Promise<Sources | null>, keepView = false): Promise<boolean> {
    const turn = ++this.loading;
    this.shell.notices.clearErrors();
    this.shell.setBusy(true);
    let sources: Sources | null = null;
    try {
      sources = await fetch();
      if (!sources || turn !== this.loading) return false;
      const { character, fleshProblem } = await loadCharacter(sources);
      if (turn !== this.loading) {
        character.dispose();
        return false;
      }
      this.show(character, keepView);
      if (fleshProblem) {
        this.shell.notices.error(`${sources.flesh?.name ?? 'The flesh'} was refused`, fleshProblem);
      }
      return true;
    } catch (error) {
      sources?.release();
      this.shell.notices.error('The character could not be opened', (error as Error).message);
      return false;
    } finally {
      if (turn === this.loading) this.shell.setBusy(false);
    }
  }

  private show(character: Character, keepView: boolean): void {
    if (this.character?.sources.item !== character.sources.item) this.saved = false;
    this.character?.dispose();
    this.character = character;
    this.stage.scene.add(character.pivot);
    this.object = -1;
    this.shell.show(character);
    this.resized();
    if (!keepView) this.stage.fit(character.box, character.metresPerUnit);
    const wanted = this.hashValue('clip') ?? character.sources.item?.clip;
    const clip = character.clips.find(({ name }) => name === wanted) ?? character.clips[0];
    const poked = character.sources.item?.action === 'poke';
    character.choose(poked && !wanted ? null : clip?.name ?? null);
    character.playing = !this.reducedMotion.matches && this.hashValue('paused') === null;
    this.setColour(this.colour || this.hashValue('colour') !== null);
    if (this.hashValue('compare') !== null) this.setCompare(true);
    this.setCopies(Number(this.hashValue('copies') ?? 1));
    character.update(1 / 60);
    this.shell.refresh();
    this.wake();
  }

  private contextLost(): void {
    const { notices } = this.shell;
    this.shell.contextNotice = notices.info(
      'The browser took the graphics context away; waiting for it to come back', 0);
  }

  // ---- Time ----

  /// Draws from now on until nothing moves.
  wake(): void {
    this.idle = kIdleFrames;
    if (this.scheduled === 0) this.scheduled = requestAnimationFrame(this.onFrame);
  }

  private frame(now: number): void {
    this.scheduled = 0;
    const begun = performance.now();
    // After a pause the clock stands still: the first frame is as long as any other.
    const dt = this.last > 0 && now - this.last < 500 ? (now - this.last) / 1000 : 1 / 60;
    const adapts = !this.recorder.running && !this.fixedQuality;
    if (this.last > 0 && adapts) this.pacer.add(now - this.last);
    this.last = now;
    this.stage.uploads.reset();
    this.moving = this.character?.update(dt) ?? false;
    const gliding = this.stage.orbit.glide(dt);
    this.draw();
    this.cost.cpu = performance.now() - begun;
    this.cost.gpu = this.stage.timer.milliseconds;
    this.cost.draws = this.stage.drawCalls;
    this.cost.uploads = this.stage.uploads.calls;
    this.cost.bytes = this.stage.uploads.bytes;
    this.shell.tick(now);
    ++this.frames;
    if (this.moving || gliding || this.recorder.running) this.idle = kIdleFrames;
    if (--this.idle > 0 && !document.hidden) {
      this.scheduled = requestAnimationFrame(this.onFrame);
    } else {
      this.last = 0;
      this.shell.tick(Infinity);
    }
  }

  private draw(): void {
    this.stage.draw(this.beforeDraw);
  }

  resized(): void {
    const { innerWidth, innerHeight } = window;
    const insets = this.shell.insets();
    this.stage.resize(innerWidth, innerHeight, insets);
    this.shell.place(insets);
    this.wake();
  }

  // ---- Hands ----

  /// Along the screen: x to the right, y up.
  jolt(x: number, y: number): void {
    const { camera } = this.stage;
    this.direction.setFromMatrixColumn(camera.matrixWorld, 0).setY(0).normalize()
      .multiplyScalar(x);
    this.direction.y += y;
    this.character?.shaker.jolt(this.direction);
    this.shell.acted('');
    this.wake();
  }

  twist(): void {
    this.character?.shaker.turn(0.5);
    this.shell.acted('');
    this.wake();
  }

  /// Where the selected part is softest, along the view.
  pokeSelected(): void {
    const { character } = this;
    if (!character) return;
    this.stage.camera.getWorldDirection(this.direction);
    character.poke(character.softest(Math.max(this.object, 0)), this.direction);
    this.shell.acted('');
    this.wake();
  }

  // ---- Clips ----

  togglePlay(): void {
    const { character } = this;
    if (!character || character.clips.length === 0) return;
    if (character.shownMode >= 0) this.showMode(-1);
    if (!character.clip) {
      character.choose(character.clips[0]?.name ?? null);
      character.playing = true;
    } else {
      character.playing = !character.playing;
    }
    this.changed();
  }

  chooseClip(name: string | null): void {
    this.character?.choose(name);
    this.changed();
  }

  nextClip(step: number): void {
    const { character } = this;
    if (!character || character.clips.length === 0) return;
    const names = [null, ...character.clips.map(({ name }) => name)];
    const at = names.indexOf(character.clip?.name ?? null);
    this.chooseClip(names[(at + step + names.length) % names.length] ?? null);
  }

  scrub(seconds: number): void {
    this.character?.scrub(seconds);
    this.wake();
  }

  setSpeed(factor: number): void {
    if (this.character) this.character.speed = factor;
    this.wake();
  }

  // ---- View ----

  select(object: number): void {
    this.object = object;
    this.shell.select(object);
    this.wake();
  }

  setCompare(on: boolean): void {
    this.stage.compare = on;
    this.stage.refit();
    this.changed();
  }

  setColour(on: boolean): void {
    const flesh = this.character?.flesh ?? null;
    this.colour = on;
    if (flesh) flesh.colourBy = on ? 'displacement' : 'none';
    this.shell.legend.show(on && flesh ? this.character?.colourMetres() ?? 0 : null);
    this.changed();
  }

  showMode(mode: number): void {
    const { character } = this;
    if (!character?.flesh) return;
    if (character.shownMode < 0 && mode >= 0) {
      this.wasPlaying = character.playing;
      character.playing = false;
    }
    if (character.shownMode >= 0 && mode < 0) character.playing = this.wasPlaying;
    character.showMode(mode);
    this.shell.acted('');
    const { objects } = character.flesh.asset;
    const owner = objects.findIndex(({ firstMode, modeCount }) =>
      mode >= firstMode && mode < firstMode + modeCount);
    if (owner >= 0) this.select(owner);
    this.setColour(this.colour); // its range
    this.changed();
  }

  nextMode(step: number): void {
    const count = this.character?.flesh?.asset.info.modeCount ?? 0;
    if (count === 0) return;
    const at = this.character?.shownMode ?? -1;
    this.showMode(at < 0 ? (step > 0 ? 0 : count - 1) : (at + step + count) % count);
  }

  /// How many there are in all.
  setCopies(count: number): void {
    const { character } = this;
    if (!character) return;
    const whole = Number.isFinite(count) ? Math.floor(count) : 1;
    character.setCopies(Math.min(Math.max(whole, 1), kMostCopies) - 1);
    this.stage.light(character.crowdBox(), character.metresPerUnit);
    this.changed();
  }

  frameCharacter(): void {
    this.stage.orbit.reset();
    this.stage.refit();
    this.wake();
  }

  changed(): void {
    this.shell.refresh();
    this.wake();
  }

  // ---- Output ----

  picture(): void {
    const { coarse } = this.stage;
    if (coarse < 1) this.stage.setCoarse(1); // a picture may take its time
    this.draw(); // what was drawn before this task is gone
    const name = `${this.character?.sources.id ?? 'supple'}.png`;
    this.stage.canvas.toBlob((blob) => {
      if (blob) download(blob, name);
      else this.shell.notices.error('No picture', 'the browser could not encode it');
    }, 'image/png');
    if (coarse < 1) this.stage.setCoarse(coarse);
    this.wake();
  }

  toggleRecording(): void {
    if (this.recorder.running) {
      this.recorder.stop();
    } else {
      const name = `${this.character?.sources.id ?? 'supple'}.webm`;
      try {
        this.recorder.start(this.stage.canvas, (film) => download(film, name));
      } catch (error) {
        this.shell.notices.error('No recording', (error as Error).message);
      }
    }
    this.changed();
  }

  settingsToml(): string | null {
    const { character } = this;
    if (!character?.settings) return null;
    const text = character.sources.settings?.text ?? null;
    return exportSettings(text, character.settings.tunings(), character.metresPerUnit);
  }

  downloadSettings(): void {
    const toml = this.settingsToml();
    if (toml === null) return this.shell.acted('There is no flesh to export settings of');
    download(new Blob([toml], { type: 'application/toml' }),
      `${this.character?.sources.id ?? 'supple'}.bake.toml`);
  }

  async saveSettings(): Promise<void> {
    const toml = this.settingsToml();
    const id = this.character?.sources.item?.id;
    const live = this.manifest?.live;
    if (toml === null || !id || !live) return;
    try {
      await save(live, id, toml);
      this.saved = true;
      this.shell.notices.info('Settings saved');
    } catch (error) {
      this.shell.notices.error('The settings were not saved', (error as Error).message);
    }
  }

  setSettings(object: number, change: Partial<Tunable>): void {
    this.character?.settings?.set(object, change);
    this.changed();
  }
}

function sameBytes(a: ArrayBuffer | undefined, b: ArrayBuffer | undefined): boolean {
  if (!a || !b || a.byteLength !== b.byteLength) return a === b;
  const one = new Uint8Array(a);
  const other = new Uint8Array(b);
  return one.every((byte, i) => byte === other[i]);
}
