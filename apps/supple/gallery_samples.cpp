// SPDX-License-Identifier: Apache-2.0
#include "gallery_samples.hpp"

namespace supple::app {

const std::vector<SampleCard>& sample_cards() {
  using Kind = SampleCard::Kind;
  static const std::vector<SampleCard> cards{
      {"dyrt-man",
       Kind::Character,
       "The stout man",
       "Bones move him, and thighs and belly come after, each by the few numbers that its flesh "
       "needs.",
       "drag him about, then let him go; choose the jump and watch him land.",
       "jump",
       "shake",
       {28, 8},
       0.6,
       2.5,
       20},
      {"tissue",
       Kind::Character,
       "A patch of tissue",
       "Soft tissue on a tray, probed by a hook: a whole surface that gives and settles.",
       "poke it anywhere; make it stiffer and poke again.",
       "probe",
       "poke",
       {28, 30},
       1.5,
       3.5,
       10},
      {"creature",
       Kind::Solid,
       "Shapes of a creature",
       "The ways in which a rubber animal likes to swing, lowest first: what all the flesh here is "
       "made of.",
       "go through the clips: each is one shape with its frequency.",
       "",
       "clips",
       {60, 12},
       0,
       3.2,
       5},
  };
  return cards;
}

}  // namespace supple::app
