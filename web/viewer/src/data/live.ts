// SPDX-License-Identifier: Apache-2.0
import type { Command } from './baked';
import type { Live } from './manifest';
import type { Values } from './settings_table';

/// Events from the server: files that changed on disk, new gallery items, its shutdown, and the states
/// of one further stream. All on a single connection, because browsers allow six per server.
export class LiveEvents {
  private source: EventSource | null = null;
  private ended = false;
  private path: string;

  constructor(
    private readonly live: Live,
    private readonly onChanged: (id: string) => void,
    private readonly onGallery: () => void,
    private readonly onBye: () => void,
  ) {
    this.path = live.events;
    this.open({});
  }

  /// Listens to this stream instead, which also carries all events; null: events only. Names
  /// distinguish the messages.
  use(path: string | null, told: Record<string, (data: string) => void>): void {
    if (this.ended || (path ?? this.live.events) === this.path) return;
    this.path = path ?? this.live.events;
    this.open(path === null ? {} : told);
  }

  private open(told: Record<string, (data: string) => void>): void {
    this.source?.close();
    const source = new EventSource(this.path);
    this.source = source;
    const text = (event: Event): string => (event as MessageEvent<string>).data;
    source.addEventListener('changed', (event) => {
      try {
        const data = JSON.parse(text(event)) as { id?: unknown };
        if (typeof data.id === 'string') this.onChanged(data.id);
      } catch {
        // A line that is not JSON is ignored.
      }
    });
    source.addEventListener('gallery', () => this.onGallery());
    source.addEventListener('bye', () => {
      source.close(); // otherwise the browser would keep reconnecting
      this.ended = true;
      this.onBye();
    });
    for (const [name, tell] of Object.entries(told)) {
      source.addEventListener(name, (event) => tell(text(event)));
    }
  }
}

async function ask(live: Live, path: string, method: string, body: string): Promise<Response> {
  const response = await fetch(path, { method, headers: { 'X-Supple-Token': live.token }, body });
  if (response.ok) return response;
  const why = (await response.text()).slice(0, 300).replace(/^\d+: /, '');
  throw new Error(`the server answers ${response.status}${why ? `: ${why}` : ''}`);
}

/// Saves an item's settings where the server was told to put them.
export async function save(live: Live, id: string, toml: string): Promise<void> {
  await ask(live, `${live.save}/${encodeURIComponent(id)}`, 'PUT', toml);
}

/// What a .toml of a command (null: a new one) says, once it says these values; null: as it is.
export async function edit(
  live: Live,
  command: Command,
  settings: string | null,
  values: Values | null,
): Promise<{ settings: string; values: Values }> {
  const body = JSON.stringify({ command, settings, ...(values && { values }) });
  const response = await ask(live, live.edit, 'POST', body);
  return response.json() as Promise<{ settings: string; values: Values }>;
}
