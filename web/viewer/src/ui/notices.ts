// SPDX-License-Identifier: Apache-2.0
import { clock } from '../clock';
import { el, icon } from '../dom';

export interface Notice {
  close(): void;
}

/// Short messages above the stage. Errors stay until the user closes them or tries again.
export class Notices {
  // Each is announced once: errors as separate alerts, the rest through their list.
  private readonly infos = el('div', { class: 'infos', 'aria-live': 'polite' });
  readonly element = el('div', { class: 'notices' }, this.infos);
  readonly errors: string[] = [];

  /// What failed, and the reason in one or more sentences.
  error(what: string, why: string): Notice {
    this.errors.push(`${what}: ${why}`);
    return this.show('error', 0, el('strong', {}, what), ` ${sentence(why)}`);
  }

  info(text: string, seconds = 4): Notice {
    return this.show('info', seconds, text);
  }

  /// Removes errors of earlier attempts.
  clearErrors(): void {
    for (const node of this.element.querySelectorAll('.error')) node.remove();
  }

  private show(kind: 'error' | 'info', seconds: number, ...content: (Node | string)[]): Notice {
    const close = (): void => box.remove();
    const button = { type: 'button', class: 'icon-button small', 'aria-label': 'Close' };
    const error = kind === 'error';
    const box = el(
      'div',
      { class: `notice ${kind}`, ...(error ? { role: 'alert' } : {}) },
      el('p', {}, ...content),
      el('button', { ...button, onclick: close }, icon('close')),
    );
    (error ? this.element : this.infos).append(box);
    if (seconds > 0) clock.after(seconds * 1000, close);
    return { close };
  }
}

function sentence(text: string): string {
  const upper = text.charAt(0).toUpperCase() + text.slice(1);
  // File names keep their case.
  const shown = /^\S+\.\w+/.test(text) ? text : upper;
  return /[.!?]$/.test(shown) ? shown : `${shown}.`;
}
