// SPDX-License-Identifier: Apache-2.0
#include "gallery/swim_live_item.hpp"

#include "gallery/samples.hpp"

#include "supple/bake/swim.hpp"

#include <algorithm>

namespace supple::gallery {
namespace {

namespace fs = std::filesystem;

constexpr double kClipSeconds = 12;

}  // namespace

Result<void> record_swim_clip(const std::string& stroke, const fs::path& file) {
  bake::SwimRequest request;
  if (!stroke.empty()) request.stroke = stroke;
  request.run.seconds = kClipSeconds;
  request.outputs = {file.string()};
  OutputSet output;
  SUPPLE_TRY_VOID(bake::run_swim(request, output));
  return output.commit();
}

Result<Gallery> swim_gallery(const std::string& stroke, TemporaryFolder& folder) {
  const auto& cards = sample_cards();
  const auto card = std::find_if(cards.begin(), cards.end(), [](const SampleCard& one) {
    return one.kind == SampleCard::Kind::Swimmer;
  });
  GalleryItem item;
  item.id = card->id;
  item.title = card->title;
  item.about = card->about;
  item.hint = card->hint;
  item.action = card->action;
  SUPPLE_TRY(const fs::path directory, folder.make("supple-swim"));
  item.character = directory / (card->id + ".glb");
  SUPPLE_TRY_VOID(record_swim_clip(stroke, item.character));
  Gallery gallery;
  gallery.title = item.title;
  gallery.items.push_back(std::move(item));
  return gallery;
}

}  // namespace supple::gallery
