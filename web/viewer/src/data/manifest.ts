// SPDX-License-Identifier: Apache-2.0

const kActions = ['shake', 'poke', 'clips', 'drag', 'palette', 'swim'] as const;
const kTexts = [
  'about', 'try', 'picture', 'flesh', 'settings', 'values', 'video', 'clip', 'comparison',
] as const;

/// One character of manifest.json; paths are relative to it.
export interface Item {
  id: string;
  title: string;
  character: string;
  about?: string;
  try?: string;
  picture?: string;
  flesh?: string;
  settings?: string;
  values?: string; // of the settings, as JSON
  video?: string;
  clip?: string;
  comparison?: string;
  action?: (typeof kActions)[number];
  baking?: boolean; // its files are still being made
}

/// Features of a running `supple view` beyond files.
export interface Live {
  token: string;
  events: string;
  save: string;
  edit: string; // where settings are understood and printed
  swim: string | null; // address for steering the swimmer
  bake: string | null; // where characters can be baked
  simulation: string | null; // where scenes can be simulated
  uploadBytes: number; // the most for one bake or simulation
}

export interface Manifest {
  title: string;
  gallery: boolean;
  items: Item[];
  live: Live | null;
}

type Json = Record<string, unknown>;

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(json: Json, key: string): string | undefined {
  const value = json[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function readItem(json: unknown, index: number): Item {
  const where = `manifest.json: item ${index + 1}`;
  if (!isObject(json)) throw new Error(`${where} is not an object`);
  const id = text(json, 'id');
  const title = text(json, 'title');
  const character = text(json, 'character');
  if (!id || !title || !character) {
    throw new Error(`${where} needs id, title and character, each a string`);
  }
  const item: Item = { id, title, character };
  for (const key of kTexts) {
    const value = text(json, key);
    if (value) item[key] = key === 'try' ? value.charAt(0).toUpperCase() + value.slice(1) : value;
  }
  const action = kActions.find((known) => known === json.action);
  if (action) item.action = action;
  if (json.baking === true) item.baking = true;
  return item;
}

function readLive(json: unknown): Live | null {
  if (!isObject(json)) return null;
  const token = text(json, 'token');
  const events = text(json, 'events');
  const save = text(json, 'save');
  const edit = text(json, 'edit');
  const swim = text(json, 'swim') ?? null;
  const bake = text(json, 'bake') ?? null;
  const simulation = text(json, 'simulation') ?? null;
  const uploadBytes = typeof json.uploadBytes === 'number' ? json.uploadBytes : 0;
  if (!token || !events || !save || !edit) return null;
  return { token, events, save, edit, swim, bake, simulation, uploadBytes };
}

export function readManifest(json: unknown): Manifest {
  if (!isObject(json)) throw new Error('manifest.json is not an object');
  if (json.version !== 1) {
    throw new Error(`manifest.json has version ${String(json.version)}; this viewer reads 1`);
  }
  const items = Array.isArray(json.items) ? json.items.map(readItem) : [];
  return {
    title: text(json, 'title') ?? 'Supple',
    gallery: json.gallery === true,
    items,
    live: readLive(json.live),
  };
}

/// Null if there is none: an empty stage that waits for files.
export async function fetchManifest(): Promise<Manifest | null> {
  const response = await fetch('manifest.json', { cache: 'no-cache' });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`manifest.json: the server returned ${response.status}`);
  let json: unknown;
  try {
    json = await response.json();
  } catch {
    // Many static hosts return their front page for unknown paths.
    if (response.headers.get('content-type')?.includes('html')) return null;
    throw new Error('manifest.json is not JSON');
  }
  return readManifest(json);
}
