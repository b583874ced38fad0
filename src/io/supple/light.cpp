// SPDX-License-Identifier: Apache-2.0
#include "io/supple/light.hpp"

#include "supple/io/supple_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace supple::io {
namespace {

constexpr double kLargestTransferNumber = 32767;

bool within(const Eigen::Ref<const Eigen::MatrixXd>& numbers, double largest) {
  return numbers.size() == 0 || (numbers.allFinite() && numbers.cwiseAbs().maxCoeff() <= largest);
}

bool inputs_fit(const soft::Light& light, const LitFile& file) {
  return std::all_of(light.inputs.begin(), light.inputs.end(), [&](const auto& input) {
    return input.coefficient < file.coefficients && std::isfinite(input.scale) &&
           std::abs(input.scale) <= 1e30;
  });
}

Result<void> check_light(const soft::Light& light, const LitFile& file) {
  const auto wrong = [](const std::string& why) { return bad_input("light: " + why); };
  const auto rank = static_cast<Eigen::Index>(light.rank());
  if (light.order < 1 || light.order > static_cast<int>(format::kMostLightOrder) ||
      (light.sides != 1 && light.sides != 2)) {
    return wrong(fmt::format("{} bands and {} sides; a file has 1 to {} bands and 1 or 2 sides",
                             light.order, light.sides, format::kMostLightOrder));
  }
  if (light.bases.empty() || light.rank() > format::kMostLightRank) {
    return wrong(fmt::format("rank {}; a file has up to {}", rank, format::kMostLightRank));
  }
  const auto inputs = static_cast<Eigen::Index>(light.inputs.size());
  if (light.inputs.size() > format::kMostLightInputs ||
      light.centres.cols() > Eigen::Index{format::kMostLightCentres} ||
      (rank > 0) != (inputs > 0) || (rank > 0) != (light.centres.cols() > 0) ||
      light.centres.rows() != (rank > 0 ? inputs : 0) || light.weights.rows() != rank ||
      light.weights.cols() != light.centres.cols()) {
    return wrong(fmt::format("{} x {} centres and {} x {} weights for {} inputs and rank {}",
                             light.centres.rows(), light.centres.cols(), light.weights.rows(),
                             light.weights.cols(), inputs, rank));
  }
  if (!inputs_fit(light, file)) return wrong("an input names no coefficient, or its scale is bad");
  if (!(light.width >= format::kLeastLightWidth && light.width <= format::kLargestLightWidth) ||
      !within(light.centres, 1e30) || !within(light.weights, format::kLargestAppearance) ||
      !std::isfinite(light.relative_error) || !std::isfinite(light.held_out_error)) {
    return wrong("the width, a centre, a weight or an error is out of range");
  }
  for (const Eigen::MatrixXf& basis : light.bases) {
    if (basis.rows() != 3 * light.order * light.order ||
        basis.cols() != Eigen::Index{file.vertices} * light.sides) {
      return wrong(fmt::format("a basis of {} x {} numbers for {} vertices", basis.rows(),
                               basis.cols(), file.vertices));
    }
    const double most = file.float32 ? format::kLargestTransfer
                                     : kLargestTransferNumber * format::kLargestTransferScale;
    if (basis.size() > 0 &&
        (!basis.allFinite() || static_cast<double>(basis.cwiseAbs().maxCoeff()) > most)) {
      return wrong("a transfer is out of range");
    }
  }
  if (light.frames.size() != file.vertices) return wrong("the vertices have no frames");
  for (const std::uint32_t frame : light.frames) {
    if (frame != soft::kNoFrame && (frame >= file.objects || frame >= format::kNoLightFrame)) {
      return wrong(fmt::format("a vertex turns with object {}; there are {}", frame, file.objects));
    }
  }
  return {};
}

/// The bases in blocks of vertices.
class TransferWriter {
 public:
  TransferWriter(const soft::Light& light, const LitFile& file, LightSections& to)
      : m_light(light), m_file(file), m_to(to) {}

  void write() {
    find_scales();
    const std::size_t blocks = (m_file.vertices + format::kBlock - 1) / format::kBlock;
    const std::size_t rows = format::transfer_rows(m_to.light);
    const auto sides = static_cast<std::size_t>(m_light.sides);
    const std::size_t number = m_file.float32 ? sizeof(float) : sizeof(std::int16_t);
    m_to.transfer.resize(blocks * sides * rows * format::kBlock * number);
    for (std::size_t side = 0; side < sides; ++side) {
      for (std::size_t v = 0; v < m_file.vertices; ++v) {
        const std::size_t block = v / format::kBlock * sides + side;
        put_vertex(side * m_file.vertices + v, block * rows * format::kBlock + v % format::kBlock);
      }
    }
    if (m_largest > 0) m_to.error = m_worst / m_largest;
  }

 private:
  void find_scales() {
    for (const Eigen::MatrixXf& basis : m_light.bases) {
      for (Eigen::Index row = 0; row < basis.rows(); ++row) {
        const float largest = basis.cols() == 0 ? 0 : basis.row(row).cwiseAbs().maxCoeff();
        m_largest = std::max(m_largest, static_cast<double>(largest));
        m_to.scales.push_back(m_file.float32 || largest == 0
                                  ? 1.0F
                                  : static_cast<float>(largest / kLargestTransferNumber));
      }
    }
  }

  void put_vertex(std::size_t column, std::size_t at) {
    std::size_t row = 0;
    for (const Eigen::MatrixXf& basis : m_light.bases) {
      for (Eigen::Index i = 0; i < basis.rows(); ++i, ++row, at += format::kBlock) {
        put(basis(i, static_cast<Eigen::Index>(column)), m_to.scales[row], at);
      }
    }
  }

  void put(float value, float scale, std::size_t at) {
    if (m_file.float32) {
      std::memcpy(m_to.transfer.data() + at * sizeof value, &value, sizeof value);
      return;
    }
    const double rounded = std::clamp(std::round(static_cast<double>(value) / scale),
                                      -kLargestTransferNumber, kLargestTransferNumber);
    const auto number = static_cast<std::int16_t>(rounded);
    std::memcpy(m_to.transfer.data() + at * sizeof number, &number, sizeof number);
    m_worst = std::max(m_worst, std::abs(rounded * scale - static_cast<double>(value)));
  }

  const soft::Light& m_light;
  const LitFile& m_file;
  LightSections& m_to;
  double m_largest = 0, m_worst = 0;
};

bool is_light(std::uint32_t id) {
  return id == format::kLightSection || id == format::kLightInputSection ||
         id == format::kLightCentreSection || id == format::kLightFrameSection ||
         id == format::kLightScaleSection || id == format::kTransferSection;
}

}  // namespace

Result<LightSections> light_sections(const soft::Light& light, const LitFile& file) {
  SUPPLE_TRY_VOID(check_light(light, file));
  LightSections to;
  to.light.order = static_cast<std::uint32_t>(light.order);
  to.light.sides = static_cast<std::uint32_t>(light.sides);
  to.light.rank = static_cast<std::uint32_t>(light.rank());
  to.light.dimensions = static_cast<std::uint32_t>(light.inputs.size());
  to.light.centre_count = static_cast<std::uint32_t>(light.centres.cols());
  to.light.width = light.width;
  to.light.relative_error = light.relative_error;
  to.light.held_out_error = light.held_out_error;
  for (const soft::Light::Input& input : light.inputs) {
    to.inputs.push_back({input.coefficient, 0, input.scale});
  }
  for (const Eigen::MatrixXd* numbers : {&light.centres, &light.weights}) {
    to.centres.insert(to.centres.end(), numbers->data(), numbers->data() + numbers->size());
  }
  for (const std::uint32_t frame : light.frames) {
    to.frames.push_back(frame == soft::kNoFrame ? format::kNoLightFrame
                                                : static_cast<std::uint16_t>(frame));
  }
  TransferWriter(light, file, to).write();
  return to;
}

void add_sections(const LightSections& light, FileBuilder& file) {
  // Older players show the same motion without light.
  file.add(format::kLightSection, std::vector{light.light}, kOptional);
  file.add(format::kLightInputSection, light.inputs, kOptional);
  file.add(format::kLightCentreSection, light.centres, kOptional);
  file.add(format::kLightFrameSection, light.frames, kOptional);
  file.add(format::kLightScaleSection, light.scales, kOptional);
  file.add(format::kTransferSection, light.transfer, kOptional);
}

Result<LitBytes> with_light(std::span<const std::byte> file, const soft::Light& light) {
  const std::vector<FileSection> sections = sections_of(file);
  const auto summary_section = std::find_if(
      sections.begin(), sections.end(),
      [](const FileSection& section) { return section.id == format::kSummarySection; });
  format::Summary summary{};
  std::memcpy(&summary, summary_section->bytes.data(), sizeof summary);
  const LitFile lit{summary.vertex_count, summary.mode_count, summary.object_count,
                    summary.encoding == format::Encoding::Float32};
  SUPPLE_TRY(const LightSections added, light_sections(light, lit));
  FileBuilder builder;
  for (const FileSection& section : sections) {
    if (!is_light(section.id)) builder.add(section);
  }
  add_sections(added, builder);
  return LitBytes{builder.finish(), added.error};
}

}  // namespace supple::io
