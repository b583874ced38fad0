// SPDX-License-Identifier: Apache-2.0
import { edit, save } from './data/live';
import { guessed, notes, printToml, tuned } from './data/settings';
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

  /// The settings as they are set now; null if there is no flesh.
  async settingsToml(): Promise<string | null> {
    const { character } = this.viewer;
    const flesh = character?.flesh?.asset.objects.some(({ kind }) => kind === 'flesh');
    if (!character?.settings || !flesh) return null;
    const tunings = character.settings.tunings();
    const { settings, edits } = character.sources;
    const known = Array.isArray(settings?.values?.object) && settings.values.object.length > 0
      ? settings.values : null;
    const values = known ? edits.applied(tuned(known, tunings))
      : guessed(tunings, character.metresPerUnit);
    const { server } = this.opening;
    const text = server ? (await edit(server, known && settings ? settings.text : null, values))
      .settings : printToml(values);
    return text + notes(tunings, !known);
  }

  async downloadSettings(): Promise<void> {
    const { page } = this.viewer;
    try {
      const toml = await this.settingsToml();
      if (toml === null) page.acted('No flesh, so no settings to export');
      else download(new Blob([toml], { type: 'application/toml' }), this.name('bake.toml'));
    } catch (error) {
      page.notices.error('No settings', (error as Error).message);
    }
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
