// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/light_settings.hpp"
#include "supple/bake/settings.hpp"
#include "supple/bake/swim_settings.hpp"

#include <map>
#include <string>
#include <vector>

/// Every kind of text that people write for the program, with nearly all of its keys.
namespace supple::bake::samples {

inline const char* const kFlowGrid = R"(# a swirl in two frames
origin -1 -1 0
spacing 2 2 1.5e0
counts 2 2 1
frames 2
frame_seconds 0.5
loop
velocities
0 0 0  1 0 0  0 1 0  1 1 0
0 0 1  1 0 1  0 1 1  1 1 1
)";

inline const char* const kExpressions = R"toml(law = "linear"
density = 1000
viscosity = 300.5
gravity = 9.81
surface = 0
[flow]
expression = ["0.3*sin(2*pi*x/4)*exp(min(y, 0))", "-(z^2)/(1+abs(t))", "max(tanh(x), sqrt(2e-3))"]
)toml";

inline const char* const kStreams = R"(law = "quadratic"
side_drag = 1.1
end_drag = 0.18
friction = 0.01
lift = 0.2
added_mass = true
[flow]
river = {velocity = [0.2, 0, -0.1]}
vortex = {centre = [1, 0, 0], axis = [0, 1, 0], strength = 0.5, core = 0.4}
waves = {amplitude = 0.1, length = 5, direction = [1, 0, 0]}
)";

inline const char* const kScene = R"toml(seconds = 1.5
rate = 120
gravity = [0, -1.6, 0]
[wind]
velocity = [2, 0, 0]
gusts = 0.5
gust_size = 2
density = 1.2
[contact]
barrier = "cubic"
width = 1e-3
stiffness = 2
friction_speed = 0.002
friction_lags = 2
[solver]
scheme = "bdf2"
speed = 0.01
max_iterations = 50
max_halvings = 3
mass_damping = 0.1
held_back = 0.01
[export]
tolerance = 0.01
targets = 12
signed = true
[[solid]]
name = "ball"
shape = "sphere"
size = [0.2, 0.2, 0.2]
cells = 6
position = [0, 1, 0]
rotation = [0, 90, 0]
material = "silicone"
friction = 0.5
damping = 0.001
velocity = [0, -1, 0]
colour = [1, 0, 0.5]
[[solid]]
name = "bunny"
mesh = "bunny.ply"
scale = 0.01
elements = 500
nodes = 10
material = {youngs_modulus = 5e4, poisson_ratio = 0.4, density = 900}
law = "st_venant_kirchhoff"
[[cloth]]
size = [1, 0, 0.5]
material = "paper"
thickness = 0.001
[[obstacle]]
name = "door"
shape = "box"
size = [1, 2, 0.05]
[[obstacle.motion]]
turn = {point = [-0.5, 0, 0], axis = [0, 1, 0], speed = 90, begin = 0.5, end = 1.5}
[[obstacle.motion]]
keys = [{time = 0}, {time = 1, position = [0, 0.1, 0], rotation = [0, 0, 10]}]
centre = [0, 1, 0]
[[obstacle.motion]]
swing = {amplitude = [0, 0.01, 0], frequency = 2, phase = 90}
[[pin]]
body = "cloth 1"
where = ["x<-0.49", "sphere:0.5,0,0,0.1"]
[[pin.motion]]
drift = {velocity = [0, 0.1, 0]}
[[impulse]]
time = 0.5
body = "ball"
where = ["y>1"]
velocity = [1, 0, 0]
)toml";

inline const char* const kCourse = R"(spline = true
loop = true
depth = -1.5
[[target]]
position = [5, 0, 3]
heading = [0, 0, 1]
up = [0, 1, 0]
reach = 0.5
[[target]]
position = [0, -2, 8]
[[target]]
position = [-4, 0, 0.5]
[[obstacle]]
centre = [2, 0, 1]
radius = 0.8
)";

/// Of `supple scene`, with bodies and with a recording.
inline const char* const kPaletteScene = R"toml(rate = 30
half_life = 0.2
[sampling]
states = 100
shortest = 0.1
longest = 0.5
settle = 0
rest = 3
stillness = 0.001
chain = 4
adaptive = false
seed = 7
[shapes]
tolerance = 0.1
rank = 3
max_rank = 12
[[cloth]]
name = "flag"
[[pin]]
body = "flag"
where = ["x<-0.24"]
[[entry]]
name = "flap"
key = "f"
strengths = [0.5, 1, 2]
followed_by = ["flap", "blow"]
[entry.impulse]
velocity = [0, 1, 0]
spin = [0, 90, 0]
centre = [0.1, 0, 0]
[[entry]]
name = "blow"
from_rest = false
[entry.forcing]
acceleration = [0, 0, 1]
turning = [0, 45, 0]
centre = [0, 0, 1]
wind = [3, 0, 0]
)toml";

inline const char* const kRecordedScene = R"toml(rate = 24
[[entry]]
name = "poke"
followed_by = ["poke"]
[recording]
mesh = "rest.obj"
rest = 3
scale = 0.01
colour = [0.1, 0.2, 0.3]
[[recording.run]]
frames = "one_*.obj"
actions = "one.csv"
[[recording.run]]
frames = "two.h5"
body = "flag"
actions = "two.csv"
)toml";

/// By the name of what reads them.
inline std::map<std::string, std::vector<std::string>> settings() {
  BakeSettings flesh;
  flesh.objects.resize(1);
  flesh.shells.resize(1);
  ShellFileSettings shells;
  shells.shells.resize(1);
  shells.shells[0].fix = {"box:-1,-1,-1,1,0.01,1"};
  shells.shells[0].regions = {{"", {"sphere:0,0,0,0.1"}, 2, 1.5}};
  shells.shells[0].handles = {{"hand", "vertex:3", "xyz turn y", 0}};
  return {
      {"bake_settings", {print_bake_settings(flesh), print_bake_settings({})}},
      {"shell_settings", {print_shell_settings(shells)}},
      {"simulation_settings", {kScene}},
      {"scene_settings", {kPaletteScene, kRecordedScene}},
      {"light_settings", {print_light_settings({}), "[sky]\nmap = \"sky.hdr\"\n"}},
      {"swim_body", {print_swim_body({})}},
      {"swim_water", {kExpressions, kStreams, "[flow]\ngrid = \"grid.txt\"\n"}},
      {"swim_course", {kCourse}},
      {"flow_grid", {kFlowGrid}},
      {"swim_call",
       {R"({"hold": {"up": 1, "left": -1, "roll": 0}, "stroke": "crawl"})",
        R"({"command": "stop", "target": [1.5, -2, 3e1], "reset": true})", R"({"target": null})"}}};
}

}  // namespace supple::bake::samples
