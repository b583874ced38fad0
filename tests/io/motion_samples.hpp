// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

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

}  // namespace supple::io::samples
