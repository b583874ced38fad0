// SPDX-License-Identifier: Apache-2.0
#include "gallery_samples.hpp"

namespace supple::app {

const std::vector<SampleCard>& sample_cards() {
  using Kind = SampleCard::Kind;
  static const std::vector<SampleCard> cards{
      {.id = "dyrt-man",
       .kind = Kind::Character,
       .title = "The stout man",
       .about =
           "Bones move him; belly and thighs follow in their own time, by a handful of numbers "
           "each.",
       .hint = "Drag him about and let him go; choose the jump and watch him land.",
       .clip = "jump",
       .action = "shake",
       .picture_at = 1.2833,
       .camera = {32, 6, 0.94},
       .video_from = 0.5,
       .video_to = 2.5,
       .seconds = 20},
      {.id = "tissue",
       .kind = Kind::Character,
       .title = "A patch of tissue",
       .about = "Soft tissue on a tray, probed by a hook: a surface that gives, rings and settles.",
       .hint = "Poke it anywhere; make it stiffer and poke again.",
       .clip = "probe",
       .action = "poke",
       .picture_at = 2.1,
       .camera = {28, 26, 0.92},
       .video_from = 1.5,
       .video_to = 3.5,
       .seconds = 10},
      {.id = "creature",
       .kind = Kind::Solid,
       .title = "Shapes of a creature",
       .about = "The ways in which a rubber animal likes to swing, the slowest first: what all the "
                "flesh here is made of.",
       .hint = "Go through the clips: each is one shape with its frequency.",
       .clip = "",
       .action = "clips",
       .picture_at = 0.4,
       .camera = {60, 12, 1},
       .video_from = 0,
       .video_to = 3.2,
       .seconds = 5},
  };
  return cards;
}

}  // namespace supple::app
