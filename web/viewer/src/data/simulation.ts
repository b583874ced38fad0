// SPDX-License-Identifier: Apache-2.0
import type { Live } from './manifest';
import { megabytes, ServerJob } from './server_job';
import type { Sources } from './sources';

/// What was triggered, for the simulator: whole frames from the scene at rest on.
export interface Sequence {
  /// Frame, entry, strength; frames ascend from 0.
  actions: [number, number, number][];
  frames: number; // after the first
  begin: number; // seconds of play; the page's own
}

export interface SimulationStatus {
  stage: string;
  frames: number; // that can be fetched
  vertices: number;
  done: number; // 0 to 1
  secondsLeft: number | null;
}

/// The true simulation of a scene, by the page's server.
export class ServerSimulation {
  private readonly job: ServerJob<SimulationStatus, { frames: number; vertices: number }>;
  private fetched = 0;

  constructor(private readonly live: Live) {
    this.job = new ServerJob(live, live.simulation ?? '');
  }

  /// `take` gets x y z of all vertices of each frame, in order, as they become known. False if it
  /// was cancelled.
  async run(
    sources: Sources,
    sequence: Sequence,
    names: readonly string[], // of the entries
    show: (status: SimulationStatus) => void,
    take: (frame: Float32Array) => void,
  ): Promise<boolean> {
    const { flesh, item } = sources;
    if (!flesh) return false;
    const { frames } = sequence;
    const actions = sequence.actions.map(([frame, entry, strength]) =>
      [frame, names[entry], strength]);
    const head = JSON.stringify({ name: flesh.name, item: item?.id ?? null, actions, frames });
    const body = new Blob([head, '\n', flesh.bytes]);
    if (body.size > this.live.uploadBytes) {
      throw new Error(`it takes ${megabytes(body.size)}, and a page can send at most `
        + megabytes(this.live.uploadBytes));
    }
    const made = await this.job.run(body, async (status) => {
      show(status);
      await this.fetchUpTo(status.frames, status.vertices, take);
    });
    if (!made) return false;
    await this.fetchUpTo(made.frames, made.vertices, take);
    return true;
  }

  private async fetchUpTo(
    frames: number,
    vertices: number,
    take: (frame: Float32Array) => void,
  ): Promise<void> {
    while (this.fetched < frames) {
      const response = await this.job.fetch(`frames/${this.fetched}`);
      const points = new Float32Array(await response.arrayBuffer());
      const size = 3 * vertices;
      for (let first = 0; first + size <= points.length; first += size) {
        take(points.subarray(first, first + size));
        ++this.fetched;
      }
    }
  }

  async cancel(): Promise<void> {
    await this.job.cancel();
  }
}
