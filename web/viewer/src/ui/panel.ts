// SPDX-License-Identifier: Apache-2.0
import { el } from '../dom';

interface Page {
  name: string;
  element: HTMLElement;
}

/// The pages at the side; on a phone a sheet at the bottom that opens and closes.
export class Panel {
  readonly element: HTMLElement;
  private readonly tabs: HTMLButtonElement[] = [];
  private readonly list = el('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Panels' });
  private readonly body = el('div', { class: 'panel-body' });

  constructor(
    private readonly pages: Page[],
    private readonly resized: () => void,
    private readonly chosen: () => void,
  ) {
    pages.forEach(({ name, element }, index) => {
      const id = `page-${name.toLowerCase()}`;
      element.id = id;
      element.setAttribute('role', 'tabpanel');
      const tab = el('button', {
        type: 'button', role: 'tab', 'aria-controls': id, onclick: () => this.choose(index, true),
      }, name);
      tab.addEventListener('keydown', (event) => this.arrow(event, index));
      this.tabs.push(tab);
      this.list.append(tab);
      this.body.append(element);
    });
    this.element = el('aside', { class: 'panel card', 'aria-label': 'Settings' },
      this.list, this.body);
    this.choose(0, false);
  }

  get open(): boolean {
    return !this.element.classList.contains('closed');
  }

  setOpen(open: boolean): void {
    this.element.classList.toggle('closed', !open);
    this.resized();
  }

  choose(index: number, byHand: boolean): void {
    const narrow = matchMedia('(max-width: 720px)').matches;
    const same = this.tabs[index]?.getAttribute('aria-selected') === 'true';
    this.pages.forEach(({ element }, i) => {
      element.hidden = i !== index;
      this.tabs[i]?.setAttribute('aria-selected', String(i === index));
      this.tabs[i]?.setAttribute('tabindex', i === index ? '0' : '-1');
    });
    if (byHand && narrow) this.setOpen(same ? !this.open : true);
    if (byHand) this.chosen();
  }

  /// The name of a tab for the open item.
  label(name: string, text: string): void {
    const tab = this.tabs[this.pages.findIndex((page) => page.name === name)];
    if (tab) tab.textContent = text;
  }

  /// A page that exists only on phones, or for some files.
  showTab(name: string, shown: boolean): void {
    const index = this.pages.findIndex((page) => page.name === name);
    const tab = this.tabs[index];
    if (!tab) return;
    tab.hidden = !shown;
    if (!shown && tab.getAttribute('aria-selected') === 'true') this.choose(this.first, false);
  }

  /// The first page whose tab is shown.
  get first(): number {
    return Math.max(this.tabs.findIndex((tab) => !tab.hidden), 0);
  }

  private arrow(event: KeyboardEvent, index: number): void {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.stopPropagation();
    const shown = this.tabs.filter((tab) => !tab.hidden);
    const at = shown.indexOf(this.tabs[index] as HTMLButtonElement);
    const next = shown[(at + step + shown.length) % shown.length];
    if (!next) return;
    this.choose(this.tabs.indexOf(next), false);
    next.focus();
  }
}
