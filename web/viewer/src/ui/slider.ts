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

  /// The values of all objects; where they differ, the knob shows the first.
  show(values: number[], changed: boolean): void {
    const value = values[0] ?? this.options.min;
    const place = this.options.toPlace?.(value) ?? value;
    this.input.value = String(place);
    const text = this.text(values);
    this.output.value = text;
    this.input.setAttribute('aria-valuetext', text);
    this.element.classList.toggle('changed', changed);
    this.resetButton.disabled = !changed;
    const { min, max } = this.options;
    const share = (place - min) / Math.max(max - min, 1e-9);
    this.input.style.setProperty('--share', `${Math.min(Math.max(share, 0), 1) * 100}%`);
  }

  private text(values: number[]): string {
    const { format } = this.options;
    const [least, most] = [format(Math.min(...values)), format(Math.max(...values))];
    return least === most ? least : `${least} to ${most}`;
  }

  setMax(max: number): void {
    this.options.max = max;
    this.input.max = String(max);
  }
}
