// SPDX-License-Identifier: Apache-2.0
import { App } from './app';
import { el } from './dom';
import { ThemeSwitch } from './theme';

/// Without WebGL 2 the page shows a message instead of staying dark.
function explain(): void {
  document.body.append(el('main', { class: 'fallback', role: 'alert' },
    el('h1', {}, 'No WebGL 2'),
    el('p', {}, 'The viewer draws with WebGL 2, which this browser does not offer.'),
    el('ul', {},
      el('li', {}, 'Update the browser: Chrome, Edge, Firefox and Safari have had it for years.'),
      el('li', {}, 'Turn hardware acceleration on in its settings.'),
      el('li', {}, 'Without a graphics driver, “supple render” makes pictures.'))));
}

const themes = new ThemeSwitch(new URLSearchParams(location.search).get('theme'));
const probe = document.createElement('canvas').getContext('webgl2');
if (probe) {
  probe.getExtension('WEBGL_lose_context')?.loseContext(); // browsers limit contexts per page
  new App(themes);
} else {
  explain();
}
