// SPDX-License-Identifier: Apache-2.0
import { SuppleMesh } from 'supple-three';

import { loadGltf } from './data/gltf';
import type { Sources } from './data/sources';
import { Character } from './scene/character';

/// A character with its flesh, or without it and why.
export async function loadCharacter(
  sources: Sources,
): Promise<{ character: Character; fleshProblem: string }> {
  const gltf = await loadGltf(sources);
  if (!sources.flesh) return { character: new Character(sources, gltf, null), fleshProblem: '' };
  try {
    const flesh = await SuppleMesh.load(gltf, sources.flesh.bytes);
    return { character: new Character(sources, gltf, flesh), fleshProblem: '' };
  } catch (error) {
    const fleshProblem = (error as Error).message || String(error);
    return { character: new Character(sources, gltf, null), fleshProblem };
  }
}
