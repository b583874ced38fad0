// SPDX-License-Identifier: Apache-2.0
// The built viewer in Chromium, with characters that our own program makes.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { kPatience } from '../browser.mjs';
import { program, sourceRoot } from '../programs.mjs';
import { cachedFolder } from './cache.mjs';
import { serve } from './static_server.mjs';

/** Where the build put the viewer's pages; by hand, where Vite does. */
export function viewerFolder() {
  const built = join(dirname(program('web_assets')), '..', 'share/supple/viewer');
  const folder = existsSync(join(built, 'index.html')) ? built
    : join(sourceRoot, 'web/viewer/dist');
  if (!existsSync(join(folder, 'index.html'))) {
    throw new Error(`${folder} is not built: build the target supple_viewer`);
  }
  return folder;
}

/** A coarse bake of each sample: man.glb, man.supple, man.toml and so on. */
export function bakedSamples() {
  return cachedFolder('samples', (folder) => {
    for (const [name, sample] of [['man', 'dyrt-man'], ['tissue', 'tissue']]) {
      execFileSync(program('supple'), ['bake', '--sample', sample, '--elements', '1200',
        '--modes', '3', '--quiet', '-o', join(folder, `${name}.glb`),
        '--write-config', join(folder, `${name}.toml`)],
      { stdio: ['ignore', 'ignore', 'inherit'] });
    }
  });
}

export const kItems = [
  { id: 'man', title: 'The man', character: 'man.glb', flesh: 'man.supple', settings: 'man.toml',
    about: 'A stout man.', try: 'shake him', clip: 'walk' },
  { id: 'tissue', title: 'Tissue', character: 'tissue.glb', flesh: 'tissue.supple',
    action: 'poke' },
];

/** The viewer with a manifest (null: none) and the samples beside it. */
export async function serveViewer(manifest, answers = {}) {
  const text = manifest === null ? null
    : JSON.stringify({ version: 1, title: 'Test', gallery: false, ...manifest });
  return serve([viewerFolder(), await bakedSamples()], {
    ...(text === null ? {} : {
      '/manifest.json': (_request, response) => {
        response.setHeader('Content-Type', 'application/json');
        response.end(text);
      },
    }),
    ...answers,
  });
}

/** A page of the viewer. Its clock is held (see `settled` and `passes`), unless `clock` is
 * 'screen'. Its `problems` are console errors, and must stay empty; a 404 for manifest.json is how
 * a folder without one looks, and no problem. */
export async function openViewer(browser, url, options = {}) {
  const {
    hash = '', clock = 'held', quality = 'low', ready = true, script, ...context
  } = options;
  const page = await browser.newPage({
    viewport: { width: 640, height: 400 }, colorScheme: 'dark', ...context,
  });
  page.setDefaultTimeout(kPatience);
  if (script) await page.addInitScript(script);
  const problems = [];
  page.on('pageerror', (error) => problems.push(String(error.stack ?? error)));
  page.on('console', (message) => {
    const { url: from } = message.location();
    if (message.type() === 'error' && !/manifest\.json$/.test(from)) problems.push(message.text());
  });
  await page.goto(`${url}/?quality=${quality}&clock=${clock}${hash}`);
  if (ready) await page.evaluate(() => window.suppleViewer.ready);
  return { page, problems };
}

/** What one test opens must not slow down the next. */
export async function closePages(browser) {
  for (const context of browser.contexts()) await context.close();
}

/** Drops files on the page: names of served files, or { name, bytes }. */
export async function drop(page, files) {
  const before = await page.evaluate(() => window.suppleViewer.itemId);
  const given = files.map((file) => (typeof file === 'string' ? { name: file, url: `/${file}` }
    : { name: file.name, base64: Buffer.from(file.bytes).toString('base64') }));
  await page.evaluate(async (list) => {
    const transfer = new DataTransfer();
    for (const { name, url, base64 } of list) {
      const bytes = url ? await (await fetch(url)).arrayBuffer()
        : Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
      transfer.items.add(new File([bytes], name));
    }
    window.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true }));
  }, given);
  return before;
}

/** Waits until the condition holds. It must not be async: Playwright takes any promise for true. */
export const until = (page, condition, argument) =>
  page.waitForFunction(condition, argument, { polling: 60, timeout: kPatience });

/** Reads from the page until what it finds is accepted. */
export async function reads(page, read, accepts) {
  const end = Date.now() + kPatience;
  for (;;) {
    const found = await page.evaluate(read);
    if (accepts(found)) return found;
    if (Date.now() > end) throw new Error(`never accepted: ${found}`);
    await page.waitForTimeout(60);
  }
}

/** Waits until the picture is up to date. */
export const drawn = (page) => until(page, () => window.suppleViewer.drawn);

/** Advances a held clock. */
export const advance = (page, seconds) =>
  page.evaluate((time) => window.suppleViewer.advance(time), seconds);

/** Advances a held clock until the condition holds. */
export async function passes(page, condition, argument = null) {
  const play = (holds, given) => {
    const kMost = 120; // seconds
    for (let frame = 0; !holds(given); ++frame) {
      if (frame > 60 * kMost) throw new Error(`not within ${kMost} seconds: ${holds}`);
      window.suppleViewer.advance(1 / 60);
    }
  };
  // As text: the page's policy forbids it to make functions from text itself.
  await page.evaluate(`(${play})(${condition}, ${JSON.stringify(argument)})`);
}

/** Advances a held clock until nothing has moved for a second: at turning points a slow swing
 * looks like rest. What was seen on the way: the `largest` size of the coefficients, how far the
 * root went (`offset`), how `far` flesh was from where it began and where it is `now`, in metres
 * by the modes' own measure. */
export async function settled(page) {
  const seen = await page.evaluate(() => {
    const kMost = 120; // seconds
    const viewer = window.suppleViewer;
    const modes = viewer.modes();
    const begun = viewer.coefficients();
    const seen = { largest: 0, offset: 0, far: 0, now: 0 };
    for (let frame = 0, still = 0; still < 60; ++frame) {
      if (frame > 60 * kMost) throw new Error(`it still moves after ${kMost} seconds`);
      viewer.advance(1 / 60);
      still = viewer.moving ? 0 : still + 1;
      const now = viewer.coefficients();
      seen.largest = Math.max(seen.largest, Math.hypot(...now));
      seen.offset = Math.max(seen.offset, Math.hypot(...viewer.rootOffset()));
      seen.now = Math.hypot(...now.map((value, i) =>
        (value - begun[i]) * modes[i].largestDisplacement));
      seen.far = Math.max(seen.far, seen.now);
    }
    return seen;
  });
  await drawn(page);
  return seen;
}

/** A screenshot of a page or a part of it, once it is up to date. */
export async function shot(page, part = page) {
  await drawn(page);
  return part.screenshot({ timeout: kPatience });
}

export const noticeText = (page) => page.locator('.notice.error').first().textContent();

/** What a click or a key downloads. */
export async function downloaded(page, action) {
  const [got] = await Promise.all([page.waitForEvent('download'), action()]);
  return { name: got.suggestedFilename(), bytes: await readFile(await got.path()) };
}

/** Mean and largest blurred difference of two PNG files, 0..255, by the browser's own decoder. */
export async function pictureDifference(page, one, other) {
  return page.evaluate(async (pictures) => {
    const read = async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height);
    };
    const [a, b] = await Promise.all(pictures.map(read));
    if (a.width !== b.width || a.height !== b.height) return { mean: 255, largest: 255 };
    const kBlock = 8;
    let sum = 0;
    let largest = 0;
    for (let y = 0; y + kBlock <= a.height; y += kBlock) {
      for (let x = 0; x + kBlock <= a.width; x += kBlock) {
        let block = 0;
        for (let j = 0; j < kBlock; ++j) {
          for (let i = 0; i < kBlock; ++i) {
            const at = 4 * ((y + j) * a.width + x + i);
            for (let c = 0; c < 3; ++c) block += Math.abs(a.data[at + c] - b.data[at + c]);
          }
        }
        sum += block;
        largest = Math.max(largest, block / (3 * kBlock * kBlock));
      }
    }
    return { mean: sum / (3 * a.width * a.height), largest };
  }, [one, other].map((bytes) => Buffer.from(bytes).toString('base64')));
}

const kGolden = join(sourceRoot, 'tests/web/golden');

/** SUPPLE_REWRITE_GOLDEN=1 writes it anew: look at it before committing. */
export async function golden(page, name, bytes) {
  const path = join(kGolden, `${name}.png`);
  if (process.env.SUPPLE_REWRITE_GOLDEN) {
    mkdirSync(kGolden, { recursive: true });
    await writeFile(path, bytes);
  }
  const difference = await pictureDifference(page, await readFile(path), bytes);
  return difference;
}
