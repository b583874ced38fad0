#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes the tables of settings in docs/, and the viewer's, anew from the lists of fields. A test
# fails while they disagree.
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --preset release > /dev/null
cmake --build --preset release --target settings_tables
build/release/bin/settings_tables . --write
