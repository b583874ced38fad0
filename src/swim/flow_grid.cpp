// SPDX-License-Identifier: Apache-2.0
#include "supple/swim/flow.hpp"

#include "supple/core/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace supple::swim {
namespace {

constexpr std::size_t kMostValues = std::size_t{1} << 27;  // 3 GiB of velocities

/// The two neighbouring values among `count`, and the fraction from the first.
struct Between {
  std::size_t low = 0;
  std::size_t high = 0;
  double share = 0;
};

Between locate(double position, std::size_t count) {
  const double last = static_cast<double>(count - 1);
  // Written so that NaN stays NaN and indices stay in range.
  if (!(position > 0)) return {0, 0, std::isnan(position) ? position : 0};
  if (position >= last) return {count - 1, count - 1, 0};
  const auto low = static_cast<std::size_t>(position);
  return {low, low + 1, position - static_cast<double>(low)};
}

class GridFlow final : public FlowField {
 public:
  explicit GridFlow(FlowGrid grid) : m_grid(std::move(grid)) {}

  [[nodiscard]] Eigen::Vector3d velocity(const Eigen::Vector3d& at, double time) const override {
    const Eigen::Array3d place = (at - m_grid.origin).array() / m_grid.spacing.array();
    const std::array<Between, 3> cell{locate(place[0], m_grid.counts[0]),
                                      locate(place[1], m_grid.counts[1]),
                                      locate(place[2], m_grid.counts[2])};
    const Between frame = frame_at(time);
    Eigen::Vector3d first = in_frame(frame.low, cell);
    if (frame.share == 0) return first;
    return first + frame.share * (in_frame(frame.high, cell) - first);
  }

 private:
  [[nodiscard]] Between frame_at(double time) const {
    const double position = time / m_grid.frame_seconds;
    if (!m_grid.loop) return locate(position, m_grid.frames);
    const double count = static_cast<double>(m_grid.frames);
    const double turned = position - count * std::floor(position / count);
    Between frame = locate(turned, m_grid.frames + 1);
    frame.low %= m_grid.frames;
    frame.high %= m_grid.frames;
    return frame;
  }
  [[nodiscard]] Eigen::Vector3d in_frame(std::size_t frame,
                                         const std::array<Between, 3>& cell) const {
    const auto value = [&](std::size_t x, std::size_t y, std::size_t z) {
      const auto& n = m_grid.counts;
      return m_grid.velocities[((frame * n[2] + z) * n[1] + y) * n[0] + x];
    };
    const auto along_x = [&](std::size_t y, std::size_t z) -> Eigen::Vector3d {
      return (1 - cell[0].share) * value(cell[0].low, y, z) +
             cell[0].share * value(cell[0].high, y, z);
    };
    const auto along_y = [&](std::size_t z) -> Eigen::Vector3d {
      return (1 - cell[1].share) * along_x(cell[1].low, z) +
             cell[1].share * along_x(cell[1].high, z);
    };
    return (1 - cell[2].share) * along_y(cell[2].low) + cell[2].share * along_y(cell[2].high);
  }

  FlowGrid m_grid;
};

/// Words of a text, with their line numbers.
class Words {
 public:
  Words(std::string_view text, std::string_view name) : m_text(text), m_name(name) {}

  /// Empty at the end.
  std::string_view next() {
    for (;;) {
      while (m_at < m_text.size() && is_space(m_text[m_at])) m_line += m_text[m_at++] == '\n';
      if (m_at == m_text.size() || m_text[m_at] != '#') break;
      m_at = std::min(m_text.find('\n', m_at), m_text.size());
    }
    const std::size_t begin = m_at;
    while (m_at < m_text.size() && !is_space(m_text[m_at])) ++m_at;
    return m_text.substr(begin, m_at - begin);
  }
  template <class T>
  Result<T> number(std::string_view what) {
    const std::string_view word = next();
    T value{};
    const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (word.empty() || status != std::errc{} || end != word.data() + word.size())
      return wrong(fmt::format("'{}' where {} is expected", word, what));
    return value;
  }
  Result<Eigen::Vector3d> vector(std::string_view what) {
    Eigen::Vector3d v;
    for (double& value : v) {
      SUPPLE_TRY(value, number<double>(what));
    }
    return v;
  }
  [[nodiscard]] Error wrong(std::string message) const {
    return bad_input(std::move(message)).at(m_name, m_line);
  }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

  std::string_view m_text;
  std::string_view m_name;
  std::size_t m_at = 0;
  std::size_t m_line = 1;
};

/// The lines before the velocities.
Result<void> parse_header(Words& words, FlowGrid& grid) {
  for (;;) {
    const std::string_view key = words.next();
    if (key == "velocities") return {};
    if (key == "loop") {
      grid.loop = true;
    } else if (key == "origin") {
      SUPPLE_TRY(grid.origin, words.vector("a coordinate of the origin"));
    } else if (key == "spacing") {
      SUPPLE_TRY(grid.spacing, words.vector("a distance between points"));
    } else if (key == "frame_seconds") {
      SUPPLE_TRY(grid.frame_seconds, words.number<double>("the time between frames"));
    } else if (key == "frames") {
      SUPPLE_TRY(grid.frames, words.number<std::size_t>("the number of frames"));
    } else if (key == "counts") {
      for (std::size_t& count : grid.counts) {
        SUPPLE_TRY(count, words.number<std::size_t>("a number of points"));
      }
    } else if (key.empty()) {
      return words.wrong("it ends without the line 'velocities' and the numbers after it");
    } else {
      return words.wrong(
          fmt::format("'{}' is unknown; use origin, spacing, counts, frames, frame_seconds, loop, "
                      "then velocities",
                      key));
    }
  }
}

/// Points times frames; empty if the number is zero or too large.
std::optional<std::size_t> value_count(const FlowGrid& grid) {
  std::size_t count = grid.frames;
  for (const std::size_t n : grid.counts) {
    if (n == 0 || count == 0 || count > kMostValues / n) return std::nullopt;
    count *= n;
  }
  return count;
}

Result<void> check_header(const FlowGrid& grid) {
  if (!grid.origin.allFinite()) return bad_input("flow grid: its origin is not finite");
  if (!grid.spacing.allFinite() || !(grid.spacing.minCoeff() > 0))
    return bad_input("flow grid: its spacing must be above zero in every direction");
  if (!(std::isfinite(grid.frame_seconds) && grid.frame_seconds > 0))
    return bad_input("flow grid: frame_seconds must be above zero");
  if (!value_count(grid)) {
    return bad_input(
        fmt::format("flow grid: {} frames of {} x {} x {} points; it needs at least one of each "
                    "and at most {} in total",
                    grid.frames, grid.counts[0], grid.counts[1], grid.counts[2], kMostValues));
  }
  return {};
}

}  // namespace

Result<void> FlowGrid::validate() const {
  SUPPLE_TRY_VOID(check_header(*this));
  if (velocities.size() != *value_count(*this)) {
    return bad_input(fmt::format("flow grid: {} velocities for {} points in {} frames",
                                 velocities.size(), *value_count(*this) / frames, frames));
  }
  const auto bad =
      std::ranges::find_if(velocities, [](const Eigen::Vector3d& v) { return !v.allFinite(); });
  if (bad != velocities.end()) {
    return bad_input(fmt::format("flow grid: velocity {} is not finite; give numbers in m/s",
                                 bad - velocities.begin() + 1));
  }
  return {};
}

Result<Flow> flow_from_grid(FlowGrid grid) {
  SUPPLE_TRY_VOID(grid.validate());
  return Flow(std::make_shared<const GridFlow>(std::move(grid)));
}

Result<FlowGrid> parse_flow_grid(std::string_view text, std::string_view name) {
  Words words(text, name);
  FlowGrid grid;
  SUPPLE_TRY_VOID(parse_header(words, grid));
  if (Result<void> header = check_header(grid); !header) return std::move(header).error().at(name);
  const std::size_t count = *value_count(grid);
  // A number takes at least two characters: do not allocate more than the text can contain.
  if (count > text.size() / 6 + 1) {
    return words.wrong(
        fmt::format("{} velocities are announced, more than the text can contain", count));
  }
  grid.velocities.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    SUPPLE_TRY(const Eigen::Vector3d v,
               words.vector(fmt::format("a number of velocity {} of {}", i + 1, count)));
    if (!v.allFinite())
      return words.wrong(fmt::format("velocity {} is not finite; give numbers in m/s", i + 1));
    grid.velocities.push_back(v);
  }
  if (const std::string_view rest = words.next(); !rest.empty())
    return words.wrong(fmt::format("'{}' after the last of {} velocities", rest, count));
  return grid;
}

Result<Flow> read_flow_grid(const std::filesystem::path& path) {
  SUPPLE_TRY(const Bytes bytes, read_file(path));
  SUPPLE_TRY(FlowGrid grid, parse_flow_grid(as_text(bytes), path.string()));
  return flow_from_grid(std::move(grid));
}

}  // namespace supple::swim
