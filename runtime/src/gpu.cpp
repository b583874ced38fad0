// SPDX-License-Identifier: Apache-2.0
#include "detail.hpp"
#include "player.hpp"
#include "sized.hpp"

#include <cstring>

namespace supple::player {
namespace {

constexpr std::uint32_t kWidth = 1024;   // every WebGL 2 has textures twice as large
constexpr std::uint32_t kHeight = 1024;  // of a layer, where there are several
constexpr std::uint32_t kAttributes = 8;
constexpr std::uint32_t kAttributeModes = 5;
// The shader reads the coefficients of kAttributeModes modes whether the object has them or not.
constexpr std::uint32_t kSpareCoefficients = 2;
constexpr std::uint32_t kTurnsFlag = 0x80000000U;  // beside the number of modes in the table

constexpr std::uint32_t coefficient_texels(std::uint32_t modes) {
  return (modes + 1) / 2;
}

constexpr std::uint32_t shape_texels(std::uint32_t modes) {
  return modes / 2 * 3 + modes % 2 * 2;
}

std::uint32_t rows_for(std::uint64_t texels) {
  const std::uint64_t rows = (texels + kWidth - 1) / kWidth;
  return static_cast<std::uint32_t>(rows == 0 ? 1 : rows);
}

std::uint64_t all_shape_texels(const supple_asset& asset) {
  std::uint64_t texels = 0;
  for (std::uint32_t i = 0; i < asset.summary->entry_count; ++i) {
    texels += format::kBlock * shape_texels(asset.objects[asset.entries[i].object].mode_count);
  }
  return texels;
}

std::uint32_t first_coefficient(const supple_asset& asset, std::uint32_t object) {
  std::uint32_t first = 0;
  for (std::uint32_t i = 0; i < object; ++i) {
    first += coefficient_texels(asset.objects[i].mode_count);
  }
  return first;
}

bool has_turns(const supple_asset& asset, std::uint32_t object) {
  return kind_of(asset.objects[object]).has_turns;
}

/// The four numbers of texel `t`, as places among the rows of their entry: row + kRows * mode.
struct TexelRows {
  int row[4];  ///< -1: there is none
};

TexelRows rows_of_texel(std::uint32_t t, std::uint32_t modes) {
  const int first = static_cast<int>(t / 3 * 2 * format::kRows);
  const int second = first + static_cast<int>(format::kRows);
  const bool both = t / 3 * 2 + 1 < modes;
  switch (t % 3) {
    case 0:
      return {{first, first + 1, first + 2, first + 3}};
    case 1:
      return {{first + 4, first + 5, both ? second + 4 : -1, both ? second + 5 : -1}};
    default:
      return {{second, second + 1, second + 2, second + 3}};
  }
}

template <class Number>
class Packer {
 public:
  explicit Packer(const supple_asset& asset) : m_asset(asset) {}

  /// Shapes entry by entry, in the order of the table.
  void textures(Number* shapes) const {
    for (std::uint32_t i = 0; i < m_asset.summary->entry_count; ++i) {
      const format::Entry& entry = m_asset.entries[i];
      const std::uint32_t modes = m_asset.objects[entry.object].mode_count;
      for (std::uint32_t t = 0; t < shape_texels(modes); ++t) {
        for (std::size_t lane = 0; lane < format::kBlock; ++lane, shapes += 4) {
          texel(entry, modes, t, lane, shapes);
        }
      }
    }
  }

  /// Whether every vertex is moved by one object at most.
  [[nodiscard]] bool one_object_per_vertex() const {
    for (std::uint32_t v = 0; v < m_asset.summary->vertex_count; ++v) {
      const std::uint32_t block = v / format::kBlock;
      std::uint32_t movers = 0;
      for (std::uint32_t i = m_asset.blocks[block]; i < m_asset.blocks[block + 1]; ++i) {
        movers += moves(m_asset.entries[i], v % format::kBlock) ? 1 : 0;
      }
      if (movers > 1) return false;
    }
    return true;
  }

  void attributes(std::uint32_t vertex, Number* vectors) const {
    std::memset(vectors, 0, sizeof(Number) * 4 * kAttributes);
    const std::size_t lane = vertex % format::kBlock;
    const std::uint32_t block = vertex / format::kBlock;
    for (std::uint32_t i = m_asset.blocks[block]; i < m_asset.blocks[block + 1]; ++i) {
      const format::Entry& entry = m_asset.entries[i];
      if (!moves(entry, lane)) continue;
      const std::uint32_t modes = m_asset.objects[entry.object].mode_count;
      for (std::uint32_t t = 0; t < shape_texels(modes); ++t) {
        texel(entry, modes, t, lane, vectors + std::size_t{4} * t);
      }
      vectors[4 * kAttributes - 2] = static_cast<Number>(first_coefficient(m_asset, entry.object));
      vectors[4 * kAttributes - 1] = has_turns(m_asset, entry.object) ? Number{1} : Number{0};
    }
  }

 private:
  [[nodiscard]] const Number* rows(const format::Entry& entry) const {
    return reinterpret_cast<const Number*>(m_asset.shapes +
                                           std::size_t{entry.offset} * format::kAlignment);
  }

  [[nodiscard]] bool moves(const format::Entry& entry, std::size_t lane) const {
    const std::size_t count = m_asset.objects[entry.object].mode_count * format::kRows;
    const Number* column = rows(entry) + lane;
    for (std::size_t row = 0; row < count; ++row) {
      if (column[row * format::kBlock] != 0) return true;
    }
    return false;
  }

  void texel(const format::Entry& entry, std::uint32_t modes, std::uint32_t t, std::size_t lane,
             Number* out) const {
    const Number* column = rows(entry) + lane;
    const TexelRows from = rows_of_texel(t, modes);
    for (int i = 0; i < 4; ++i) {
      const int row = from.row[i];
      out[i] = row < 0 ? Number{0} : column[static_cast<std::size_t>(row) * format::kBlock];
    }
  }

  const supple_asset& m_asset;
};

bool is_short(const supple_asset& asset) {
  return asset.summary->encoding == format::Encoding::Int16;
}

bool fits_attributes(const supple_asset& asset) {
  for (std::uint32_t i = 0; i < asset.summary->object_count; ++i) {
    if (asset.objects[i].mode_count > kAttributeModes) return false;
  }
  if (first_coefficient(asset, asset.summary->object_count) > 0x7fff) return false;
  return is_short(asset) ? Packer<std::int16_t>(asset).one_object_per_vertex()
                         : Packer<float>(asset).one_object_per_vertex();
}

/// One texel per block for its first object; those of further objects follow behind all blocks.
void write_table(const supple_asset& asset, std::uint32_t* table) {
  const std::uint32_t blocks = asset.summary->block_count;
  std::uint32_t next_free = blocks;
  std::uint32_t shape = 0;
  for (std::uint32_t block = 0; block < blocks; ++block) {
    std::uint32_t place = block;
    for (std::uint32_t i = asset.blocks[block]; i < asset.blocks[block + 1]; ++i) {
      if (i > asset.blocks[block]) {
        table[std::size_t{4} * place + 3] = next_free;
        place = next_free++;
      }
      const std::uint32_t object = asset.entries[i].object;
      const std::uint32_t modes = asset.objects[object].mode_count;
      std::uint32_t* texel = table + std::size_t{4} * place;
      texel[0] = shape;
      texel[1] = first_coefficient(asset, object);
      texel[2] = modes | (has_turns(asset, object) ? kTurnsFlag : 0);
      shape += static_cast<std::uint32_t>(format::kBlock) * shape_texels(modes);
    }
  }
}

std::uint32_t table_texels(const supple_asset& asset) {
  std::uint32_t texels = asset.summary->block_count;
  for (std::uint32_t b = 0; b < asset.summary->block_count; ++b) {
    const std::uint32_t entries = asset.blocks[b + 1] - asset.blocks[b];
    if (entries > 1) texels += entries - 1;
  }
  return texels;
}

/// `scaled(i)`: position and normal coefficients by turns, mode after mode. An object begins with a
/// texel of its own, and spare ones follow the last.
template <class Scaled>
void write_coefficients(const supple_asset& asset, float* out, const Scaled& scaled) {
  for (std::uint32_t i = 0; i < asset.summary->object_count; ++i) {
    const format::Object& object = asset.objects[i];
    for (std::uint32_t n = 0; n < 2 * object.mode_count; ++n) {
      *out++ = scaled(2 * object.first_mode + n);
    }
    if (object.mode_count % 2 != 0) {
      *out++ = 0;
      *out++ = 0;
    }
  }
  std::memset(out, 0, std::size_t{4} * kSpareCoefficients * sizeof(float));
}

}  // namespace
}  // namespace supple::player

using namespace supple;

extern "C" {

supple_status supple_asset_gpu_layout(const supple_asset* asset, supple_gpu_layout* layout) {
  if (!player::given(asset, "asset")) return SUPPLE_BAD_ARGUMENT;
  const uint64_t texels = player::all_shape_texels(*asset);
  if (texels > UINT32_MAX) {
    player::Detail("the shapes take ") << texels << " texels, more than 32 bits count";
    return SUPPLE_OUT_OF_MEMORY;
  }
  const uint32_t rows = player::rows_for(texels);
  supple_gpu_layout ours{};
  ours.width = player::kWidth;
  ours.shape_height = rows < player::kHeight ? rows : player::kHeight;
  ours.shape_layers = (rows + player::kHeight - 1) / player::kHeight;
  ours.table_height = player::rows_for(player::table_texels(*asset));
  ours.coefficient_texels =
      player::first_coefficient(*asset, asset->summary->object_count) + player::kSpareCoefficients;
  ours.attributes = player::fits_attributes(*asset) ? player::kAttributes : 0;
  return player::give(ours, layout);
}

supple_status supple_asset_gpu_textures(const supple_asset* asset, void* shapes, uint32_t* table) {
  supple_gpu_layout layout{};
  const supple_status status = supple_asset_gpu_layout(asset, &layout);
  if (status != SUPPLE_OK) return status;
  const size_t number = player::is_short(*asset) ? sizeof(int16_t) : sizeof(float);
  const size_t row = size_t{4} * layout.width;
  if (shapes != nullptr) {
    std::memset(shapes, 0, row * layout.shape_height * layout.shape_layers * number);
    if (player::is_short(*asset)) {
      player::Packer<int16_t>(*asset).textures(static_cast<int16_t*>(shapes));
    } else {
      player::Packer<float>(*asset).textures(static_cast<float*>(shapes));
    }
  }
  if (table != nullptr) {
    std::memset(table, 0, row * layout.table_height * sizeof(uint32_t));
    player::write_table(*asset, table);
  }
  return SUPPLE_OK;
}

supple_status supple_asset_gpu_attributes(const supple_asset* asset, uint32_t first_vertex,
                                          uint32_t vertex_count, void* vectors) {
  if (!player::given(asset, "asset") || !player::given(vectors, "vectors")) {
    return SUPPLE_BAD_ARGUMENT;
  }
  if (first_vertex > asset->summary->vertex_count ||
      vertex_count > asset->summary->vertex_count - first_vertex) {
    return player::bad_argument(player::kBeyondVertices);
  }
  if (!player::fits_attributes(*asset)) {
    return player::bad_argument("the shapes do not fit vertex attributes: the layout says 0");
  }
  const auto write = [&](const auto& packer, auto* numbers) {
    for (uint32_t i = 0; i < vertex_count; ++i) {
      packer.attributes(first_vertex + i, numbers + size_t{4} * player::kAttributes * i);
    }
  };
  if (player::is_short(*asset)) {
    write(player::Packer<int16_t>(*asset), static_cast<int16_t*>(vectors));
  } else {
    write(player::Packer<float>(*asset), static_cast<float*>(vectors));
  }
  return SUPPLE_OK;
}

supple_status supple_player_gpu_coefficients(const supple_player* player, float* texels) {
  if (!player::given(player, "player") || !player::given(texels, "texels")) {
    return SUPPLE_BAD_ARGUMENT;
  }
  player::write_coefficients(*player->asset, texels,
                             [&](uint32_t number) { return player->scaled[number]; });
  return SUPPLE_OK;
}

supple_status supple_asset_gpu_coefficients(const supple_asset* asset, const float* coefficients,
                                            float* texels) {
  if (!player::given(asset, "asset") || !player::given(coefficients, "coefficients") ||
      !player::given(texels, "texels")) {
    return SUPPLE_BAD_ARGUMENT;
  }
  player::write_coefficients(*asset, texels, [&](uint32_t number) {
    const format::Mode& mode = asset->modes[number / 2];
    return coefficients[number / 2] * (number % 2 == 0 ? mode.position_scale : mode.normal_scale);
  });
  return SUPPLE_OK;
}

}  // extern "C"
