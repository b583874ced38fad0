#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/times.sh [WORK_FOLDER]: how long a fresh clone takes from an empty compiler cache: the
# program, ./demo until its first picture can be seen, ./test, and ./test after the code of one
# source of fem has changed. Takes an hour or two; the machine should be idle otherwise.
set -euo pipefail
source_dir=$(cd "$(dirname "$0")/.." && pwd)
work=${1:-$(mktemp -d)}
export CCACHE_DIR=$work/ccache XDG_CACHE_HOME=$work/cache
unset CI
mkdir -p "$work"
[[ -d $source_dir/../shared ]] && ln -sfn "$(cd "$source_dir/../shared" && pwd)" "$work/shared"

# timed NAME COMMAND...: runs it in a clone, with its output in a log, and prints minutes.
timed() {
  local name=$1 started=$SECONDS status=0
  shift
  "$@" > "$work/${name// /_}.log" 2>&1 < /dev/null || status=$?
  local seconds=$((SECONDS - started))
  printf '%-44s %3d:%02d min%s\n' "$name" $((seconds / 60)) $((seconds % 60)) \
    "$([[ $status == 0 ]] || echo "  FAILED: $work/${name// /_}.log")"
}
fresh_clone() { rm -rf "$work/main" "$CCACHE_DIR" "$XDG_CACHE_HOME" && git clone -q "$source_dir" "$work/main"; }
in_clone() { (cd "$work/main" && "$@"); }
configure_and_build() {
  in_clone cmake --preset release && in_clone cmake --build --preset release --target supple_cli
}
# Ends as soon as the gallery shows its first card.
demo_until_first_picture() (
  log=$work/demo.out
  cd "$work/main"
  ./demo > "$log" 2>&1 &
  pid=$!
  until address=$(grep -om1 'http://127[^ ]*' "$log"); do
    kill -0 "$pid" || { cat "$log"; exit 1; }
    sleep 1
  done
  curl -fsS "${address%/}/manifest.json"
  kill -INT "$pid"
  wait "$pid" || true
)
# The object file changes, and with it every program that is linked with it.
change_fem() {
  in_clone sed -i '$a \\nnamespace supple::fem {\nint kChangeToTime = 1;\n}  // namespace supple::fem' \
    src/fem/material.cpp
}

printf '%s, %d cores, %s\n' "$(uname -m)" "$(nproc)" "$(date -u +%F)"
"$source_dir/scripts/setup.sh"  # installed packages are not part of the times
fresh_clone
timed "release build of the program" configure_and_build
fresh_clone
timed "demo until its first picture" demo_until_first_picture
fresh_clone
timed "test" in_clone ./test
sed -n 's/^/    /p' "$work/test.log" | head -40
change_fem
timed "test after changing one source of fem" in_clone ./test
sed -n 's/^/    /p' "$work/test_after_changing_one_source_of_fem.log" | head -40
