// SPDX-License-Identifier: Apache-2.0
import { el } from '../dom';

export interface SwimFigures {
  speed: number; // m/s
  distance: number; // m
  power: number; // W
  depth: number; // m below the surface, or below the start
  surface: boolean; // whether the water has one
  cycles: number;
  pose: string; // as poseLabel writes it
}

/// The name of a depth that is shown without its sign.
export function depthLabel({ depth, surface }: Pick<SwimFigures, 'depth' | 'surface'>): string {
  if (surface) return depth < 0 ? 'Above water' : 'Depth';
  return depth < 0 ? 'Above start' : 'Below start';
}

/// `Reach right` for `reach_right`; `Pose 7 of 8` for `p7`, a name that only counts.
export function poseLabel(poses: readonly string[], number: number): string {
  const name = (poses[number] ?? '').replaceAll(/[_-]+/g, ' ').trim();
  if (name === '') return '';
  if (/^\p{L}? ?\d+$/u.test(name)) return `Pose ${number + 1} of ${poses.length}`;
  return name.charAt(0).toUpperCase() + name.slice(1);
}

const kEvery = 120; // milliseconds: figures that change faster cannot be read
const kSamples = 90;

/// Speed, distance, power.
export class SwimHud {
  readonly element: HTMLElement;
  private readonly values: Record<string, HTMLElement> = {};
  private readonly depthName = el('dt', {}, 'Depth');
  private readonly plot = el('canvas', { 'aria-hidden': 'true' });
  private readonly speeds: number[] = [];
  private last = 0;

  constructor() {
    const figure = (key: string, label: string | HTMLElement, unit: string): HTMLElement => {
      const value = el('output', {}, '–');
      this.values[key] = value;
      const name = typeof label === 'string' ? el('dt', {}, label) : label;
      return el('div', { class: 'figure' }, name, el('dd', {}, value, el('span', {}, unit)));
    };
    this.element = el('aside', { class: 'swim-hud card', 'aria-label': 'The swimmer’s figures' },
      el('dl', { class: 'swim-figures' },
        figure('speed', 'Speed', 'm/s'), figure('distance', 'Distance', 'm'),
        figure('power', 'Power', 'W'), figure('depth', this.depthName, 'm'),
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
    const depth = Math.abs(figures.depth) < 0.05 ? 0 : figures.depth; // no change of name at 0.0
    const label = depthLabel({ ...figures, depth });
    if (this.depthName.textContent !== label) this.depthName.textContent = label;
    write('depth', Math.abs(depth).toFixed(1));
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
