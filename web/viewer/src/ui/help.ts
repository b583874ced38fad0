// SPDX-License-Identifier: Apache-2.0
import { el, icon } from '../dom';

const kMouse: [string, string][] = [
  ['drag the character', 'shake it'],
  ['click flesh', 'poke it; hold to press'],
  ['drag a shell', 'pull or turn a vertex; Shift: turn, roll'],
  ['drag the background', 'turn the view (also right or Alt drag)'],
  ['Shift drag, middle button', 'move the view'],
  ['wheel, two fingers', 'zoom'],
];
const kHands: [string, string][] = [
  ['← → ↑ ↓', 'jolt the character'],
  ['Space', 'bounce it'],
  ['T', 'twist it'],
  ['X', 'poke the selected part'],
  ['1 2 3', 'drag a shell: move, turn, both'],
  ['I', 'keep vertices held; L: release all'],
  ['K', 'play, pause'],
  ['[ ]', 'previous, next clip'],
  ['M', 'next mode shape; Shift M: previous'],
  ['Esc', 'leave mode shapes'],
  ['0', 'reset all settings and forces'],
];
const kKeys: [string, string][] = [
  ['Shift ← → ↑ ↓', 'turn the view'],
  ['Home End', 'move it left, right (Fn ← →)'],
  ['PgUp PgDn', 'move it up, down (Fn ↑ ↓)'],
  ['+ −', 'zoom'],
  ['F', 'frame the character'],
  ['D', 'colour by displacement'],
  ['C', 'compare with undeformed; shells: methods; scenes: the simulation'],
  ['P', 'plots'],
  ['H', 'hide and show panels'],
  ['S', 'take a picture'],
  ['R', 'record, stop'],
  ['E', 'export bake.toml or shell.toml'],
  ['O', 'open files'],
  ['G', 'gallery'],
  ['N', 'dark, light'],
  ['?', 'this help'],
];

const kSwimmer: [string, string][] = [
  ['← → ↑ ↓', 'held: steer; also W A S D, or the pad'],
  ['Q E', 'held: roll'],
  ['Space', 'next stroke; 1 … 9: its commands'],
  ['V', 'forces; T: target; L: trail'],
  ['C', 'camera turns with the swimmer, or not'],
  ['0', 'start again'],
  ['double click', 'swim there'],
];

const kScenes: [string, string][] = [
  ['its own keys', 'let entries of the palette act; hold for strength'],
  ['Shift', 'with such a key: what it does otherwise'],
];

const kBetween = /(?<=\S) (?=[←→↑↓+−\[\]23E]|End|PgDn)/; // keys with similar effect

function table(rows: [string, string][]): HTMLElement {
  return el('dl', { class: 'keys' }, ...rows.flatMap(([key, what]) => [
    el('dt', {}, ...key.split(kBetween).map((k) => el('kbd', {}, k))),
    el('dd', {}, what),
  ]));
}

export function makeHelp(): HTMLDialogElement {
  const close = { type: 'button', class: 'icon-button', 'aria-label': 'Close' };
  const dialog = el('dialog', { class: 'help card', 'aria-labelledby': 'help-title' },
    el('header', {},
      el('h2', { id: 'help-title' }, 'Mouse and keys'),
      el('button', { ...close, onclick: () => dialog.close() }, icon('close'))),
    el('div', { class: 'columns' },
      el('div', {}, el('h3', {}, 'Mouse and touch'), table(kMouse),
        el('h3', {}, 'The character'), table(kHands)),
      el('div', {}, el('h3', {}, 'The view'), table(kKeys),
        el('h3', {}, 'The swimmer'), table(kSwimmer),
        el('h3', {}, 'Scenes'), table(kScenes))));
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close(); // a click outside
  });
  return dialog;
}
