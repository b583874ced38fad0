// SPDX-License-Identifier: Apache-2.0

export interface SwimStroke {
  name: string;
  description: string;
  steers: boolean;
  poses: string[];
  commands: string[]; // accepted by its graph
}

/// The program's swimmer, from `GET api/swim`.
export interface SwimSetup {
  frames: string; // path of the stream
  strokes: SwimStroke[];
  segments: { name: string; centre: [number, number, number] }[];
  surface: (number | null)[]; // height of the water for each stroke; null: water everywhere
}

export interface SwimChange {
  hold?: { up: number; left: number; roll: number };
  stroke?: string;
  command?: string;
  target?: [number, number, number] | null;
  reset?: true;
}

/// The page's calls to the simulating program.
export class SwimCalls {
  constructor(
    private readonly address: string,
    private readonly token: string,
  ) {}

  async setup(): Promise<SwimSetup> {
    const response = await fetch(this.address, { cache: 'no-store' });
    if (!response.ok) throw new Error(await told(response));
    return await response.json() as SwimSetup;
  }

  async send(change: SwimChange): Promise<void> {
    const response = await fetch(this.address, {
      method: 'POST',
      headers: { 'X-Supple-Token': this.token, 'Content-Type': 'application/json' },
      body: JSON.stringify(change),
    });
    if (!response.ok) throw new Error(await told(response));
  }
}

async function told(response: Response): Promise<string> {
  const why = (await response.text()).trim().slice(0, 300);
  return why || `the server returned ${response.status}`;
}
