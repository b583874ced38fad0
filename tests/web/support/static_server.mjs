// SPDX-License-Identifier: Apache-2.0
// Folders over HTTP on a free port, with the content security policy of `supple view`: what works
// here works from any static host, and from ours.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';

const kTypes = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css',
  '.json': 'application/json', '.wasm': 'application/wasm', '.svg': 'image/svg+xml',
  '.png': 'image/png', '.glb': 'model/gltf-binary', '.gltf': 'model/gltf+json',
  '.toml': 'text/plain; charset=utf-8',
};

export const kPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; "
  + "style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; "
  + "connect-src 'self' blob: data:; worker-src 'self' blob:; base-uri 'none'; form-action 'none'; "
  + "frame-ancestors 'none'";

/// `folders` are looked through in order; `answers` maps a path to (request, response) => void.
export async function serve(folders, answers = {}) {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://x').pathname);
    response.setHeader('Content-Security-Policy', kPolicy);
    const key = Object.keys(answers).find((begin) => path.startsWith(begin));
    if (key) return answers[key](request, response);
    const relative = normalize(path === '/' ? '/index.html' : path);
    for (const folder of folders) {
      try {
        const bytes = await readFile(join(folder, relative));
        response.setHeader('Content-Type', kTypes[extname(relative)] ?? 'application/octet-stream');
        return response.end(bytes);
      } catch {
        // Perhaps the next folder has it.
      }
    }
    response.statusCode = 404;
    return response.end('not here');
  });
  // A test that fails before it closes its server must not keep the process.
  server.on('connection', (socket) => socket.unref());
  server.unref();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => new Promise((resolve) => {
      server.closeAllConnections();
      server.close(resolve);
    }),
  };
}
