// SPDX-License-Identifier: Apache-2.0
import type { ObjectInfo } from 'supple';

import { el, iconButton } from '../dom';
import type { Character } from '../scene/character';
import { kTraces, niceAbove, PlotCanvas } from './plot_canvas';

export interface FrameCost {
  cpu: number; // milliseconds
  gpu: number | null;
  draws: number;
  uploads: number;
  bytes: number;
}

const kSeconds = 4;
const kFrames = 180;
const kTextEvery = 250; // milliseconds between updates of numbers, so that they can be read

/// Amplitudes of one part's modes, and the cost of a frame.
export class Plots {
  readonly element: HTMLElement;
  hz = 0;
  private readonly amplitudes = new PlotCanvas('Displacement of each mode over the last seconds');
  private readonly costs = new PlotCanvas('Milliseconds per frame');
  private readonly part = el('span', { class: 'part' });
  private readonly measured = el('span', { class: 'measured', 'aria-live': 'off' });
  private readonly cost = el('p', { class: 'cost' });
  private readonly cpu = new Float32Array(kFrames);
  private readonly gpu = new Float32Array(kFrames);
  private readonly sums = { cpu: 0, gpu: 0, bytes: 0, uploads: 0, frames: 0 };
  private frame = 0;
  private textTime = 0;
  private scale = 0;
  private above = ''; // written only when the scale changes
  private below = '';

  constructor(close: () => void) {
    const button = iconButton('close', 'Hide plots', 'P', close);
    button.classList.add('small', 'desktop');
    this.element = el('section', { class: 'plots card', 'aria-label': 'Plots' },
      el('header', {}, this.part, this.measured, button),
      this.amplitudes.element, this.cost, this.costs.element);
  }

  restyle(): void {
    this.amplitudes.restyle();
    this.costs.restyle();
  }

  add(cost: FrameCost): void {
    const place = this.frame++ % kFrames;
    this.cpu[place] = cost.cpu;
    this.gpu[place] = cost.gpu ?? 0;
    this.sums.cpu += cost.cpu;
    this.sums.gpu += cost.gpu ?? 0;
    this.sums.bytes += cost.bytes;
    this.sums.uploads += cost.uploads;
    ++this.sums.frames;
  }

  draw(character: Character | null, object: number, cost: FrameCost, now: number): void {
    const part = this.chosen(character, object);
    if (character?.flesh) this.drawAmplitudes(character, part);
    this.drawCosts(cost.gpu !== null);
    if (now - this.textTime < kTextEvery) return;
    this.textTime = Number.isFinite(now) ? now : 0;
    this.hz = character?.measured(part).hz ?? 0;
    this.writeText(character, part, cost);
  }

  /// "All parts" shows the one that moves most.
  private chosen(character: Character | null, object: number): number {
    if (object >= 0 || !character?.flesh || !character.history) return Math.max(object, 0);
    const { objects, modes } = character.flesh.asset;
    let best = 0;
    let most = 0;
    const { history } = character;
    const ages = Math.min(history.count, 60);
    for (let index = 0; index < objects.length; ++index) {
      const { firstMode } = objects[index] as ObjectInfo;
      let sum = 0;
      for (let age = 0; age < ages; age += 4) sum += Math.abs(history.value(age, firstMode));
      sum *= modes[firstMode]?.largestDisplacement ?? 0;
      if (sum > most * 1.2) {
        most = sum;
        best = index;
      }
    }
    return best;
  }

  private drawAmplitudes(character: Character, part: number): void {
    const plot = this.amplitudes;
    const { history, flesh } = character;
    const info = flesh?.asset.objects[part];
    if (!history || !flesh || !info || !plot.begin()) return;
    const { context, width, height } = plot;
    const now = character.time;
    let peak = 0.2; // millimetres
    const end = info.firstMode + info.modeCount;
    let ages = 0;
    while (ages < history.count && now - history.time(ages) <= kSeconds) ++ages;
    for (let mode = info.firstMode; mode < end; ++mode) {
      const longest = 1000 * (flesh.asset.modes[mode]?.largestDisplacement ?? 0);
      for (let age = 0; age < ages; ++age) {
        peak = Math.max(peak, Math.abs(history.value(age, mode)) * longest);
      }
    }
    const wanted = niceAbove(peak);
    // Shrinks only when much too large: a jumping scale cannot be read.
    if (wanted > this.scale || wanted < this.scale / 4) {
      this.scale = wanted;
      this.above = `${trimmed(wanted)} mm`;
      this.below = `−${trimmed(wanted)}`;
    }
    const middle = height / 2;
    const high = middle - 4;
    plot.level(middle - high, this.above);
    plot.level(middle, '0');
    plot.level(middle + high, this.below);
    for (let mode = end - 1; mode >= info.firstMode; --mode) {
      const longest = 1000 * (flesh.asset.modes[mode]?.largestDisplacement ?? 0);
      context.strokeStyle = kTraces[(mode - info.firstMode) % kTraces.length] as string;
      context.lineWidth = mode === info.firstMode ? 1.75 : 1.25;
      context.beginPath();
      for (let age = 0; age < ages; ++age) {
        const x = width * (1 - (now - history.time(age)) / kSeconds);
        context.lineTo(x, middle - (history.value(age, mode) * longest * high) / this.scale);
      }
      context.stroke();
    }
  }

  private drawCosts(hasGpu: boolean): void {
    const plot = this.costs;
    if (!plot.begin()) return;
    const { height } = plot;
    let peak = 4;
    for (let i = 0; i < kFrames; ++i) peak = Math.max(peak, this.cpu[i] ?? 0, this.gpu[i] ?? 0);
    const scale = (height - 2) / peak;
    if (peak > 12 && peak < 80) plot.level(height - 16.7 * scale, '60 fps');
    this.drawCost(this.cpu, kTraces[0] as string, scale);
    if (hasGpu) this.drawCost(this.gpu, kTraces[1] as string, scale);
  }

  private drawCost(values: Float32Array, colour: string, scale: number): void {
    const { width, height, context } = this.costs;
    const count = Math.min(this.frame, kFrames);
    context.strokeStyle = colour;
    context.lineWidth = 1.25;
    context.beginPath();
    for (let i = 0; i < count; ++i) {
      const value = values[(this.frame - 1 - i) % kFrames] ?? 0;
      context.lineTo(width * (1 - i / kFrames), height - 1 - value * scale);
    }
    context.stroke();
  }

  private writeText(character: Character | null, part: number, cost: FrameCost): void {
    const name = character?.flesh?.asset.objects[part]?.name;
    this.part.textContent = name ?? 'Cost of a frame';
    this.amplitudes.element.hidden = !name;
    this.measured.textContent = name ? (this.hz > 0 ? `${this.hz.toFixed(2)} Hz` : '– Hz') : '';
    this.measured.title = 'Measured from the liveliest trace';
    const { sums } = this;
    if (sums.frames === 0) return; // nothing was drawn since
    const frames = Math.max(sums.frames, 1);
    const bytes = sums.bytes / frames;
    const uploads = Math.round(sums.uploads / frames);
    const size = bytes < 1e4 ? `${(bytes / 1e3).toFixed(1)} kB` : `${Math.round(bytes / 1e3)} kB`;
    this.cost.replaceChildren(
      el('span', { class: 'key cpu' }, `CPU ${(sums.cpu / frames).toFixed(1)} ms`),
      el('span', { class: 'key gpu' },
        cost.gpu === null ? 'GPU –' : `GPU ${(sums.gpu / frames).toFixed(1)} ms`),
      el('span', {}, `${cost.draws} draws`),
      el('span', {}, `${uploads} upload${uploads === 1 ? '' : 's'}, ${size}`),
    );
    sums.cpu = sums.gpu = sums.bytes = sums.uploads = sums.frames = 0;
  }
}

function trimmed(value: number): string {
  return String(Number(value.toPrecision(2)));
}
