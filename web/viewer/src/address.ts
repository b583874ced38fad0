// SPDX-License-Identifier: Apache-2.0

/// A value behind the page's `#`; null where it is not there.
export function hashValue(key: string): string | null {
  return new URLSearchParams(location.hash.slice(1)).get(key);
}
