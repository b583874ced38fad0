// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/swim_settings.hpp"
#include "supple/bake/swim_stroke.hpp"

#include "fuzz/harness.hpp"

#include "supple/core/files.hpp"

/// A course that is read can be steered along: it asks for finite points and turns.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace supple;
  static const bake::SwimStroke stroke = bake::load_swim_stroke("breaststroke").value();
  static const swim::Swimmer swimmer =
      swim::Swimmer::create(swim::build_body({}).value(), {}, stroke.start).value();
  const auto course = bake::parse_swim_course(as_text(fuzz::bytes_of(data, size)), "fuzz.toml");
  if (!course.ok()) return 0;
  SUPPLE_CHECK(course->validate().ok());
  swim::Steering steering(stroke.graph, *course);
  for (int step = 0; step < 3; ++step) {
    for (const double k : steering.advance(swimmer, 1.0 / 60)) SUPPLE_CHECK(k >= 0 && k <= 2);
    SUPPLE_CHECK(steering.aim().allFinite());
  }
  return 0;
}
