#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks the format of every C++ file of the project; with --fix, repairs it.
set -euo pipefail
cd "$(dirname "$0")/.."
mode=(--dry-run -Werror)
[[ ${1:-} == --fix ]] && mode=(-i)
git ls-files -z -co --exclude-standard -- '*.cpp' '*.hpp' '*.h' \
  | xargs -0 -r sh -c 'for f; do [ -e "$f" ] && printf "%s\0" "$f"; done' _ \
  | xargs -0 -r clang-format --style=file "${mode[@]}"
