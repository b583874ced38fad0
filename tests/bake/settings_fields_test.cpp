// SPDX-License-Identifier: Apache-2.0
// What every field of every settings file must do, asked of the lists themselves.
#include "bake/settings/stroke_file.hpp"

#include "supple/bake/settings.hpp"
#include "supple/bake/simulation_settings.hpp"
#include "supple/bake/swim_settings.hpp"
#include "supple/core/random.hpp"
#include "supple/settings/fields.hpp"
#include "supple/settings/json.hpp"
#include "supple/settings/toml.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

namespace supple::bake {
namespace {

using settings::Entry;
using settings::Field;
using settings::FieldList;
using settings::Form;
using settings::Kind;
using settings::Value;

struct File {
  const char* name;
  const FieldList& list;
  const char* least;  ///< a file that is right, with one table of each section
};

std::vector<File> files() {
  return {
      {"bake.toml", bake_fields(),
       "[output]\n[[object]]\nbone = \"a\"\n[[shell]]\n[[shell.region]]\nwhere = [\"x<1\"]\n"
       "[[shell.handle]]\nbone = \"b\"\nat = \"vertex:1\"\n"},
      {"shell.toml", shell_file_fields(),
       "[export]\n[[shell]]\n[[shell.region]]\nwhere = [\"x<1\"]\n[[shell.handle]]\nbone = \"b\"\n"
       "at = \"vertex:1\"\n"},
      {"scene.toml", simulation_fields(),
       "[wind]\n[contact]\n[solver]\n[export]\n[[solid]]\n[[cloth]]\n[[obstacle]]\n"
       "[[obstacle.motion]]\ndrift = {velocity = [1, 0, 0]}\n[[pin]]\nbody = \"solid 1\"\n"
       "where = [\"x<1\"]\n[[pin.motion]]\nturn = {speed = 1}\n[[impulse]]\ntime = 1\n"
       "body = \"cloth 1\"\nvelocity = [0, 1, 0]\n"},
      {"body.toml", swim::body_fields(), ""},
      {"water.toml", swim_water_fields(), "[flow]\n"},
      {"course.toml", swim::course_fields(),
       "[[target]]\nposition = [0, 0, 0]\n[[obstacle]]\ncentre = [5, 0, 0]\nradius = 1\n"},
      {"stroke.toml", detail::stroke_fields(),
       "[water]\n[start]\n[[pose]]\nseconds = 10\n[[pose.transition]]\non = \"time\"\n"
       "to = \"pose_1\"\n"},
  };
}

/// Texts that must be more than text, by their keys.
std::string text_of(const std::string& key, Random& random) {
  static const std::map<std::string, std::string> known{{"fix", "sphere:0,0,0,1"},
                                                        {"clamp", "x<0.1"},
                                                        {"where", "y>0"},
                                                        {"at", "vertex:3"},
                                                        {"body", "solid 1"},
                                                        {"hold", "xy turn z"},
                                                        {"when", "speed < 0.4"},
                                                        {"to", "pose_1"},
                                                        {"first", "pose_1"},
                                                        {"on", "time"},
                                                        {"description", "a \"b\" \\"}};
  const auto found = known.find(key);
  return found != known.end() ? found->second : fmt::format("t{}", random.below(1000));
}

double number_in(const settings::Range& range, Random& random) {
  for (;;) {
    const double spread = std::pow(10.0, random.uniform(-3, 3));
    double value = spread * random.uniform(-1, 1);
    if (std::isfinite(range.low)) value = range.low + std::abs(value);
    if (std::isfinite(range.low) && std::isfinite(range.high)) {
      value = random.uniform(range.low, range.high);
    }
    if (range.contains(value)) return value;
  }
}

Value random_table(const FieldList& list, Random& random);

Value random_value(const Field& field, const Form& form, Random& random) {
  switch (form.kind) {
    case Kind::Switch:
      return {.data = random.below(2) == 1};
    case Kind::Whole:
      return {
          .data = static_cast<std::int64_t>(
              form.range.low + std::floor(random.uniform(0, form.range.high - form.range.low)))};
    case Kind::Number:
      return {.data = number_in(form.range, random)};
    case Kind::Text:
      return {.data = text_of(field.key, random)};
    case Kind::Texts: {
      Value::List list;
      for (int i = 0; i < 3; ++i) list.push_back({.data = text_of(field.key, random)});
      return {.data = list};
    }
    case Kind::Numbers:
    case Kind::Vector: {
      Value::List list;
      for (int i = 0; i < 3; ++i) list.push_back({.data = number_in(form.range, random)});
      return {.data = list};
    }
    case Kind::Word: {
      const std::string& word = form.words[random.below(form.words.size())];
      const bool number = word.find_first_not_of("0123456789") == std::string::npos;
      if (number) return {.data = std::int64_t{std::stoll(word)}};
      return {.data = word};
    }
    case Kind::Table:
      return random_table(*form.keys, random);
    case Kind::Tables: {
      Value::List list;
      for (std::uint64_t i = 0; i <= random.below(2); ++i) {
        list.push_back(random_table(*form.keys, random));
      }
      return {.data = list};
    }
  }
  return {};
}

/// Required keys, and half of the others.
Value random_table(const FieldList& list, Random& random) {
  Value::Table table;
  Value result;
  for (const Field& field : list.fields) {
    const bool excluded = std::ranges::any_of(
        table, [&](const Entry& entry) { return entry.key == field.instead_of; });
    if (excluded || (!field.required && random.below(2) == 0)) continue;
    const Form& form = field.forms[random.below(field.forms.size())];
    table.push_back({field.key, random_value(field, form, random)});
  }
  result.data = std::move(table);
  return result;
}

Result<Value> understood(const File& file, const Value& document, std::string_view name) {
  const std::shared_ptr<void> read = file.list.create();
  SUPPLE_TRY_VOID(settings::read(file.list, document, name, read.get()));
  return settings::write(file.list, read.get());
}

/// Rules about several keys refuse some of what ranges allow.
constexpr int kTries = 3000;
constexpr int kEnough = 40;

TEST(SettingsFields, RandomValuesRoundTrip) {
  for (const File& file : files()) {
    Random random(7);
    int accepted = 0;
    for (int i = 0; i < kTries && accepted < kEnough; ++i) {
      const Value table = random_table(file.list, random);
      const auto first = understood(file, table, "");
      if (!first.ok()) {
        EXPECT_EQ(first.error().message().find("it must be from"), std::string::npos)
            << file.name << ": " << first.error().describe();
        continue;
      }
      ++accepted;
      const std::string text = settings::print_toml(file.list, *first);
      const auto document = settings::parse_toml(text, file.name);
      ASSERT_TRUE(document.ok()) << document.error().describe() << "\n" << text;
      const auto again = understood(file, *document, file.name);
      ASSERT_TRUE(again.ok()) << again.error().describe() << "\n" << text;
      EXPECT_TRUE(settings::same(*again, *first)) << text;
      EXPECT_EQ(settings::print_toml(file.list, *again), text);

      const Value changed = settings::without_defaults(file.list, *first);
      const auto shorter =
          settings::parse_toml(settings::print_toml(file.list, changed), file.name);
      ASSERT_TRUE(shorter.ok());
      const auto same_again = understood(file, *shorter, file.name);
      ASSERT_TRUE(same_again.ok()) << same_again.error().describe() << "\n" << text;
      EXPECT_TRUE(settings::same(*same_again, *first)) << text << "\n"
                                                       << settings::print_toml(file.list, changed);

      const auto json = settings::parse_json(settings::print_json(*first));
      ASSERT_TRUE(json.ok());
      const auto from_json = understood(file, *json, "");
      ASSERT_TRUE(from_json.ok()) << from_json.error().describe();
      EXPECT_TRUE(settings::same(*from_json, *first));
    }
    EXPECT_EQ(accepted, kEnough) << file.name;
  }
}

/// Calls `visit` with the path and form of every number in tables of the file.
void visit_numbers(const FieldList& list, const std::string& path,
                   const std::function<void(const std::string&, const Form&)>& visit) {
  for (const Field& field : list.fields) {
    const std::string here = settings::join_path(path, field.key);
    for (const Form& form : field.forms) {
      if (form.kind == Kind::Number || form.kind == Kind::Whole || form.kind == Kind::Vector) {
        visit(here, form);
      } else if (form.kind == Kind::Table) {
        visit_numbers(*form.keys, here, visit);
      } else if (form.kind == Kind::Tables) {
        visit_numbers(*form.keys, here + "[1]", visit);
      }
    }
  }
}

/// Puts a value at a path, with the tables on the way and what they require.
void put(const FieldList& list, Value& table, std::string_view path, const Value& value) {
  const std::size_t dot = path.find('.');
  std::string key(path.substr(0, dot));
  const bool listed = key.ends_with("[1]");
  if (listed) key.resize(key.size() - 3);
  const Field& field = *list.find(key);
  auto& entries = std::get<Value::Table>(table.data);
  std::erase_if(entries, [&](const Entry& e) {
    return e.key == field.instead_of ||
           (list.find(e.key) != nullptr && list.find(e.key)->instead_of == key);
  });
  if (dot == std::string_view::npos) {
    std::erase_if(entries, [&](const Entry& e) { return e.key == key; });
    entries.push_back({key, value});
    return;
  }
  const std::string_view rest = path.substr(dot + 1);
  const std::string inner(rest.substr(0, rest.find_first_of(".[")));
  const Form& form = *std::ranges::find_if(field.forms, [&](const Form& f) {
    return f.keys != nullptr && f.keys->find(inner) != nullptr;
  });
  auto found = std::ranges::find(entries, key, &Entry::key);
  const bool fits = found != entries.end() && settings::find_form(field, found->value) == &form;
  if (!fits) {
    std::erase_if(entries, [&](const Entry& e) { return e.key == key; });
    Random random(1);
    Value::Table needed;
    for (const Field& one : form.keys->fields) {
      if (!one.required) continue;
      needed.push_back({one.key, random_value(one, one.forms.front(), random)});
    }
    Value made{.data = needed};
    if (listed) made = Value{.data = Value::List{made}};
    entries.push_back({key, made});
    found = std::prev(entries.end());
  }
  Value& next = listed ? std::get<Value::List>(found->value.data).front() : found->value;
  put(*form.keys, next, rest, value);
}

/// What the file says with one value changed, or that it was accepted.
struct Outcome {
  std::string text;
  std::string place;  ///< of the value, as messages have it
  std::string error;
};

Outcome with_value(const File& file, const std::string& path, const Form& form, double number) {
  Value value{.data = number};
  if (form.kind == Kind::Whole) value.data = static_cast<std::int64_t>(number);
  if (form.kind == Kind::Vector) value.data = Value::List{value, {.data = 1.0}, {.data = 1.0}};
  Value document = settings::parse_toml(file.least, file.name).value();
  put(file.list, document, path, value);
  Outcome outcome;
  outcome.text = settings::print_toml(file.list, document);
  const auto parsed = settings::parse_toml(outcome.text, file.name);
  if (!parsed.ok()) return outcome.error = parsed.error().describe(), outcome;
  const settings::Position at = settings::locate(*parsed, path).begin;
  outcome.place = fmt::format("{}:{}:{}: ", file.name, at.line, at.column);
  const auto read = understood(file, *parsed, file.name);
  outcome.error = read.ok() ? "accepted" : read.error().describe();
  return outcome;
}

TEST(SettingsFields, EveryEndOfARangeIsKept) {
  std::size_t ends = 0;
  for (const File& file : files()) {
    visit_numbers(file.list, "", [&](const std::string& path, const Form& form) {
      const auto check = [&](double inside, double outside) {
        ++ends;
        const Outcome refused = with_value(file, path, form, outside);
        EXPECT_TRUE(refused.error.starts_with(refused.place)) << path << " = " << outside << "\n"
                                                              << refused.error << "\n"
                                                              << refused.text;
        EXPECT_NE(refused.error.find("; it must be "), std::string::npos) << refused.error;
        const Outcome kept = with_value(file, path, form, inside);
        const std::string key = path.substr(path.rfind('.') + 1);
        const bool vector = form.kind == Kind::Vector;
        const std::string range = vector ? fmt::format("{} is [{}, 1, 1]; it must be ", key, inside)
                                         : fmt::format("{} is {}; it must be ", key, inside);
        EXPECT_EQ(kept.error.find(range), std::string::npos) << path << " = " << inside << "\n"
                                                             << kept.error;
      };
      const auto [low, high, low_open, high_open] = form.range;
      const bool whole = form.kind == Kind::Whole;
      constexpr double kInfinity = std::numeric_limits<double>::infinity();
      const auto step = [&](double x, double towards) {
        return whole ? x + (towards > x ? 1 : -1) : std::nextafter(x, towards);
      };
      if (std::isfinite(low)) {
        check(low_open ? step(low, kInfinity) : low, low_open ? low : step(low, -kInfinity));
      } else {
        check(-1e30, -kInfinity);
      }
      if (std::isfinite(high)) {
        check(high_open ? step(high, -kInfinity) : high, high_open ? high : step(high, kInfinity));
      } else {
        check(1e30, kInfinity);
      }
      if (!whole) check(low_open && low == 0 ? 1e-3 : std::clamp(0.25, low, high), std::nan(""));
    });
  }
  EXPECT_GT(ends, 200U);
}

TEST(SettingsFields, EveryFieldSaysWhatItIs) {
  const std::function<void(const FieldList&)> look = [&](const FieldList& list) {
    for (const Field& field : list.fields) {
      EXPECT_FALSE(field.description.empty()) << field.key;
      EXPECT_LE(field.description.size(), 110U) << field.key;
      EXPECT_FALSE(field.description.ends_with('.')) << field.key;
      for (const Form& form : field.forms) {
        if (form.keys != nullptr) look(*form.keys);
      }
    }
  };
  for (const File& file : files()) look(file.list);
}

}  // namespace
}  // namespace supple::bake
