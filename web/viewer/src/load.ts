// SPDX-License-Identifier: Apache-2.0
import { SuppleMesh } from 'supple-three';

import { type Comparison, readComparison } from './data/comparison';
import { loadGltf } from './data/gltf';
import type { Sources } from './data/sources';
import { Character } from './scene/character';

export interface LoadedCharacter {
  character: Character;
  fleshProblem: string;
  comparisonProblem: string;
}

const why = (error: unknown): string => (error as Error).message || String(error);

/// A character with its flesh, or without it and the reason.
export async function loadCharacter(sources: Sources): Promise<LoadedCharacter> {
  const gltf = await loadGltf(sources);
  const problems = { fleshProblem: '', comparisonProblem: '' };
  let flesh: SuppleMesh | null = null;
  try {
    if (sources.flesh) flesh = await SuppleMesh.load(gltf, sources.flesh.bytes);
  } catch (error) {
    problems.fleshProblem = why(error);
  }
  let comparison: Comparison | null = null;
  try {
    if (flesh && sources.comparison) {
      const { name, text } = sources.comparison;
      comparison = readComparison(name, text, flesh.asset.info.vertexCount);
    }
  } catch (error) {
    problems.comparisonProblem = why(error);
  }
  return { character: new Character(sources, gltf, flesh, comparison), ...problems };
}
