// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/baked_file.hpp"
#include "supple/format/layout.hpp"

#include <supple.h>

#include <cstring>

namespace supple::bake {
namespace {

template <class Record>
const Record* records_in(std::span<const std::byte> section) {
  return reinterpret_cast<const Record*>(section.data());
}

/// A number of the transfer as it is in the file.
float transfer_number(std::span<const std::byte> section, bool float32, std::size_t at) {
  if (float32) return records_in<float>(section)[at];
  return records_in<std::int16_t>(section)[at];
}

}  // namespace

std::optional<soft::Light> BakedFile::light() const {
  const std::span<const std::byte> record = section(format::kLightSection);
  if (record.empty()) return std::nullopt;
  // The player has checked all of it.
  const format::Light& stored = *records_in<format::Light>(record);
  soft::Light light;
  light.order = static_cast<int>(stored.order);
  light.sides = static_cast<int>(stored.sides);
  light.width = stored.width;
  light.relative_error = stored.relative_error;
  light.held_out_error = stored.held_out_error;
  const auto* input = records_in<format::LightInput>(section(format::kLightInputSection));
  for (std::uint32_t i = 0; i < stored.dimensions; ++i) {
    light.inputs.push_back({input[i].coefficient, input[i].scale});
  }
  const auto* centres = records_in<double>(section(format::kLightCentreSection));
  light.centres =
      Eigen::Map<const Eigen::MatrixXd>(centres, stored.dimensions, stored.centre_count);
  light.weights = Eigen::Map<const Eigen::MatrixXd>(centres + light.centres.size(), stored.rank,
                                                    stored.centre_count);
  supple_asset_info info{};
  (void)supple_asset_describe(m_asset, &info);
  const auto* frames = records_in<std::uint16_t>(section(format::kLightFrameSection));
  for (std::uint32_t v = 0; v < info.vertex_count; ++v) {
    light.frames.push_back(frames[v] == format::kNoLightFrame ? soft::kNoFrame : frames[v]);
  }
  const auto* scales = records_in<float>(section(format::kLightScaleSection));
  const std::span<const std::byte> transfer = section(format::kTransferSection);
  const bool float32 = info.encoding_bits == 32;
  const std::size_t numbers = std::size_t{3} * stored.order * stored.order;
  const std::size_t rows = format::transfer_rows(stored);
  for (std::uint32_t k = 0; k <= stored.rank; ++k) {
    Eigen::MatrixXf basis(static_cast<Eigen::Index>(numbers),
                          Eigen::Index{info.vertex_count} * stored.sides);
    for (Eigen::Index column = 0; column < basis.cols(); ++column) {
      const auto side = static_cast<std::size_t>(column) / info.vertex_count;
      const auto vertex = static_cast<std::size_t>(column) % info.vertex_count;
      const std::size_t block = vertex / format::kBlock * stored.sides + side;
      for (std::size_t i = 0; i < numbers; ++i) {
        const std::size_t row = k * numbers + i;
        const std::size_t at = (block * rows + row) * format::kBlock + vertex % format::kBlock;
        basis(static_cast<Eigen::Index>(i), column) =
            scales[row] * transfer_number(transfer, float32, at);
      }
    }
    light.bases.push_back(std::move(basis));
  }
  return light;
}

}  // namespace supple::bake
