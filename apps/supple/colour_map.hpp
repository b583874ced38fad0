// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

namespace supple::app {

/// Red, green and blue in linear light, 0 to 1.
using Colour = Eigen::Vector3f;

/// From linear light to the eight bits of an sRGB channel, and from bits 0..255 back.
[[nodiscard]] int to_srgb8(float linear);
[[nodiscard]] float from_srgb8(int value);

/// OKLab lightness, chroma and hue (degrees) to linear light; a colour outside the gamut loses
/// chroma until it fits, so that its lightness and hue stay true.
[[nodiscard]] Colour from_oklch(float lightness, float chroma, float hue);
[[nodiscard]] float oklab_lightness(const Colour& colour);

/// Indigo over teal to yellow for t = 0..1, lightness exactly linear in t: equal steps look equal,
/// and the order survives colour blindness and a grey printer.
[[nodiscard]] Colour displacement_colour(float t);

}  // namespace supple::app
