// SPDX-License-Identifier: Apache-2.0
import { hashValue } from './address';
import { LiveEvents } from './data/live';
import { fetchManifest, type Live, type Manifest } from './data/manifest';
import { DroppedFiles, fetchItem, type Sources } from './data/sources';
import { loadCharacter } from './load';
import type { Character } from './scene/character';
import type { Page } from './page';

const kKnown = /\.(glb|gltf|supple|toml|bin|png|jpe?g|webp|ktx2|comparison\.json)$/i;

/// The receiver of opened characters.
export interface Opened {
  readonly character: Character | null;
  readonly object: number;
  readonly page: Page;
  show(character: Character, keepView: boolean): void;
  /// Plays a clip that the character did not have before; false if there is none.
  playAdded(before: Character): boolean;
  select(object: number): void;
}

/// Opens characters from the list, from the address, or from files dropped on the page.
export class Opening {
  events: LiveEvents | null = null; // from the page's server
  private manifest: Manifest | null = null;
  private dropped = new DroppedFiles(); // what is open of it, or waits for a character
  private turn = 0;
  private saved = false; // since the flesh was baked

  constructor(private readonly viewer: Opened) {
    addEventListener('hashchange', () => void this.followHash());
  }

  get hasGallery(): boolean {
    return this.manifest !== null && (this.manifest.gallery || this.manifest.items.length > 1);
  }

  /// The address for saving the settings of the open item.
  get live(): Live | null {
    return this.viewer.character?.sources.item ? this.manifest?.live ?? null : null;
  }

  /// What can read and print settings; null for a static page.
  get server(): Live | null {
    return this.manifest?.live ?? null;
  }

  settingsSaved(): void {
    this.saved = true;
  }

  async begin(): Promise<void> {
    const { notices } = this.viewer.page;
    try {
      this.manifest = await fetchManifest();
    } catch (error) {
      notices.error('The list of characters could not be read', (error as Error).message);
    }
    if (this.manifest) {
      document.title = this.manifest.title;
      if (this.manifest.live) {
        this.events = new LiveEvents(this.manifest.live, (id) => void this.reload(id),
          () => void this.refreshGallery(),
          () => notices.info('The server has stopped; what is open stays open', 8));
      }
    }
    await this.followHash();
  }

  private async followHash(): Promise<void> {
    const { page } = this.viewer;
    const id = hashValue('item');
    const items = this.manifest?.items ?? [];
    const item = id === null && !this.hasGallery ? items[0] : items.find((one) => one.id === id);
    if (item && !item.baking) {
      if (this.viewer.character?.sources.item !== item) {
        this.dropped = new DroppedFiles();
        await this.load(() => fetchItem(item, this.server));
      }
      page.showStage();
      return;
    }
    if (id !== null && !item) {
      page.notices.error(`Unknown character “${id}”`,
        items.length ? 'choose one from the list' : 'drop its files on this page');
    }
    this.showFirstPage();
  }

  /// More of it is ready. An item that the address asks for opens as soon as it is.
  private async refreshGallery(): Promise<void> {
    const manifest = await fetchManifest().catch(() => null);
    if (!manifest) return;
    const open = this.viewer.character?.sources.item;
    // What is open keeps its identity, so that it is not loaded a second time.
    manifest.items = manifest.items.map((item) => (item.id === open?.id ? open : item));
    this.manifest = manifest;
    if (this.viewer.page.inGallery) await this.followHash();
  }

  toGallery(): void {
    if (!this.hasGallery) return;
    location.hash = '';
    this.showFirstPage();
  }

  private showFirstPage(): void {
    this.viewer.page.showFirstPage(this.hasGallery ? this.manifest : null, this.viewer.character);
  }

  async openFiles(files: File[]): Promise<void> {
    if (files.length === 0) return;
    const { page } = this.viewer;
    const known = files.filter((file) => kKnown.test(file.name));
    if (known.length === 0) {
      page.notices.clearErrors();
      page.notices.error(`${files[0]?.name ?? 'This file'} cannot be opened`,
        'drop a .glb or .gltf with its files, and its .supple and .toml');
      return;
    }
    const { server } = this;
    const item = this.viewer.character?.sources.item;
    const before = this.dropped;
    const now = before.with(known);
    this.dropped = now;
    if (now.unused.length > 0) {
      page.notices.info(`Not used: ${now.unused.join(', ')}; a character has one of each`, 8);
    }
    if (known.some(({ name }) => name === now.settings?.name) && !server) {
      page.notices.info('Only a page of “supple view” can read settings; they are ignored', 8);
    }
    let opened = false;
    if (now.hasCharacter) {
      const shown = this.viewer.character;
      opened = await this.load(() => now.sources(server));
      if (opened && shown) this.viewer.playAdded(shown);
      if (opened && item) history.replaceState(null, '', location.pathname + location.search);
    } else if (item && (now.flesh ?? now.settings ?? now.comparison)) {
      opened = await this.load(async () => now.joined(await fetchItem(item, server), server));
    } else {
      page.showStage();
      page.notices.clearErrors();
      page.notices.info(`${known[0]?.name ?? ''} waits for its character: drop the .glb too`, 8);
      return;
    }
    // What could not be opened must not spoil the next drop.
    if (!opened && this.dropped === now) this.dropped = before;
  }

  /// What the server made of the open character takes its place.
  async openBaked(files: File[]): Promise<boolean> {
    const { server } = this;
    const before = this.viewer.character;
    const now = new DroppedFiles().with(files);
    const opened = await this.load(async () => {
      const sources = await now.sources(server);
      if (sources) sources.made = files;
      return sources;
    }, before !== null);
    const character = this.viewer.character as Character | null;
    if (!opened || !character) return false;
    this.dropped = now;
    history.replaceState(null, '', location.pathname + location.search);
    if (before) {
      character.choose(before.clip?.name ?? null);
      character.playing = before.playing;
    }
    return true;
  }

  /// A file changed on disk: reload it and keep the settings.
  private async reload(id: string): Promise<void> {
    const old = this.viewer.character;
    const item = old?.sources.item;
    if (!old || !item || item.id !== id) return;
    const tuned = old.settings?.save() ?? null;
    const clip = old.clip?.name ?? null;
    const { playing, sources: before } = old;
    const { object } = this.viewer;
    if (!await this.load(() => fetchItem(item, this.server), true)) return;
    const character = this.viewer.character as Character | null;
    if (!character) return;
    const bakedAnew = !sameBytes(before.flesh?.bytes, character.sources.flesh?.bytes);
    // Settings belong to the bake made from them: until the next bake, saved settings must not be
    // scaled a second time, and after it they are already part of the flesh.
    if (!bakedAnew) {
      character.sources.settings = before.settings;
      character.sources.edits = before.edits;
    }
    if (tuned && !(bakedAnew && this.saved)) character.settings?.restore(tuned);
    if (bakedAnew) this.saved = false;
    if (!this.viewer.playAdded(old)) {
      character.choose(clip);
      character.playing = playing;
    }
    this.viewer.select(object < (character.flesh?.asset.objects.length ?? 0) ? object : -1);
    this.viewer.page.notices.info('Reloaded: the file changed');
    this.viewer.page.refresh();
  }

  /// False if it failed, or if something else was opened meanwhile.
  private async load(fetch: () => Promise<Sources | null>, keepView = false): Promise<boolean> {
    const { page } = this.viewer;
    const turn = ++this.turn;
    page.notices.clearErrors();
    page.setBusy(true);
    let sources: Sources | null = null;
    try {
      sources = await fetch();
      if (!sources || turn !== this.turn) return false;
      const { character, fleshProblem, comparisonProblem } = await loadCharacter(sources);
      if (turn !== this.turn) {
        character.dispose();
        return false;
      }
      if (this.viewer.character?.sources.item !== sources.item) this.saved = false;
      this.viewer.show(character, keepView);
      if (fleshProblem) {
        this.dropped = this.dropped.withoutFlesh();
        page.notices.error(`${sources.flesh?.name ?? 'The flesh'} was rejected`, fleshProblem);
      }
      if (comparisonProblem) page.notices.error('No comparison', comparisonProblem);
      const { settings } = sources;
      if (settings?.problem) page.notices.error(`${settings.name} was not read`, settings.problem);
      return true;
    } catch (error) {
      sources?.release();
      page.notices.error('The character could not be opened', (error as Error).message);
      return false;
    } finally {
      if (turn === this.turn) page.setBusy(false);
    }
  }
}

function sameBytes(a: ArrayBuffer | undefined, b: ArrayBuffer | undefined): boolean {
  if (!a || !b || a.byteLength !== b.byteLength) return a === b;
  const one = new Uint8Array(a);
  const other = new Uint8Array(b);
  return one.every((byte, i) => byte === other[i]);
}
