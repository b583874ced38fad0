// SPDX-License-Identifier: Apache-2.0
#include "bake/settings/shipped_strokes.hpp"

#include "supple/bake/swim_stroke.hpp"
#include "supple/core/files.hpp"
#include "supple/core/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace supple::bake {
namespace {}  // namespace

std::vector<std::string> shipped_strokes() {
  std::vector<std::string> names;
  names.reserve(shipped_stroke_texts().size());
  for (const ShippedStroke& stroke : shipped_stroke_texts()) names.emplace_back(stroke.name);
  std::ranges::sort(names);
  return names;
}

Result<SwimStroke> load_swim_stroke(const std::string& name_or_file) {
  const auto shipped = shipped_stroke_texts();
  const auto found = std::ranges::find(shipped, name_or_file, &ShippedStroke::name);
  if (found != shipped.end()) return parse_swim_stroke(found->text, name_or_file + ".toml");
  if (name_or_file.find_first_of("./\\") == std::string::npos) {
    const auto names = shipped_strokes();
    return bad_input(fmt::format("unknown stroke '{}'{}; available: {}, or give a file",
                                 name_or_file, did_you_mean(name_or_file, names),
                                 fmt::join(names, ", ")));
  }
  SUPPLE_TRY(const Bytes bytes, read_file(name_or_file, kMostTextBytes));
  if (bytes.empty()) {
    return bad_input("the file is empty; a stroke has at least one pose").at(name_or_file);
  }
  return parse_swim_stroke(as_text(bytes), name_or_file);
}

}  // namespace supple::bake
