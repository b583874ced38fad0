// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "swim/body_tables.hpp"

#include <functional>
#include <string>

namespace supple::swim {

/// The segment of a row, and of a side: 1 the right or the middle, -1 the left. Its parent and its
/// joints are not its business.
using MakeSegment = std::function<Segment(const SegmentRow& row, double side)>;

[[nodiscard]] std::string segment_name(const SegmentRow& row, double side);

/// The table's tree and joints around such segments, depth first.
[[nodiscard]] Body assemble(const BodySettings& settings, const MakeSegment& make);

/// Mass by the table and moments by the surface; the water it displaces.
void give_weight(Segment& segment, const SegmentRow& row, const BodySettings& settings);

}  // namespace supple::swim
