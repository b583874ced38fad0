// SPDX-License-Identifier: Apache-2.0
import { SkinnedMesh } from 'three';

import { type BakeResult, ServerBake } from './data/bake';
import type { Command } from './data/baked';
import type { Live } from './data/manifest';
import type { Character } from './scene/character';
import { BakeCard } from './ui/bake_card';
import type { Notices } from './ui/notices';

const kMostWarnings = 3; // more would cover the stage; the program's log has all of them

/// The page around a bake.
export interface BakingHost {
  readonly server: Live | null;
  readonly character: Character | null;
  readonly swims: boolean;
  readonly notices: Notices;
  /// False if it could not be opened.
  openBaked(files: File[]): Promise<boolean>;
  /// The card appeared or disappeared.
  changed(): void;
}

function isRigged(character: Character): boolean {
  let rigged = false;
  character.gltf.scene.traverse((object) => { rigged ||= object instanceof SkinnedMesh; });
  return rigged;
}

/// Gives flesh to a character that has none: the page's server bakes it.
export class Baking {
  readonly card: BakeCard;
  private bake: ServerBake | null = null;
  private made: { files: File[]; title: string } | null = null; // not on the stage yet

  constructor(private readonly host: BakingHost) {
    this.card = new BakeCard({
      begin: () => void this.begin(),
      cancel: () => this.cancel(),
      open: () => void this.open(),
      close: () => {
        this.made = null;
        this.offer();
      },
    });
  }

  /// A character was opened.
  opened(): void {
    if (!this.bake && !this.made) this.offer();
  }

  private offer(): void {
    const { character, server, swims } = this.host;
    if (!character || character.flesh || swims || !server?.bake) {
      this.card.hide();
    } else if (isRigged(character)) {
      this.card.offer('No flesh yet. Drop its .supple file, or', 'Give it flesh');
    } else {
      this.card.offer('Nothing is soft yet. Drop its .supple file, or', 'Make it a shell');
    }
    this.host.changed();
  }

  private async begin(): Promise<void> {
    const { character, server, notices } = this.host;
    if (!character || !server || this.bake) return;
    const { sources } = character;
    const command: Command = isRigged(character) ? 'bake' : 'shell';
    this.bake = new ServerBake(server, command);
    notices.clearErrors();
    this.card.begin(sources.character.name);
    this.host.changed();
    let result: BakeResult | null = null;
    try {
      result = await this.bake.run(sources, (status) => this.card.show(status));
      if (!result) notices.info('The bake was cancelled');
    } catch (error) {
      notices.error(`${sources.character.name} was not baked`, (error as Error).message);
    }
    this.bake = null;
    if (result) await this.receive(result, sources.title, this.host.character === character);
    else this.offer();
  }

  /// Shows it at once, unless something else was opened meanwhile.
  private async receive(result: BakeResult, title: string, here: boolean): Promise<void> {
    const { files, warnings } = result;
    this.made = { files, title };
    for (const warning of warnings.slice(0, kMostWarnings)) this.host.notices.info(warning, 12);
    if (here) return this.open();
    this.card.ready(title, files, false);
    this.host.changed();
  }

  private async open(): Promise<void> {
    const { made } = this;
    if (!made) return;
    if (!await this.host.openBaked(made.files)) return;
    this.card.ready(made.title, made.files, true);
    this.made = null;
    this.host.changed();
  }

  private cancel(): void {
    this.card.cancelling();
    this.bake?.cancel().catch((error: unknown) =>
      this.host.notices.error('The bake goes on', (error as Error).message));
  }
}
