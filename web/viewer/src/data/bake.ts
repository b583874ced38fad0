// SPDX-License-Identifier: Apache-2.0
import type { Command } from './baked';
import type { Live } from './manifest';
import type { Sources } from './sources';

const kPoll = 250; // milliseconds

/// What the server says of a running bake.
export interface BakeStatus {
  stage: string;
  part: number; // counted from 1; 0: not at a part
  parts: number;
  done: number; // 0 to 1
  secondsLeft: number | null;
}

type Answer = ({ state: 'running' } & BakeStatus)
  | { state: 'done'; warnings: string[] }
  | { state: 'failed'; error: string }
  | { state: 'cancelled' };

/// What a bake made.
export interface BakeResult {
  files: [File, File]; // .glb and .supple
  warnings: string[];
}

async function asDataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error as Error);
    reader.readAsDataURL(blob);
  });
}

/// A .gltf with its buffers and images inside; a .glb as it is.
async function packed({ character, resolve }: Sources): Promise<BlobPart> {
  if (!/\.gltf$/i.test(character.name)) return character.bytes;
  const json = JSON.parse(new TextDecoder().decode(character.bytes)) as
    Record<'buffers' | 'images', { uri?: string }[] | undefined>;
  for (const file of [...(json.buffers ?? []), ...(json.images ?? [])]) {
    if (!file.uri || file.uri.startsWith('data:')) continue;
    const url = resolve(file.uri);
    if (url) file.uri = await asDataUrl(await (await fetch(url)).blob());
  }
  return JSON.stringify(json);
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`;
}

/// A bake by the page's server.
export class ServerBake {
  private id = '';
  private cancelled = false;
  private readonly leave = (): void => void this.send('DELETE', this.id, null, true);

  constructor(
    private readonly live: Live,
    private readonly command: Command,
  ) {}

  /// Sends the character and waits for the result; null if it was cancelled.
  async run(sources: Sources, show: (status: BakeStatus) => void): Promise<BakeResult | null> {
    const { name } = sources.character;
    const settings = sources.settings && { name: sources.settings.name, text: sources.settings.text };
    const head = JSON.stringify({ command: this.command, name, settings });
    const body = new Blob([head, '\n', await packed(sources)]);
    if (body.size > this.live.bakeBytes) {
      throw new Error(`it takes ${megabytes(body.size)}, and a page can send at most `
        + `${megabytes(this.live.bakeBytes)}; bake it with “supple ${this.command} ${name}”`);
    }
    const begun = await this.send('POST', '', body);
    ({ id: this.id } = await begun.json() as { id: string });
    addEventListener('pagehide', this.leave);
    try {
      if (this.cancelled) await this.send('DELETE', this.id);
      return await this.watch(name, show);
    } finally {
      removeEventListener('pagehide', this.leave);
    }
  }

  private async watch(
    name: string,
    show: (status: BakeStatus) => void,
  ): Promise<BakeResult | null> {
    for (;;) {
      const answer = await (await this.send('GET', this.id)).json() as Answer;
      if (answer.state === 'cancelled') return null;
      if (answer.state === 'failed') {
        throw new Error(answer.error.replace(/\s*\n\s*(while .*)/g, ' ($1)'));
      }
      if (answer.state === 'done') {
        const stem = name.replace(/\.[^.]*$/, '');
        const file = async (ending: string): Promise<File> => {
          const response = await this.send('GET', `${this.id}/${ending}`);
          return new File([await response.blob()], `${stem}_soft.${ending}`);
        };
        const files: [File, File] = [await file('glb'), await file('supple')];
        return { files, warnings: answer.warnings };
      }
      show(answer);
      await new Promise((after) => { setTimeout(after, kPoll); });
    }
  }

  async cancel(): Promise<void> {
    this.cancelled = true;
    if (this.id) await this.send('DELETE', this.id);
  }

  private async send(
    method: string,
    path: string,
    body: Blob | null = null,
    keepalive = false,
  ): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(path ? `${this.live.bake}/${path}` : `${this.live.bake}`, {
        method, body, keepalive, headers: { 'X-Supple-Token': this.live.token },
      });
    } catch {
      throw new Error('the server does not respond: start “supple view” again');
    }
    if (response.ok) return response;
    throw new Error((await response.text()).replace(/^\d+: /, '').trim());
  }
}
