// SPDX-License-Identifier: Apache-2.0
import { Edits } from './edits';
import { edit } from './live';
import type { Item, Live } from './manifest';
import type { Settings } from './settings';
import type { Values } from './settings_table';

/// The files of one character, from any source.
export interface Sources {
  id: string;
  title: string;
  character: { name: string; bytes: ArrayBuffer };
  flesh: { name: string; bytes: ArrayBuffer } | null;
  settings: Settings | null;
  edits: Edits; // of the settings, by key
  comparison: { name: string; text: string } | null;
  item: Item | null;
  /// Address of a file named by a .gltf; null if it is missing.
  resolve(uri: string): string | null;
  release(): void;
}

function fileName(path: string): string {
  return path.split(/[\\/]/).pop() ?? path;
}

function stem(path: string): string {
  return fileName(path).replace(/(\.bake)?\.[^.]*$/, '');
}

async function fetchBytes(path: string): Promise<{ name: string; bytes: ArrayBuffer }> {
  let response: Response;
  try {
    response = await fetch(path, { cache: 'no-cache' });
  } catch {
    throw new Error(`${path}: the server does not respond`);
  }
  if (!response.ok) throw new Error(`${path}: the server returned ${response.status}`);
  return { name: fileName(path), bytes: await response.arrayBuffer() };
}

/// Settings and what they say, which the server tells, or a file beside an exported page. Other
/// pages cannot read them.
export async function understand(
  file: { name: string; text: string },
  live: Live | null,
  exported: string | undefined,
): Promise<Settings> {
  const settings: Settings = { ...file, values: null, problem: '' };
  try {
    if (live) {
      settings.values = (await edit(live, file.text, null)).values;
    } else if (exported) {
      const { bytes } = await fetchBytes(exported);
      settings.values = JSON.parse(new TextDecoder().decode(bytes)) as Values;
    }
  } catch (error) {
    settings.problem = (error as Error).message;
  }
  return settings;
}

/// `live`: the server that the page came from.
export async function fetchItem(item: Item, live: Live | null): Promise<Sources> {
  const [character, flesh, settingsFile, comparison] = await Promise.all([
    fetchBytes(item.character),
    item.flesh ? fetchBytes(item.flesh) : null,
    item.settings ? fetchBytes(item.settings) : null,
    item.comparison ? fetchBytes(item.comparison) : null,
  ]);
  const asText = (file: { name: string; bytes: ArrayBuffer } | null) =>
    file && { name: file.name, text: new TextDecoder().decode(file.bytes) };
  const text = asText(settingsFile);
  const settings = text && await understand(text, live, item.values);
  const base = new URL(item.character, location.href);
  return {
    id: item.id,
    title: item.title,
    character,
    flesh,
    settings,
    edits: new Edits(settings?.values ?? null),
    comparison: asText(comparison),
    item,
    resolve: (uri) => new URL(uri, base).href,
    release: () => {},
  };
}

const kCharacter = /\.(glb|gltf)$/i;
const kFlesh = /\.supple$/i;
const kSettings = /\.toml$/i;
const kComparison = /\.comparison\.json$/i;

/// Dropped files, together or one after the other.
export class DroppedFiles {
  private files = new Map<string, File>();

  /// Files dropped with a character replace everything; others are added.
  add(files: File[]): void {
    const hasCharacter = files.some((file) => kCharacter.test(file.name));
    const waiting = [...this.files.keys()].some((name) => kCharacter.test(name));
    if (hasCharacter && waiting) this.files.clear();
    for (const file of files) this.files.set(file.name.toLowerCase(), file);
  }

  clear(): void {
    this.files.clear();
  }

  get hasCharacter(): boolean {
    return this.find(kCharacter) !== null;
  }

  get flesh(): File | null {
    return this.find(kFlesh);
  }

  get settings(): File | null {
    return this.find(kSettings);
  }

  get comparison(): File | null {
    return this.find(kComparison);
  }

  /// Null while no character is among them.
  async sources(live: Live | null): Promise<Sources | null> {
    const character = this.find(kCharacter);
    if (!character) return null;
    const { flesh, comparison } = this;
    const settings = this.settings && await understand(
      { name: this.settings.name, text: await this.settings.text() }, live, undefined);
    const urls = new Map<string, string>();
    const files = new Map(this.files);
    return {
      id: stem(character.name),
      title: stem(character.name),
      character: { name: character.name, bytes: await character.arrayBuffer() },
      flesh: flesh && { name: flesh.name, bytes: await flesh.arrayBuffer() },
      settings,
      edits: new Edits(settings?.values ?? null),
      comparison: comparison && { name: comparison.name, text: await comparison.text() },
      item: null,
      resolve(uri) {
        const name = fileName(decodeURIComponent(uri)).toLowerCase();
        const file = files.get(name);
        if (!file) return null;
        const url = urls.get(name) ?? URL.createObjectURL(file);
        urls.set(name, url);
        return url;
      },
      release() {
        for (const url of urls.values()) URL.revokeObjectURL(url);
        urls.clear();
      },
    };
  }

  private find(pattern: RegExp): File | null {
    for (const [name, file] of this.files) if (pattern.test(name)) return file;
    return null;
  }
}

/// All files of a drop, including those in folders.
export async function filesOf(transfer: DataTransfer): Promise<File[]> {
  const files = [...transfer.files];
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  if (!entries.some((entry) => entry?.isDirectory)) return files;
  const found: File[] = [];
  for (const entry of entries) if (entry) await walk(entry, found, 0);
  return found;
}

async function walk(entry: FileSystemEntry, found: File[], depth: number): Promise<void> {
  if (depth > 4 || found.length > 500) return; // a character's folder is small; a disk is not
  if (entry.isFile) {
    found.push(await new Promise<File>((resolve, reject) => {
      (entry as FileSystemFileEntry).file(resolve, reject);
    }));
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (some.length === 0) return;
    for (const inner of some) await walk(inner, found, depth + 1);
  }
}
