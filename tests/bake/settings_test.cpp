// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/settings.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace supple::bake {
namespace {

const char* const kFull = R"(unit = 0.01

[output]
rate = 30
tolerance = 0.01
signed = true
float32 = true
gain = 1.5

[[object]]
name = "left thigh"
bone = "LeftUpLeg"
material = "muscle"
damping = {ratio = 0.2}
core = {radius = 0.02}
border = 0.1
ramp = 0.7
elements = 10000
modes = 8
capture = 0.95
max_modes = 30
coriolis = true
sag = 0.15
limit = 0.03

[[object]]
name = "belly"
bones = ["Spine", "Hips"]
surface_material = "Body"
mask = "_BELLY"
driver = "Hips"
layers = [
  {material = "skin", depth = 0.002},
  {material = {name = "soft", E = 2500.5, nu = 0.45, rho = 930}, depth = 0.02},
  {material = "muscle"},
]
damping = {alpha = 1, beta = 0.002}
core = false

[[object]]
bone = "Tail"
)";

void expect_same(const fem::Material& a, const fem::Material& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.youngs_modulus, b.youngs_modulus);
  EXPECT_EQ(a.poisson_ratio, b.poisson_ratio);
  EXPECT_EQ(a.density, b.density);
}

void expect_same_damping(const flesh::Damping& a, const flesh::Damping& b) {
  ASSERT_EQ(a.index(), b.index());
  if (const auto* ratio = std::get_if<flesh::DampingRatio>(&a)) {
    EXPECT_EQ(ratio->xi, std::get<flesh::DampingRatio>(b).xi);
  } else if (const auto* settles = std::get_if<flesh::SettlesIn>(&a)) {
    EXPECT_EQ(settles->seconds, std::get<flesh::SettlesIn>(b).seconds);
  } else {
    EXPECT_EQ(std::get<flesh::RayleighDamping>(a).alpha, std::get<flesh::RayleighDamping>(b).alpha);
    EXPECT_EQ(std::get<flesh::RayleighDamping>(a).beta, std::get<flesh::RayleighDamping>(b).beta);
  }
}

void expect_same(const flesh::ObjectSettings& a, const flesh::ObjectSettings& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.region.bones, b.region.bones);
  EXPECT_EQ(a.region.material, b.region.material);
  EXPECT_EQ(a.region.mask, b.region.mask);
  EXPECT_EQ(a.driver, b.driver);
  ASSERT_EQ(a.layers.size(), b.layers.size());
  for (std::size_t i = 0; i < a.layers.size(); ++i) {
    expect_same(a.layers[i].material, b.layers[i].material);
    EXPECT_EQ(a.layers[i].depth, b.layers[i].depth);
  }
  expect_same_damping(a.damping, b.damping);
  EXPECT_EQ(a.core.enabled, b.core.enabled);
  EXPECT_EQ(a.core.radius, b.core.radius);
  EXPECT_EQ(a.core.fraction, b.core.fraction);
  EXPECT_EQ(a.border, b.border);
  EXPECT_EQ(a.ramp, b.ramp);
  EXPECT_EQ(a.elements, b.elements);
  EXPECT_EQ(a.modes, b.modes);
  EXPECT_EQ(a.capture, b.capture);
  EXPECT_EQ(a.max_modes, b.max_modes);
  EXPECT_EQ(a.coriolis, b.coriolis);
  EXPECT_EQ(a.sag, b.sag);
  EXPECT_EQ(a.limit, b.limit);
}

void expect_same(const BakeSettings& a, const BakeSettings& b) {
  EXPECT_EQ(a.metres_per_unit, b.metres_per_unit);
  EXPECT_EQ(a.output.rate, b.output.rate);
  EXPECT_EQ(a.output.tolerance, b.output.tolerance);
  EXPECT_EQ(a.output.signed_weights, b.output.signed_weights);
  EXPECT_EQ(a.output.float32, b.output.float32);
  EXPECT_EQ(a.output.gain, b.output.gain);
  ASSERT_EQ(a.objects.size(), b.objects.size());
  for (std::size_t i = 0; i < a.objects.size(); ++i) expect_same(a.objects[i], b.objects[i]);
}

/// The whole text of the error, which must be one.
std::string complaint(const std::string& toml) {
  const auto settings = parse_bake_settings(toml, "bake.toml");
  if (settings.ok()) return "accepted";
  EXPECT_EQ(settings.error().code(), ErrorCode::BadInput);
  return settings.error().describe();
}

TEST(BakeSettings, EveryKeyIsRead) {
  const auto read = parse_bake_settings(kFull, "bake.toml");
  ASSERT_TRUE(read.ok()) << read.error().describe();
  EXPECT_EQ(read->metres_per_unit, 0.01);
  EXPECT_EQ(read->output.rate, 30);
  EXPECT_EQ(read->output.tolerance, 0.01);
  EXPECT_TRUE(read->output.signed_weights);
  EXPECT_TRUE(read->output.float32);
  EXPECT_EQ(read->output.gain, 1.5);
  ASSERT_EQ(read->objects.size(), 3U);
  const flesh::ObjectSettings& thigh = read->objects[0];
  EXPECT_EQ(thigh.name, "left thigh");
  EXPECT_EQ(thigh.region.bones, std::vector<std::string>{"LeftUpLeg"});
  ASSERT_EQ(thigh.layers.size(), 1U);
  EXPECT_EQ(thigh.layers[0].material.name, "muscle");
  EXPECT_EQ(std::get<flesh::DampingRatio>(thigh.damping).xi, 0.2);
  EXPECT_EQ(thigh.core.radius, 0.02);
  EXPECT_EQ(thigh.border, 0.1);
  EXPECT_EQ(thigh.ramp, 0.7);
  EXPECT_EQ(thigh.elements, 10000U);
  EXPECT_EQ(thigh.modes, 8);
  EXPECT_EQ(thigh.capture, 0.95);
  EXPECT_EQ(thigh.max_modes, 30);
  EXPECT_TRUE(thigh.coriolis);
  EXPECT_EQ(thigh.sag, 0.15);
  EXPECT_EQ(thigh.limit, 0.03);
}

TEST(BakeSettings, RegionsAndLayersAreRead) {
  const auto read = parse_bake_settings(kFull, "bake.toml");
  ASSERT_TRUE(read.ok()) << read.error().describe();
  const flesh::ObjectSettings& belly = read->objects[1];
  EXPECT_EQ(belly.region.bones, (std::vector<std::string>{"Spine", "Hips"}));
  EXPECT_EQ(belly.region.material, "Body");
  EXPECT_EQ(belly.region.mask, "_BELLY");
  EXPECT_EQ(belly.driver, "Hips");
  ASSERT_EQ(belly.layers.size(), 3U);
  EXPECT_EQ(belly.layers[0].material.name, "skin");
  EXPECT_EQ(belly.layers[0].depth, 0.002);
  EXPECT_EQ(belly.layers[1].material.youngs_modulus, 2500.5);
  EXPECT_EQ(belly.layers[2].depth, 0);
  EXPECT_EQ(std::get<flesh::RayleighDamping>(belly.damping).beta, 0.002);
  EXPECT_FALSE(belly.core.enabled);
  EXPECT_EQ(read->objects[2].name, "Tail") << "a single bone is the name where none is given";
}

TEST(BakeSettings, AnEmptyFileMeansTheDefaults) {
  const auto read = parse_bake_settings("", "bake.toml");
  ASSERT_TRUE(read.ok()) << read.error().describe();
  expect_same(*read, BakeSettings());
  EXPECT_TRUE(parse_bake_settings("unit = \"auto\"", "bake.toml").ok());
}

TEST(BakeSettings, PrintedSettingsReadBackExactly) {
  auto settings = parse_bake_settings(kFull, "bake.toml");
  ASSERT_TRUE(settings.ok());
  // Numbers without a short decimal form, and text that needs quoting.
  settings->objects[0].border = 1.0 / 3;
  settings->objects[0].limit = 1e-9 / 7;
  settings->objects[1].layers[1].material.youngs_modulus = 1e10 / 3;
  settings->objects[1].name = "a \"b\" \\ \t\n# \xc3\xa9";
  settings->objects[2].damping = flesh::SettlesIn{0.1 + 0.2};
  const std::string text = print_bake_settings(*settings);
  const auto again = parse_bake_settings(text, "again.toml");
  ASSERT_TRUE(again.ok()) << again.error().describe() << "\n" << text;
  expect_same(*settings, *again);
  EXPECT_EQ(print_bake_settings(*again), text);
}

TEST(BakeSettings, ChangedKeysAreEnough) {
  const auto settings = parse_bake_settings(kFull, "bake.toml");
  ASSERT_TRUE(settings.ok());
  const std::string text = print_bake_settings(*settings, PrintedKeys::Changed);
  const auto again = parse_bake_settings(text, "again.toml");
  ASSERT_TRUE(again.ok()) << again.error().describe() << "\n" << text;
  expect_same(*settings, *again);
  BakeSettings plain;
  plain.objects.resize(1);
  plain.objects[0].name = "Tail";
  plain.objects[0].region.bones = {"Tail"};
  std::istringstream lines(print_bake_settings(plain, PrintedKeys::Changed));
  std::size_t keys = 0;
  for (std::string line; std::getline(lines, line);) keys += line.find(" = ") != std::string::npos;
  EXPECT_EQ(keys, 2U) << print_bake_settings(plain, PrintedKeys::Changed);
}

TEST(BakeSettings, EveryPrintedKeyHasAComment) {
  const auto settings = parse_bake_settings(kFull, "bake.toml");
  ASSERT_TRUE(settings.ok());
  std::istringstream lines(print_bake_settings(*settings));
  for (std::string line; std::getline(lines, line);) {
    const bool key = line.find(" = ") != std::string::npos && !line.starts_with(" ");
    EXPECT_TRUE(!key || line.find("  # ") != std::string::npos) << line;
  }
}

std::string repeat(std::string_view text, std::size_t count) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) result += text;
  return result;
}

TEST(BakeSettings, DepthIsAnErrorAndNotTheEndOfTheStack) {
  constexpr std::size_t kMany = 400'000;
  EXPECT_TRUE(complaint("\n" + repeat("a.", kMany) + "a = 1").starts_with("bake.toml:2: "));
  EXPECT_TRUE(complaint("[" + repeat("a.", kMany) + "a]").starts_with("bake.toml:1: "));
  EXPECT_TRUE(complaint(repeat("'a' . ", 65) + "a = 1").starts_with("bake.toml:1: "));
  EXPECT_TRUE(complaint("x = {" + repeat("a.", 65) + "a = 1}").starts_with("bake.toml:1: "));
  EXPECT_NE(complaint("x = \"a\"\n" + repeat("a.", 65) + "b = 1").find("more than 64 parts"),
            std::string::npos);
  // As deep as keys and nesting go together.
  const std::string level = "{" + repeat("a.", 64) + "a = ";
  EXPECT_NE(complaint("x = " + repeat(level, 400) + "1" + repeat("}", 400)), "accepted");
  EXPECT_NE(complaint("x = " + repeat("[", kMany)), "accepted");
  EXPECT_NE(complaint(repeat("# too long\n", 100'000)).find("too many"), std::string::npos);
}

/// What the parser's own checks would end the program for.
TEST(BakeSettings, SurvivesWhatItsParserDoesNot) {
  const auto says = [](const std::string& text, const char* part) {
    EXPECT_NE(complaint(text).find(part), std::string::npos) << text << "\n" << complaint(text);
  };
  says("x = 1\nunit = [0.2, }", "bake.toml:2: a '}' ends what a '[' began");
  says("unit = {a = [1, 2}]", "they go in pairs");
  says("unit = {a = 1]", "they go in pairs");
  says("unit = 0.\xce\x9e", "belongs in quotes");
  says(
      "gr\xc3\xb6\xc3\x9f"
      "e = 1",
      "belongs in quotes");
  says("unit = [\v]", "belongs in quotes");
  says("unit = 1\r\rx = 2", "belongs in quotes");
  says("unit = \"\"\"a\\ \n \xc3\xa9\"\"\"", "a backslash before a letter");
  says("unit = \"\"\"a\\\xc3\xa9\"\"\"", "a backslash before a letter");
  says("unit = 0\"\xef\xbb\x9f\"", "quotes within a word");
  says("unit = 0.\"\xc3\xa9\"", "quotes within a word");
  says("unit = {a = 0.'\xc3\xa9'}", "quotes within a word");
  says("unit = {a.\"\xc3\xa9\" = 1, b.'c' = 2}", "unit is a table");
  says("unit = -1.[\"\xef\xbb\xb1\"]", "a '[' within a word");
  says("unit = 0{\"\xef\xbb\xb1\" = 1}", "a '{' within a word");
  says("unit = 0=\"\xef\xbb\xb1\"", "a '=' within a value");
  says("unit = [a = 1]", "a '=' within a value");
  // The same where it is allowed.
  for (const char* text :
       {"\xef\xbb\xbf\"unit\" = 1\r\n", "unit = 1 # \xce\x9e }\n", "# [\xc3\xa9\nunit = 1"}) {
    EXPECT_EQ(complaint(text), "accepted") << text;
  }
  says("unit = \"\"\"\xc3\xa9\\\\\xc3\xa9\"\"\"", "unit is \"");
  says("unit = '}\xc3\xa9'", "unit is \"");
}

TEST(BakeSettings, ATableNeedsAName) {
  for (const char* header : {"[=]", "[ = a]", "[[?]]", "[.a]", "[\xc2\xa0=]", "[#]",
                             "x = [\n[1], [+2]]\n  [,]", "x = '''\n[='''\n[=]"}) {
    EXPECT_NE(complaint(header).find("a table without a name; write [name]"), std::string::npos)
        << header;
  }
  for (const char* header : {"[]", "[[]]", "[ ]", "[", "[["}) {
    EXPECT_NE(complaint(header), "accepted") << header;
  }
  // Lists within lists are no tables.
  EXPECT_NE(complaint("list = [\n[+1],\n [+2]]").find("no key list"), std::string::npos);
}

TEST(BakeSettings, DotsInTextsNumbersAndCommentsAreNoDepth) {
  const std::string dots(1000, '.');
  EXPECT_EQ(complaint("# " + dots + "\n[[object]]\nbone = \"a\\\"" + dots + "\""), "accepted");
  EXPECT_EQ(complaint("[[object]]\nbone = \"\"\"a\n\"" + dots + "\"\"\"\""), "accepted");
  EXPECT_EQ(complaint("[[object]]\nbone = '" + dots + "'"), "accepted");
  // The key is not known, but it was read.
  EXPECT_NE(complaint("list = [" + repeat("1.5, ", 1000) + "]").find("no key list"),
            std::string::npos);
}

TEST(BakeSettings, UnknownKeysOfferTheNearest) {
  const std::string rate = complaint("[output]\nrat = 5\n");
  EXPECT_TRUE(rate.starts_with(
      "bake.toml:2:1: there is no key output.rat: did you mean 'rate'?; known are "))
      << rate;
  for (const char* key : {"rate", "gain"}) EXPECT_NE(rate.find(key), std::string::npos) << rate;
  const std::string text = complaint("[[object]]\nbone = \"X\"\n  elemnts = 5\n");
  EXPECT_TRUE(text.starts_with("bake.toml:3:3: there is no key object[1].elemnts")) << text;
  EXPECT_NE(text.find("did you mean 'elements'?"), std::string::npos) << text;
  EXPECT_NE(complaint("qqqqqqqq = 1").find("known are object, output, shell, skeleton, unit"),
            std::string::npos)
      << complaint("qqqqqqqq = 1");
  EXPECT_NE(complaint("[[object]]\nbone = \"X\"\ndamping = {setle = 1}").find("settle"),
            std::string::npos);
}

struct Bad {
  const char* toml;
  const char* place;
  const char* words;
};

TEST(BakeSettings, WrongTypesNameThePlace) {
  for (const Bad& bad : {
           Bad{"unit = true", ":1:8", "a number"},
           Bad{"unit = \"cm\"", ":1:8", "\"auto\""},
           Bad{"output = 1", ":1:10", "a table"},
           Bad{"object = 1", ":1:10", "list of tables"},
           Bad{"[[object]]\nbone = 5", ":2:8", "text in quotes"},
           Bad{"[[object]]\nbones = [\"a\", 5]", ":2:9", "list of texts"},
           Bad{"[[object]]\nbone = \"a\"\nmodes = 2.5", ":3:9", "a whole number"},
           Bad{"[[object]]\nbone = \"a\"\ncoriolis = 1", ":3:12", "true or false"},
           Bad{"[[object]]\nbone = \"a\"\ncore = 1", ":3:8", "fraction"},
           Bad{"[[object]]\nbone = \"a\"\ndamping = 0.1", ":3:11", "settle"},
           Bad{"[[object]]\nbone = \"a\"\nmaterial = 3", ":3:12", "a preset (\"fat\""},
           Bad{"[[object]]\nbone = \"a\"\nlayers = [1]", ":3:10", "list of tables"},
           Bad{"[output]\nrate = 1979-05-27", ":2:8", "a date"},
           Bad{"[output\nrate = 3", ":1:", ""},
           Bad{"unit = 1\nunit = 2", ":2:", "unit"},
       }) {
    const std::string text = complaint(bad.toml);
    EXPECT_TRUE(text.starts_with(std::string("bake.toml") + bad.place)) << bad.toml << "\n" << text;
    EXPECT_NE(text.find(bad.words), std::string::npos) << bad.toml << "\n" << text;
  }
}

TEST(BakeSettings, ValuesOutOfRangeNameThePlace) {
  const std::string object = "[[object]]\nbone = \"a\"\n";
  for (const Bad& bad : {
           Bad{"border = 2", ":3:10", "border is 2"},
           Bad{"ramp = 0.5\nborder = 0.1\nmodes = 0", ":5:9", "modes is 0"},
           Bad{"border = 0.05\nramp = 0.1\nmodes = 0", ":5:9", "modes is 0"},
           Bad{"ramp = 0.1", ":3:8", "less than border"},
           Bad{"ramp = 0.4\nborder = 0.5", ":1:1", "less than border"},
           Bad{"elements = -5", ":3:12", "from 1 to 2000000"},
           Bad{"elements = 0", ":3:12", "from 1"},
           Bad{"modes = 99999999999", ":3:9", "modes is 99999999999"},
           Bad{"capture = nan", ":3:11", "capture is nan"},
           Bad{"limit = inf", ":3:9", "limit is inf"},
           Bad{"material = \"muscel\"", ":3:12", "did you mean 'muscle'"},
           Bad{"material = {E = 1e3, nu = 0.5, rho = 1e3}", ":3:27", "Poisson"},
           Bad{"material = {E = 1e3, nu = 0.4}", ":3:12", "no rho"},
           Bad{"layers = [{material=\"fat\"}, {material=\"fat\"}]", ":3:11", "no depth"},
           Bad{"layers = [{depth=0.1}]", ":3:11", "no material"},
           Bad{"layers = []", ":3:10", "no material"},
           Bad{"material = \"fat\"\nlayers = []", ":4:10", "exclude each other"},
           Bad{"damping = {ratio = 0.1, settle = 1}", ":3:11", "exclude each other"},
           Bad{"damping = {}", ":3:11", "no ratio"},
           Bad{"damping = {settle = 0}", ":3:21", "damping.settle is 0; it must be above 0 s"},
           Bad{"core = {radius = 1, fraction = 0.5}", ":3:8", "exclude each other"},
           Bad{"core = {fraction = 1}", ":3:20", "core.fraction is 1"},
           Bad{"bones = [\"b\"]", ":3:9", "exclude each other"},
           Bad{"[[object]]\nbone = \"a\"", ":3:1", "two objects have the name 'a'"},
       }) {
    const std::string text = complaint(object + bad.toml);
    EXPECT_TRUE(text.starts_with(std::string("bake.toml") + bad.place)) << bad.toml << "\n" << text;
    EXPECT_NE(text.find(bad.words), std::string::npos) << bad.toml << "\n" << text;
  }
  EXPECT_TRUE(complaint("unit = -1").starts_with("bake.toml:1:8: unit is -1"));
  EXPECT_TRUE(
      complaint("[output]\ngain = 2\nrate = 0").starts_with("bake.toml:3:8: output.rate is 0"));
  EXPECT_NE(complaint("[[object]]\nname = \"x\"").find("which skin"), std::string::npos);
}

}  // namespace
}  // namespace supple::bake
