// SPDX-License-Identifier: Apache-2.0
#include "player/shell_strip.hpp"

#include "supple/format/checksum.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace supple::player {
namespace {

using testing::AlignedBytes;

soft::Asset strip_file() {
  testing::StripSpec spec;
  spec.columns = 7;
  spec.rows = 3;
  spec.modes = 3;
  const fem::DiscreteShell shell = testing::make_strip(spec);
  soft::Asset file = testing::strip_asset(shell, testing::make_object(shell, spec));
  soft::Attachment attachment;
  attachment.vertex = 19;
  attachment.components = SUPPLE_HANDLE_POSITION;
  attachment.bone = "hand";
  file.objects[0].shell->attachments.push_back(attachment);
  return file;
}

Bytes written(const soft::Asset& asset) {
  auto result = io::write_supple(asset);
  SUPPLE_CHECK(result.ok());
  return std::move(result->bytes);
}

supple_status opened(const Bytes& bytes) {
  const AlignedBytes aligned(bytes);
  supple_asset* asset = nullptr;
  const supple_status status = supple_asset_open(aligned.data(), aligned.size(), &asset);
  supple_asset_close(asset);
  return status;
}

/// Bytes of a section, changed, with all checksums made right again.
Bytes changed(Bytes bytes, std::uint32_t id, const std::function<void(std::byte*)>& change) {
  format::Header header{};
  std::memcpy(&header, bytes.data(), sizeof header);
  std::vector<format::Section> table(header.section_count);
  std::memcpy(table.data(), bytes.data() + sizeof header, table.size() * sizeof(format::Section));
  bool found = false;
  for (format::Section& section : table) {
    if (section.id != id) continue;
    found = true;
    change(bytes.data() + section.offset);
    section.checksum = format::checksum(bytes.data() + section.offset, section.size);
  }
  SUPPLE_CHECK(found);
  std::memcpy(bytes.data() + sizeof header, table.data(), table.size() * sizeof(format::Section));
  header.checksum = 0;
  format::Xxh64 hash;
  hash.add(&header, sizeof header);
  hash.add(table.data(), table.size() * sizeof(format::Section));
  header.checksum = hash.value();
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

template <class Record>
Bytes with(const Bytes& bytes, std::uint32_t id, const std::function<void(Record&)>& change) {
  return changed(bytes, id, [&](std::byte* data) {
    Record record;
    std::memcpy(&record, data, sizeof record);
    change(record);
    std::memcpy(data, &record, sizeof record);
  });
}

TEST(ShellFile, KnowsItsAttachments) {
  const testing::OpenAsset shell(strip_file());
  supple_asset_info info{};
  ASSERT_EQ(supple_asset_describe(shell.get(), &info), SUPPLE_OK);
  EXPECT_EQ(info.version_major, format::kVersionMajor);
  EXPECT_EQ(info.attachment_count, 1U);
}

TEST(ShellFile, EveryFlippedBitIsSeen) {
  const Bytes good = written(strip_file());
  ASSERT_EQ(opened(good), SUPPLE_OK);
  // Every byte is under a checksum; a stride that is not a divisor visits all kinds of them.
  for (std::size_t i = 0; i < good.size(); i += 7) {
    Bytes bad = good;
    bad[i] ^= std::byte{0x10};
    ASSERT_NE(opened(bad), SUPPLE_OK) << i;
  }
}

TEST(ShellFile, RefusesShellsThatMakeNoSense) {
  const Bytes good = written(strip_file());
  const auto shell = [&](const std::function<void(format::Shell&)>& change) {
    return opened(with<format::Shell>(good, format::kShellSection, change));
  };
  EXPECT_EQ(shell([](format::Shell&) {}), SUPPLE_OK);
  EXPECT_EQ(shell([](format::Shell& s) { s.object = 1; }), SUPPLE_DAMAGED);
  EXPECT_EQ(shell([](format::Shell& s) { s.point_count += 17; }), SUPPLE_DAMAGED);
  EXPECT_EQ(shell([](format::Shell& s) { s.point_count = 0xffffffffU; }), SUPPLE_DAMAGED);
  EXPECT_EQ(shell([](format::Shell& s) { s.first_point_row = 1; }), SUPPLE_DAMAGED);
  EXPECT_EQ(shell([](format::Shell& s) { s.first_attachment = 1; }), SUPPLE_DAMAGED);
  EXPECT_EQ(shell([](format::Shell& s) { s.attachment_count = 2; }), SUPPLE_DAMAGED);
  EXPECT_EQ(shell([](format::Shell& s) { s.strain = format::kNone; }), SUPPLE_DAMAGED);
  EXPECT_EQ(shell([](format::Shell& s) { s.strain = 4; }), SUPPLE_DAMAGED);
  EXPECT_EQ(shell([](format::Shell& s) { s.factor = 1; }), SUPPLE_DAMAGED);
  EXPECT_EQ(shell([](format::Shell& s) { s.size = 0; }), SUPPLE_DAMAGED);
  EXPECT_EQ(shell([](format::Shell& s) { s.follow_turn = -1; }), SUPPLE_DAMAGED);
}

TEST(ShellFile, RefusesAttachmentsThatMakeNoSense) {
  const Bytes good = written(strip_file());
  const auto attachment = [&](const std::function<void(format::Attachment&)>& change) {
    return opened(with<format::Attachment>(good, format::kAttachmentSection, change));
  };
  EXPECT_EQ(attachment([](format::Attachment&) {}), SUPPLE_OK);
  EXPECT_EQ(attachment([](format::Attachment& a) { a.vertex = 1000; }), SUPPLE_DAMAGED);
  EXPECT_EQ(attachment([](format::Attachment& a) { a.components = 0; }), SUPPLE_DAMAGED);
  EXPECT_EQ(attachment([](format::Attachment& a) { a.components = 128; }), SUPPLE_DAMAGED);
  EXPECT_EQ(attachment([](format::Attachment& a) { a.bone = 1 << 20; }), SUPPLE_DAMAGED);
  EXPECT_EQ(attachment([](format::Attachment& a) { a.stiffness = -2; }), SUPPLE_DAMAGED);
  EXPECT_EQ(attachment([](format::Attachment& a) { a.bone_from_frame[0] = 2; }), SUPPLE_DAMAGED);
  EXPECT_EQ(attachment([](format::Attachment& a) { a.rest[2] = 1e300; }), SUPPLE_DAMAGED);
}

TEST(ShellFile, RefusesStrainArraysThatMakeNoSense) {
  const Bytes good = written(strip_file());
  const auto number = [&](std::size_t index, std::uint32_t value) {
    return opened(changed(good, format::kStrainSection, [&](std::byte* data) {
      std::memcpy(data + index * sizeof value, &value, sizeof value);
    }));
  };
  for (std::size_t i = 0; i < 5; ++i) {
    for (const std::uint32_t value : {0U, 1000U, 0xffffffffU}) {
      EXPECT_EQ(number(i, value), SUPPLE_DAMAGED) << i << " " << value;
    }
  }
  // Vertices, nodes of vertices, vertices of nodes, corners, columns, rows: 21 of each of three.
  for (const std::size_t i : {5U, 26U, 47U, 68U, 80U, 300U}) {
    EXPECT_EQ(number(i, 0x7fffffff), SUPPLE_DAMAGED) << i;
  }
}

TEST(ShellFile, MirroredFramesAndForeignVerticesAreErrorsOfTheWriter) {
  soft::Asset file = strip_file();
  file.objects[0].frame_from_bind(0, 0) *= -1;
  EXPECT_FALSE(io::write_supple(file).ok());
  file = strip_file();
  file.objects.push_back(file.objects[0]);
  const auto shared = io::write_supple(file);
  ASSERT_FALSE(shared.ok());
  EXPECT_NE(shared.error().message().find("belongs to it alone"), std::string::npos);
  file = strip_file();
  file.objects[0].shell->attachments[0].vertex = 21;
  EXPECT_FALSE(io::write_supple(file).ok());
  file = strip_file();
  file.objects[0].shell->points[0].turns.pop_back();
  EXPECT_FALSE(io::write_supple(file).ok());
}

}  // namespace
}  // namespace supple::player
