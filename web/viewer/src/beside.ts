// SPDX-License-Identifier: Apache-2.0
import { ServerSimulation } from './data/simulation';
import type { Live } from './data/manifest';
import { sequenceOf } from './palette/beside_play';
import type { Character } from './scene/character';
import { BesideBox } from './ui/beside_box';
import type { Notices } from './ui/notices';

/// The page around a scene beside its simulation.
export interface BesideHost {
  readonly server: Live | null;
  readonly character: Character | null;
  readonly notices: Notices;
  /// A side appeared or disappeared, or what is shown changed.
  sidesChanged(): void;
  wake(): void;
}

/// Shows what was triggered beside the true simulation, which the page's server computes.
export class Beside {
  readonly box: BesideBox;
  private simulation: ServerSimulation | null = null;

  constructor(private readonly host: BesideHost) {
    this.box = new BesideBox({
      begin: () => void this.begin(),
      close: () => this.close(),
      again: () => {
        this.host.character?.beside?.again();
        host.wake();
      },
      show: (frame) => {
        const { beside } = this.host.character ?? {};
        if (!beside) return;
        beside.playing = false;
        beside.show(frame);
        host.wake();
      },
    });
  }

  /// A character was opened, or a simulation ended.
  opened(): void {
    this.cancel();
    this.box.offer(this.host.character?.play ?? null, !!this.host.server?.simulation);
  }

  get possible(): boolean {
    return !!this.host.server?.simulation && !!this.host.character?.play;
  }

  toggle(): void {
    if (this.host.character?.beside) this.close();
    else void this.begin();
  }

  private async begin(): Promise<void> {
    const { character, server, notices } = this.host;
    const { play } = character ?? {};
    if (!character || !play || !server?.simulation || this.simulation) return;
    const sequence = sequenceOf(play);
    if (!sequence) {
      notices.info(play.acts.length === 0 ? 'Press a button of the palette first'
        : 'It takes 20 seconds at most, from rest: start again and trigger fewer entries', 6);
      return;
    }
    notices.clearErrors();
    const simulation = this.simulation = new ServerSimulation(server);
    const beside = character.showBeside(sequence);
    if (!beside) return;
    this.box.begin(beside);
    this.host.sidesChanged();
    const here = (): boolean => this.host.character === character && character.beside === beside;
    let done = false;
    try {
      done = await simulation.run(character.sources, sequence,
        play.entries.map(({ name }) => name), (status) => this.box.show(status),
        (points) => {
          if (!here()) return;
          beside.take(points);
          this.host.wake();
        });
    } catch (error) {
      if (here()) notices.error('The scene was not simulated', (error as Error).message);
    }
    if (this.simulation === simulation) this.simulation = null;
    if (!here()) return;
    if (!done) return this.close();
    beside.complete = true;
    this.box.done();
    this.host.sidesChanged();
  }

  private cancel(): void {
    const { simulation } = this;
    this.simulation = null;
    simulation?.cancel().catch((error: unknown) =>
      this.host.notices.error('The simulation goes on', (error as Error).message));
  }

  /// Back to live play, from rest.
  close(): void {
    this.cancel();
    const { character } = this.host;
    if (!character?.beside) return;
    character.showBeside(null);
    this.box.offer(character.play, true);
    this.host.sidesChanged();
  }
}
