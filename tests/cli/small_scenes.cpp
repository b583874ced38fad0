// SPDX-License-Identifier: Apache-2.0
#include "small_scenes.hpp"

namespace supple::testing {

std::string flag_toml() {
  return R"(rate = 30
half_life = 0.08

[[entry]]
name = "push"
key = "p"
strengths = [0.5, 1]
[entry.impulse]
velocity = [0, 0, 2]

[[entry]]
name = "pull"
key = "u"
followed_by = ["push"]
from_rest = false
[entry.impulse]
velocity = [0, 0, -2]

[sampling]
states = 100
shortest = 0.2
longest = 0.5
settle = 1
rest = 4
stillness = 0.001
chain = 3

[shapes]
tolerance = 0.1

[[cloth]]
name = "flag"
shape = "sheet"
size = [0.2, 0, 0.3]
cells = 3
rotation = [90, 0, 0]
damping = 0.02

[solver]
mass_damping = 3

[[pin]]
body = "flag"
where = ["y>0.149"]
)";
}

BakedFlag::BakedFlag() {
  const std::string toml_file = m_directory.write("flag.toml", flag_toml());
  m_baked = supple({"scene", toml_file, "-o", glb(), "--work", work(), "--keep", "--json"});
}

}  // namespace supple::testing
