// SPDX-License-Identifier: Apache-2.0
import { el } from '../dom';
import type { Item, Manifest } from '../data/manifest';

function card(item: Item): HTMLElement {
  const media = el('div', { class: 'media' });
  if (item.picture) media.append(el('img', { src: item.picture, alt: '', loading: 'lazy' }));
  else media.append(el('span', { class: 'initial', 'aria-hidden': 'true' }, item.title.charAt(0).toUpperCase()));
  const text = el('div', { class: 'text' }, el('h2', {}, item.title));
  if (item.about) text.append(el('p', {}, item.about));
  if (item.try) text.append(el('p', { class: 'try' }, el('strong', {}, 'Try: '), item.try));
  if (item.baking) text.append(el('p', { class: 'baking', role: 'status' }, 'Baking …'));
  const open = item.baking
    ? el('div', { class: 'open', 'data-item': item.id, 'aria-disabled': 'true' }, media, text)
    : el('a', {
      class: 'open', href: `#item=${encodeURIComponent(item.id)}`, 'data-item': item.id,
    }, media, text);
  const links = el('div', { class: 'links' });
  if (item.settings) links.append(el('a', { href: item.settings }, 'Settings (.toml)'));
  if (item.video) links.append(el('a', { href: item.video }, 'Video'));
  return el('li', { class: item.baking ? 'card waits' : 'card' }, open, ...(links.childElementCount ? [links] : []));
}

/// The first page: one card per sample.
export class Gallery {
  readonly element = el('main', { class: 'gallery', hidden: true });

  /// `cameFrom`: the item whose card gets the focus back.
  show(manifest: Manifest, cameFrom: string | null): void {
    this.element.replaceChildren(
      el('header', {},
        el('h1', {}, manifest.title),
        el('p', {}, 'Characters with flesh: shake them, poke them, tune them.')),
      el('ul', { class: 'cards' }, ...manifest.items.map(card)),
      el('p', { class: 'quiet' }, manifest.live?.bake
        ? 'Or drop a .glb anywhere on this page; without a .supple it can be baked here.'
        : 'Or drop a .glb with its .supple anywhere on this page.'),
    );
    this.element.hidden = false;
    if (cameFrom === null) return;
    this.element.querySelector<HTMLElement>(`[data-item="${CSS.escape(cameFrom)}"]`)?.focus();
  }

  hide(): void {
    this.element.hidden = true;
  }
}
