// SPDX-License-Identifier: Apache-2.0
import { type Baked, type Command, keepsScene, readBaked } from './baked';
import { Edits } from './edits';
import { edit } from './live';
import type { Item, Live } from './manifest';
import { editable, type Settings } from './settings';
import type { Values } from './settings_table';

type FileText = { name: string; text: string };
type FileBytes = { name: string; bytes: ArrayBuffer };

/// The files of one character, from any source.
export interface Sources {
  id: string;
  title: string;
  character: FileBytes;
  flesh: FileBytes | null;
  settings: Settings | null; // beside the character
  baked: Baked | null; // what the flesh says of its own bake
  edits: Edits; // of the settings, by key
  comparison: FileText | null;
  item: Item | null;
  made?: File[]; // its files, if the server baked them for this page
  /// Address of a file named by a .gltf; null if it is missing.
  resolve(uri: string): string | null;
  release(): void;
}

function fileName(path: string): string {
  return path.split(/[\\/]/).pop() ?? path;
}

function stem(path: string): string {
  return fileName(path).replace(/(\.bake|\.shell|\.comparison)?\.[^.]*$/, '');
}

async function fetchBytes(path: string): Promise<FileBytes> {
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
async function understand(
  file: FileText,
  command: Command,
  live: Live | null,
  exported: string | undefined,
): Promise<Settings> {
  const settings: Settings = { ...file, values: null, problem: '' };
  try {
    if (live) {
      settings.values = (await edit(live, command, file.text, null)).values;
    } else if (exported) {
      const { bytes } = await fetchBytes(exported);
      settings.values = JSON.parse(new TextDecoder().decode(bytes)) as Values;
    }
  } catch (error) {
    settings.problem = (error as Error).message;
  }
  return settings;
}

/// What is known of a bake: from its own file, and from settings beside it. Which command reads
/// those is known from the flesh.
async function settingsOf(
  flesh: FileBytes | null,
  beside: FileText | null,
  live: Live | null,
  exported?: string,
): Promise<Pick<Sources, 'settings' | 'baked' | 'edits'>> {
  const file = flesh && keepsScene(flesh.bytes) ? null : beside;
  const baked = flesh && readBaked(flesh.bytes);
  const command = baked?.command ?? 'bake';
  const settings = file && await understand(file, command, live, exported);
  const values = editable(settings?.values ?? null, baked?.values ?? null, command);
  return { settings, baked, edits: new Edits(values) };
}

/// `live`: the server that the page came from.
export async function fetchItem(item: Item, live: Live | null): Promise<Sources> {
  const [character, flesh, settingsFile, comparison] = await Promise.all([
    fetchBytes(item.character),
    item.flesh ? fetchBytes(item.flesh) : null,
    item.settings ? fetchBytes(item.settings) : null,
    item.comparison ? fetchBytes(item.comparison) : null,
  ]);
  const asText = (file: FileBytes | null): FileText | null =>
    file && { name: file.name, text: new TextDecoder().decode(file.bytes) };
  const base = new URL(item.character, location.href);
  return {
    id: item.id,
    title: item.title,
    character,
    flesh,
    ...await settingsOf(flesh, asText(settingsFile), live, item.values),
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
const kSingle = [kFlesh, kSettings, kComparison]; // a character has one of each

async function bytesOf(file: File): Promise<FileBytes> {
  return { name: file.name, bytes: await file.arrayBuffer() };
}

async function textOf(file: File): Promise<FileText> {
  return { name: file.name, text: await file.text() };
}

/// Files that were dropped, together or one after the other, and belong together.
export class DroppedFiles {
  constructor(private readonly files: ReadonlyMap<string, File> = new Map()) {}

  /// With the files of another drop. A character starts afresh, but takes what waited for one; other
  /// files take the place of earlier ones of their kind, whatever their names.
  with(files: File[]): DroppedFiles {
    const fresh = files.some(({ name }) => kCharacter.test(name)) && this.hasCharacter;
    const replaced = kSingle.filter((kind) => files.some(({ name }) => kind.test(name)));
    const kept = fresh ? [] : [...this.files].filter(([name]) =>
      !replaced.some((kind) => kind.test(name)));
    const added = files.map((file): [string, File] => [file.name.toLowerCase(), file]);
    return new DroppedFiles(new Map([...kept, ...added]));
  }

  /// What is left once its flesh was rejected.
  withoutFlesh(): DroppedFiles {
    return new DroppedFiles(new Map([...this.files].filter(([name]) => !kFlesh.test(name))));
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

  /// Names of files that nothing uses, because there are several of a kind.
  get unused(): string[] {
    return [kCharacter, ...kSingle].flatMap((kind) => {
      const chosen = this.find(kind);
      return [...this.files.values()].filter((file) => file !== chosen && kind.test(file.name))
        .map(({ name }) => name);
    });
  }

  /// Into the files of a character of the list.
  async joined(sources: Sources, live: Live | null): Promise<Sources> {
    const { flesh, settings, comparison } = this;
    if (flesh) sources.flesh = await bytesOf(flesh);
    if (comparison) sources.comparison = await textOf(comparison);
    const known = settings ? await settingsOf(sources.flesh, await textOf(settings), live)
      : await settingsOf(sources.flesh, sources.settings, live, sources.item?.values);
    return Object.assign(sources, known);
  }

  /// Null while no character is among them.
  async sources(live: Live | null): Promise<Sources | null> {
    const character = this.find(kCharacter);
    if (!character) return null;
    const { comparison } = this;
    const flesh = this.flesh && await bytesOf(this.flesh);
    const settings = this.settings && await textOf(this.settings);
    const urls = new Map<string, string>();
    const files = new Map(this.files);
    return {
      id: stem(character.name),
      title: stem(character.name),
      character: await bytesOf(character),
      flesh,
      ...await settingsOf(flesh, settings, live),
      comparison: comparison && await textOf(comparison),
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

  /// Of several, the one with the character's name.
  private find(kind: RegExp): File | null {
    const all = [...this.files].filter(([name]) => kind.test(name)).map(([, file]) => file);
    const character = kind === kCharacter ? null : this.find(kCharacter);
    return all.find(({ name }) => character && stem(name) === stem(character.name))
      ?? all[0] ?? null;
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
