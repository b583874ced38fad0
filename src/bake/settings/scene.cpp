// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/scene_settings.hpp"

#include "bake/settings/simulation_bodies.hpp"

#include "supple/format/layout.hpp"
#include "supple/settings/toml.hpp"

#include <fmt/format.h>

namespace supple::bake {
namespace {

using settings::above;
using settings::Complaint;
using settings::field;
using settings::Fields;
using settings::from;

const Fields<SceneImpulse>& scene_impulse_fields() {
  using S = SceneImpulse;
  static const Fields<S> fields{
      field<&S::velocity>("velocity", "is added to all that moves").in("m/s"),
      field<&S::spin>("spin", "about `centre`, is added too").in("degrees/s"),
      field<&S::centre>("centre", "of the spin").in("m"),
  };
  return fields;
}

const Fields<SceneForcing>& scene_forcing_fields() {
  using S = SceneForcing;
  static const Fields<S> fields{
      field<&S::acceleration>("acceleration", "is felt in addition to gravity").in("m/s^2"),
      field<&S::turning>("turning", "of the scene's frame about `centre`; its inertia acts")
          .in("degrees/s"),
      field<&S::centre>("centre", "about which the frame turns").in("m"),
      field<&S::wind>("wind", "is added to [wind]").in("m/s"),
  };
  return fields;
}

const Fields<SceneEntrySettings>& scene_entry_fields() {
  using S = SceneEntrySettings;
  static const Fields<S> fields{
      field<&S::name>("name", "on its button").must_be_given(),
      field<&S::key>("key", "of the keyboard, one character").unless_empty(),
      field<&S::strengths>("strengths", "that are sampled, ascending; play interpolates")
          .range(above(0)),
      field<&S::followed_by>("followed_by", "entries that may act next; none: all"),
      field<&S::from_rest>("from_rest", "whether it may be the first"),
      field<&S::parts>("parts", "on which it acts; none: all"),
      settings::section<&S::impulse>("impulse", scene_impulse_fields(),
                                     "a change of velocity, at once"),
      settings::section<&S::forcing>("forcing", scene_forcing_fields(),
                                     "what acts until the next entry"),
  };
  return fields;
}

const Fields<ScenePartSettings>& scene_part_fields() {
  using S = ScenePartSettings;
  static const Fields<S> fields{
      field<&S::name>("name", "of the part").must_be_given(),
      field<&S::bodies>("bodies", "with one portrait").must_be_given(),
  };
  return fields;
}

const Fields<SceneSampling>& scene_sampling_fields() {
  using S = SceneSampling;
  static const Fields<S> fields =
      Fields<S>{
          field<&S::states>("states", "at least so many frames are sampled")
              .range(from(10).to(10'000'000)),
          field<&S::shortest>("shortest", "T_min: shorter responses are not played")
              .in("s")
              .range(above(0)),
          field<&S::longest>("longest", "T_max: an entry acts at most so long")
              .in("s")
              .range(above(0)),
          field<&S::settle>("settle", "from the start until the scene rests")
              .in("s")
              .range(from(0)),
          field<&S::rest>("rest", "a response goes on to rest at most so long")
              .in("s")
              .range(above(0)),
          field<&S::stillness>("stillness", "of its size per frame: what moves less is at rest")
              .range(above(0).below(1)),
          field<&S::chain>("chain", "responses one after the other").range(from(1).to(1000)),
          field<&S::adaptive>("adaptive", "new responses where play would blend furthest"),
          field<&S::seed>("seed", "of the random choices"),
      }
          .rule([](const S& s) -> std::optional<Complaint> {
            if (s.shortest <= s.longest) return {};
            return Complaint{fmt::format("the shortest response, {:g} s, is longer than the "
                                         "longest, {:g} s",
                                         s.shortest, s.longest),
                             {"shortest"}};
          });
  return fields;
}

const Fields<SceneShapes>& scene_shape_fields() {
  using S = SceneShapes;
  static const Fields<S> fields{
      field<&S::tolerance>("tolerance", "part of the motion that shapes may leave")
          .range(above(0).below(1)),
      field<&S::rank>("rank", "exactly so many shapes; 0: by the tolerance").range(from(0).to(256)),
      field<&S::max_rank>("max_rank", "at most so many").range(from(1).to(256)),
  };
  return fields;
}

const Fields<SceneRunSettings>& scene_run_fields() {
  using S = SceneRunSettings;
  static const Fields<S> fields{
      field<&S::frames>("frames", "\"run_*.obj\" (or .ply) with numbers, or a .pc2 .mdd .h5 file")
          .must_be_given(),
      field<&S::actions>("actions", "a CSV file: lines frame,entry,strength").must_be_given(),
      field<&S::body>("body", "of an .h5 file of several").unless_empty(),
  };
  return fields;
}

const Fields<SceneRecording>& scene_recording_fields() {
  using S = SceneRecording;
  static const Fields<S> fields =
      Fields<S>{
          field<&S::mesh>("mesh", "its triangles and colours; .pc2 and .mdd have none")
              .unless_empty(),
          field<&S::rest>("rest", "number of the first run's frame in which the scene rests")
              .default_is("its first"),
          field<&S::scale>("scale", "metres per unit of the files").in("m").range(above(0)),
          field<&S::colour>("colour", "red, green, blue in the result, linear")
              .range(from(0).to(1)),
          settings::sections<&S::runs>("run", scene_run_fields(),
                                       "frames one after the other, and what acted in them"),
      }
          .rule([](const S& s) -> std::optional<Complaint> {
            if (!s.runs.empty()) return {};
            return Complaint{"a recording needs at least one [[recording.run]]", {}};
          });
  return fields;
}

const Fields<SceneLoops>& scene_loop_fields() {
  using S = SceneLoops;
  static const Fields<S> fields =
      Fields<S>{
          field<&S::count>("count", "at most so many clips that loop").range(from(0).to(100)),
          field<&S::shortest>("shortest", "of them").in("s").range(above(0)),
          field<&S::longest>("longest", "of them").in("s").range(above(0).to(60)),
      }
          .rule([](const S& s) -> std::optional<Complaint> {
            if (s.shortest <= s.longest) return {};
            return Complaint{fmt::format("the shortest loop, {:g} s, is longer than the longest, "
                                         "{:g} s",
                                         s.shortest, s.longest),
                             {"shortest"}};
          });
  return fields;
}

/// Parts come from bodies, once.
std::optional<Complaint> check_scene_parts(const SceneSettings& s) {
  if (s.groups.empty() && s.parts == SceneSplit::One) return {};
  if (s.recording || s.foreign) {
    return Complaint{"only a scene of bodies has several parts; make a scene of each", {"parts"}};
  }
  if (!s.groups.empty() && s.parts != SceneSplit::One) {
    return Complaint{"give [[part]] or parts, not both", {"parts"}};
  }
  for (std::size_t i = 0; i < s.groups.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (s.groups[i].name != s.groups[j].name) continue;
      return Complaint{fmt::format("two parts are called '{}'", s.groups[i].name),
                       {fmt::format("part[{}].name", i + 1)}};
    }
  }
  return {};
}

/// What moves a scene is its bodies, a recording or another simulator, and nothing else.
std::optional<Complaint> check_source(const SceneSettings& s) {
  if (!s.recording && !s.foreign) return {};
  const char* source = s.recording ? "a recording" : "another simulator";
  const SimulationSettings& bodies = s.simulation;
  if (!bodies.solids.empty() || !bodies.cloths.empty() || !bodies.obstacles.empty() ||
      !bodies.pins.empty() || !bodies.impulses.empty()) {
    return Complaint{fmt::format("{} moves the scene, which has no bodies of its own then; remove "
                                 "[[solid]], [[cloth]], [[obstacle]], [[pin]] and [[impulse]]",
                                 source),
                     {}};
  }
  for (std::size_t e = 0; e < s.entries.size(); ++e) {
    const SceneEntrySettings& entry = s.entries[e];
    const auto key = [e](const char* name) { return fmt::format("entry[{}].{}", e + 1, name); };
    if (entry.impulse || entry.forcing) {
      return Complaint{
          fmt::format("entry '{}': {} moves the scene, so that impulse and forcing have "
                      "no effect; remove them",
                      entry.name, source),
          {key(entry.impulse ? "impulse" : "forcing")}};
    }
    if (s.recording && entry.strengths.size() > 1) {
      return Complaint{fmt::format("entry '{}': a recording does not tell what lies between "
                                   "strengths; make each of them an entry",
                                   entry.name),
                       {key("strengths")}};
    }
  }
  return {};
}

}  // namespace

const Fields<SceneSettings>& scene_fields() {
  using S = SceneSettings;
  static const Fields<S> fields = [] {
    Fields<S> list{
        settings::sections<&S::entries>("entry", scene_entry_fields(),
                                        "something that a user can do to the scene"),
        settings::choice<&S::parts>("parts", {"one", "bodies", "pieces"},
                                    "what has a portrait of its own, if nothing couples it: the "
                                    "scene, each body, or each connected piece of cloth"),
        settings::sections<&S::groups>("part", scene_part_fields(),
                                       "bodies with one portrait, instead of `parts`"),
        settings::section<&S::sampling>("sampling", scene_sampling_fields(),
                                        "how much of the scene is simulated"),
        settings::section<&S::shapes>("shapes", scene_shape_fields(), "how its motion is reduced"),
        settings::section<&S::recording>("recording", scene_recording_fields(),
                                         "what another program recorded, instead of bodies"),
        settings::section<&S::loops>("loops", scene_loop_fields(),
                                     "clips that loop, for where no player is"),
        field<&S::half_life>("half_life", "of what is left of a transition")
            .in("s")
            .range(from(format::kShortestSceneTime).to(format::kLongestSceneTime)),
    };
    list.adopt<&S::simulation>(simulation_fields());
    // Those are about bodies.
    for (auto& rule : list.rules) {
      rule = [with_bodies = rule](const void* settings) {
        const S& s = *static_cast<const S*>(settings);
        return s.recording || s.foreign ? std::optional<Complaint>() : with_bodies(settings);
      };
    }
    list.rule(check_source);
    list.rule(check_scene_parts);
    list.completed_by(
        [](S& s, const settings::Value&) { detail::complete_body_names(s.simulation); });
    return list;
  }();
  return fields;
}

Result<void> SceneSettings::validate() const {
  return scene_fields().check(*this);
}

Result<SceneSettings> parse_scene_settings(std::string_view toml, std::string_view name) {
  SUPPLE_TRY(const settings::Value document, settings::parse_toml(toml, name));
  SceneSettings read;
  SUPPLE_TRY_VOID(scene_fields().read(document, name, read));
  return read;
}

std::string print_scene_settings(const SceneSettings& settings) {
  return settings::print_toml(scene_fields(), scene_fields().write(settings));
}

}  // namespace supple::bake
