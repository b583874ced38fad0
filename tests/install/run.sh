#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/install/run.sh BUILD_DIR: installs that build into an empty prefix, then configures, builds
# and runs the project beside this script against it, as a user of the library would. Then the same
# for the player alone.
set -euo pipefail
source_dir=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$1" --prefix "$work/prefix"
# A moved prefix must still work: nothing in the package may depend on its location.
mv "$work/prefix" "$work/moved"
cmake -S "$source_dir" -B "$work/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/moved" \
  -DSHAKE="$source_dir/../../examples/c/shake.c"
cmake --build "$work/build"
"$work/build/consumer"
"$work/moved/bin/supple" --version

# A character baked through the library gives the bytes that the command line gives.
cmake -S "$source_dir/../../examples/cpp" -B "$work/bake" -G Ninja -DCMAKE_PREFIX_PATH="$work/moved"
cmake --build "$work/bake"
"$work/moved/bin/supple" swim breaststroke --seconds 1 -o "$work/hero.glb" --quiet
"$work/bake/bake_character" "$work/hero.glb" "$work/library.glb"
"$work/moved/bin/supple" bake "$work/hero.glb" -o "$work/program.glb" --quiet
for kind in glb supple; do cmp "$work/library.$kind" "$work/program.$kind"; done

# The player for C projects: C99, found through pkg-config, linked as C, shared and static.
"$1/bin/write_sample" "$work/sample.supple"
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$work/moved" -name supple-player.pc)")
libdir=$(pkg-config --variable=libdir supple-player)
read -ra flags <<<"$(pkg-config --cflags supple-player)"
read -ra shared <<<"$(pkg-config --libs supple-player)"
read -ra static <<<"$(pkg-config --static --libs supple-player)"
compile=(cc -std=c99 -Wall -Wextra -Wpedantic -Werror "$source_dir/../../examples/c/shake.c")
"${compile[@]}" "${flags[@]}" -o "$work/shake_shared" "${shared[@]}" -lm
"${compile[@]}" "${flags[@]}" -o "$work/shake_static" -Wl,-Bstatic "${static[@]}" -Wl,-Bdynamic -lm
LD_LIBRARY_PATH=$libdir "$work/shake_shared" "$work/sample.supple" >"$work/shared.txt"
"$work/shake_static" "$work/sample.supple" >"$work/static.txt"
"$work/build/shake_player" "$work/sample.supple" >"$work/package.txt"
"$work/build/shake_player_shared" "$work/sample.supple" >"$work/package_shared.txt"
for other in static package package_shared; do cmp "$work/shared.txt" "$work/$other.txt"; done
test -f "$work/moved/share/supple/shaders/modal_texture.glsl"
if ldd "$libdir/libsupple_player.so" | grep -q 'libstdc++'; then
  echo "libsupple_player.so needs the C++ runtime" >&2
  exit 1
fi

# The player alone, without any dependency: built separately, installed, used from C.
root=$source_dir/../..
cmake -S "$root" -B "$work/player" -G Ninja -DSUPPLE_PLAYER_ONLY=ON -DCMAKE_BUILD_TYPE=Release
cmake --build "$work/player"
cmake --install "$work/player" --prefix "$work/player_prefix"
cmake -S "$source_dir/player_only" -B "$work/game" -G Ninja \
  -DCMAKE_PREFIX_PATH="$work/player_prefix" -DSHAKE="$root/examples/c/shake.c"
cmake --build "$work/game"
"$work/game/shake_player" "$work/sample.supple" >"$work/game.txt"
cmp "$work/shared.txt" "$work/game.txt"

# If something was not built, nothing is copied, and the message says what to do.
cmake -S "$root" -B "$work/unbuilt" -G Ninja -DSUPPLE_BUILD_TESTS=OFF -DSUPPLE_BUILD_BENCHMARKS=OFF \
  -DSUPPLE_BUILD_WEB=OFF
if cmake --install "$work/unbuilt" --prefix "$work/none" 2>"$work/refused.txt"; then
  echo "an empty build was installed" >&2
  exit 1
fi
grep -q 'target supple_product' "$work/refused.txt"
test ! -e "$work/none"
