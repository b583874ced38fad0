// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "swim/body_tables.hpp"

#include <functional>
#include <string>

namespace supple::swim {

/// The segment of a table row for a side: 1 is right or middle, -1 left. Parent and joints are set
/// elsewhere.
using MakeSegment = std::function<Segment(const SegmentRow& row, double side)>;

[[nodiscard]] std::string segment_name(const SegmentRow& row, double side);

/// The table's tree and joints around such segments, depth first.
[[nodiscard]] Body assemble(const BodySettings& settings, const MakeSegment& make);

/// Mass by the table and moments by the surface; the water it displaces.
void give_weight(Segment& segment, const SegmentRow& row, const BodySettings& settings);

}  // namespace supple::swim
