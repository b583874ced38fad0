// SPDX-License-Identifier: Apache-2.0

export type KeyAction = () => void;

export interface KeyPlaces {
  /// A dialog receives all keys.
  modal(): boolean;
  /// A character is visible, not the gallery.
  onStage(): boolean;
}

const kAnywhere = new Set(['o', 'n', 'g', '?']); // the others act on the character
const kHeld = /^(Shift\+)?(Arrow|Page|Home|End)|^[+=-]$/; // these repeat when held down

/// Keys of the whole page. The focused element has priority: arrows belong to a slider, space to a
/// button, letters to a text field. What was used by pointer gives the focus back, so that only
/// those who came by keyboard have left the stage.
export function listenToKeys(actions: Record<string, KeyAction>, places: KeyPlaces): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || places.modal()) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const shifted = `Shift+${key}`;
    const name = event.shiftKey && actions[shifted] ? shifted : key;
    const action = actions[name];
    if (!action || wantedByFocus(key)) return;
    if (!kAnywhere.has(name) && !places.onStage()) return; // arrows scroll the page there
    event.preventDefault();
    if (!event.repeat || kHeld.test(name)) action();
  });
}

/// What comes before the keys of the page.
export interface KeyCapture {
  down(event: KeyboardEvent): void;
  up(event: KeyboardEvent): void;
  leave(): void; // the page loses the keyboard: no key is held any longer
}

/// Returns what ends it.
export function captureKeys(keys: KeyCapture): () => void {
  const down = (event: KeyboardEvent): void => keys.down(event);
  const up = (event: KeyboardEvent): void => keys.up(event);
  const leave = (): void => keys.leave();
  addEventListener('keydown', down, { capture: true });
  addEventListener('keyup', up, { capture: true });
  addEventListener('blur', leave);
  return () => {
    removeEventListener('keydown', down, { capture: true });
    removeEventListener('keyup', up, { capture: true });
    removeEventListener('blur', leave);
  };
}

/// A pointer is done with a slider, a list or a button when it lets go; text fields keep the focus.
export function giveFocusBack(stage: HTMLElement, onStage: () => boolean): void {
  let byPointer = false;
  const back = (): void => {
    if (byPointer && onStage()) stage.focus({ preventScroll: true });
  };
  addEventListener('pointerdown', () => { byPointer = true; }, true);
  addEventListener('keydown', () => { byPointer = false; }, true);
  addEventListener('pointerup', ({ target }) => {
    if (target instanceof HTMLInputElement && target.type === 'range') back();
  });
  addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement || isSwitch(target)) back();
  });
  addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('button')) back();
  });
}

const isSwitch = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement && target.type === 'checkbox';

function wantedByFocus(key: string): boolean {
  const focus = document.activeElement;
  const presses = key === ' ' || key === 'Enter';
  const pages = /^(Page|Home|End)/.test(key);
  const moves = presses || pages || key.startsWith('Arrow');
  if (focus instanceof HTMLInputElement && focus.type === 'range') return moves && !presses;
  if (focus instanceof HTMLInputElement) return moves || focus.type !== 'checkbox';
  if (focus instanceof HTMLSelectElement) return key !== 'Escape';
  if (focus instanceof HTMLButtonElement || focus instanceof HTMLAnchorElement) {
    return presses || pages; // page keys scroll a panel
  }
  return false;
}
