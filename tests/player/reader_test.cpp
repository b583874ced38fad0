// SPDX-License-Identifier: Apache-2.0
#include "player/file_bytes.hpp"

#include <limits>

namespace supple::player::testing {
namespace {

/// The same file with empty unknown sections, up to this total number.
Bytes with_sections(const Bytes& file, std::uint32_t count) {
  std::vector<std::pair<format::Section, Bytes>> more;
  for (auto i = static_cast<std::uint32_t>(OpenTable(file).sections.size()); i < count; ++i) {
    more.push_back({format::Section{i, 0, 0, 0, 0, 0}, {}});
  }
  return with_more(file, more);
}

template <class T>
supple_status status_with(std::uint32_t section, std::size_t offset, T value) {
  Bytes bytes = small_file();
  std::memcpy(bytes.data() + place_of(bytes, section) + offset, &value, sizeof value);
  mend(bytes);
  return status_of(bytes);
}

TEST(Reader, OpensWhatWasWritten) {
  Bytes bytes = small_file();
  EXPECT_EQ(status_of(bytes), SUPPLE_OK);
  mend(bytes);
  EXPECT_EQ(status_of(bytes), SUPPLE_OK);
}

TEST(Reader, RejectsEveryTruncation) {
  const Bytes whole = small_file();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Bytes part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_EQ(status_of(part), SUPPLE_TRUNCATED) << size;
  }
  Bytes longer = whole;
  longer.resize(whole.size() + 64);
  EXPECT_EQ(status_of(longer), SUPPLE_DAMAGED);
}

TEST(Reader, RejectsEveryFlippedBit) {
  Bytes bytes = small_file();
  const AlignedBytes aligned(bytes);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      aligned.data()[i] ^= static_cast<std::byte>(1U << static_cast<unsigned>(bit));
      supple_asset* asset = nullptr;
      EXPECT_NE(supple_asset_open(aligned.data(), aligned.size(), &asset), SUPPLE_OK)
          << "byte " << i << ", bit " << bit;
      supple_asset_close(asset);
      aligned.data()[i] ^= static_cast<std::byte>(1U << static_cast<unsigned>(bit));
    }
  }
}

TEST(Reader, TellsApartWhatIsWrong) {
  Bytes bytes = small_file();
  const AlignedBytes aligned(bytes);
  supple_asset* asset = nullptr;
  EXPECT_EQ(supple_asset_open(aligned.data() + 1, aligned.size() - 1, &asset), SUPPLE_MISALIGNED);
  EXPECT_EQ(supple_asset_open(nullptr, 0, &asset), SUPPLE_BAD_ARGUMENT);
  EXPECT_EQ(supple_asset_open(aligned.data(), aligned.size(), nullptr), SUPPLE_BAD_ARGUMENT);
  Bytes other = bytes;
  other[0] = std::byte{'g'};
  EXPECT_EQ(status_of(other), SUPPLE_NOT_SUPPLE);
  Bytes newer = bytes;
  const std::uint16_t version = format::kVersionMajor + 1;
  std::memcpy(newer.data() + offsetof(format::Header, version_major), &version, sizeof version);
  mend(newer);
  EXPECT_EQ(status_of(newer), SUPPLE_NEWER_VERSION);
  for (std::uint16_t old = 0; old < format::kVersionMajor; ++old) {
    Bytes older = bytes;
    std::memcpy(older.data() + offsetof(format::Header, version_major), &old, sizeof old);
    EXPECT_EQ(status_of(older), SUPPLE_OLDER_VERSION);  // before any checksum
  }
  EXPECT_STREQ(supple_status_text(SUPPLE_OLDER_VERSION),
               "The file was written by an older Supple; bake it again.");
  EXPECT_STREQ(supple_error_detail(), "the file has format 2.0, this player reads 3");
  Bytes minor = bytes;
  const std::uint16_t later = format::kVersionMinor + 1;
  std::memcpy(minor.data() + offsetof(format::Header, version_minor), &later, sizeof later);
  mend(minor);
  EXPECT_EQ(status_of(minor), SUPPLE_OK);
}

TEST(Reader, RejectsObjectsWhoseSectionIsMissing) {
  Bytes bytes = small_file();
  // CORI renamed and not required: passed over, and the objects that point there are damaged ...
  OpenTable table(bytes);
  format::Section& coriolis = table.at(format::kCoriolisSection);
  coriolis.id = format::section_id("WHAT");
  coriolis.flags = 0;
  table.store(bytes);
  EXPECT_EQ(status_of(bytes), SUPPLE_DAMAGED);
  // ... unless none does.
  for (std::size_t i = 0; i < 2; ++i) {
    std::memcpy(bytes.data() + place_of(bytes, format::kObjectSection) +
                    i * sizeof(format::Object) + offsetof(format::Object, coriolis),
                &format::kNone, sizeof format::kNone);
  }
  mend(bytes);
  EXPECT_EQ(status_of(bytes), SUPPLE_OK);
}

TEST(Reader, RejectsNumbersOutOfRange) {
  using format::Entry;
  using format::Mode;
  using format::Object;
  using format::Summary;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto summary = format::kSummarySection;
  const auto object = format::kObjectSection;
  const auto mode = format::kModeSection;
  const std::uint32_t many = 0xfffffff0U;
  EXPECT_EQ(status_with(summary, offsetof(Summary, object_count), many), SUPPLE_DAMAGED);
  EXPECT_EQ(status_with(summary, offsetof(Summary, mode_count), many), SUPPLE_DAMAGED);
  EXPECT_EQ(status_with(summary, offsetof(Summary, vertex_count), many), SUPPLE_DAMAGED);
  EXPECT_EQ(status_with(summary, offsetof(Summary, block_count), many), SUPPLE_DAMAGED);
  EXPECT_EQ(status_with(summary, offsetof(Summary, entry_count), many), SUPPLE_DAMAGED);
  EXPECT_EQ(status_with(summary, offsetof(Summary, part_count), many), SUPPLE_DAMAGED);
  EXPECT_EQ(status_with(summary, offsetof(Summary, encoding), 2U), SUPPLE_DAMAGED);
  EXPECT_EQ(status_with(summary, offsetof(Summary, metres_per_unit), 0.0), SUPPLE_DAMAGED);
  EXPECT_EQ(status_with(summary, offsetof(Summary, generator), many), SUPPLE_DAMAGED);
  EXPECT_EQ(status_with(object, offsetof(Object, name), many), SUPPLE_DAMAGED);
  EXPECT_EQ(status_with(object, offsetof(Object, bone), many), SUPPLE_DAMAGED);
  EXPECT_EQ(status_with(object, offsetof(Object, first_mode), 1U), SUPPLE_DAMAGED);
  EXPECT_EQ(status_with(object, offsetof(Object, mode_count), 0U), SUPPLE_DAMAGED);
  EXPECT_EQ(status_with(object, offsetof(Object, mode_count), many), SUPPLE_DAMAGED);
  EXPECT_EQ(status_with(object, offsetof(Object, coriolis), 4U), SUPPLE_DAMAGED);
  EXPECT_EQ(status_with(object, offsetof(Object, rest_rotation), 3.0), SUPPLE_DAMAGED);
  EXPECT_EQ(status_with(object, offsetof(Object, frame_from_bind), nan), SUPPLE_DAMAGED);
  EXPECT_EQ(status_with(object, offsetof(Object, limit), -1.0), SUPPLE_DAMAGED);
  EXPECT_EQ(status_with(mode, offsetof(Mode, omega), 0.0), SUPPLE_DAMAGED);
  EXPECT_EQ(status_with(mode, offsetof(Mode, omega), nan), SUPPLE_DAMAGED);
  EXPECT_EQ(status_with(mode, offsetof(Mode, damping), -0.1), SUPPLE_DAMAGED);
  EXPECT_EQ(status_with(mode, offsetof(Mode, transfer), nan), SUPPLE_DAMAGED);
  EXPECT_EQ(status_with(mode, offsetof(Mode, centrifugal), 1e300), SUPPLE_DAMAGED);
  EXPECT_EQ(status_with(mode, offsetof(Mode, position_scale), 1e35F), SUPPLE_DAMAGED);
  EXPECT_EQ(status_with(format::kCoriolisSection, 8, nan), SUPPLE_DAMAGED);
  EXPECT_EQ(status_with(format::kBlockSection, 0, 1U), SUPPLE_DAMAGED);
  EXPECT_EQ(status_with(format::kBlockSection, 4, many), SUPPLE_DAMAGED);
  EXPECT_EQ(status_with(format::kEntrySection, offsetof(Entry, object), 2U), SUPPLE_DAMAGED);
  EXPECT_EQ(status_with(format::kEntrySection, offsetof(Entry, offset), many), SUPPLE_DAMAGED);
  EXPECT_EQ(status_with(format::kPartSection, 8, 1U), SUPPLE_DAMAGED);
  EXPECT_EQ(status_with(format::kTextSection, 0, 'x'), SUPPLE_OK);  // any name will do
}

/// Texts of a megabyte that every object shares, or sections without number, would cost far more
/// than the file's size.
TEST(Reader, RejectsTextsAndTablesWithoutEnd) {
  soft::Asset asset = random_asset({.vertices = 20, .objects = {{1, 0, 3}}});
  asset.objects[0].name = std::string(format::kLongestText - 1, 'n');
  const auto longest = io::write_supple(asset);
  ASSERT_TRUE(longest.ok());
  EXPECT_EQ(status_of(longest->bytes), SUPPLE_OK);
  Bytes longer = longest->bytes;
  const std::size_t text = place_of(longer, format::kTextSection);
  longer[text + format::kLongestText - 1] = std::byte{'n'};
  mend(longer);
  EXPECT_EQ(status_of(longer), SUPPLE_DAMAGED);
  asset.objects[0].name += 'n';
  EXPECT_FALSE(io::write_supple(asset).ok());
  EXPECT_EQ(status_of(with_sections(small_file(), format::kMostSections)), SUPPLE_OK);
  EXPECT_EQ(status_of(with_sections(small_file(), format::kMostSections + 1)), SUPPLE_DAMAGED);
}

TEST(Reader, KnowsItsMesh) {
  MeshSpec spec;
  const OpenAsset file(random_asset(spec));
  EXPECT_EQ(supple_asset_check_mesh(file.get(), 0x1234), SUPPLE_OK);
  EXPECT_EQ(supple_asset_check_mesh(file.get(), 0x1235), SUPPLE_OTHER_MESH);
  const std::vector<Eigen::Vector3f> positions{{1, 2, 3}, {4, 5, 6}, {7, 8, 9.5F}};
  const std::vector<std::uint32_t> corners{0, 1, 2};
  EXPECT_EQ(supple_mesh_hash(positions[0].data(), 3, corners.data(), 3),
            io::mesh_hash(positions, corners));
  EXPECT_NE(supple_mesh_hash(positions[0].data(), 2, corners.data(), 3),
            io::mesh_hash(positions, corners));
}

TEST(Reader, EveryStatusHasASentence) {
  for (int status = SUPPLE_OK; status <= SUPPLE_UNSUPPORTED; ++status) {
    EXPECT_STRNE(supple_status_text(static_cast<supple_status>(status)), "Unknown status.");
  }
}

}  // namespace
}  // namespace supple::player::testing
