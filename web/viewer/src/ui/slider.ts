// SPDX-License-Identifier: Apache-2.0
import { el, icon } from '../dom';

export interface SliderOptions {
  label: string;
  hint: string;
  min: number;
  max: number;
  step: number;
  format(value: number): string;
  /// Maps the slider's position to the value and back; identity if absent.
  toValue?(place: number): number;
  toPlace?(value: number): number;
  onInput(value: number): void;
  onReset(): void;
}

let count = 0;

/// A labelled range with its value and a reset button.
export class Slider {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement;
  private readonly output: HTMLOutputElement;
  private readonly resetButton: HTMLButtonElement;

  constructor(private readonly options: SliderOptions) {
    const id = `slider-${++count}`;
    const { label, hint, min, max, step } = options;
    const toValue = options.toValue ?? ((place: number): number => place);
    this.input = el('input', {
      type: 'range', id, min, max, step, title: hint,
      oninput: () => {
        options.onInput(toValue(Number(this.input.value)));
      },
    });
    this.output = el('output', { for: id });
    this.resetButton = el('button', {
      type: 'button', class: 'icon-button small', 'aria-label': `Reset ${label.toLowerCase()}`,
      title: 'Reset', onclick: () => options.onReset(),
    }, icon('reset'));
    this.element = el('div', { class: 'slider' },
      el('label', { for: id, title: hint }, label),
      this.resetButton, this.output, this.input);
  }

  /// `mixed`: objects differ; the first one's value is shown, marked.
  show(value: number, changed: boolean, mixed = false): void {
    const place = this.options.toPlace?.(value) ?? value;
    this.input.value = String(place);
    const text = this.options.format(value);
    this.output.value = mixed ? `${text} …` : text;
    this.input.setAttribute('aria-valuetext', mixed ? `${text}, parts differ` : text);
    this.element.classList.toggle('changed', changed);
    this.resetButton.disabled = !changed;
    const { min, max } = this.options;
    const share = (place - min) / Math.max(max - min, 1e-9);
    this.input.style.setProperty('--share', `${Math.min(Math.max(share, 0), 1) * 100}%`);
  }

  setMax(max: number): void {
    this.options.max = max;
    this.input.max = String(max);
  }
}
