// SPDX-License-Identifier: Apache-2.0
import type { Command } from './data/baked';
import { edit, save } from './data/live';
import { notes, printToml, tuned } from './data/settings';
import { download } from './dom';
import type { Opening } from './opening';
import { Recorder } from './record';
import type { Character } from './scene/character';
import type { Stage } from './scene/stage';
import type { Page } from './page';

/// The source of the output.
export interface Shown {
  readonly character: Character | null;
  readonly stage: Stage;
  readonly page: Page;
  draw(): void;
  wake(): void;
  changed(): void;
}

/// Output of the page: pictures, films, settings.
export class Output {
  readonly recorder = new Recorder();

  constructor(
    private readonly viewer: Shown,
    private readonly opening: Opening,
  ) {}

  private name(ending: string): string {
    return `${this.viewer.character?.sources.id ?? 'supple'}.${ending}`;
  }

  picture(): void {
    const { stage, page } = this.viewer;
    const { coarse } = stage;
    if (coarse < 1) stage.setCoarse(1); // a picture may take longer
    this.viewer.draw(); // earlier drawings are gone in this task
    const name = this.name('png');
    stage.canvas.toBlob((blob) => {
      if (blob) download(blob, name);
      else page.notices.error('No picture', 'the browser could not encode it');
    }, 'image/png');
    if (coarse < 1) stage.setCoarse(coarse);
    this.viewer.wake();
  }

  toggleRecording(): void {
    if (this.recorder.running) {
      this.recorder.stop();
    } else {
      const name = this.name('webm');
      try {
        this.recorder.start(this.viewer.stage.canvas, (film) => {
          if (film.size > 0) download(film, name);
          else this.viewer.page.notices.error('No film', 'it ended before its first picture');
        });
      } catch (error) {
        this.viewer.page.notices.error('No recording', (error as Error).message);
      }
    }
    this.viewer.changed();
  }

  /// The command whose .toml the open character's settings are.
  private get command(): Command {
    return this.viewer.character?.sources.baked?.command ?? 'bake';
  }

  /// The settings as they are set now; null if nothing is soft. Settings that are not known are an
  /// error: a guess would bake another character.
  async settingsToml(): Promise<string | null> {
    const { character } = this.viewer;
    if (!character?.settings || !character.flesh) return null;
    const { settings, baked, edits, flesh } = character.sources;
    if (settings?.problem) {
      throw new Error(`${settings.name} was not read and is left alone: ${settings.problem}`);
    }
    if (!edits.values) {
      throw new Error(`${flesh?.name ?? 'the flesh'} does not contain the settings it was baked `
        + 'with; bake it again, or drop its bake.toml with it');
    }
    const { command } = this;
    const tunings = character.settings.tunings();
    const values = edits.applied(
      tuned(edits.values, baked?.values ?? edits.values, tunings, command));
    const { server } = this.opening;
    const text = server ? (await edit(server, command, settings?.text ?? null, values)).settings
      : printToml(values);
    return text + notes(tunings, command);
  }

  async downloadSettings(): Promise<void> {
    const { page } = this.viewer;
    try {
      const toml = await this.settingsToml();
      if (toml === null) page.acted('Nothing is soft, so there are no settings to export');
      else download(new Blob([toml], { type: 'application/toml' }), this.name(`${this.command}.toml`));
    } catch (error) {
      page.notices.error('No settings', (error as Error).message);
    }
  }

  /// The worst blends of this session, for `supple scene refine`.
  sceneLog(): void {
    const { play } = this.viewer.character ?? {};
    if (!play) return;
    const json = play.log.json(play.name);
    download(new Blob([json], { type: 'application/json' }), 'scene_log.json');
  }

  async saveSettings(): Promise<void> {
    const id = this.viewer.character?.sources.item?.id;
    const { live } = this.opening;
    if (!id || !live) return;
    const { notices } = this.viewer.page;
    try {
      const toml = await this.settingsToml();
      if (toml === null) return;
      await save(live, id, toml);
      this.opening.settingsSaved();
      notices.info('Settings saved');
    } catch (error) {
      notices.error('The settings were not saved', (error as Error).message);
    }
  }
}
