// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// Small motion files: test inputs of the readers, and seeds of the fuzzers.
namespace supple::io::samples {

/// A root that moves and turns, a knee with its own order of axes, an end site.
inline std::string bvh() {
  return "HIERARCHY\n"
         "ROOT Hips\n"
         "{\n"
         "\tOFFSET 0 0 0\n"
         "\tCHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n"
         "\tJOINT Left Knee\n"
         "\t{\n"
         "\t\tOFFSET 0 -1 0\n"
         "\t\tCHANNELS 3 Xrotation Zrotation Yrotation\n"
         "\t\tEnd Site\n"
         "\t\t{\n"
         "\t\t\tOFFSET 0 -2 0.5\n"
         "\t\t}\n"
         "\t}\n"
         "}\n"
         "MOTION\n"
         "Frames: 3\n"
         "Frame Time: 0.5\n"
         "1 2 3 0 0 0 0 0 0\n"
         "1 2 4 90 0 0 0 0 0\n"
         "1 2 5 90 0 90 30 20 10\n";
}

inline std::string transform_table() {
  return "# recorded by hand\n"
         "time,arm.L.px,arm.L.py,arm.L.pz,arm.L.qx,arm.L.qy,arm.L.qz,arm.L.qw\n"
         "0,1,2,3,0,0,0,1\n"
         "\n"
         "0.5,1,2,4,0,0.6,0,0.8\n";
}

inline std::string action_table() {
  return "# poked twice\n"
         "frame,entry,strength\n"
         "0,poke,0.5\n"
         "\n"
         "24,\"let, go\"\n";
}

inline void append_big(std::string& text, std::uint32_t bits) {
  for (int shift = 24; shift >= 0; shift -= 8) text += static_cast<char>(bits >> shift & 0xffU);
}

/// An MDD file: for each frame its time, and x y z of so many points.
inline std::string mdd(const std::vector<float>& times, std::uint32_t points,
                       const std::vector<float>& coordinates) {
  std::string text;
  append_big(text, static_cast<std::uint32_t>(times.size()));
  append_big(text, points);
  for (const float time : times) append_big(text, std::bit_cast<std::uint32_t>(time));
  for (const float x : coordinates) append_big(text, std::bit_cast<std::uint32_t>(x));
  return text;
}

}  // namespace supple::io::samples
