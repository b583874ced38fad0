// SPDX-License-Identifier: Apache-2.0
// The same file for the same mesh in another order, merged, compressed or quantised: everything
// that counts vertices is written anew, the rest copied.
#include "asset.hpp"
#include "detail.hpp"
#include "match.hpp"
#include "reader.hpp"
#include "rebind_shells.hpp"
#include "shapes.hpp"
#include "sized.hpp"

#include "supple/format/checksum.hpp"

#include <cstring>

namespace supple::player {
namespace {

using format::kBlock;
using format::Section;

constexpr std::uint32_t kRecordOfPrimitive = 4;  // numbers in supple_mesh

/// What an object needs to know of the parts that it moves.
struct MovedObject {
  double scale;        ///< the least of its parts: numbers of 16 bits only shrink
  std::uint32_t part;  ///< its first, or kNone
  std::uint32_t seen;  ///< in this block, and one
};

/// A vertex of the new file.
struct NewVertex {
  std::uint32_t source;
  std::uint32_t part;
};

class Rebinder {
 public:
  Rebinder(const supple_asset& asset, const supple_mesh& mesh, const Allocator& allocator)
      : m_asset(asset), m_mesh(mesh), m_allocator(allocator) {}
  Rebinder(const Rebinder&) = delete;
  Rebinder& operator=(const Rebinder&) = delete;
  ~Rebinder() {
    release(m_allocator, m_scratch);
    release(m_allocator, m_new);
  }

  /// The new file, the caller's to release; null: see `status`.
  unsigned char* run(supple_status& status, supple_match_info& info) {
    status = SUPPLE_OUT_OF_MEMORY;
    if (!reserve()) return nullptr;
    status = SUPPLE_OTHER_MESH;
    if (!match_mesh(m_asset, m_mesh, m_match)) return nullptr;
    status = SUPPLE_OUT_OF_MEMORY;
    if (!list_vertices()) return nullptr;
    find_shells(m_asset, m_shell_of_part);
    count_entries();
    unsigned char* file = lay_out();
    if (file == nullptr) return nullptr;
    status = SUPPLE_OTHER_MESH;
    if (!shells_are_whole() || !write(file)) {
      release(m_allocator, file);
      return nullptr;
    }
    seal(file);
    describe(info);
    status = SUPPLE_OK;
    return file;
  }

  [[nodiscard]] std::size_t size() const { return m_size; }

 private:
  [[nodiscard]] const format::Summary& summary() const { return *m_asset.summary; }

  void lay_out_scratch(Arena& arena) {
    const std::size_t given = m_mesh.primitive_count;
    m_match.primitives = arena.take<GivenPrimitive>(given);
    m_match.parts = arena.take<PartMatch>(summary().part_count);
    m_match.source = arena.take<std::uint32_t>(m_given_vertices);
    m_match.order = arena.take<std::uint32_t>(summary().vertex_count);
    m_match.keys = arena.take<double>(summary().vertex_count);
    m_objects = arena.take<MovedObject>(summary().object_count);
    m_shell_of_part = arena.take<std::uint32_t>(summary().part_count);
  }

  bool reserve() {
    m_given_vertices = 0;
    for (std::uint32_t g = 0; g < m_mesh.primitive_count; ++g) {
      m_given_vertices += m_mesh.primitives[kRecordOfPrimitive * g + 2];
    }
    Arena measure;
    lay_out_scratch(measure);
    m_scratch = allocate(m_allocator, measure);
    if (m_scratch == nullptr) return false;
    Arena arena(m_scratch);
    lay_out_scratch(arena);
    std::size_t vertex = 0;
    std::size_t index = 0;
    for (std::uint32_t g = 0; g < m_mesh.primitive_count; ++g) {
      const std::uint32_t* numbers = m_mesh.primitives + std::size_t{kRecordOfPrimitive} * g;
      m_match.primitives[g] = {numbers[0], numbers[1], numbers[2], numbers[3],
                               vertex,     index,      false};
      vertex += numbers[2];
      index += numbers[3];
    }
    return true;
  }

  [[nodiscard]] const GivenPrimitive& primitive_of(std::uint32_t part) const {
    return m_match.primitives[m_match.parts[part].primitive];
  }

  bool list_vertices() {
    for (std::uint32_t p = 0; p < summary().part_count; ++p) {
      m_vertices += primitive_of(p).vertex_count;
      m_indices += primitive_of(p).index_count;
    }
    Arena measure;
    measure.take<NewVertex>(m_vertices);
    m_new = static_cast<NewVertex*>(allocate(m_allocator, measure));
    if (m_new == nullptr) return false;
    std::size_t next = 0;
    for (std::uint32_t p = 0; p < summary().part_count; ++p) {
      const GivenPrimitive& one = primitive_of(p);
      for (std::uint32_t v = 0; v < one.vertex_count; ++v) {
        m_new[next++] = {m_match.source[one.first_vertex + v], p};
      }
    }
    return true;
  }

  [[nodiscard]] std::size_t number_size() const {
    return summary().encoding == format::Encoding::Int16 ? sizeof(std::int16_t) : sizeof(float);
  }
  [[nodiscard]] std::size_t blocks() const { return (m_vertices + kBlock - 1) / kBlock; }
  [[nodiscard]] std::size_t entry_size(std::uint32_t object) const {
    return std::size_t{m_asset.objects[object].mode_count} * format::kRows * kBlock * number_size();
  }

  /// Of the transfer of one block, in bytes.
  [[nodiscard]] std::size_t transfer_size() const {
    return m_asset.light->sides * format::transfer_rows(*m_asset.light) * kBlock * number_size();
  }

  /// Whether the entry's object has the vertex. A shell has whole parts: handles may hold vertices
  /// that no mode moves. What else is in its blocks belongs to others.
  [[nodiscard]] bool moves(const format::Entry& entry, const NewVertex& vertex) const {
    if (m_asset.objects[entry.object].kind == format::Kind::Shell) {
      return m_shell_of_part[vertex.part] == entry.object;
    }
    return has_shape(m_asset, entry, vertex.source);
  }

  /// Marks the objects that move a vertex of the block.
  void mark(std::size_t block) {
    const std::size_t end = (block + 1) * kBlock < m_vertices ? (block + 1) * kBlock : m_vertices;
    for (std::size_t v = block * kBlock; v < end; ++v) {
      const std::uint32_t from = m_new[v].source / kBlock;
      for (std::uint32_t i = m_asset.blocks[from]; i < m_asset.blocks[from + 1]; ++i) {
        const format::Entry& entry = m_asset.entries[i];
        if (!moves(entry, m_new[v])) continue;
        MovedObject& object = m_objects[entry.object];
        const double scale = m_match.parts[m_new[v].part].scale;
        if (object.part == format::kNone) object = {scale, m_new[v].part, 0};
        if (scale < object.scale) object.scale = scale;
        object.seen = static_cast<std::uint32_t>(block) + 1;
      }
    }
  }

  void count_entries() {
    for (std::uint32_t o = 0; o < summary().object_count; ++o) {
      m_objects[o] = {1, format::kNone, 0};
    }
    for (std::size_t block = 0; block < blocks(); ++block) {
      mark(block);
      for (std::uint32_t o = 0; o < summary().object_count; ++o) {
        if (m_objects[o].seen != block + 1) continue;
        ++m_entries;
        m_shapes += entry_size(o);
      }
    }
  }

  /// Numbers of RSTR that a shell has now.
  [[nodiscard]] std::size_t strain_numbers(const format::Shell& shell) const {
    const StrainView v = strain_view(m_asset, shell);
    return kStrainCounts + 2 * strain_vertices(v, nullptr) + v.nodes +
           3 * std::size_t{v.triangles} + v.free_nodes + 1 + v.entries;
  }

  /// How many new vertices a shell's solve has; writes them, and behind them their nodes.
  std::size_t strain_vertices(const StrainView& v, std::uint32_t* to) const {
    std::size_t count = 0;
    for (const bool nodes : {false, true}) {
      if (nodes && to == nullptr) break;
      for (std::size_t n = 0; n < m_vertices; ++n) {
        const std::uint32_t at = place_in(v, m_new[n].source);
        if (at == format::kNone) continue;
        if (to != nullptr) *to++ = nodes ? v.node_of_vertex[at] : static_cast<std::uint32_t>(n);
        if (!nodes) ++count;
      }
    }
    return count;
  }

  /// Where a baked vertex is in the list of a solve, which ascends.
  static std::uint32_t place_in(const StrainView& v, std::uint32_t vertex) {
    std::uint32_t low = 0;
    for (std::uint32_t high = v.vertices; low < high;) {
      const std::uint32_t middle = low + (high - low) / 2;
      if (v.vertex[middle] < vertex) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < v.vertices && v.vertex[low] == vertex ? low : format::kNone;
  }

  [[nodiscard]] std::size_t size_of(const Section& section) const {
    switch (section.id) {
      case format::kBlockSection:
        return (blocks() + 1) * sizeof(std::uint32_t);
      case format::kEntrySection:
        return m_entries * sizeof(format::Entry);
      case format::kShapeSection:
        return m_shapes;
      case format::kVertexSection:
        return m_vertices * sizeof(format::Vertex);
      case format::kLightFrameSection:
        return m_vertices * sizeof(std::uint16_t);
      case format::kTransferSection:
        return blocks() * transfer_size();
      case format::kStrainSection: {
        std::size_t numbers = 0;
        for (std::uint32_t s = 0; s < m_asset.shell_count; ++s) {
          if (m_asset.shells[s].strain == format::kNone) continue;
          numbers += strain_numbers(m_asset.shells[s]);
        }
        return numbers * sizeof(std::uint32_t);
      }
      default:
        return static_cast<std::size_t>(section.size);
    }
  }

  static std::size_t aligned_to_line(std::size_t offset) {
    return (offset + format::kAlignment - 1) / format::kAlignment * format::kAlignment;
  }

  [[nodiscard]] const Section* old_sections() const {
    return reinterpret_cast<const Section*>(m_asset.header + 1);
  }

  /// Header, table and the old content of every section, as far as it fits.
  unsigned char* lay_out() {
    const std::uint32_t count = m_asset.header->section_count;
    std::size_t end = sizeof(format::Header) + count * sizeof(Section);
    for (std::uint32_t i = 0; i < count; ++i) {
      end = aligned_to_line(end) + size_of(old_sections()[i]);
    }
    m_size = aligned_to_line(end);
    auto* file = static_cast<unsigned char*>(allocate(m_allocator, m_size));
    if (file == nullptr) return nullptr;
    std::memcpy(file, m_asset.header, sizeof(format::Header));
    m_table = reinterpret_cast<Section*>(file + sizeof(format::Header));
    end = sizeof(format::Header) + count * sizeof(Section);
    const auto* old_bytes = reinterpret_cast<const unsigned char*>(m_asset.header);
    for (std::uint32_t i = 0; i < count; ++i) {
      const Section& old = old_sections()[i];
      m_table[i] = old;
      m_table[i].offset = aligned_to_line(end);
      m_table[i].size = size_of(old);
      end = static_cast<std::size_t>(m_table[i].offset + m_table[i].size);
      if (m_table[i].size == old.size) {
        std::memcpy(file + m_table[i].offset, old_bytes + old.offset,
                    static_cast<std::size_t>(old.size));
      }
    }
    return file;
  }

  template <class Record>
  [[nodiscard]] Record* records(unsigned char* file, std::uint32_t id) const {
    for (std::uint32_t i = 0; i < m_asset.header->section_count; ++i) {
      if (m_table[i].id == id) return reinterpret_cast<Record*>(file + m_table[i].offset);
    }
    return nullptr;
  }

  bool write(unsigned char* file) {
    write_summary(*records<format::Summary>(file, format::kSummarySection));
    write_parts(records<format::Part>(file, format::kPartSection));
    write_vertices(records<format::Vertex>(file, format::kVertexSection));
    write_spaces(records<format::Space>(file, format::kSpaceSection));
    write_objects(file);
    write_shapes(file);
    if (m_asset.light != nullptr) write_light(file);
    return m_asset.shell_count == 0 || write_shells(file);
  }

  void write_summary(format::Summary& to) const {
    to.mesh_hash = hash();
    to.vertex_count = static_cast<std::uint32_t>(m_vertices);
    to.index_count = static_cast<std::uint32_t>(m_indices);
    to.block_count = static_cast<std::uint32_t>(blocks());
    to.entry_count = static_cast<std::uint32_t>(m_entries);
  }

  [[nodiscard]] std::uint64_t hash() const {
    format::Xxh64 sum;
    for (std::uint32_t p = 0; p < summary().part_count; ++p) {
      const GivenPrimitive& one = primitive_of(p);
      sum.add(m_mesh.positions + 3 * one.first_vertex,
              3 * std::size_t{one.vertex_count} * sizeof(float));
    }
    std::uint32_t first = 0;
    for (std::uint32_t p = 0; p < summary().part_count; ++p) {
      const GivenPrimitive& one = primitive_of(p);
      for (std::size_t i = 0; i < one.index_count; ++i) {
        const std::uint32_t corner = m_mesh.indices[one.first_index + i] + first;
        sum.add(&corner, sizeof corner);
      }
      first += one.vertex_count;
    }
    return sum.value();
  }

  void write_parts(format::Part* to) const {
    std::uint32_t first = 0;
    for (std::uint32_t p = 0; p < summary().part_count; ++p) {
      const GivenPrimitive& one = primitive_of(p);
      to[p] = {one.mesh, one.primitive, first, one.vertex_count};
      first += one.vertex_count;
    }
  }

  void write_vertices(format::Vertex* to) const {
    for (std::uint32_t p = 0; p < summary().part_count; ++p) {
      const GivenPrimitive& one = primitive_of(p);
      for (std::size_t v = one.first_vertex; v < one.first_vertex + one.vertex_count; ++v, ++to) {
        std::memcpy(to->position.data(), m_mesh.positions + 3 * v, sizeof to->position);
        to->normal = m_asset.vertices[m_match.source[v]].normal;
      }
    }
  }

  /// Bind space stays what it was.
  void write_spaces(format::Space* to) const {
    if (m_asset.spaces == nullptr) return;
    for (std::uint32_t p = 0; p < summary().part_count; ++p) {
      for (double& number : to[p].to_bind) number *= m_match.parts[p].scale;
    }
  }

  /// In files without SPAC, bind space is that of the object's first part.
  [[nodiscard]] const PartMatch& space_of(std::uint32_t object) const {
    static constexpr PartMatch kAsItWas{0, 1, {0, 0, 0}, 0};
    const std::uint32_t part = m_objects[object].part;
    const bool stays =
        m_asset.spaces != nullptr && m_asset.objects[object].kind == format::Kind::Flesh;
    return part == format::kNone || stays ? kAsItWas : m_match.parts[part];
  }

  /// A shell bends in one space: that of its first part must do for the others too.
  [[nodiscard]] bool shells_are_whole() const {
    for (std::uint32_t p = 0; p < summary().part_count; ++p) {
      if (m_shell_of_part[p] == format::kNone) continue;
      if (!same_space(m_mesh, m_match, p, space_of(m_shell_of_part[p]))) {
        return refuse("the meshes of a shell are quantised in different boxes; use one box");
      }
    }
    return true;
  }

  void write_objects(unsigned char* file) const {
    auto* objects = records<format::Object>(file, format::kObjectSection);
    auto* modes = records<format::Mode>(file, format::kModeSection);
    for (std::uint32_t o = 0; o < summary().object_count; ++o) {
      const PartMatch& space = space_of(o);
      std::array<double, 12>& frame = objects[o].frame_from_bind;
      for (std::size_t row = 0; row < 12; row += 4) {
        for (std::size_t i = 0; i < 3; ++i) {
          frame[row + 3] += frame[row + i] * space.shift[i];
          frame[row + i] *= space.scale;
        }
      }
      if (m_mesh.nodes != nullptr && objects[o].node != format::kNoBone) {
        objects[o].node = m_mesh.nodes[o];
      }
      if (summary().encoding == format::Encoding::Float32) continue;
      for (std::uint32_t k = 0; k < objects[o].mode_count; ++k) {
        float& scale = modes[objects[o].first_mode + k].position_scale;
        scale = static_cast<float>(scale / m_objects[o].scale);
      }
    }
  }

  void write_shapes(unsigned char* file) {
    auto* first_entry = records<std::uint32_t>(file, format::kBlockSection);
    auto* entry = records<format::Entry>(file, format::kEntrySection);
    unsigned char* shapes = records<unsigned char>(file, format::kShapeSection);
    std::uint32_t entries = 0;
    std::size_t at = 0;
    first_entry[0] = 0;
    for (std::uint32_t o = 0; o < summary().object_count; ++o) m_objects[o].seen = 0;
    for (std::size_t block = 0; block < blocks(); ++block) {
      mark(block);
      for (std::uint32_t o = 0; o < summary().object_count; ++o) {
        if (m_objects[o].seen != block + 1) continue;
        entry[entries++] = {o, static_cast<std::uint32_t>(at / format::kAlignment)};
        std::memset(shapes + at, 0, entry_size(o));
        write_entry(block, o, shapes + at);
        at += entry_size(o);
      }
      first_entry[block + 1] = entries;
    }
  }

  /// Light does not ask how a mesh is quantised: numbers move with their vertices.
  void write_light(unsigned char* file) const {
    auto* frames = records<std::uint16_t>(file, format::kLightFrameSection);
    unsigned char* transfer = records<unsigned char>(file, format::kTransferSection);
    const std::size_t number = number_size();
    const std::size_t rows = transfer_size() / (kBlock * number);
    std::memset(transfer, 0, blocks() * transfer_size());
    for (std::size_t n = 0; n < m_vertices; ++n) {
      const std::size_t from = m_new[n].source;
      frames[n] = m_asset.light_frames[from];
      for (std::size_t row = 0; row < rows; ++row) {
        std::memcpy(
            transfer + ((n / kBlock * rows + row) * kBlock + n % kBlock) * number,
            m_asset.transfer + ((from / kBlock * rows + row) * kBlock + from % kBlock) * number,
            number);
      }
    }
  }

  void write_entry(std::size_t block, std::uint32_t object, unsigned char* to) const {
    for (std::size_t lane = 0; lane < kBlock && block * kBlock + lane < m_vertices; ++lane) {
      const NewVertex& vertex = m_new[block * kBlock + lane];
      const format::Entry* from = entry_of(m_asset, vertex.source, object);
      if (from == nullptr) continue;
      const double shrunk = 1 / m_match.parts[vertex.part].scale;
      for (std::size_t row = 0; row < m_asset.objects[object].mode_count * format::kRows; ++row) {
        const double number = shape_number(m_asset, *from, row * kBlock + vertex.source % kBlock);
        const bool is_displacement = row % format::kRows < 3;
        put(to, row * kBlock + lane, is_displacement ? shrunk * number : number,
            is_displacement ? m_objects[object].scale : 1);
      }
    }
  }

  /// A number of 16 bits is in units of its mode's scale, which was divided by `scale`.
  void put(unsigned char* to, std::size_t at, double number, double scale) const {
    if (summary().encoding == format::Encoding::Float32) {
      const auto value = static_cast<float>(number);
      std::memcpy(to + at * sizeof value, &value, sizeof value);
      return;
    }
    const double scaled = number * scale;
    const auto value = static_cast<std::int16_t>(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
    std::memcpy(to + at * sizeof value, &value, sizeof value);
  }

  bool write_shells(unsigned char* file) const {
    auto* shells = records<format::Shell>(file, format::kShellSection);
    auto* attachments = records<format::Attachment>(file, format::kAttachmentSection);
    auto* strain = records<std::uint32_t>(file, format::kStrainSection);
    std::size_t next = 0;
    for (std::uint32_t s = 0; s < m_asset.shell_count; ++s) {
      const format::Shell& old = m_asset.shells[s];
      for (std::uint32_t a = old.first_attachment; a < old.first_attachment + old.attachment_count;
           ++a) {
        if (!move_attachment(attachments[a], a)) return false;
      }
      if (old.strain == format::kNone) continue;
      shells[s].strain = static_cast<std::uint32_t>(next);
      if (!write_strain(strain_view(m_asset, old), strain + next)) return false;
      next += strain_numbers(old);
    }
    return true;
  }

  [[nodiscard]] static bool lost() {
    return refuse("a vertex that a handle or a shell needs is not in the mesh any more");
  }

  /// The vertex that was this one, or else the nearest to it: rounded vertices may have taken the
  /// place of a neighbour. kNone: none is near.
  [[nodiscard]] std::uint32_t nearest_to(std::uint32_t baked) const {
    const std::array<float, 3>& was = m_asset.vertices[baked].position;
    double least = -1;
    std::uint32_t found = format::kNone;
    for (std::size_t n = 0; n < m_vertices; ++n) {
      if (m_new[n].source == baked) return static_cast<std::uint32_t>(n);
      const format::Part& part = m_asset.parts[m_new[n].part];
      if (baked - part.first_vertex >= part.vertex_count) continue;
      if (least < 0) {
        const double near = m_match.tolerance / unit_of(m_asset, m_new[n].part);
        least = near * near;
      }
      const std::array<float, 3>& is = m_asset.vertices[m_new[n].source].position;
      double squared = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        const double d = static_cast<double>(is[i]) - static_cast<double>(was[i]);
        squared += d * d;
      }
      if (squared > least) continue;
      least = squared;
      found = static_cast<std::uint32_t>(n);
    }
    return found;
  }

  bool move_attachment(format::Attachment& held, std::uint32_t number) const {
    held.vertex = nearest_to(held.vertex);
    if (held.vertex == format::kNone) return lost();
    if (m_mesh.nodes != nullptr) held.node = m_mesh.nodes[summary().object_count + number];
    return true;
  }

  bool write_strain(const StrainView& v, std::uint32_t* to) const {
    const std::uint32_t counts[kStrainCounts] = {
        v.nodes, v.free_nodes, v.triangles, v.entries,
        static_cast<std::uint32_t>(strain_vertices(v, nullptr))};
    std::memcpy(to, counts, sizeof counts);
    std::uint32_t* vertex = to + kStrainCounts;
    (void)strain_vertices(v, vertex);
    const std::uint32_t* node = vertex + counts[4];
    std::uint32_t* vertex_of_node = vertex + 2 * std::size_t{counts[4]};
    for (std::uint32_t n = 0; n < v.nodes; ++n) vertex_of_node[n] = format::kNone;
    for (std::uint32_t i = 0; i < counts[4]; ++i) vertex_of_node[node[i]] = vertex[i];
    for (std::uint32_t n = 0; n < v.nodes; ++n) {
      if (vertex_of_node[n] != format::kNone) continue;
      vertex_of_node[n] = nearest_to(v.vertex_of_node[n]);
      if (vertex_of_node[n] == format::kNone) return lost();
    }
    const std::size_t rest = 3 * std::size_t{v.triangles} + v.free_nodes + 1 + v.entries;
    std::memcpy(vertex_of_node + v.nodes, v.corners, rest * sizeof(std::uint32_t));
    return true;
  }

  void seal(unsigned char* file) const {
    auto* header = reinterpret_cast<format::Header*>(file);
    header->file_size = m_size;
    header->checksum = 0;
    for (std::uint32_t i = 0; i < header->section_count; ++i) {
      m_table[i].checksum =
          format::checksum(file + m_table[i].offset, static_cast<std::size_t>(m_table[i].size));
    }
    header->checksum =
        format::checksum(file, sizeof *header + header->section_count * sizeof(Section));
  }

  void describe(supple_match_info& info) const {
    info.vertex_count = static_cast<std::uint32_t>(m_vertices);
    info.distance = m_match.distance;
    for (std::uint32_t p = 0; p < summary().part_count; ++p) {
      if (m_match.parts[p].scale != 1) ++info.scaled_parts;
    }
    for (std::size_t n = 0; n < m_vertices; ++n) {
      if (m_new[n].source != n || m_vertices != summary().vertex_count) ++info.reordered;
    }
  }

  const supple_asset& m_asset;
  const supple_mesh& m_mesh;
  const Allocator& m_allocator;
  MeshMatch m_match{};
  void* m_scratch = nullptr;
  NewVertex* m_new = nullptr;
  MovedObject* m_objects = nullptr;
  std::uint32_t* m_shell_of_part = nullptr;  // the object, or kNone
  Section* m_table = nullptr;                // of the new file
  std::size_t m_given_vertices = 0;
  std::size_t m_vertices = 0, m_indices = 0, m_entries = 0, m_shapes = 0, m_size = 0;
};

/// Every number is used as an index or a position later.
bool check_mesh(const supple_mesh& mesh, const supple_asset& asset) {
  if (!given(mesh.primitives, "primitives") || !given(mesh.positions, "positions") ||
      !given(mesh.indices, "indices")) {
    return false;
  }
  std::uint64_t vertices = 0;
  std::uint64_t corners = 0;
  for (std::uint32_t g = 0; g < mesh.primitive_count; ++g) {
    const std::uint32_t* numbers = mesh.primitives + std::size_t{kRecordOfPrimitive} * g;
    for (std::uint32_t i = 0; i < numbers[3]; ++i) {
      if (mesh.indices[corners + i] >= numbers[2]) return refuse("an index names no vertex");
    }
    vertices += numbers[2];
    corners += numbers[3];
  }
  if (vertices >= format::kNone || corners >= format::kNone) return refuse("the mesh is too large");
  if (!sane(mesh.positions, static_cast<std::size_t>(3 * vertices))) {
    return refuse("a position is not finite");
  }
  return mesh.primitive_count > 0 || asset.summary->part_count == 0 || refuse("there is no mesh");
}

}  // namespace

supple_status rebind(const supple_asset& asset, const supple_mesh& mesh, supple_match_info& info,
                     unsigned char*& bytes, std::size_t& size) {
  // As the file has it: the asset may be in the program's axes and units.
  supple_asset plain{};
  const auto status =
      FileReader(asset.header, static_cast<std::size_t>(asset.header->file_size), plain).read();
  if (status != SUPPLE_OK) return status;
  if (!check_mesh(mesh, plain)) return SUPPLE_BAD_ARGUMENT;
  if (plain.vertices == nullptr) {
    Detail("the file does not say where its vertices were; bake it again");
    return SUPPLE_OTHER_MESH;
  }
  Rebinder rebinder(plain, mesh, asset.allocator);
  supple_status found = SUPPLE_OK;
  bytes = rebinder.run(found, info);
  size = rebinder.size();
  return found;
}

}  // namespace supple::player

using namespace supple;

extern "C" {

supple_status supple_asset_rebind(const supple_asset* asset, const supple_mesh* mesh,
                                  supple_match_info* info, supple_asset** rebound) {
  if (!player::given(asset, "asset") || !player::given(rebound, "rebound")) {
    return SUPPLE_BAD_ARGUMENT;
  }
  *rebound = nullptr;
  supple_mesh ours{};
  if (!player::take(mesh, ours)) return SUPPLE_BAD_ARGUMENT;
  supple_match_info found{};
  unsigned char* bytes = nullptr;
  size_t size = 0;
  supple_status status = player::rebind(*asset, ours, found, bytes, size);
  if (status == SUPPLE_OK) status = player::open_owned(*asset, bytes, size, rebound);
  if (status != SUPPLE_OK) return status;
  return info == nullptr ? SUPPLE_OK : player::give(found, info);
}

const void* supple_asset_bytes(const supple_asset* asset, size_t* size) {
  if (asset == nullptr || size == nullptr) return nullptr;
  *size = static_cast<size_t>(asset->header->file_size);
  return asset->header;
}

}  // extern "C"
