// SPDX-License-Identifier: Apache-2.0
import type { Live } from './manifest';

const kPoll = 250; // milliseconds

type Answer<Progress, Summary> = ({ state: 'running' } & Progress)
  | ({ state: 'done' } & Summary)
  | { state: 'failed'; error: string }
  | { state: 'cancelled' };

export function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`;
}

/// Work that the page's server does for this page: a bake, a simulation.
export class ServerJob<Progress, Summary> {
  private id = '';
  private cancelled = false;
  private readonly leave = (): void => void this.send('DELETE', this.id, null, true);

  constructor(
    private readonly live: Live,
    private readonly address: string,
  ) {}

  /// Begins it and waits for its end; null if it was cancelled. `show` may fetch what is there.
  async run(
    body: Blob,
    show: (progress: Progress) => Promise<void> | void,
  ): Promise<Summary | null> {
    const begun = await this.send('POST', '', body);
    ({ id: this.id } = await begun.json() as { id: string });
    addEventListener('pagehide', this.leave);
    try {
      if (this.cancelled) await this.send('DELETE', this.id);
      return await this.watch(show);
    } finally {
      removeEventListener('pagehide', this.leave);
    }
  }

  private async watch(show: (progress: Progress) => Promise<void> | void): Promise<Summary | null> {
    for (;;) {
      const answer = await (await this.send('GET', this.id)).json() as Answer<Progress, Summary>;
      // Work that was done before it could be cancelled is not wanted either.
      if (answer.state === 'cancelled' || (this.cancelled && answer.state === 'done')) return null;
      if (answer.state === 'failed') {
        throw new Error(answer.error.replace(/\s*\n\s*(while .*)/g, ' ($1)'));
      }
      if (answer.state === 'done') return answer;
      if (!this.cancelled) await show(answer);
      await new Promise((after) => { setTimeout(after, kPoll); });
    }
  }

  /// A result.
  async fetch(path: string): Promise<Response> {
    return this.send('GET', `${this.id}/${path}`);
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
      response = await fetch(path ? `${this.address}/${path}` : this.address, {
        method, body, keepalive, headers: { 'X-Supple-Token': this.live.token },
      });
    } catch {
      throw new Error('the server does not respond: start “supple view” again');
    }
    if (response.ok) return response;
    throw new Error((await response.text()).replace(/^\d+: /, '').trim());
  }
}
