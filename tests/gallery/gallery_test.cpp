// SPDX-License-Identifier: Apache-2.0
#include "gallery/gallery.hpp"

#include "gallery/bake.hpp"
#include "gallery/cache.hpp"
#include "gallery/samples.hpp"
#include "samples/scenes.hpp"
#include "samples/shell_samples.hpp"
#include "temporary_directory.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace supple::gallery {
namespace {

GalleryItem compared_item() {
  GalleryItem item;
  item.id = "strip";
  item.title = "A strip";
  item.character = "strip.glb";
  item.comparison = "strip.comparison.json";
  return item;
}

TEST(Gallery, ManifestNamesTheComparison) {
  Gallery gallery;
  gallery.items = {compared_item()};
  const auto json = nlohmann::json::parse(write_manifest(gallery));
  const auto& items = json["items"];
  ASSERT_EQ(items.size(), 1U);
  EXPECT_EQ(items[0]["comparison"], "strip.comparison.json");
  gallery.items[0].comparison.clear();
  EXPECT_EQ(write_manifest(gallery).find("comparison"), std::string::npos);
}

TEST(Gallery, PublishesTheComparisonBesideThePage) {
  const GalleryItem item = compared_item();
  EXPECT_EQ(published(item).comparison, "files/strip.comparison.json");
  const auto files = published_files(item);
  EXPECT_TRUE(std::any_of(files.begin(), files.end(), [](const auto& file) {
    return file.first == "files/strip.comparison.json" && file.second == "strip.comparison.json";
  }));
}

TEST(Gallery, ReadsTheComparisonBack) {
  const testing::TemporaryDirectory directory;
  (void)directory.write("strip.glb", "glTF");
  (void)directory.write("strip.comparison.json", "{}");
  Gallery gallery;
  gallery.items = {compared_item()};
  const std::filesystem::path file =
      directory.write(std::string(kGalleryFile), write_manifest(gallery));
  const auto read = read_gallery(file.parent_path());
  ASSERT_TRUE(read.ok()) << read.error().describe();
  ASSERT_EQ(read->items.size(), 1U);
  EXPECT_EQ(read->items[0].comparison.filename(), "strip.comparison.json");
}

Hash key_of(const bake::SwimStroke& stroke) {
  Hasher hasher;
  add_stroke(hasher, stroke);
  return hasher.finish();
}

TEST(GalleryCache, KnowsAChangedStroke) {
  const bake::SwimStroke stroke = bake::load_swim_stroke("breaststroke").value();
  EXPECT_EQ(key_of(stroke).hex(), key_of(bake::load_swim_stroke("breaststroke").value()).hex());
  const auto changed = [&](auto change) {
    bake::SwimStroke other = stroke;
    change(other);
    return key_of(other).hex() != key_of(stroke).hex();
  };
  EXPECT_TRUE(changed([](auto& other) { other.graph.poses[1].angles[3] += 0.001; }));
  EXPECT_TRUE(changed([](auto& other) { other.graph.poses[0].duration *= 1.001; }));
  EXPECT_TRUE(changed([](auto& other) { other.graph.perturbations[2](0, 1) += 0.001; }));
  EXPECT_TRUE(changed([](auto& other) { other.start.position.y() -= 0.1; }));
  EXPECT_TRUE(changed([](auto& other) { other.water.emplace().gravity = 1; }));
}

TEST(GallerySamples, NameTheStrokesThatTheySwim) {
  for (const SampleCard& card : sample_cards()) {
    const bool swims = card.kind == SampleCard::Kind::Swimmer || card.id == "bather";
    EXPECT_EQ(card.stroke.value_or(""), swims ? "breaststroke" : "") << card.id;
  }
}

TEST(GallerySamples, ShowEverySampleShell) {
  for (const samples::ShellSample& sample : samples::shell_samples()) {
    const auto& cards = sample_cards();
    EXPECT_TRUE(std::any_of(cards.begin(), cards.end(), [&](const SampleCard& card) {
      return card.kind == SampleCard::Kind::Shell && card.id == sample.name;
    })) << sample.name;
  }
}

TEST(GallerySamples, ShowEverySampleScene) {
  for (const samples::SimulationSample& sample : samples::scene_samples()) {
    const auto& cards = sample_cards();
    EXPECT_TRUE(std::any_of(cards.begin(), cards.end(), [&](const SampleCard& card) {
      return card.kind == SampleCard::Kind::Scene && card.scene == sample.name;
    })) << sample.name;
  }
}

TEST(BakeGallery, TellsWhatIsReadyAndWhatIsStillBaking) {
  const testing::TemporaryDirectory folder;
  GalleryBakeSettings settings;
  settings.directory = folder.path("out");
  settings.only = {"tissue", "beams"};
  settings.elements = 300;
  settings.pictures = false;
  std::vector<std::size_t> baking;
  const auto count = [&](const Gallery& now) {
    ASSERT_EQ(now.items.size(), 2U);
    baking.push_back(static_cast<std::size_t>(std::count_if(
        now.items.begin(), now.items.end(), [](const auto& item) { return item.baking; })));
  };
  const auto baked = bake_gallery(settings, count);
  ASSERT_TRUE(baked.ok()) << baked.error().describe();
  EXPECT_EQ(baking, (std::vector<std::size_t>{2, 1, 0}));
  // The second time all is there from the beginning.
  baking.clear();
  ASSERT_TRUE(bake_gallery(settings, count).ok());
  EXPECT_EQ(baking.front(), 0U);
}

}  // namespace
}  // namespace supple::gallery
