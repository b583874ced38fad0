// SPDX-License-Identifier: Apache-2.0
import { el } from '../dom';
import { PlotCanvas } from '../ui/plot_canvas';
import { colourOf } from './colours';
import type { ScenePlay } from './play';

const kSeconds = 12; // shown, the present at the right
const kThick = 6; // pixels of a bar at full strength
const kThin = 2.5;

/// What was triggered: a bar in the colour of its entry from each act to the next.
export class Timeline {
  readonly plot = new PlotCanvas('Timeline');
  readonly element = el('div', { class: 'timeline' }, this.plot.element);
  private told = -1; // acts that the label counts

  draw(play: ScenePlay): void {
    const { plot } = this;
    this.tell(play);
    if (!plot.begin()) return;
    this.drawSeconds(play.seconds);
    const { acts } = play;
    for (let i = acts.length - 1; i >= 0; --i) {
      const until = acts[i + 1]?.seconds ?? play.seconds;
      if (play.seconds - until > kSeconds) break;
      this.drawAct(play, i, until);
    }
  }

  private x(play: ScenePlay, seconds: number): number {
    return this.plot.width * (1 - (play.seconds - seconds) / kSeconds);
  }

  private drawSeconds(now: number): void {
    const { context, width, height, line } = this.plot;
    context.strokeStyle = line;
    context.lineWidth = 1;
    context.beginPath();
    for (let second = Math.ceil(now - kSeconds); second <= now; ++second) {
      const at = Math.round(width * (1 - (now - second) / kSeconds)) + 0.5;
      context.moveTo(at, height - 5);
      context.lineTo(at, height);
    }
    context.moveTo(0, height - 0.5);
    context.lineTo(width, height - 0.5);
    context.stroke();
  }

  private drawAct(play: ScenePlay, index: number, until: number): void {
    const { context, width, height, text } = this.plot;
    const act = play.acts[index];
    const entry = act && play.entries[act.entry];
    if (!act || !entry) return;
    const [from, to] = [this.x(play, act.seconds), this.x(play, until)];
    const share = act.strength / entry.strongest;
    const thick = kThin + (kThick - kThin) * Math.min(share, 1);
    const level = height - 9;
    context.fillStyle = colourOf(act.entry);
    context.fillRect(from, level - thick / 2, Math.max(to - from - 1.5, 1.5), thick);
    context.beginPath();
    context.arc(from + 1, level, kThick / 2 + 1, 0, 2 * Math.PI);
    context.fill();
    context.fillStyle = text;
    context.font = '11px system-ui, sans-serif';
    context.textAlign = 'left';
    context.textBaseline = 'alphabetic';
    const room = (play.acts[index + 1] ? to : width) - from - 4;
    if (context.measureText(entry.name).width < room && from >= 0) {
      context.fillText(entry.name, from - 1, level - 8);
    }
  }

  private tell(play: ScenePlay): void {
    if (this.told === play.acts.length) return;
    this.told = play.acts.length;
    const last = play.acts.slice(-5).map(({ entry }) => play.entries[entry]?.name).join(', ');
    this.plot.element.setAttribute('aria-label',
      last ? `Timeline; triggered last: ${last}` : 'Timeline; nothing was triggered yet');
  }
}
