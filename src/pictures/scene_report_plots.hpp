// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/scene.hpp"
#include "supple/core/result.hpp"

#include <string>
#include <vector>

namespace supple::pictures {

/// An inline SVG element, or several, and what it shows.
struct ReportFigure {
  std::string svg;
  std::string caption;
};

/// Error by rank, by frame and by vertex, coverage, portrait, and the worst transition if one
/// intersects.
[[nodiscard]] Result<std::vector<ReportFigure>> scene_report_figures(
    const bake::SceneReport& report);

}  // namespace supple::pictures
