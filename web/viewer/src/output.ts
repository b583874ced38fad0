// SPDX-License-Identifier: Apache-2.0
import { save } from './data/live';
import { exportSettings } from './data/toml';
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

  settingsToml(): string | null {
    const { character } = this.viewer;
    const flesh = character?.flesh?.asset.objects.some(({ kind }) => kind === 'flesh');
    if (!character?.settings || !flesh) return null;
    const text = character.sources.settings?.text ?? null;
    return exportSettings(text, character.settings.tunings(), character.metresPerUnit);
  }

  downloadSettings(): void {
    const toml = this.settingsToml();
    if (toml === null) return this.viewer.page.acted('No flesh, so no settings to export');
    download(new Blob([toml], { type: 'application/toml' }), this.name('bake.toml'));
  }

  async saveSettings(): Promise<void> {
    const toml = this.settingsToml();
    const id = this.viewer.character?.sources.item?.id;
    const { live } = this.opening;
    if (toml === null || !id || !live) return;
    const { notices } = this.viewer.page;
    try {
      await save(live, id, toml);
      this.opening.settingsSaved();
      notices.info('Settings saved');
    } catch (error) {
      notices.error('The settings were not saved', (error as Error).message);
    }
  }
}
