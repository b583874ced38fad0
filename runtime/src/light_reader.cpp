// SPDX-License-Identifier: Apache-2.0
#include "light_reader.hpp"

#include "detail.hpp"
#include "reader.hpp"

namespace supple::player {
namespace {

/// The first of the numbers beyond +-most or not a number; null: none.
template <class Number>
const Number* find_beyond(const Number* numbers, std::uint64_t count, double most) {
  for (std::uint64_t i = 0; i < count; ++i) {
    if (!(numbers[i] >= -most && numbers[i] <= most)) return numbers + i;
  }
  return nullptr;
}

class LightReader {
 public:
  explicit LightReader(FileReader& file) : m_file(file), m_asset(file.asset()) {}

  [[nodiscard]] bool read() {
    if (m_file.find(format::kLightSection) == nullptr) return none_expected();
    const format::Light* light = nullptr;
    if (!m_file.view(format::kLightSection, 1, light) || !check(*light)) return false;
    m_asset.light = light;
    return read_inputs(*light) && read_centres(*light) && read_frames() && read_transfer(*light);
  }

 private:
  [[nodiscard]] bool none_expected() const {
    for (const std::uint32_t id :
         {format::kLightInputSection, format::kLightCentreSection, format::kLightFrameSection,
          format::kLightScaleSection, format::kTransferSection}) {
      if (m_file.find(id) != nullptr)
        return refuse("the file has part of a light: LIGH is missing");
    }
    return true;
  }

  [[nodiscard]] bool check(const format::Light& light) const {
    if (light.order == 0 || light.order > format::kMostLightOrder || light.sides == 0 ||
        light.sides > 2 || light.rank > format::kMostLightRank) {
      return m_file.damaged(&light.order, "the order, the sides or the rank is out of range");
    }
    const bool changes = light.rank > 0;
    if (light.dimensions > format::kMostLightInputs ||
        light.centre_count > format::kMostLightCentres || (light.dimensions > 0) != changes ||
        (light.centre_count > 0) != changes) {
      return m_file.damaged(&light.dimensions, "the dimensions or the centres do not fit the rank");
    }
    if (!(light.width >= format::kLeastLightWidth && light.width <= format::kLargestLightWidth) ||
        !sane(light.relative_error) || !sane(light.held_out_error)) {
      return m_file.damaged(&light.width, "a number is out of range");
    }
    return true;
  }

  [[nodiscard]] bool read_inputs(const format::Light& light) {
    if (!m_file.view(format::kLightInputSection, light.dimensions, m_asset.light_inputs)) {
      return false;
    }
    for (std::uint32_t i = 0; i < light.dimensions; ++i) {
      const format::LightInput& input = m_asset.light_inputs[i];
      if (input.coefficient >= m_asset.summary->mode_count || !sane(input.scale)) {
        return m_file.damaged(&input, "there is no such coefficient, or its scale is out of range");
      }
    }
    return true;
  }

  [[nodiscard]] bool read_centres(const format::Light& light) {
    const std::uint64_t centres = std::uint64_t{light.centre_count} * light.dimensions;
    const std::uint64_t weights = std::uint64_t{light.centre_count} * light.rank;
    if (!m_file.view(format::kLightCentreSection, centres + weights, m_asset.light_centres)) {
      return false;
    }
    m_asset.light_weights = m_asset.light_centres + centres;
    const double* bad = find_beyond(m_asset.light_centres, centres, kLargest);
    if (bad != nullptr) return m_file.damaged(bad, "a centre is out of range");
    bad = find_beyond(m_asset.light_weights, weights, format::kLargestAppearance);
    return bad == nullptr || m_file.damaged(bad, "a weight is out of range");
  }

  [[nodiscard]] bool read_frames() {
    const format::Summary& summary = *m_asset.summary;
    if (!m_file.view(format::kLightFrameSection, summary.vertex_count, m_asset.light_frames)) {
      return false;
    }
    for (std::uint32_t v = 0; v < summary.vertex_count; ++v) {
      const std::uint16_t frame = m_asset.light_frames[v];
      if (frame != format::kNoLightFrame && frame >= summary.object_count) {
        return m_file.damaged(m_asset.light_frames + v, "there is no such object");
      }
    }
    return true;
  }

  [[nodiscard]] bool read_transfer(const format::Light& light) {
    const std::uint64_t rows = format::transfer_rows(light);
    if (!m_file.view(format::kLightScaleSection, rows, m_asset.light_scales)) return false;
    const float* bad = find_beyond(m_asset.light_scales, rows, format::kLargestTransferScale);
    if (bad != nullptr) return m_file.damaged(bad, "a scale is out of range");
    const std::uint64_t numbers =
        std::uint64_t{m_asset.summary->block_count} * light.sides * rows * format::kBlock;
    if (m_asset.summary->encoding == format::Encoding::Int16) {
      const std::int16_t* transfer = nullptr;
      if (!m_file.view(format::kTransferSection, numbers, transfer)) return false;
      m_asset.transfer = reinterpret_cast<const unsigned char*>(transfer);
      return true;
    }
    const float* transfer = nullptr;
    if (!m_file.view(format::kTransferSection, numbers, transfer)) return false;
    m_asset.transfer = reinterpret_cast<const unsigned char*>(transfer);
    bad = find_beyond(transfer, numbers, format::kLargestTransfer);
    return bad == nullptr || m_file.damaged(bad, "a transfer is out of range");
  }

  FileReader& m_file;
  supple_asset& m_asset;
};

}  // namespace

bool read_light(FileReader& file) {
  return LightReader(file).read();
}

}  // namespace supple::player
