// SPDX-License-Identifier: Apache-2.0
import type { Live } from './manifest';

/// Tells when a served file changed on disk, and when the server goes.
export function listen(live: Live, onChanged: (id: string) => void, onBye: () => void): void {
  const events = new EventSource(live.events);
  events.addEventListener('changed', (event) => {
    try {
      const data = JSON.parse((event as MessageEvent<string>).data) as { id?: unknown };
      if (typeof data.id === 'string') onChanged(data.id);
    } catch {
      // A line that is not JSON says nothing about any item.
    }
  });
  events.addEventListener('bye', () => {
    events.close(); // else the browser would knock for ever
    onBye();
  });
}

/// Puts an item's settings where the server was told they belong.
export async function save(live: Live, id: string, toml: string): Promise<void> {
  const response = await fetch(`${live.save}/${encodeURIComponent(id)}`, {
    method: 'PUT',
    headers: { 'X-Supple-Token': live.token, 'Content-Type': 'application/toml' },
    body: toml,
  });
  if (!response.ok) {
    const why = (await response.text()).slice(0, 300);
    throw new Error(`the server answers ${response.status}${why ? `: ${why}` : ''}`);
  }
}
