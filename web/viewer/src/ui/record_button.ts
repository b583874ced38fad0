// SPDX-License-Identifier: Apache-2.0
import { el, iconButton, setIcon } from '../dom';

/// Starts and stops a film, and shows its duration while recording.
export class RecordButton {
  readonly element: HTMLButtonElement;
  private readonly clock = el('span', { class: 'recorded' });
  private shown = -1;

  constructor(toggle: () => void) {
    this.element = iconButton('record', 'Record a film', 'R', toggle);
  }

  refresh(running: boolean): void {
    const { element } = this;
    const label = running ? 'Stop recording' : 'Record a film';
    setIcon(element, running ? 'stop' : 'record');
    element.setAttribute('aria-label', label);
    element.setAttribute('aria-pressed', String(running));
    element.title = `${label} (R)`;
    element.classList.toggle('recording', running);
    if (running) element.append(this.clock);
    else this.clock.remove();
  }

  /// Called every frame while recording, but writes only changes.
  tick(time: number): void {
    const seconds = Math.floor(time);
    if (seconds === this.shown) return;
    this.shown = seconds;
    const rest = String(seconds % 60).padStart(2, '0');
    this.clock.textContent = `${Math.floor(seconds / 60)}:${rest}`;
  }
}
