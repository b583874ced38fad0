// SPDX-License-Identifier: Apache-2.0
#include "supple/soft/object.hpp"

namespace supple::soft {

const char* kind_name(Kind kind) {
  switch (kind) {
    case Kind::Flesh:
      return "flesh";
    case Kind::Shell:
      return "shell";
    case Kind::Scene:
      return "scene";
  }
  return "";
}

}  // namespace supple::soft
