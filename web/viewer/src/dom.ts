// SPDX-License-Identifier: Apache-2.0

type Attribute = string | number | boolean | ((event: Event) => void);

/// An element with attributes; functions become listeners (`onclick`), false omits an attribute.
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, Attribute> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

/// Strokes on a 24 x 24 grid.
const kIcons = {
  open: 'M4 19V6a1 1 0 0 1 1-1h4l2 2h8a1 1 0 0 1 1 1v2M4 19l2.5-8h15L19 19H4',
  picture: 'M4 8h3.5l1.5-2.5h6L16.5 8H20v11H4z'
    + 'M12 16.2a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4',
  record: 'M12 18a6 6 0 1 0 0-12 6 6 0 0 0 0 12',
  stop: 'M7 7h10v10H7z',
  compare: 'M12 4v16M4 6h5v12H4M20 6h-5v12h5',
  colour: 'M12 4c3.5 4 5.5 6.8 5.5 9.5a5.5 5.5 0 0 1-11 0C6.5 10.8 8.5 8 12 4M9 14a3 3 0 0 0 3 3',
  theme: 'M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16',
  help: 'M9.2 9.3a2.9 2.9 0 1 1 4.3 2.5c-1 .6-1.5 1.1-1.5 2.2M12 17.3v.2',
  panel: 'M4 5h16v14H4zM15 5v14',
  plots: 'M4 5v14h16M7 14c2-7 3.5-7 5 0s3 3 5-3',
  play: 'M8 5.5l11 6.5-11 6.5z',
  pause: 'M8 5.5v13M16 5.5v13',
  back: 'M14.5 6l-6 6 6 6',
  close: 'M6 6l12 12M18 6L6 18',
  reset: 'M5 12a7 7 0 1 0 2.2-5.1M5 5v3.5h3.5',
  download: 'M12 4v11M7.5 11l4.5 4.5 4.5-4.5M5 20h14',
  save: 'M5 5h11l3 3v11H5zM8.5 5v4.5h6V5M8.5 19v-5h7v5',
  frame: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  drop: 'M12 3v11M7.5 10l4.5 4.5 4.5-4.5M4 15v5h16v-5',
  move: 'M12 3v18M3 12h18M9.5 5.5L12 3l2.5 2.5M9.5 18.5L12 21l2.5-2.5M5.5 9.5L3 12l2.5 2.5'
    + 'M18.5 9.5L21 12l-2.5 2.5',
  turn: 'M19 12a7 7 0 1 1-2.2-5.1M19 4v4h-4M12 11.6v.8',
  both: 'M12 2.5v5M9.8 4.7L12 2.5l2.2 2.2M2.5 12h5M4.7 9.8L2.5 12l2.2 2.2'
    + 'M20 12.5a7.5 7.5 0 0 1-7.5 7.5M10 18l2.5 2-2.5 2M18 15l2-2.5 2 2.5',
  pin: 'M9 3.5h6M10 3.5v6l-3 3.5h10l-3-3.5v-6M12 13v7.5',
} as const;
export type IconName = keyof typeof kIcons;

export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.classList.add('icon');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', kIcons[name]);
  svg.append(path);
  return svg;
}

export function setIcon(button: HTMLElement, name: IconName): void {
  button.querySelector('svg')?.replaceWith(icon(name));
}

/// A square button with an icon; its label is read aloud and shown on hover, with its key.
export function iconButton(
  name: IconName,
  label: string,
  key: string,
  action: () => void,
): HTMLButtonElement {
  const attributes = { type: 'button', class: 'icon-button', onclick: action };
  const button = el('button', attributes, icon(name));
  relabel(button, label, key);
  return button;
}

/// The description of an icon button.
export function relabel(button: HTMLButtonElement, label: string, key: string): void {
  button.setAttribute('aria-label', label);
  button.title = key ? `${label} (${key})` : label;
}

export function download(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = el('a', { href: url, download: name, class: 'hidden' });
  document.body.append(link);
  link.click();
  link.remove();
  // The browser reads the URL after the click; a read in progress continues.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
