#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/install/run.sh BUILD_DIR: installs that build into an empty prefix, then configures, builds
# and runs the project beside this script against it, the way a user of the library would.
set -euo pipefail
source_dir=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$1" --prefix "$work/prefix"
# A moved prefix must still work: nothing in the package may remember where it was installed.
mv "$work/prefix" "$work/moved"
cmake -S "$source_dir" -B "$work/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/moved"
cmake --build "$work/build"
"$work/build/consumer"
"$work/moved/bin/supple" --version
