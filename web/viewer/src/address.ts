// SPDX-License-Identifier: Apache-2.0

/// A value after the page's `#`; null if absent.
export function hashValue(key: string): string | null {
  return new URLSearchParams(location.hash.slice(1)).get(key);
}
