// SPDX-License-Identifier: Apache-2.0
import { kTraces } from '../ui/plot_canvas';

/// Of an entry, in the palette, the portrait and the timeline.
export function colourOf(entry: number): string {
  return kTraces[entry % kTraces.length] as string;
}
