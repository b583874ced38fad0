// SPDX-License-Identifier: Apache-2.0
#include "reader.hpp"

#include "supple/format/checksum.hpp"

#include <bit>
#include <cstring>

namespace supple::player {
namespace {

static_assert(std::endian::native == std::endian::little, "a .supple file is read in place");

using format::Section;

constexpr double kLowestOmega = 1e-6;
constexpr double kHighestOmega = 1e9;
constexpr double kHighestDamping = 1e6;
constexpr double kUnitTolerance = 1e-6;

bool is_zero(const unsigned char* bytes, std::size_t size) {
  unsigned char any = 0;
  for (std::size_t i = 0; i < size; ++i) any |= bytes[i];
  return any == 0;
}

std::size_t aligned(std::size_t offset) {
  return (offset + format::kAlignment - 1) / format::kAlignment * format::kAlignment;
}

supple_status check_header(const unsigned char* bytes, std::size_t size) {
  const std::size_t known = size < format::kMagic.size() ? size : format::kMagic.size();
  if (std::memcmp(bytes, format::kMagic.data(), known) != 0) return SUPPLE_NOT_SUPPLE;
  if (size < sizeof(format::Header)) return SUPPLE_TRUNCATED;
  format::Header header;
  std::memcpy(&header, bytes, sizeof header);
  if (header.version_major > format::kVersionMajor) return SUPPLE_NEWER_VERSION;
  if (header.version_major < format::kVersionWithoutShells) return SUPPLE_DAMAGED;
  if (header.file_size > size) return SUPPLE_TRUNCATED;
  if (header.file_size < size) return SUPPLE_DAMAGED;
  if (header.section_count > format::kMostSections ||
      header.section_count > (size - sizeof header) / sizeof(Section)) {
    return SUPPLE_DAMAGED;
  }
  const std::uint64_t expected = header.checksum;
  header.checksum = 0;
  format::Xxh64 hash;
  hash.add(&header, sizeof header);
  hash.add(bytes + sizeof header, header.section_count * sizeof(Section));
  return hash.value() == expected ? SUPPLE_OK : SUPPLE_DAMAGED;
}

/// Sections follow each other in the order of the table, with zeros up to the next multiple of 64
/// between them: nothing overlaps, and no byte escapes the checks.
bool check_sections(const Table& table, std::size_t size) {
  std::size_t end = sizeof(format::Header) + table.count * sizeof(Section);
  for (std::size_t i = 0; i < table.count; ++i) {
    const Section& section = table.sections[i];
    const std::size_t begin = aligned(end);
    if (section.offset != begin || begin > size || section.size > size - begin) return false;
    if (!is_zero(table.bytes + end, begin - end)) return false;
    for (std::size_t j = 0; j < i; ++j) {
      if (table.sections[j].id == section.id) return false;
    }
    const auto length = static_cast<std::size_t>(section.size);
    if (format::checksum(table.bytes + begin, length) != section.checksum) return false;
    end = begin + length;
  }
  return aligned(end) == size && is_zero(table.bytes + end, size - end);
}

bool check_parts(const supple_asset& asset) {
  std::uint64_t next = 0;
  for (std::uint32_t i = 0; i < asset.summary->part_count; ++i) {
    if (asset.parts[i].first_vertex != next) return false;
    next += asset.parts[i].vertex_count;
  }
  return next == asset.summary->vertex_count;
}

bool check_rotation(const std::array<double, 4>& q) {
  const double length = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  return length > 1 - kUnitTolerance && length < 1 + kUnitTolerance;
}

bool check_objects(const supple_asset& asset, std::uint64_t text_size,
                   std::uint64_t coriolis_count) {
  std::uint64_t next = 0;
  for (std::uint32_t i = 0; i < asset.summary->object_count; ++i) {
    const format::Object& object = asset.objects[i];
    if (!check_text(asset.text, object.name, text_size) ||
        !check_text(asset.text, object.bone, text_size)) {
      return false;
    }
    if (object.mode_count == 0 || object.first_mode != next) return false;
    next += object.mode_count;
    if (next > asset.summary->mode_count) return false;
    if (object.coriolis != format::kNone) {
      const std::uint64_t modes = object.mode_count;
      // The first comparison keeps the product small: there is a number per mode at least.
      if (modes > coriolis_count || modes * modes > coriolis_count / 3) return false;
      if (object.coriolis > coriolis_count - 3 * modes * modes) return false;
    }
    if (!sane(object.frame_from_bind.data(), 12) || !check_rotation(object.rest_rotation)) {
      return false;
    }
    if (object.kind != format::Kind::Flesh && object.kind != format::Kind::Shell) return false;
    if (!sane(object.limit) || object.limit < 0 || !sane(object.mass)) return false;
  }
  return next == asset.summary->mode_count;
}

bool check_modes(const supple_asset& asset) {
  for (std::uint32_t i = 0; i < asset.summary->mode_count; ++i) {
    const format::Mode& mode = asset.modes[i];
    if (!(mode.omega >= kLowestOmega && mode.omega <= kHighestOmega)) return false;
    if (!(mode.damping >= 0 && mode.damping <= kHighestDamping)) return false;
    if (!sane(mode.transfer.data(), 6) || !sane(mode.centrifugal.data(), 6)) return false;
    if (!sane(mode.position_scale) || !sane(mode.normal_scale)) return false;
    if (!sane(mode.share) || !(mode.largest_displacement >= 0)) return false;
    if (!sane(mode.largest_displacement)) return false;
  }
  return true;
}

bool check_blocks(const supple_asset& asset, std::uint64_t shapes_size) {
  const format::Summary& summary = *asset.summary;
  const std::uint64_t bytes_per_number = summary.encoding == format::Encoding::Int16 ? 2 : 4;
  if (asset.blocks[0] != 0 || asset.blocks[summary.block_count] != summary.entry_count)
    return false;
  // Entries do not overlap, so a small file does not become large on its way to a GPU.
  std::uint64_t left = shapes_size;
  for (std::uint32_t block = 0; block < summary.block_count; ++block) {
    const std::uint32_t begin = asset.blocks[block];
    const std::uint32_t end = asset.blocks[block + 1];
    if (begin > end || end > summary.entry_count) return false;
    for (std::uint32_t i = begin; i < end; ++i) {
      const format::Entry& entry = asset.entries[i];
      if (entry.object >= summary.object_count) return false;
      if (i > begin && asset.entries[i - 1].object >= entry.object) return false;
      const std::uint64_t offset = std::uint64_t{entry.offset} * format::kAlignment;
      const std::uint64_t length = std::uint64_t{asset.objects[entry.object].mode_count} *
                                   format::kRows * format::kBlock * bytes_per_number;
      if (length > left || offset > shapes_size - length) return false;
      left -= length;
    }
  }
  return true;
}

bool check_shapes(const supple_asset& asset, std::uint64_t size) {
  if (asset.summary->encoding == format::Encoding::Int16) return size % 2 == 0;
  if (size % sizeof(float) != 0) return false;
  const auto* numbers = reinterpret_cast<const float*>(asset.shapes);
  bool good = true;
  for (std::uint64_t i = 0; i < size / sizeof(float); ++i) good &= sane(numbers[i]);
  return good;
}

bool check_summary(const format::Summary& summary) {
  if (summary.encoding != format::Encoding::Int16 &&
      summary.encoding != format::Encoding::Float32) {
    return false;
  }
  if (summary.block_count != (summary.vertex_count + std::uint64_t{15}) / format::kBlock) {
    return false;
  }
  return sane(summary.metres_per_unit) && summary.metres_per_unit >= 1 / kLargest;
}

bool read_sections(const Table& table, supple_asset& asset) {
  if (!table.view(format::kSummarySection, 1, asset.summary)) return false;
  const format::Summary& summary = *asset.summary;
  if (!check_summary(summary)) return false;
  const Section* text = table.find(format::kTextSection);
  const Section* shapes = table.find(format::kShapeSection);
  const Section* coriolis = table.find(format::kCoriolisSection);
  if (text == nullptr || shapes == nullptr || text->size == 0) return false;
  asset.text = reinterpret_cast<const char*>(table.bytes + text->offset);
  asset.shapes = table.bytes + shapes->offset;
  if (!check_text(asset.text, summary.generator, text->size)) return false;
  const std::uint64_t coriolis_count = coriolis == nullptr ? 0 : coriolis->size / sizeof(double);
  if (coriolis != nullptr &&
      (!table.view(format::kCoriolisSection, coriolis_count, asset.coriolis) ||
       !sane(asset.coriolis, static_cast<std::size_t>(coriolis_count)))) {
    return false;
  }
  return table.view(format::kPartSection, summary.part_count, asset.parts) &&
         table.view(format::kObjectSection, summary.object_count, asset.objects) &&
         table.view(format::kModeSection, summary.mode_count, asset.modes) &&
         table.view(format::kBlockSection, std::uint64_t{summary.block_count} + 1, asset.blocks) &&
         table.view(format::kEntrySection, summary.entry_count, asset.entries) &&
         check_parts(asset) && check_objects(asset, text->size, coriolis_count) &&
         check_modes(asset) && check_blocks(asset, shapes->size) &&
         check_shapes(asset, shapes->size) && read_shells(table, asset);
}

}  // namespace

supple_status read(const void* data, std::size_t size, supple_asset& asset) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  if (reinterpret_cast<std::uintptr_t>(bytes) % 16 != 0) return SUPPLE_MISALIGNED;
  const supple_status status = check_header(bytes, size);
  if (status != SUPPLE_OK) return status;
  asset.header = reinterpret_cast<const format::Header*>(bytes);
  const Table table{bytes, reinterpret_cast<const Section*>(bytes + sizeof(format::Header)),
                    asset.header->section_count};
  if (!check_sections(table, size)) return SUPPLE_DAMAGED;
  return read_sections(table, asset) ? SUPPLE_OK : SUPPLE_DAMAGED;
}

}  // namespace supple::player
