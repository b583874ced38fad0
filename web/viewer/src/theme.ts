// SPDX-License-Identifier: Apache-2.0

export type Theme = 'dark' | 'light';
const kKey = 'supple-theme';

/// The system preference until the user chooses; the choice is remembered.
export class ThemeSwitch {
  private readonly listeners: ((theme: Theme) => void)[] = [];
  private readonly system = matchMedia('(prefers-color-scheme: light)');
  private chosen: Theme | null;

  constructor(asked: string | null) {
    this.chosen = isTheme(asked) ? asked : remembered();
    this.system.addEventListener('change', () => this.apply());
    this.apply();
  }

  get theme(): Theme {
    return this.chosen ?? (this.system.matches ? 'light' : 'dark');
  }

  onChange(listener: (theme: Theme) => void): void {
    this.listeners.push(listener);
  }

  toggle(): void {
    this.chosen = this.theme === 'dark' ? 'light' : 'dark';
    try {
      localStorage.setItem(kKey, this.chosen);
    } catch {
      // Storage may be forbidden; the choice then lasts as long as the page.
    }
    this.apply();
  }

  private apply(): void {
    document.documentElement.dataset.theme = this.theme;
    for (const listener of this.listeners) listener(this.theme);
  }
}

function isTheme(text: string | null): text is Theme {
  return text === 'dark' || text === 'light';
}

function remembered(): Theme | null {
  try {
    const text = localStorage.getItem(kKey);
    return isTheme(text) ? text : null;
  } catch {
    return null;
  }
}
