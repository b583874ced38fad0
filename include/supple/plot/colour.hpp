// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include <string>

namespace supple::plot {

/// Red, green and blue in linear light, 0 to 1.
using Colour = Eigen::Vector3f;

/// From linear light to the eight bits of an sRGB channel, and from bits 0..255 back.
[[nodiscard]] int to_srgb8(float linear);
[[nodiscard]] float from_srgb8(int value);

/// "#rrggbb", as SVG and HTML write a colour.
[[nodiscard]] std::string to_hex(const Colour& colour);

/// OKLab lightness, chroma and hue (degrees) to linear light. A colour outside the gamut loses
/// chroma until it fits, so that its lightness and hue stay true.
[[nodiscard]] Colour from_oklch(float lightness, float chroma, float hue);
[[nodiscard]] float oklab_lightness(const Colour& colour);

/// The colour map for t = 0..1: from indigo over teal to yellow, lightness exactly linear in t.
/// Equal steps look equal, and the order survives colour blindness and a grey printer.
[[nodiscard]] Colour ramp_colour(float t);

}  // namespace supple::plot
