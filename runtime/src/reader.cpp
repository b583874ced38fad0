// SPDX-License-Identifier: Apache-2.0
#include "reader.hpp"

#include "detail.hpp"
#include "kinds.hpp"
#include "light_reader.hpp"

#include "supple/format/checksum.hpp"

#include <bit>

namespace supple::player {
namespace {

static_assert(std::endian::native == std::endian::little, "a .supple file is read in place");

using format::Section;

constexpr double kLowestOmega = 1e-6;
constexpr double kHighestOmega = 1e9;
constexpr double kHighestDamping = 1e6;
constexpr double kUnitTolerance = 1e-6;

/// Sections of records of one size, for details; other sections are plain numbers.
struct KnownSection {
  std::uint32_t id;
  std::uint32_t record_size;  ///< 0: none worth counting
};
constexpr KnownSection kKnownSections[] = {{format::kSummarySection, 0},
                                           {format::kTextSection, 0},
                                           {format::kPartSection, sizeof(format::Part)},
                                           {format::kObjectSection, sizeof(format::Object)},
                                           {format::kModeSection, sizeof(format::Mode)},
                                           {format::kCoriolisSection, 0},
                                           {format::kBlockSection, sizeof(std::uint32_t)},
                                           {format::kEntrySection, sizeof(format::Entry)},
                                           {format::kShapeSection, 0},
                                           {format::kShellSection, sizeof(format::Shell)},
                                           {format::kPointSection, 0},
                                           {format::kAttachmentSection, sizeof(format::Attachment)},
                                           {format::kStrainSection, 0},
                                           {format::kFactorSection, 0},
                                           {format::kMediumSection, sizeof(format::Medium)},
                                           {format::kRestSection, 0},
                                           {format::kSceneSection, sizeof(format::Scene)},
                                           {format::kPaletteSection, sizeof(format::PaletteEntry)},
                                           {format::kResponseSection, sizeof(format::Response)},
                                           {format::kStateSection, 0},
                                           {format::kPortraitSection, 0},
                                           {format::kNextSection, 0},
                                           {format::kLightSection, 0},
                                           {format::kLightInputSection, sizeof(format::LightInput)},
                                           {format::kLightCentreSection, 0},
                                           {format::kLightFrameSection, sizeof(std::uint16_t)},
                                           {format::kLightScaleSection, 0},
                                           {format::kTransferSection, 0},
                                           {format::kVertexSection, sizeof(format::Vertex)},
                                           {format::kSpaceSection, sizeof(format::Space)}};

const KnownSection* known_section(std::uint32_t id) {
  for (const KnownSection& known : kKnownSections) {
    if (known.id == id) return &known;
  }
  return nullptr;
}

/// The four letters of a section, for details; what cannot be printed becomes a question mark.
struct Letters {
  char text[5];

  explicit Letters(std::uint32_t id) : text{} {
    for (int i = 0; i < 4; ++i) {
      const auto letter = static_cast<char>(id >> 8 * i & 0xffU);
      text[i] = letter >= ' ' && letter <= '~' ? letter : '?';
    }
  }
};

bool is_zero(const unsigned char* bytes, std::size_t size) {
  unsigned char any = 0;
  for (std::size_t i = 0; i < size; ++i) any |= bytes[i];
  return any == 0;
}

std::size_t aligned(std::size_t offset) {
  return (offset + format::kAlignment - 1) / format::kAlignment * format::kAlignment;
}

bool is_unit(const std::array<double, 4>& q) {
  const double length = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  return length > 1 - kUnitTolerance && length < 1 + kUnitTolerance;
}

/// Says which version the file has.
supple_status other_version(const format::Header& header, supple_status status) {
  Detail("the file has format ") << header.version_major << "." << header.version_minor
                                 << ", this player reads " << format::kVersionMajor;
  return status;
}

}  // namespace

bool FileReader::damaged(const void* at, const char* why) const {
  const auto place = static_cast<std::size_t>(static_cast<const unsigned char*>(at) - m_bytes);
  Detail detail("");
  for (std::size_t i = 0; i < m_count; ++i) {
    const Section& section = m_sections[i];
    if (place < section.offset || place - section.offset >= section.size) continue;
    detail << "section " << Letters(section.id).text;
    const KnownSection* known = known_section(section.id);
    if (known != nullptr && known->record_size != 0) {
      detail << ", record " << (place - section.offset) / known->record_size;
    }
    detail << ", ";
  }
  detail << "byte " << place << ": " << why;
  return false;
}

bool FileReader::damaged_section(std::uint32_t id, const char* why) const {
  Detail("section ") << Letters(id).text << " " << why;
  return false;
}

const Section* FileReader::find(std::uint32_t id) const {
  for (std::size_t i = 0; i < m_count; ++i) {
    if (m_sections[i].id == id) return &m_sections[i];
  }
  return nullptr;
}

const unsigned char* FileReader::find_records(std::uint32_t id, std::size_t size,
                                              std::uint64_t& records) const {
  const Section* section = find(id);
  if (section == nullptr || section->size % size != 0) {
    (void)damaged_section(id, section == nullptr ? "is missing" : "holds part of a record");
    return nullptr;
  }
  records = section->size / size;
  return m_bytes + section->offset;
}

bool FileReader::has_count(std::uint32_t id, std::uint64_t found, std::uint64_t wanted) const {
  if (found == wanted) return true;
  Detail("section ") << Letters(id).text << " holds " << found << " records instead of " << wanted;
  return false;
}

/// True if a text begins there and is not too long.
bool FileReader::check_text(const std::uint32_t& offset) const {
  if (offset < m_text_size) {
    const std::uint64_t left = m_text_size - offset;
    const std::size_t most = left < format::kLongestText ? left : format::kLongestText;
    if (std::memchr(m_asset.text + offset, '\0', most) != nullptr) return true;
  }
  return damaged(&offset, "the text is outside TEXT or too long");
}

supple_status FileReader::check_header() {
  if (m_size == 0) {
    Detail("the file is empty");
    return SUPPLE_TRUNCATED;
  }
  const std::size_t known = m_size < format::kMagic.size() ? m_size : format::kMagic.size();
  if (std::memcmp(m_bytes, format::kMagic.data(), known) != 0) {
    Detail("the first bytes are not those of a .supple file");
    return SUPPLE_NOT_SUPPLE;
  }
  if (m_size < sizeof(format::Header)) {
    Detail("the file ends within its header");
    return SUPPLE_TRUNCATED;
  }
  format::Header header;
  std::memcpy(&header, m_bytes, sizeof header);
  if (header.version_major > format::kVersionMajor) {
    return other_version(header, SUPPLE_NEWER_VERSION);
  }
  if (header.version_major < format::kVersionMajor) {
    return other_version(header, SUPPLE_OLDER_VERSION);
  }
  if (header.file_size != m_size) {
    Detail("the header speaks of ") << header.file_size << " bytes, there are " << m_size;
    return header.file_size > m_size ? SUPPLE_TRUNCATED : SUPPLE_DAMAGED;
  }
  m_count = header.section_count;
  if (m_count > format::kMostSections || m_count > (m_size - sizeof header) / sizeof(Section)) {
    Detail("the table of sections has ") << m_count << " entries, too many for the file";
    return SUPPLE_DAMAGED;
  }
  const std::uint64_t expected = header.checksum;
  header.checksum = 0;
  format::Xxh64 hash;
  hash.add(&header, sizeof header);
  hash.add(m_bytes + sizeof header, m_count * sizeof(Section));
  if (hash.value() == expected) return SUPPLE_OK;
  Detail("the checksum of the header and the table of sections is wrong");
  return SUPPLE_DAMAGED;
}

/// Sections follow each other in the order of the table, with zeros up to the next multiple of 64
/// between them: nothing overlaps, and no byte escapes the checks.
bool FileReader::check_sections() {
  std::size_t end = sizeof(format::Header) + m_count * sizeof(Section);
  for (std::size_t i = 0; i < m_count; ++i) {
    if (!check_section(m_sections[i], end)) return false;
  }
  if (aligned(end) == m_size && is_zero(m_bytes + end, m_size - end)) return true;
  return refuse("there are bytes behind the last section");
}

bool FileReader::check_section(const Section& section, std::size_t& end) {
  const std::size_t begin = aligned(end);
  if (section.offset != begin || begin > m_size || section.size > m_size - begin ||
      !is_zero(m_bytes + end, begin - end)) {
    return damaged_section(section.id, "is not where it should be");
  }
  if (find(section.id) != &section) return damaged_section(section.id, "appears twice");
  const auto length = static_cast<std::size_t>(section.size);
  if (format::checksum(m_bytes + begin, length) != section.checksum) {
    return damaged_section(section.id, "has a wrong checksum");
  }
  end = begin + length;
  return is_known(section);
}

/// What a reader does not know it passes over, unless it must not.
bool FileReader::is_known(const Section& section) {
  const bool known = known_section(section.id) != nullptr;
  if (known ? section.version == 0 : (section.flags & format::kRequired) == 0) return true;
  m_status = SUPPLE_UNSUPPORTED;
  return damaged_section(section.id, known ? "is of a later version" : "is required and unknown");
}

bool FileReader::check_parts() const {
  std::uint64_t next = 0;
  for (std::uint32_t i = 0; i < m_asset.summary->part_count; ++i) {
    const format::Part& part = m_asset.parts[i];
    if (part.first_vertex != next) return damaged(&part, "parts do not follow each other");
    next += part.vertex_count;
  }
  return next == m_asset.summary->vertex_count ||
         damaged(&m_asset.summary->vertex_count, "the parts have another number of vertices");
}

bool FileReader::read_vertices() {
  if (find(format::kVertexSection) == nullptr) return true;
  const std::uint32_t count = m_asset.summary->vertex_count;
  if (!view(format::kVertexSection, count, m_asset.vertices)) return false;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!sane(m_asset.vertices[i].position.data(), 3)) {
      return damaged(m_asset.vertices + i, "the position is not finite");
    }
  }
  return true;
}

bool FileReader::read_spaces() {
  if (find(format::kSpaceSection) == nullptr) return true;
  const std::uint32_t count = m_asset.summary->part_count;
  if (!view(format::kSpaceSection, count, m_asset.spaces)) return false;
  for (std::uint32_t i = 0; i < count; ++i) {
    const format::Space& space = m_asset.spaces[i];
    if (!sane(space.to_bind.data(), space.to_bind.size())) {
      return damaged(&space, "the space is not finite");
    }
  }
  return true;
}

/// An object of a kind that is not known stays at rest.
bool FileReader::check_kind(const format::Object& object) {
  if (&kind_of(object) != &kUnknownKind || (object.flags & format::kRequired) == 0) return true;
  m_status = SUPPLE_UNSUPPORTED;
  Detail("object '") << m_asset.text + object.name << "' is of kind "
                     << static_cast<std::uint64_t>(object.kind) << ", required and unknown";
  return false;
}

/// All of the bone, or nothing of it.
bool FileReader::check_bone(const format::Object& object) const {
  if (object.node != format::kNoBone) return check_text(object.bone);
  return (object.bone == format::kNoBone && object.joint == format::kNoBone) ||
         damaged(&object.node, "the object has half a bone");
}

bool FileReader::check_objects() {
  std::uint64_t next = 0;
  for (std::uint32_t i = 0; i < m_asset.summary->object_count; ++i) {
    const format::Object& object = m_asset.objects[i];
    if (!check_text(object.name) || !check_bone(object) || !check_kind(object)) return false;
    const bool needs_modes = &kind_of(object) != &kUnknownKind;
    if ((needs_modes && object.mode_count == 0) || object.first_mode != next) {
      return damaged(&object.first_mode, "modes do not follow those of the object before");
    }
    next += object.mode_count;
    if (next > m_asset.summary->mode_count) return damaged(&object.mode_count, "too many modes");
    if (!sane(object.frame_from_bind.data(), 12)) {
      return damaged(&object.frame_from_bind, "the frame is not finite");
    }
    if (!is_unit(object.rest_rotation)) {
      return damaged(&object.rest_rotation, "the rotation at rest is not of length 1");
    }
    if (!sane(object.limit) || object.limit < 0) return damaged(&object.limit, "a bad limit");
    if (!sane(object.mass)) return damaged(&object.mass, "the mass is not finite");
  }
  return next == m_asset.summary->mode_count ||
         damaged(&m_asset.summary->mode_count, "the objects have fewer modes");
}

bool FileReader::check_modes() const {
  for (std::uint32_t i = 0; i < m_asset.summary->mode_count; ++i) {
    const format::Mode& mode = m_asset.modes[i];
    if (!(mode.omega >= kLowestOmega && mode.omega <= kHighestOmega)) {
      return damaged(&mode.omega, "the frequency is out of range");
    }
    if (!(mode.damping >= 0 && mode.damping <= kHighestDamping)) {
      return damaged(&mode.damping, "the damping is out of range");
    }
    if (!sane(mode.transfer.data(), 6) || !sane(mode.centrifugal.data(), 6)) {
      return damaged(&mode.transfer, "a force is not finite");
    }
    if (!sane(mode.position_scale) || !sane(mode.normal_scale) || !sane(mode.share) ||
        !(mode.largest_displacement >= 0) || !sane(mode.largest_displacement)) {
      return damaged(&mode.position_scale, "a scale is out of range");
    }
  }
  return true;
}

bool FileReader::check_entry(const format::Entry& entry, std::uint64_t& left) const {
  const format::Summary& summary = *m_asset.summary;
  if (entry.object >= summary.object_count) return damaged(&entry, "there is no such object");
  const std::uint64_t bytes_per_number = summary.encoding == format::Encoding::Int16 ? 2 : 4;
  const std::uint64_t offset = std::uint64_t{entry.offset} * format::kAlignment;
  const std::uint64_t length = std::uint64_t{m_asset.objects[entry.object].mode_count} *
                               format::kRows * format::kBlock * bytes_per_number;
  if (length > left || offset > m_asset.shapes_size - length) {
    return damaged(&entry, "the shapes are outside SHAP");
  }
  left -= length;
  return true;
}

bool FileReader::check_blocks() const {
  const format::Summary& summary = *m_asset.summary;
  const std::uint32_t* blocks = m_asset.blocks;
  if (blocks[0] != 0 || blocks[summary.block_count] != summary.entry_count) {
    return damaged(blocks, "the blocks have another number of entries");
  }
  // Entries do not overlap, so a small file does not become large on its way to a GPU.
  std::uint64_t left = m_asset.shapes_size;
  for (std::uint32_t block = 0; block < summary.block_count; ++block) {
    const std::uint32_t begin = blocks[block];
    const std::uint32_t end = blocks[block + 1];
    if (begin > end || end > summary.entry_count) {
      return damaged(blocks + block, "the block's entries are out of order");
    }
    for (std::uint32_t i = begin; i < end; ++i) {
      const format::Entry* entry = m_asset.entries + i;
      if (!check_entry(*entry, left)) return false;
      if (i > begin && entry[-1].object >= entry->object) {
        return damaged(entry, "the objects of a block do not ascend");
      }
    }
  }
  return true;
}

bool FileReader::check_shapes() const {
  const std::size_t size = m_asset.shapes_size;
  if (m_asset.summary->encoding == format::Encoding::Int16) {
    return size % 2 == 0 || damaged_section(format::kShapeSection, "holds half a number");
  }
  if (size % sizeof(float) != 0) {
    return damaged_section(format::kShapeSection, "holds part of a number");
  }
  const auto* numbers = reinterpret_cast<const float*>(m_asset.shapes);
  const float* insane = find_insane(numbers, size / sizeof(float));
  return insane == nullptr || damaged(insane, "a shape is not finite");
}

bool FileReader::check_summary() const {
  const format::Summary& summary = *m_asset.summary;
  if (summary.encoding != format::Encoding::Int16 &&
      summary.encoding != format::Encoding::Float32) {
    return damaged(&summary.encoding, "there is no such encoding");
  }
  if (summary.block_count != (summary.vertex_count + std::uint64_t{15}) / format::kBlock) {
    return damaged(&summary.block_count, "the blocks do not fit the vertices");
  }
  return (sane(summary.metres_per_unit) && summary.metres_per_unit >= 1 / kLargest) ||
         damaged(&summary.metres_per_unit, "the unit is out of range");
}

bool FileReader::read_sections() {
  if (!view(format::kSummarySection, 1, m_asset.summary) || !check_summary()) return false;
  const format::Summary& summary = *m_asset.summary;
  std::uint64_t shapes = 0;
  if (!list(format::kTextSection, m_asset.text, m_text_size) ||
      !list(format::kShapeSection, m_asset.shapes, shapes)) {
    return false;
  }
  m_asset.shapes_size = static_cast<std::size_t>(shapes);
  const bool good =
      check_text(summary.generator) &&
      view(format::kPartSection, summary.part_count, m_asset.parts) &&
      view(format::kObjectSection, summary.object_count, m_asset.objects) &&
      view(format::kModeSection, summary.mode_count, m_asset.modes) &&
      view(format::kBlockSection, std::uint64_t{summary.block_count} + 1, m_asset.blocks) &&
      view(format::kEntrySection, summary.entry_count, m_asset.entries) && check_parts() &&
      read_vertices() && read_spaces() && check_objects() && check_modes() && check_blocks() &&
      check_shapes();
  if (!good) return false;
  for (const Kind* kind : kKinds) {
    if (!kind->read(*this)) return false;
  }
  return read_light(*this);
}

supple_status FileReader::read() {
  if (reinterpret_cast<std::uintptr_t>(m_bytes) % 16 != 0) {
    Detail("copy the file to memory at a multiple of 16 first");
    return SUPPLE_MISALIGNED;
  }
  const supple_status status = check_header();
  if (status != SUPPLE_OK) return status;
  m_asset.header = reinterpret_cast<const format::Header*>(m_bytes);
  m_sections = reinterpret_cast<const Section*>(m_bytes + sizeof(format::Header));
  return check_sections() && read_sections() ? SUPPLE_OK : m_status;
}

}  // namespace supple::player
