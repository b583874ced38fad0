// SPDX-License-Identifier: Apache-2.0
import { el } from '../dom';

export interface SwimFigures {
  speed: number; // m/s
  distance: number; // m
  power: number; // W
  depth: number; // m below the surface, or below the start
  cycles: number;
  pose: string;
}

const kEvery = 120; // milliseconds: figures that change faster cannot be read
const kSamples = 90;

/// Speed, distance, power.
export class SwimHud {
  readonly element: HTMLElement;
  private readonly values: Record<string, HTMLElement> = {};
  private readonly plot = el('canvas', { 'aria-hidden': 'true' });
  private readonly speeds: number[] = [];
  private last = 0;

  constructor() {
    const figure = (key: string, label: string, unit: string): HTMLElement => {
      const value = el('output', {}, '–');
      this.values[key] = value;
      return el('div', { class: 'figure' }, el('dt', {}, label),
        el('dd', {}, value, el('span', {}, unit)));
    };
    this.element = el('aside', { class: 'swim-hud card', 'aria-label': 'The swimmer’s figures' },
      el('dl', { class: 'swim-figures' },
        figure('speed', 'Speed', 'm/s'), figure('distance', 'Distance', 'm'),
        figure('power', 'Power', 'W'), figure('depth', 'Depth', 'm'),
        figure('cycles', 'Strokes', '')),
      this.plot,
      el('p', { class: 'pose' }, this.values.pose = el('output', {}, '')));
  }

  show(figures: SwimFigures, now: number): void {
    if (now - this.last < kEvery) return;
    this.last = now;
    const write = (key: string, text: string): void => {
      const value = this.values[key];
      if (value && value.textContent !== text) value.textContent = text;
    };
    write('speed', figures.speed.toFixed(2));
    write('distance', figures.distance.toFixed(1));
    write('power', figures.power.toFixed(0));
    write('depth', (Math.abs(figures.depth) < 0.05 ? 0 : figures.depth).toFixed(1));
    write('cycles', String(figures.cycles));
    write('pose', figures.pose);
    this.speeds.push(figures.speed);
    if (this.speeds.length > kSamples) this.speeds.shift();
    this.draw();
  }

  clear(): void {
    this.speeds.length = 0;
  }

  /// The speed of the last seconds, from zero up.
  private draw(): void {
    const { plot } = this;
    const ratio = Math.min(devicePixelRatio, 2);
    const [width, height] = [plot.clientWidth * ratio, plot.clientHeight * ratio];
    if (width < 1) return;
    if (plot.width !== width || plot.height !== height) [plot.width, plot.height] = [width, height];
    const context = plot.getContext('2d');
    if (!context) return;
    const most = Math.max(1.5, ...this.speeds);
    const x = (i: number): number => (i / (kSamples - 1)) * width;
    const y = (speed: number): number =>
      height - 1.5 * ratio - (speed / most) * (height - 4 * ratio);
    context.clearRect(0, 0, width, height);
    context.beginPath();
    this.speeds.forEach((speed, i) => context.lineTo(x(i), y(speed)));
    context.strokeStyle = getComputedStyle(plot).color;
    context.lineWidth = 1.6 * ratio;
    context.stroke();
    context.lineTo(x(this.speeds.length - 1), height);
    context.lineTo(0, height);
    context.globalAlpha = 0.14;
    context.fillStyle = context.strokeStyle;
    context.fill();
    context.globalAlpha = 1;
  }
}
