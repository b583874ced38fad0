// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace supple::gallery {

/// A sample of ours as the gallery shows it. A new one is an entry of the table, and no more.
struct SampleCard {
  enum class Kind {
    Character,  ///< of samples/characters.hpp: baked
    Solid,      ///< of samples/solids.hpp: its modes as clips
    Shell,      ///< of samples/shell_samples.hpp: baked as shells
    Swimmer     ///< of the program's own body: a recorded clip, steered where a program runs
  };
  std::string id;  ///< the sample's name
  Kind kind = Kind::Character;
  std::string title;
  std::string about;
  std::string hint;
  std::string clip;            ///< to begin with; "": the first
  std::string action;          ///< what a visitor does: "shake", "poke", "drag", "clips" or
                               ///< "swim"
  double picture_at = 0;       ///< seconds of the clip
  std::vector<double> camera;  ///< of picture and video: yaw, pitch, distance; see `supple render`
  double video_from = 0;       ///< seconds of the clip
  double video_to = 0;
  double seconds = 0;       ///< about what baking takes on two cores
  std::string compare;      ///< what the video shows beside it: see `supple render --compare`
  bool comparison = false;  ///< of a shell with other methods, for the viewer
  std::optional<std::string> stroke = std::nullopt;  ///< that it swims, and is made of
};

[[nodiscard]] const std::vector<SampleCard>& sample_cards();

}  // namespace supple::gallery
