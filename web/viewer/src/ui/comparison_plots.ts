// SPDX-License-Identifier: Apache-2.0
import { type Comparison, kMethods, type Method, placeOfLoad } from '../data/comparison';
import { el } from '../dom';
import { niceAbove, PlotCanvas } from './plot_canvas';

const kNames: Record<Method, string> = {
  linear: 'linear', warped: 'warped', rotationStrain: 'rotation-strain', nonlinear: 'nonlinear',
};
/// Those of the pictures that `supple shell experiments` draws (method_colour in apps/supple).
const kColours: Record<Method, string> = {
  linear: '#c9302d', warped: '#1467c2', rotationStrain: '#ce871b', nonlinear: '#2d8949',
};

type Curves = Comparison['area'];

/// The smallest value shown: linear modes are so far off that only a logarithmic scale also shows
/// the others.
const kFloor = 1e-5;

/// Each method's distance from the nonlinear shape and its error in area, over the load; the
/// current load is marked.
export class ComparisonPlots {
  readonly element: HTMLElement;
  private readonly error = new PlotCanvas('Error of each method over the load');
  private readonly area = new PlotCanvas('Change of area by each method over the load');
  private readonly values = new Map<Method, { error: HTMLElement; area: HTMLElement }>();
  private readonly table = el('table', { class: 'methods' });
  private comparison: Comparison | null = null;
  private load = 0;

  constructor() {
    this.element = el('section', { class: 'comparison', 'aria-label': 'Comparison', hidden: true },
      el('h3', {}, 'Error over gravity'), this.error.element,
      el('h3', {}, 'Change of area over gravity'), this.area.element, this.table);
  }

  restyle(): void {
    this.error.restyle();
    this.area.restyle();
    this.draw(this.load);
  }

  show(comparison: Comparison | null): void {
    this.comparison = comparison;
    this.element.hidden = comparison === null;
    this.table.replaceChildren();
    this.values.clear();
    if (!comparison) return;
    this.table.append(el('tr', {}, el('td', {}), el('th', {}, 'error'), el('th', {}, 'area')));
    for (const method of kMethods) {
      if (!comparison.error[method] && !comparison.area[method]) continue;
      const name = el('th', { class: 'key', scope: 'row' }, kNames[method]);
      name.style.setProperty('--key', kColours[method]);
      const cells = { error: el('td', {}), area: el('td', {}) };
      this.values.set(method, cells);
      this.table.append(el('tr', {}, name, cells.error, cells.area));
    }
  }

  draw(load: number, recorded = true): void {
    const { comparison } = this;
    this.load = load;
    if (!comparison) return;
    this.plot(this.error, comparison.error, load);
    this.plot(this.area, comparison.area, load);
    for (const [method, cells] of this.values) {
      const error = at(comparison, comparison.error[method], load);
      const area = at(comparison, comparison.area[method], load);
      cells.error.textContent = error === null ? '–' : percent(error);
      cells.area.textContent = area === null ? '–' : `${area > 0 ? '+' : ''}${percent(area)}`;
    }
    this.element.classList.toggle('off', !recorded);
  }

  private plot(canvas: PlotCanvas, curves: Curves, load: number): void {
    const { loads } = this.comparison as Comparison;
    if (!canvas.begin()) return;
    const { context, width, height } = canvas;
    const all = Object.values(curves).flat().map(Math.abs);
    const top = Math.log10(niceAbove(Math.max(...all, 10 * kFloor)));
    const bottom = Math.log10(Math.max(Math.min(...all.filter((value) => value > 0)), kFloor));
    const low = Math.min(Math.floor(bottom), top - 1);
    const x = (value: number): number => (value / (loads.at(-1) ?? 1)) * width;
    const y = (value: number): number => {
      const share = (Math.log10(Math.max(Math.abs(value), 10 ** low)) - low) / (top - low);
      return height - 2 - share * (height - 6);
    };
    for (let power = Math.ceil(top) - 1; power > low; power -= 2) {
      canvas.level(y(10 ** power), percent(10 ** power));
    }
    context.strokeStyle = canvas.text;
    context.lineWidth = 1;
    context.setLineDash([3, 3]);
    context.beginPath();
    context.moveTo(x(load), 0);
    context.lineTo(x(load), height);
    context.stroke();
    context.setLineDash([]);
    for (const method of kMethods) {
      const curve = curves[method];
      if (!curve) continue;
      context.strokeStyle = context.fillStyle = kColours[method];
      context.lineWidth = 1.5;
      context.beginPath();
      curve.forEach((value, i) => {
        if (value !== 0) context.lineTo(x(loads[i] ?? 0), y(value)); // 0 has no logarithm
      });
      context.stroke();
      context.beginPath();
      context.arc(x(load), y(at(this.comparison as Comparison, curve, load) ?? 0), 3, 0, 7);
      context.fill();
    }
  }
}

function at(comparison: Comparison, curve: number[] | undefined, load: number): number | null {
  if (!curve) return null;
  const { before, share } = placeOfLoad(comparison.loads, load);
  return (1 - share) * (curve[before] ?? 0) + share * (curve[before + 1] ?? curve[before] ?? 0);
}

function percent(value: number): string {
  const hundred = value * 100;
  const size = Math.abs(hundred);
  const text = size === 0 ? '0' : String(Number(hundred.toPrecision(2)));
  return `${text.replace('-', '−')} %`;
}
