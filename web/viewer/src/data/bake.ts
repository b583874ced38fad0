// SPDX-License-Identifier: Apache-2.0
import type { Command } from './baked';
import type { Live } from './manifest';
import { megabytes, ServerJob } from './server_job';
import type { Sources } from './sources';

/// What the server says of a running bake.
export interface BakeStatus {
  stage: string;
  part: number; // counted from 1; 0: not at a part
  parts: number;
  done: number; // 0 to 1
  secondsLeft: number | null;
}

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

/// A bake by the page's server.
export class ServerBake {
  private readonly job: ServerJob<BakeStatus, { warnings: string[] }>;

  constructor(
    private readonly live: Live,
    private readonly command: Command,
  ) {
    this.job = new ServerJob(live, live.bake ?? '');
  }

  /// Sends the character and waits for the result; null if it was cancelled.
  async run(sources: Sources, show: (status: BakeStatus) => void): Promise<BakeResult | null> {
    const { name } = sources.character;
    const settings = sources.settings && { name: sources.settings.name, text: sources.settings.text };
    const head = JSON.stringify({ command: this.command, name, settings });
    const body = new Blob([head, '\n', await packed(sources)]);
    if (body.size > this.live.uploadBytes) {
      throw new Error(`it takes ${megabytes(body.size)}, and a page can send at most `
        + `${megabytes(this.live.uploadBytes)}; bake it with “supple ${this.command} ${name}”`);
    }
    const made = await this.job.run(body, show);
    if (!made) return null;
    const stem = name.replace(/\.[^.]*$/, '');
    const file = async (ending: string): Promise<File> =>
      new File([await (await this.job.fetch(ending)).blob()], `${stem}_soft.${ending}`);
    const files: [File, File] = [await file('glb'), await file('supple')];
    return { files, warnings: made.warnings };
  }

  async cancel(): Promise<void> {
    await this.job.cancel();
  }
}
