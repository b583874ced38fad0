// SPDX-License-Identifier: Apache-2.0

export type KeyAction = (event: KeyboardEvent) => void;

/// Keys of the whole page. What has the focus comes first: arrows belong to a slider, space to a
/// button, letters to a text.
export function listenToKeys(
  actions: Record<string, KeyAction>,
  modal: () => boolean,
  scrolls: () => boolean,
): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || modal()) return;
    const focus = document.activeElement;
    const moves = event.key.startsWith('Arrow') || event.key === ' ' || event.key === 'Enter';
    if (moves && scrolls()) return; // they turn the page
    if (focus instanceof HTMLInputElement && (moves || focus.type === 'text')) return;
    if (focus instanceof HTMLSelectElement && event.key !== 'Escape') return;
    if ((focus instanceof HTMLButtonElement || focus instanceof HTMLAnchorElement)
        && (event.key === ' ' || event.key === 'Enter')) return;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = actions[event.shiftKey ? `Shift+${name}` : name] ?? actions[name];
    if (!action) return;
    event.preventDefault();
    action(event);
  });
}
