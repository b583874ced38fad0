// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace supple::gallery {

/// A built-in sample as the gallery shows it. To add one, add an entry to the table.
struct SampleCard {
  enum class Kind {
    Character,   ///< from samples/characters.hpp, baked
    Solid,       ///< from samples/solids.hpp, its modes as clips
    Shell,       ///< from samples/shell_samples.hpp, baked as shells
    Simulation,  ///< from samples/simulations.hpp, small, as morph targets
    Scene,       ///< from samples/scenes.hpp, small, played by its palette
    Swimmer      ///< the default body: a recorded clip, or steered live with a server
  };
  std::string id;  ///< the sample's name, unless `scene` is
  Kind kind = Kind::Character;
  std::string title;
  std::string about;
  std::string hint;
  std::string clip;            ///< played first; "": the first clip
  std::string action;          ///< what a visitor does: "shake", "poke", "drag", "clips",
                               ///< "palette" or "swim"
  double picture_at = 0;       ///< seconds of the clip
  std::vector<double> camera;  ///< for picture and video: yaw, pitch, distance; see `supple render`
  double video_from = 0;       ///< seconds of the clip
  double video_to = 0;
  double seconds = 0;       ///< approximate baking time on two cores
  std::string compare;      ///< what the video compares it with: see `supple render --compare`
  bool comparison = false;  ///< compare a shell with other methods in the viewer
  std::optional<std::string> stroke = std::nullopt;  ///< the stroke it swims and is made from
  std::string scene = {};                            ///< the name of the scene's sample
};

[[nodiscard]] const std::vector<SampleCard>& sample_cards();

}  // namespace supple::gallery
