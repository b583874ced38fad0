// SPDX-License-Identifier: Apache-2.0
#include "bake/settings/stroke_file.hpp"

#include "supple/core/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace supple::bake::detail {
namespace {

using settings::Complaint;
using settings::field;
using settings::Fields;

constexpr std::size_t kMostPoses = 1000;

Result<void> check_condition(std::string_view text) {
  if (auto read = swim::Condition::parse(text); !read.ok()) return std::move(read).error();
  return {};
}

/// A transition needs exactly the keys of its condition.
std::optional<Complaint> check_transition(const TransitionText& s) {
  using On = swim::Transition::On;
  if (s.on == On::Event && s.when.empty()) {
    return Complaint{"a transition on an event has no when", {"on"}};
  }
  if (s.on == On::Command && s.command.empty()) {
    return Complaint{"a transition on command has no command, its name", {"on"}};
  }
  if (s.on != On::Event && !s.when.empty()) {
    return Complaint{"when belongs to transitions with on = \"event\"", {"when"}};
  }
  if (s.on != On::Command && !s.command.empty()) {
    return Complaint{"command belongs to transitions with on = \"command\"", {"command"}};
  }
  return {};
}

const Fields<TransitionText>& transition_fields() {
  using S = TransitionText;
  static const Fields<S> fields =
      Fields<S>{
          settings::choice<&S::on>("on", {"time", "event", "command"}, "what it waits for")
              .must_be_given(),
          field<&S::when>("when", "the event, such as \"speed < 0.4\"")
              .unless_empty()
              .text_checked_by(check_condition),
          field<&S::command>("command", "its name").unless_empty(),
          field<&S::to>("to", "the pose that follows").must_be_given(),
      }
          .rule(check_transition);
  return fields;
}

const Fields<StartText>& start_fields() {
  using S = StartText;
  static const Fields<S> fields{
      field<&S::position>("position", "of the pelvis").in("m"),
      field<&S::velocity>("velocity", "of the whole body").in("m/s"),
      field<&S::roll>("roll", "about its length; 180 is on the back").in("degrees"),
      field<&S::pitch>("pitch", "head up").in("degrees"),
  };
  return fields;
}

const Fields<TurnsText>& turns_fields() {
  static const Fields<TurnsText> fields = Fields<TurnsText>{}.leave_open();
  return fields;
}

bool is_bare_key(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

/// pose_1, pose_2, ... if no name is given.
void name_poses(StrokeText& stroke, const settings::Value& table) {
  for (std::size_t i = 0; i < stroke.poses.size(); ++i) {
    const std::string path = fmt::format("pose[{}]", i + 1);
    if (settings::locate(table, path).find("name") != nullptr) continue;
    stroke.poses[i].pose.name = fmt::format("pose_{}", i + 1);
  }
}

std::optional<Complaint> check_pose_names(const StrokeText& stroke) {
  if (stroke.poses.empty())
    return Complaint{"the stroke has no poses; it needs one [[pose]]", {"pose"}};
  if (stroke.poses.size() > kMostPoses) {
    return Complaint{fmt::format("there are more than {} poses", kMostPoses), {"pose"}};
  }
  std::set<std::string> names;
  for (std::size_t i = 0; i < stroke.poses.size(); ++i) {
    const std::string& name = stroke.poses[i].pose.name;
    const std::string key = fmt::format("pose[{}].name", i + 1);
    if (!is_bare_key(name) || name == "rate") {
      return Complaint{fmt::format("a pose has the name '{}'; names consist of letters, digits, _ "
                                   "and -, and 'rate' is taken",
                                   name),
                       {key}};
    }
    if (!names.insert(name).second) {
      return Complaint{fmt::format("two poses have the name '{}'; each needs its own", name),
                       {key}};
    }
  }
  return {};
}

/// Checks that names refer to existing poses.
std::optional<Complaint> check_references(const StrokeText& stroke) {
  std::vector<std::string> names;
  for (const PoseText& pose : stroke.poses) names.push_back(pose.pose.name);
  const auto complaint = [&](const std::string& name, std::string key) -> std::optional<Complaint> {
    if (std::ranges::find(names, name) != names.end()) return {};
    return Complaint{fmt::format("unknown pose '{}'{}; available: {}", name,
                                 did_you_mean(name, names), fmt::join(names, ", ")),
                     {std::move(key)}};
  };
  if (!stroke.first.empty()) {
    if (auto wrong = complaint(stroke.first, "first")) return wrong;
  }
  for (std::size_t i = 0; i < stroke.poses.size(); ++i) {
    for (std::size_t j = 0; j < stroke.poses[i].transitions.size(); ++j) {
      std::string key = fmt::format("pose[{}].transition[{}].to", i + 1, j + 1);
      if (auto wrong = complaint(stroke.poses[i].transitions[j].to, std::move(key))) return wrong;
    }
  }
  return {};
}

}  // namespace

const Fields<PoseText>& pose_text_fields() {
  using S = PoseText;
  static const Fields<S> fields = [] {
    Fields<S> list{};
    list.adopt<&S::pose>(swim::pose_fields())
        .add(settings::sections<&S::transitions>("transition", transition_fields(),
                                                 "to another pose"))
        .titled([](const S& s) { return fmt::format("pose '{}'", s.pose.name); })
        .leave_open();
    return list;
  }();
  return fields;
}

const Fields<TurnText>& turn_fields() {
  static const Fields<TurnText> fields =
      Fields<TurnText>{field<&TurnText::rate>("rate", "about the trunk's x, y, z").in("rad/s")}
          .leave_open();
  return fields;
}

const Fields<StrokeText>& stroke_fields() {
  using S = StrokeText;
  static const Fields<S> fields =
      Fields<S>{
          field<&S::name>("name", "of the stroke"),
          field<&S::description>("description", "one line for lists of strokes").unless_empty(),
          settings::choice<&S::hinges>("hinges", {"14", "24"}, "of the body that it is for"),
          field<&S::first>("first", "the pose that it begins with").unless_empty(),
          settings::section<&S::water>("water", swim::water_fields(), "that it is meant for"),
          settings::section<&S::start>("start", start_fields(), "how it begins there"),
          settings::sections<&S::poses>("pose", pose_text_fields(), "one after the other")
              .must_be_given(),
          settings::section<&S::turns>("turn", turns_fields(), "how it turns"),
      }
          .completed_by([](S& s, const settings::Value& table) { name_poses(s, table); })
          .rule(check_pose_names)
          .rule(check_references);
  return fields;
}

}  // namespace supple::bake::detail
