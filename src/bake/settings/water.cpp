// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/swim_settings.hpp"

#include "supple/settings/fields.hpp"
#include "supple/settings/toml.hpp"
#include "supple/swim/flow.hpp"

namespace supple::bake {
namespace {

using settings::field;
using settings::Fields;

struct River {
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
};

/// The content of a [flow] table.
struct FlowText {
  std::vector<std::string> expression;
  std::string grid;
  std::optional<River> river;
  std::optional<swim::VortexSettings> vortex;
  std::optional<swim::WaveSettings> waves;
};

struct WaterFile {
  swim::WaterSettings water;
  std::optional<FlowText> flow;
};

const Fields<River>& river_fields() {
  static const Fields<River> fields{
      field<&River::velocity>("velocity", "the same everywhere").in("m/s").must_be_given()};
  return fields;
}

const Fields<FlowText>& flow_fields() {
  using S = FlowText;
  static const Fields<S> fields =
      Fields<S>{
          field<&S::expression>("expression", "of x, y, z and t: the velocity along x, y and z")
              .in("m/s"),
          field<&S::grid>("grid", "a file of velocities, beside this one").unless_empty(),
          settings::inline_table<&S::river>("river", river_fields(), "the same everywhere"),
          settings::inline_table<&S::vortex>("vortex", swim::vortex_fields(),
                                             "turns about an axis"),
          settings::inline_table<&S::waves>("waves", swim::wave_fields(),
                                            "on deep water; they lift the surface too"),
      }
          .rule([](const S& s) -> std::optional<settings::Complaint> {
            if (s.expression.empty() || s.expression.size() == 3) return {};
            return settings::Complaint{
                "expression must be three texts, the velocity along x, y and z: [\"0.3\", \"0\", "
                "\"0\"]",
                {"expression"}};
          });
  return fields;
}

const Fields<WaterFile>& water_file_fields() {
  static const Fields<WaterFile> fields = [] {
    Fields<WaterFile> list{};
    list.adopt<&WaterFile::water>(swim::water_fields())
        .add(settings::section<&WaterFile::flow>("flow", flow_fields(),
                                                 "how it moves by itself; several are added")
                 .default_is("at rest"));
    return list;
  }();
  return fields;
}

/// The flows given in the text, each with its key.
class FlowMaker {
 public:
  FlowMaker(const settings::Value& document, std::string_view file)
      : m_document(&document), m_file(file) {}

  Result<void> add(std::string_view key, Result<swim::Flow> made) {
    if (!made.ok()) {
      const settings::Value& place =
          settings::locate(*m_document, settings::join_path("flow", key));
      return settings::error_at(place.begin, m_file, std::move(made).error());
    }
    m_flows.push_back(*std::move(made));
    return {};
  }

  Result<void> add_all(const FlowText& text, const swim::WaterSettings& water,
                       const std::filesystem::path& folder) {
    if (!text.expression.empty()) {
      SUPPLE_TRY_VOID(
          add("expression", swim::flow_from_expressions(
                                {text.expression[0], text.expression[1], text.expression[2]})));
    }
    if (!text.grid.empty()) SUPPLE_TRY_VOID(add("grid", swim::read_flow_grid(folder / text.grid)));
    if (text.river) SUPPLE_TRY_VOID(add("river.velocity", swim::river(text.river->velocity)));
    if (text.vortex) SUPPLE_TRY_VOID(add("vortex", swim::vortex(*text.vortex)));
    if (text.waves) {
      swim::WaveSettings waves = *text.waves;
      waves.surface = water.surface.value_or(0);
      if (water.gravity > 0) waves.gravity = water.gravity;
      SUPPLE_TRY_VOID(add("waves", swim::waves(waves)));
    }
    return {};
  }

  /// Without any, the water is at rest.
  Result<swim::Flow> sum() && {
    if (m_flows.empty()) return swim::Flow();
    return swim::sum_of_flows(std::move(m_flows));
  }

 private:
  const settings::Value* m_document;
  std::string_view m_file;
  std::vector<swim::Flow> m_flows;
};

}  // namespace

std::string_view swim_law_name(swim::DragLaw law) {
  const settings::Field& field = *swim::water_fields().find("law");
  return field.forms.front().words[static_cast<std::size_t>(law)];
}

Result<swim::WaterSettings> parse_swim_water(std::string_view toml, std::string_view name,
                                             const std::filesystem::path& folder) {
  SUPPLE_TRY(const settings::Value document, settings::parse_toml(toml, name));
  WaterFile file;
  SUPPLE_TRY_VOID(water_file_fields().read(document, name, file));
  if (!file.flow) return file.water;
  FlowMaker maker(document, name);
  SUPPLE_TRY_VOID(maker.add_all(*file.flow, file.water, folder));
  SUPPLE_TRY(file.water.flow, std::move(maker).sum());
  return file.water;
}

const settings::FieldList& swim_water_fields() {
  return water_file_fields();
}

}  // namespace supple::bake
