// SPDX-License-Identifier: Apache-2.0
import { el } from '../dom';

/// Colours of traces that are distinguishable in both themes and to most eyes.
export const kTraces = [
  '#e2603f', '#3b8fd6', '#4fa36a', '#c38a1c', '#9a6ad0', '#cc5b94', '#5aa7a7',
];

/// A canvas as sharp as the screen; colours come from the page's theme.
export class PlotCanvas {
  readonly element: HTMLCanvasElement;
  readonly context: CanvasRenderingContext2D;
  width = 0;
  height = 0;
  line = '';
  text = '';
  bright = '';

  constructor(label: string) {
    this.element = el('canvas', { role: 'img', 'aria-label': label });
    this.context = this.element.getContext('2d') as CanvasRenderingContext2D;
    this.restyle();
  }

  restyle(): void {
    const style = getComputedStyle(document.documentElement);
    this.line = style.getPropertyValue('--plot-line');
    this.text = style.getPropertyValue('--quiet');
    this.bright = style.getPropertyValue('--text');
  }

  /// False while it is not on the page.
  begin(): boolean {
    const { clientWidth, clientHeight } = this.element;
    if (clientWidth === 0) return false;
    const ratio = Math.min(devicePixelRatio, 2);
    if (this.width !== clientWidth || this.height !== clientHeight) {
      this.width = clientWidth;
      this.height = clientHeight;
      this.element.width = Math.round(clientWidth * ratio);
      this.element.height = Math.round(clientHeight * ratio);
    }
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.context.clearRect(0, 0, this.width, this.height);
    return true;
  }

  /// A level line with its value at the right.
  level(y: number, label: string): void {
    const { context } = this;
    const at = Math.round(y) + 0.5;
    context.strokeStyle = this.line;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(0, at);
    context.lineTo(this.width, at);
    context.stroke();
    context.fillStyle = this.text;
    context.font = '10px system-ui, sans-serif';
    context.textAlign = 'right';
    context.textBaseline = at < 12 ? 'top' : 'bottom';
    context.fillText(label, this.width - 2, at < 12 ? at + 2 : at - 1);
  }
}

const kNice = [1, 2, 5];

/// The next of 1, 2, 5, 10, ... at or above.
export function niceAbove(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(value, 1e-9)));
  for (const factor of kNice) if (value <= factor * unit * 1.0001) return factor * unit;
  return 10 * unit;
}
