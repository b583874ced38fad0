// SPDX-License-Identifier: Apache-2.0
import { PlotCanvas } from '../ui/plot_canvas';
import { colourOf } from './colours';
import type { ScenePlay } from './play';

const kMargin = 16; // pixels
const kStretch = 2.5; // of the second coordinate at most, to use the height
const kLineShare = 0.5; // opacity of what is not replayed now

/// The phase portrait: the curves of all responses in the first two coordinates, in the colours of
/// their entries, nearer ones in the third coordinate on top; and the present point with its trail.
export class PortraitPlot {
  readonly plot = new PlotCanvas('Portrait of the scene');
  point = { x: 0, y: 0 }; // on the canvas, in pixels
  private readonly still = document.createElement('canvas'); // the curves, drawn once
  private drawn: ScenePlay | null = null;
  private drawnWidth = 0;
  private drawnHeight = 0;
  private centre = { x: 0, y: 0 };
  private scale = { x: 1, y: 1 };

  show(play: ScenePlay | null): void {
    this.drawn = null;
    if (!play) return;
    this.plot.element.setAttribute('aria-label', `Portrait: ${play.info.stateCount} states in `
      + `${play.info.responseCount} responses, by their first two coordinates, coloured by entry; `
      + 'the point is the scene now');
  }

  restyle(): void {
    this.plot.restyle();
    this.drawn = null;
  }

  draw(play: ScenePlay): void {
    const { plot } = this;
    if (!plot.begin()) return;
    const { width, height } = plot;
    if (this.drawn !== play || width !== this.drawnWidth || height !== this.drawnHeight) {
      this.drawStill(play);
      this.drawn = play;
      this.drawnWidth = width;
      this.drawnHeight = height;
    }
    plot.context.drawImage(this.still, 0, 0, width, height);
    this.drawNow(play);
  }

  // ---- Places ----

  private fit(play: ScenePlay): void {
    const { states } = play.portrait;
    const { modeCount } = play;
    const low = { x: 0, y: 0 }; // rest belongs to it
    const high = { x: 0, y: 0 };
    for (let i = 0; i + modeCount <= states.length; i += modeCount) {
      const x = states[i] ?? 0;
      const y = modeCount > 1 ? states[i + 1] ?? 0 : 0;
      low.x = Math.min(low.x, x);
      high.x = Math.max(high.x, x);
      low.y = Math.min(low.y, y);
      high.y = Math.max(high.y, y);
    }
    this.centre = { x: (low.x + high.x) / 2, y: (low.y + high.y) / 2 };
    const wide = (this.plot.width - 2 * kMargin) / Math.max(high.x - low.x, 1e-9);
    const tall = (this.plot.height - 2 * kMargin) / Math.max(high.y - low.y, 1e-9);
    this.scale = { x: Math.min(wide, tall), y: Math.min(tall, kStretch * wide) };
  }

  private place(x: number, y: number): [number, number] {
    return [this.plot.width / 2 + (x - this.centre.x) * this.scale.x,
      this.plot.height / 2 - (y - this.centre.y) * this.scale.y];
  }

  /// A state's two coordinates.
  private at(play: ScenePlay, state: number): [number, number] {
    const { states } = play.portrait;
    const first = state * play.modeCount;
    return this.place(states[first] ?? 0, play.modeCount > 1 ? states[first + 1] ?? 0 : 0);
  }

  // ---- Drawing ----

  private drawStill(play: ScenePlay): void {
    const { plot, still } = this;
    this.fit(play);
    still.width = plot.element.width;
    still.height = plot.element.height;
    const context = still.getContext('2d') as CanvasRenderingContext2D;
    context.scale(still.width / plot.width, still.height / plot.height);
    this.drawAxes(context);
    context.lineWidth = 1;
    context.lineJoin = 'round';
    context.globalAlpha = kLineShare;
    // By the third coordinate of their middles, far ones first.
    const depth = (response: number): number => {
      const { firstState, stateCount } = play.portrait.responses[response] ?? {
        firstState: 0, stateCount: 0,
      };
      const middle = firstState + (stateCount >> 1);
      return play.modeCount > 2 ? play.portrait.states[middle * play.modeCount + 2] ?? 0 : 0;
    };
    const order = play.portrait.responses.map((_, r) => r).sort((a, b) => depth(a) - depth(b));
    for (const r of order) this.curve(context, play, r, 0);
  }

  private drawAxes(context: CanvasRenderingContext2D): void {
    const { plot } = this;
    const [x, y] = this.place(0, 0);
    context.strokeStyle = plot.line;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(0, Math.round(y) + 0.5);
    context.lineTo(plot.width, Math.round(y) + 0.5);
    context.moveTo(Math.round(x) + 0.5, 0);
    context.lineTo(Math.round(x) + 0.5, plot.height);
    context.stroke();
    context.fillStyle = plot.text;
    context.font = '10px system-ui, sans-serif';
    // In the corners that the curves leave free.
    const onRight = x > plot.width / 2;
    context.textBaseline = 'top';
    context.textAlign = onRight ? 'right' : 'left';
    context.fillText('2nd coordinate', Math.round(x) + (onRight ? -5 : 5), 3);
    context.textBaseline = 'bottom';
    context.textAlign = onRight ? 'left' : 'right';
    context.fillText('1st', onRight ? 3 : plot.width - 3, Math.round(y) - 3);
  }

  private curve(
    context: CanvasRenderingContext2D,
    play: ScenePlay,
    response: number,
    from: number,
  ): void {
    const known = play.portrait.responses[response];
    if (!known) return;
    context.strokeStyle = colourOf(play.entryOf(known.entry));
    context.beginPath();
    for (let f = from; f < known.stateCount; ++f) {
      context.lineTo(...this.at(play, known.firstState + f));
    }
    context.stroke();
  }

  /// What is replayed from here on, the trail, the point.
  private drawNow(play: ScenePlay): void {
    const { context, bright } = this.plot;
    const { response, frame, entry } = play.state;
    if (response !== null && !play.state.atRest) {
      context.lineWidth = 1.75;
      this.curve(context, play, response, Math.floor(frame));
    }
    context.lineCap = 'round';
    context.strokeStyle = bright;
    const { trail } = play;
    for (let i = 1; i < trail.length; ++i) {
      const [a, b] = [trail[i - 1], trail[i]];
      if (!a || !b) continue;
      context.globalAlpha = i / trail.length;
      context.lineWidth = 0.5 + 2 * (i / trail.length);
      context.beginPath();
      context.moveTo(...this.place(...a));
      context.lineTo(...this.place(...b));
      context.stroke();
    }
    context.globalAlpha = 1;
    const [x, y] = this.place(play.coordinate(0), play.coordinate(1));
    this.point = { x, y };
    context.beginPath();
    context.arc(x, y, 5.5, 0, 2 * Math.PI);
    context.fillStyle = entry === null ? bright : colourOf(play.entryOf(entry));
    context.fill();
    context.lineWidth = 2;
    context.strokeStyle = bright;
    context.stroke();
  }
}
