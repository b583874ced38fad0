// SPDX-License-Identifier: Apache-2.0
// What a reader does with sections and kinds of objects that it does not know, and with objects
// that no bone carries.
#include "player/file_bytes.hpp"

#include <string>

namespace supple::player::testing {
namespace {

constexpr std::uint32_t kStrange = format::section_id("ORBI");

Bytes some_bytes(std::size_t size) {
  Bytes bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i % 251);
  return bytes;
}

Bytes with_strange_section(std::uint16_t flags) {
  format::Section section{};
  section.id = kStrange;
  section.version = 7;
  section.flags = flags;
  return with_more(small_file(), {{section, some_bytes(1000)}});
}

bool says(const char* words) {
  return std::string(supple_error_detail()).find(words) != std::string::npos;
}

TEST(Sections, OptionalOnesThatNobodyKnowsArePassedOver) {
  const Bytes plain = small_file();
  const Bytes more = with_strange_section(0);
  ASSERT_EQ(status_of(more), SUPPLE_OK);
  // It plays as without: the same coefficients, bit for bit.
  const auto played = [](const Bytes& bytes) {
    const AlignedBytes aligned(bytes);
    supple_asset* asset = nullptr;
    EXPECT_EQ(supple_asset_open(aligned.data(), aligned.size(), &asset), SUPPLE_OK);
    supple_player* player = nullptr;
    EXPECT_EQ(supple_player_create(asset, &player), SUPPLE_OK);
    for (int i = 0; i < 30; ++i) {
      set_pose(player, 0, {std::sin(0.3 * i), 0, 0});
      supple_player_step(player, kFrame);
    }
    const float* c = supple_player_coefficients(player);
    std::vector<float> coefficients(c, c + 3);
    supple_player_destroy(player);
    supple_asset_close(asset);
    return coefficients;
  };
  EXPECT_EQ(played(more), played(plain));
  EXPECT_NE(played(more)[0], 0);
}

TEST(Sections, RequiredOnesThatNobodyKnowsAreRefusedByName) {
  EXPECT_EQ(status_of(with_strange_section(format::kRequired)), SUPPLE_UNSUPPORTED);
  EXPECT_STREQ(supple_error_detail(), "section ORBI is required and unknown");
}

TEST(Sections, LaterVersionsOfKnownOnesAreRefusedByName) {
  Bytes bytes = small_file();
  OpenTable table(bytes);
  table.at(format::kModeSection).version = 1;
  table.store(bytes);
  EXPECT_EQ(status_of(bytes), SUPPLE_UNSUPPORTED);
  EXPECT_STREQ(supple_error_detail(), "section MODE is of a later version");
}

TEST(Sections, PassedOverOnesMustStillBeSound) {
  Bytes flipped = with_strange_section(0);
  flipped[place_of(flipped, kStrange) + 500] ^= std::byte{1};
  EXPECT_EQ(status_of(flipped), SUPPLE_DAMAGED);
  EXPECT_STREQ(supple_error_detail(), "section ORBI has a wrong checksum");
}

/// Each change of the table is refused, although its checksum is right.
TEST(Sections, TablesThatLieAreRefused) {
  const auto refused = [](const auto& change, const char* words) {
    Bytes bytes = small_file();
    OpenTable table(bytes);
    change(table);
    // mend() would read outside: the header's checksum is all that matters here.
    table.header.section_count = static_cast<std::uint32_t>(table.sections.size());
    table.header.checksum = 0;
    format::Xxh64 hash;
    hash.add(&table.header, sizeof table.header);
    hash.add(table.sections.data(), table.sections.size() * sizeof(format::Section));
    table.header.checksum = hash.value();
    std::memcpy(bytes.data(), &table.header, sizeof table.header);
    std::memcpy(bytes.data() + sizeof table.header, table.sections.data(),
                table.sections.size() * sizeof(format::Section));
    EXPECT_EQ(status_of(bytes), SUPPLE_DAMAGED) << words;
    EXPECT_TRUE(says(words)) << supple_error_detail();
  };
  using Table = OpenTable;
  refused([](Table& t) { t.at(format::kModeSection).offset += 64; }, "MODE is not where");
  refused([](Table& t) { t.at(format::kModeSection).offset = ~0ULL - 63; }, "MODE is not where");
  refused([](Table& t) { t.at(format::kShapeSection).size += 64; }, "SHAP is not where");
  refused([](Table& t) { t.at(format::kShapeSection).size = ~0ULL; }, "SHAP is not where");
  refused([](Table& t) { t.at(format::kModeSection).id = format::kTextSection; }, "TEXT appears");
  refused([](Table& t) { t.at(format::kModeSection).checksum ^= 1; }, "MODE has a wrong checksum");
  refused([](Table& t) { t.sections.pop_back(); }, "");
}

TEST(Sections, MissingAndShortOnesAreNamed) {
  Bytes bytes = small_file();
  OpenTable table(bytes);
  table.at(format::kPartSection).id = kStrange;
  table.at(kStrange).flags = 0;
  table.store(bytes);
  EXPECT_EQ(status_of(bytes), SUPPLE_DAMAGED);
  EXPECT_STREQ(supple_error_detail(), "section PART is missing");
}

TEST(Sections, DetailsNameSectionRecordAndByte) {
  Bytes bytes = small_file();
  const std::size_t at =
      place_of(bytes, format::kModeSection) + sizeof(format::Mode) + offsetof(format::Mode, omega);
  const double zero = 0;
  std::memcpy(bytes.data() + at, &zero, sizeof zero);
  mend(bytes);
  EXPECT_EQ(status_of(bytes), SUPPLE_DAMAGED);
  EXPECT_EQ(
      std::string(supple_error_detail()),
      "section MODE, record 1, byte " + std::to_string(at) + ": the frequency is out of range");
}

/// An object of a kind that does not exist yet.
Bytes with_strange_object(std::uint16_t flags) {
  Bytes bytes = small_file(false);
  const std::size_t at = place_of(bytes, format::kObjectSection) + sizeof(format::Object);
  format::Object object;
  std::memcpy(&object, bytes.data() + at, sizeof object);
  object.kind = static_cast<format::Kind>(250);
  object.flags = flags;
  std::memcpy(bytes.data() + at, &object, sizeof object);
  mend(bytes);
  return bytes;
}

TEST(Kinds, OptionalObjectsOfAKindThatNobodyKnowsStayAtRest) {
  const AlignedBytes bytes(with_strange_object(0));
  supple_asset* asset = nullptr;
  ASSERT_EQ(supple_asset_open(bytes.data(), bytes.size(), &asset), SUPPLE_OK);
  supple_object_info info{};
  ASSERT_EQ(supple_asset_object(asset, 1, &info), SUPPLE_OK);
  EXPECT_EQ(info.kind, SUPPLE_UNKNOWN_KIND);
  supple_player* player = nullptr;
  ASSERT_EQ(supple_player_create(asset, &player), SUPPLE_OK);
  const double force[3] = {5, 5, 5};
  for (int i = 0; i < 20; ++i) {
    for (std::uint32_t o = 0; o < 2; ++o) set_pose(player, o, {std::sin(0.5 * i), 0, 0});
    EXPECT_EQ(supple_player_push(player, 20, force), SUPPLE_OK);
    EXPECT_EQ(supple_player_step(player, kFrame), SUPPLE_OK);
  }
  EXPECT_NE(supple_player_coefficients(player)[0], 0);
  EXPECT_EQ(supple_player_coefficients(player)[2], 0);
  const supple_object_settings settings = settings_of(player, 1);
  EXPECT_EQ(supple_player_set_settings(player, 1, &settings), SUPPLE_OK);
  EXPECT_EQ(supple_player_reset_object(player, 1), SUPPLE_OK);
  EXPECT_EQ(supple_player_shell_state(player, 1, nullptr), SUPPLE_BAD_ARGUMENT);
  supple_player_destroy(player);
  supple_asset_close(asset);
}

TEST(Kinds, RequiredObjectsOfAKindThatNobodyKnowsAreRefusedByName) {
  EXPECT_EQ(status_of(with_strange_object(format::kRequired)), SUPPLE_UNSUPPORTED);
  EXPECT_STREQ(supple_error_detail(), "object 'flesh 1' is of kind 250, required and unknown");
}

TEST(Bones, AnObjectWithoutOneStandsInTheWorld) {
  soft::Asset written = random_asset({.vertices = 37, .objects = {{3, 0, 1}}});
  soft::Object& object = written.objects[0];
  object.rest_rotation.setIdentity();
  const OpenAsset carried(written);
  object.node = soft::kNoNode;
  const OpenAsset free(written);
  supple_object_info info{};
  ASSERT_EQ(supple_asset_object(free.get(), 0, &info), SUPPLE_OK);
  EXPECT_STREQ(info.bone, "");
  EXPECT_EQ(info.node, SUPPLE_NO_BONE);
  EXPECT_EQ(info.joint, SUPPLE_NO_BONE);

  // As one whose bone is set once to where the world is.
  const Player with = make_player(carried);
  const Player without = make_player(free);
  set_pose(with.get(), 0, Eigen::Vector3d::Zero());
  const double gravity[3] = {3, -9, 1};
  const double force[3] = {1, 2, 3};
  for (int i = 0; i < 60; ++i) {
    for (supple_player* player : {with.get(), without.get()}) {
      if (i == 1) supple_player_set_gravity(player, gravity);
      if (i == 5) supple_player_push(player, 7, force);
      ASSERT_EQ(supple_player_step(player, kFrame), SUPPLE_OK);
    }
    for (int k = 0; k < 3; ++k) {
      ASSERT_EQ(supple_player_coefficients(with.get())[k],
                supple_player_coefficients(without.get())[k]);
    }
  }
  EXPECT_NE(supple_player_coefficients(without.get())[0], 0);
  // It can still be carried: a program that moves its world says so.
  EXPECT_EQ(set_pose(without.get(), 0, {0.1, 0, 0}), SUPPLE_OK);
}

TEST(Bones, HalfAOneIsDamage) {
  Bytes bytes = small_file();
  const std::size_t at = place_of(bytes, format::kObjectSection) + offsetof(format::Object, node);
  std::memcpy(bytes.data() + at, &format::kNoBone, sizeof format::kNoBone);
  mend(bytes);
  EXPECT_EQ(status_of(bytes), SUPPLE_DAMAGED);
  EXPECT_TRUE(says("section OBJE, record 0")) << supple_error_detail();
}

}  // namespace
}  // namespace supple::player::testing
