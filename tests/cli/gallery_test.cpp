// SPDX-License-Identifier: Apache-2.0
#include "gallery.hpp"
#include "gallery_samples.hpp"
#include "samples/shell_samples.hpp"
#include "temporary_directory.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace supple::app {
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

TEST(GallerySamples, ShowEverySampleShell) {
  for (const samples::ShellSample& sample : samples::shell_samples()) {
    const auto& cards = sample_cards();
    EXPECT_TRUE(std::any_of(cards.begin(), cards.end(), [&](const SampleCard& card) {
      return card.kind == SampleCard::Kind::Shell && card.id == sample.name;
    })) << sample.name;
  }
}

}  // namespace
}  // namespace supple::app
