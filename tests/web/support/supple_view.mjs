// SPDX-License-Identifier: Apache-2.0
// A program that serves until Ctrl-C: `supple view` or `supple demo`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { program } from '../programs.mjs';

/** Runs `supple ...words --json` and waits for its address. Without a display, so that it opens no browser. */
export async function startSupple(words) {
  const { DISPLAY, WAYLAND_DISPLAY, ...env } = process.env;
  const child = spawn(program('supple'), [...words, '--json'], {
    env, stdio: ['ignore', 'pipe', 'pipe'],
  });
  let messages = '';
  child.stderr.on('data', (text) => { messages += text; });
  const ended = once(child, 'exit');
  const line = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line').then(([text]) => text),
    ended.then(([status]) => { throw new Error(`supple ended with ${status}: ${messages}`); }),
  ]);
  const told = JSON.parse(line);
  return {
    ...told,
    url: told.address.replace(/\/$/, ''),
    /** What it has said so far. */
    messages: () => messages,
    /** Ctrl-C; the exit status. */
    stop: async () => {
      child.kill('SIGINT'); // does nothing once it has ended
      return (await ended)[0];
    },
  };
}
