// SPDX-License-Identifier: Apache-2.0
import { filesOf } from './data/sources';

/// Accepts files dropped anywhere on the page, with visual feedback.
export function listenToDrops(open: (files: File[]) => void): void {
  let depth = 0;
  const mark = (): unknown => document.body.classList.toggle('dragging', depth > 0);
  addEventListener('dragenter', (event) => {
    event.preventDefault();
    ++depth;
    mark();
  });
  addEventListener('dragleave', () => {
    depth = Math.max(depth - 1, 0);
    mark();
  });
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    depth = 0;
    mark();
    if (event.dataTransfer) void filesOf(event.dataTransfer).then(open);
  });
}
