// SPDX-License-Identifier: Apache-2.0
#include "io/gltf/mesh_codecs.hpp"

#include <draco/compression/config/decoder_options.h>
#include <draco/compression/mesh/mesh_edgebreaker_decoder.h>
#include <draco/compression/mesh/mesh_sequential_decoder.h>
#include <draco/core/varint_decoding.h>
#include <draco/mesh/mesh.h>
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <memory>

namespace supple::io::gltf {
namespace {

/// The attributes of the largest glTF vertex are a dozen.
constexpr int kMostDracoAttributes = 32;
/// What Draco allocates per triangle (corners, opposite corners, vertices, symbols), rounded up,
/// and per triangle for each attribute with seams.
constexpr std::size_t kBytesPerTriangle = 64;
constexpr std::size_t kBytesPerSeamedTriangle = 24;

/// The sizes at the beginning of the connectivity.
struct DracoSizes {
  std::uint32_t triangles = 0;
  std::uint32_t vertices = 0;
  std::uint8_t seams = 0;  ///< attributes with seams
};

/// Draco allocates what its data announces before it looks for the data. This decoder checks the
/// announcements first: those of the connectivity, then those of the attributes.
template <class Decoder>
class BoundedDecoder : public Decoder {
 public:
  explicit BoundedDecoder(DecodingBudget& budget) : m_budget(budget) {}
  [[nodiscard]] const std::optional<Error>& refusal() const { return m_refusal; }

 protected:
  bool DecodeConnectivity() override {
    const std::optional<DracoSizes> sizes = peek();
    if (!sizes || sizes->seams > kMostDracoAttributes) return false;
    const std::size_t each = kBytesPerTriangle + kBytesPerSeamedTriangle * sizes->seams;
    return allows(each * (std::size_t{sizes->triangles} + sizes->vertices)) &&
           Decoder::DecodeConnectivity();
  }

  bool DecodeAllAttributes() override {
    const draco::PointCloud& cloud = *this->point_cloud();
    if (cloud.num_attributes() > kMostDracoAttributes) return false;
    std::size_t numbers = 0;
    for (int i = 0; i < cloud.num_attributes(); ++i) {
      numbers += cloud.attribute(i)->num_components();
    }
    // Each number exists as it was predicted, as an integer and as the result.
    return allows(3 * sizeof(double) * numbers * cloud.num_points()) &&
           Decoder::DecodeAllAttributes();
  }

 private:
  bool allows(std::size_t bytes) {
    const Result<void> spent = m_budget.spend(bytes);
    if (!spent.ok()) m_refusal = spent.error();
    return spent.ok();
  }

  /// Bitstream 2.2, the only version of KHR_draco_mesh_compression. A copy of the buffer moves on,
  /// not the decoder's.
  std::optional<DracoSizes> peek() {
    draco::DecoderBuffer buffer = *this->buffer();
    DracoSizes sizes;
    if constexpr (std::is_same_v<Decoder, draco::MeshEdgebreakerDecoder>) {
      // InitializeDecoder has read the kind of traversal already.
      if (!draco::DecodeVarint(&sizes.vertices, &buffer) ||
          !draco::DecodeVarint(&sizes.triangles, &buffer) || !buffer.Decode(&sizes.seams)) {
        return std::nullopt;
      }
    } else if (!draco::DecodeVarint(&sizes.triangles, &buffer) ||
               !draco::DecodeVarint(&sizes.vertices, &buffer)) {
      return std::nullopt;
    }
    return sizes;
  }

  DecodingBudget& m_budget;
  std::optional<Error> m_refusal;
};

constexpr std::uint16_t kOnlyBitstream = DRACO_BITSTREAM_VERSION(2, 2);

Error damaged(const std::string& why) {
  return bad_input(fmt::format("the Draco data cannot be decoded: {}", why));
}

template <class Decoder>
Result<void> decode_with(draco::DecoderBuffer& buffer, draco::Mesh& mesh, DecodingBudget& budget) {
  BoundedDecoder<Decoder> decoder(budget);
  const draco::DecoderOptions options;
  const draco::Status status = decoder.Decode(options, &buffer, &mesh);
  if (decoder.refusal()) return *decoder.refusal();
  if (!status.ok()) return damaged(status.error_msg_string());
  return {};
}

Result<void> decode_mesh(std::span<const std::byte> compressed, draco::Mesh& mesh,
                         DecodingBudget& budget) {
  draco::DecoderBuffer buffer;
  buffer.Init(reinterpret_cast<const char*>(compressed.data()), compressed.size());
  draco::DracoHeader header{};
  draco::DecoderBuffer copy = buffer;
  const draco::Status status = draco::PointCloudDecoder::DecodeHeader(&copy, &header);
  if (!status.ok()) return damaged(status.error_msg_string());
  if (DRACO_BITSTREAM_VERSION(header.version_major, header.version_minor) != kOnlyBitstream) {
    return damaged(fmt::format("version {}.{} of the bitstream; glTF uses 2.2",
                               header.version_major, header.version_minor));
  }
  if (header.encoder_type != draco::TRIANGULAR_MESH) return damaged("it is not a triangle mesh");
  if (header.encoder_method == draco::MESH_EDGEBREAKER_ENCODING) {
    return decode_with<draco::MeshEdgebreakerDecoder>(buffer, mesh, budget);
  }
  if (header.encoder_method == draco::MESH_SEQUENTIAL_ENCODING) {
    return decode_with<draco::MeshSequentialDecoder>(buffer, mesh, budget);
  }
  return damaged(fmt::format("unknown method {}", header.encoder_method));
}

template <class T>
bool copy_values(const draco::PointAttribute& attribute, std::size_t vertices, std::size_t width,
                 std::size_t stride, Bytes& bytes) {
  std::array<T, 4> values{};
  for (std::size_t v = 0; v < vertices; ++v) {
    const auto value = attribute.mapped_index(draco::PointIndex(static_cast<std::uint32_t>(v)));
    if (value.value() >= attribute.size() ||
        !attribute.ConvertValue<T>(value, static_cast<std::int8_t>(width), values.data())) {
      return false;
    }
    std::memcpy(bytes.data() + v * stride, values.data(), width * sizeof(T));
  }
  return true;
}

bool copy_values(const draco::PointAttribute& attribute, std::size_t vertices,
                 const ElementType& type, std::size_t stride, Bytes& bytes) {
  const std::size_t width = type.width();
  switch (type.component) {
    case Component::Int8:
      return copy_values<std::int8_t>(attribute, vertices, width, stride, bytes);
    case Component::UInt8:
      return copy_values<std::uint8_t>(attribute, vertices, width, stride, bytes);
    case Component::Int16:
      return copy_values<std::int16_t>(attribute, vertices, width, stride, bytes);
    case Component::UInt16:
      return copy_values<std::uint16_t>(attribute, vertices, width, stride, bytes);
    case Component::UInt32:
      return copy_values<std::uint32_t>(attribute, vertices, width, stride, bytes);
    case Component::Float:
      break;
  }
  return copy_values<float>(attribute, vertices, width, stride, bytes);
}

Result<Bytes> take_attribute(const draco::Mesh& mesh, const DracoAttribute& wanted,
                             DecodingBudget& budget) {
  const draco::PointAttribute* attribute = mesh.GetAttributeByUniqueId(wanted.id);
  if (attribute == nullptr) return damaged(fmt::format("it has no attribute {}", wanted.id));
  if (wanted.type.columns > 1 || attribute->num_components() != wanted.type.rows) {
    return damaged(fmt::format("attribute {} has {} components, its accessor {}", wanted.id,
                               attribute->num_components(), wanted.type.width()));
  }
  const std::size_t stride = padded_to_word(wanted.type.element_size());
  SUPPLE_TRY_VOID(budget.spend(stride * mesh.num_points()));
  Bytes bytes(stride * mesh.num_points());
  if (!copy_values(*attribute, mesh.num_points(), wanted.type, stride, bytes)) {
    return damaged(fmt::format("attribute {} does not fit its accessor's type", wanted.id));
  }
  return bytes;
}

}  // namespace

Result<DracoMesh> decode_draco(std::span<const std::byte> compressed,
                               const std::vector<DracoAttribute>& attributes,
                               DecodingBudget& budget) {
  draco::Mesh mesh;
  SUPPLE_TRY_VOID(decode_mesh(compressed, mesh, budget));
  DracoMesh result;
  result.vertices = mesh.num_points();
  result.indices.reserve(std::size_t{3} * mesh.num_faces());
  for (draco::FaceIndex f(0); f < mesh.num_faces(); ++f) {
    for (const draco::PointIndex& corner : mesh.face(f)) {
      if (corner.value() >= mesh.num_points()) return damaged("a triangle names no vertex");
      result.indices.push_back(corner.value());
    }
  }
  for (const DracoAttribute& wanted : attributes) {
    SUPPLE_TRY(Bytes bytes, take_attribute(mesh, wanted, budget));
    result.attributes.push_back(std::move(bytes));
  }
  return result;
}

}  // namespace supple::io::gltf
