// SPDX-License-Identifier: Apache-2.0
// bake_character HERO.glb OUT.glb: flesh for a rigged character, without the command line.
#include <supple/bake/bake_character.hpp>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  supple::bake::BakeRequest request;
  request.character = argv[1];
  request.output = argv[2];  // OUT.supple appears beside it
  supple::OutputSet files;
  const auto run = supple::bake::bake_character(request, files);
  const auto written = run.ok() ? files.commit() : supple::Result<void>(run.error());
  if (!written.ok()) {
    std::fprintf(stderr, "%s\n", written.error().describe().c_str());
    return 1;
  }
  for (const auto& object : run->objects) {
    std::printf("%s: %zu modes on %s\n", object.name.c_str(), object.modes.size(),
                object.bone.c_str());
  }
}
