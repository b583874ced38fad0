// SPDX-License-Identifier: Apache-2.0
#include "bake/scene/run_frames.hpp"

#include "supple/core/interrupt.hpp"
#include "supple/core/progress.hpp"
#include "supple/io/formats.hpp"
#include "supple/io/point_cache.hpp"
#include "supple/io/snapshots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

namespace supple::bake::detail {
namespace {

namespace fs = std::filesystem;
using geometry::Triangle;
using geometry::Vec3;

constexpr const char* kSameMesh =
    "every frame must be the same mesh with its vertices in the same order; export again without "
    "modifiers that change the mesh, and keep the order of vertices";

/// Whether two neighbouring triangles cover the same quad in both lists: the edges around it are
/// the same, in the same direction.
bool same_quad(const Triangle* a, const Triangle* b) {
  using Edge = std::pair<geometry::Index, geometry::Index>;
  const auto outline = [](const Triangle* pair) {
    std::set<Edge> edges;
    for (std::size_t t = 0; t < 2; ++t) {
      for (std::size_t k = 0; k < 3; ++k) {
        const Edge edge{pair[t][k], pair[t][(k + 1) % 3]};
        if (edges.erase({edge.second, edge.first}) == 0) edges.insert(edge);
      }
    }
    return edges;
  };
  const std::set<Edge> edges = outline(a);
  return edges.size() == 4 && edges == outline(b);
}

class RunReader {
 public:
  RunReader(const SceneRunSettings& settings, const fs::path& directory, double rate, double scale)
      : m_settings(settings), m_path(directory / settings.frames), m_rate(rate), m_scale(scale) {
    m_frames.name = settings.frames;
  }

  Result<RunFrames> read() {
    std::string extension = m_path.extension().string();
    for (char& c : extension) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    const bool sequence = m_settings.frames.find('*') != std::string::npos;
    if (!m_settings.body.empty() && extension != ".h5") {
      return bad_input(fmt::format("'{}' has no bodies with names, only .h5 files do; remove body",
                                   m_settings.frames));
    }
    if (sequence && (extension == ".obj" || extension == ".ply")) {
      SUPPLE_TRY_VOID(read_sequence());
    } else if (!sequence && (extension == ".pc2" || extension == ".mdd")) {
      SUPPLE_TRY_VOID(read_cache(extension == ".mdd"));
    } else if (!sequence && extension == ".h5") {
      SUPPLE_TRY_VOID(read_snapshots());
    } else {
      return bad_input(
          fmt::format("'{}' is not a recording; known are sequences such as 'run_*.obj' and "
                      "'run_*.ply', and files .pc2, .mdd and .h5",
                      m_settings.frames));
    }
    if (m_frames.run.frames() >= 2) return std::move(m_frames);
    return bad_input("the recording has fewer than two frames; nothing moves in it")
        .at(m_path.string());
  }

 private:
  /// The number in a file's name, if the name fits the pattern.
  static std::optional<std::size_t> number_in(std::string_view name, std::string_view before,
                                              std::string_view after) {
    if (name.size() <= before.size() + after.size() || !name.starts_with(before) ||
        !name.ends_with(after)) {
      return {};
    }
    const std::string_view digits =
        name.substr(before.size(), name.size() - before.size() - after.size());
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc() || end != digits.data() + digits.size()) return {};
    return number;
  }

  /// The files of a sequence by their numbers, which have no gap.
  Result<std::map<std::size_t, fs::path>> find_files() const {
    const std::string pattern = m_path.filename().string();
    const std::size_t star = pattern.find('*');
    if (star == std::string::npos || pattern.find('*', star + 1) != std::string::npos) {
      return bad_input(
          fmt::format("'{}': frames have one * in place of their numbers, in the name "
                      "of the file",
                      m_settings.frames));
    }
    const std::string_view before = std::string_view(pattern).substr(0, star);
    const std::string_view after = std::string_view(pattern).substr(star + 1);
    const fs::path folder = m_path.has_parent_path() ? m_path.parent_path() : fs::path(".");
    std::error_code failure;
    std::map<std::size_t, fs::path> files;
    for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
         entry.increment(failure)) {
      const auto number = number_in(entry->path().filename().string(), before, after);
      if (!number) continue;
      const auto [same, added] = files.emplace(*number, entry->path());
      if (added) continue;
      std::array<std::string, 2> both{same->second.filename().string(),
                                      entry->path().filename().string()};
      std::sort(both.begin(), both.end());
      return bad_input(fmt::format("'{}' and '{}' are both frame {}; remove one of them", both[0],
                                   both[1], *number));
    }
    if (failure) {
      return io_error(
          fmt::format("cannot read the folder '{}': {}", folder.string(), failure.message()));
    }
    if (files.empty()) {
      return io_error(
          fmt::format("no file is called '{}' with a number in place of the *, such as "
                      "'{}0001{}'; correct frames or export the sequence",
                      m_path.string(), before, after));
    }
    std::size_t expected = files.begin()->first;
    for (const auto& [number, path] : files) {
      if (number != expected) {
        return bad_input(fmt::format("frame {} is missing: '{}' follows frame {}; export it again, "
                                     "or make two runs of the parts",
                                     expected, path.filename().string(), expected - 1))
            .at(m_path.string());
      }
      ++expected;
    }
    return files;
  }

  Result<void> read_sequence() {
    SUPPLE_TRY(const auto files, find_files());
    m_frames.first = files.begin()->first;
    Progress progress("reading frames", static_cast<double>(files.size()));
    for (const auto& [number, path] : files) {
      SUPPLE_TRY_VOID(check_interrupt());
      const std::string frame = fmt::format("frame {}", number);
      const bool first = number == m_frames.first;
      io::MarkedSurface surface;
      if (first) {
        SUPPLE_TRY(surface, io::read_marked_surface(path).during("reading " + frame));
      } else {
        SUPPLE_TRY(surface.mesh, io::read_surface(path).during("reading " + frame));
        const std::string other = fmt::format("frame {}", m_frames.first);
        auto same =
            check_vertices(surface.mesh.positions.size(), m_frames.run.vertices, frame, other);
        if (same.ok()) {
          same = check_triangles(surface.mesh.triangles, m_frames.surface.mesh.triangles, frame,
                                 other);
        }
        if (!same.ok()) return std::move(same).error().at(path.string());
      }
      SUPPLE_TRY_VOID(add(surface.mesh.positions, number, path));
      if (first) m_frames.surface = std::move(surface);
      progress.advance();
    }
    m_frames.surface.mesh.positions.clear();
    return {};
  }

  Result<void> read_cache(bool is_mdd) {
    SUPPLE_TRY(const Bytes bytes, read_file(m_path));
    SUPPLE_TRY(const io::PointCache cache, is_mdd ? io::read_mdd(bytes, m_path.string())
                                                  : io::read_pc2(bytes, m_path.string()));
    if (cache.times.size() > 1) {
      const double seconds = cache.times.back() - cache.times.front();
      // Some programs leave all times at 0.
      if (seconds > 0) {
        SUPPLE_TRY_VOID(check_rate(static_cast<double>(cache.times.size() - 1) / seconds, 0.01));
      }
    }
    for (std::size_t f = 0; f < cache.frames.size(); ++f) {
      SUPPLE_TRY_VOID(add(cache.frames[f], f, m_path));
    }
    return {};
  }

  Result<void> read_snapshots() {
    SUPPLE_TRY(const io::SnapshotReader reader, io::SnapshotReader::open(m_path, m_settings.body));
    constexpr double kRounding = 1e-6;
    if (reader.rate() > 0) SUPPLE_TRY_VOID(check_rate(reader.rate(), kRounding));
    m_frames.surface.mesh.triangles = reader.triangles();
    Progress progress("reading frames", static_cast<double>(reader.frames()));
    for (std::size_t f = 0; f < reader.frames(); ++f) {
      SUPPLE_TRY_VOID(check_interrupt());
      SUPPLE_TRY(const std::vector<Vec3> positions, reader.frame(f));
      SUPPLE_TRY_VOID(add(positions, f, m_path));
      progress.advance();
    }
    return {};
  }

  [[nodiscard]] Result<void> check_rate(double rate, double tolerance) const {
    if (std::abs(rate - m_rate) <= tolerance * m_rate) return {};
    return bad_input(fmt::format("the file has {:.4g} frames per second and the scene {:.4g}; set "
                                 "rate = {:.4g}",
                                 rate, m_rate, rate))
        .at(m_path.string());
  }

  Result<void> add(const std::vector<Vec3>& positions, std::size_t number, const fs::path& path) {
    constexpr double kFurthest = 1e6;  // m: beyond it floats cannot tell a millimetre from another
    m_frames.run.vertices = positions.size();
    for (const Vec3& p : positions) {
      if (!((m_scale * p).cwiseAbs().maxCoeff() <= kFurthest)) {
        return bad_input(fmt::format("frame {} has a vertex further than {:g} m from the origin; "
                                     "repair the file or correct scale",
                                     number, kFurthest))
            .at(path.string());
      }
      for (const double x : p) m_frames.run.positions.push_back(static_cast<float>(m_scale * x));
    }
    return {};
  }

  const SceneRunSettings& m_settings;
  fs::path m_path;
  double m_rate, m_scale;
  RunFrames m_frames;
};

}  // namespace

Result<RunFrames> read_run(const SceneRunSettings& settings, const fs::path& directory, double rate,
                           double scale) {
  return RunReader(settings, directory, rate, scale).read();
}

Result<void> check_vertices(std::size_t vertices, std::size_t expected, const std::string& frame,
                            const std::string& other) {
  if (vertices == expected) return {};
  return bad_input(fmt::format("{} has {} vertices and {} has {}: {}", frame, vertices, other,
                               expected, kSameMesh));
}

Result<void> check_triangles(const std::vector<Triangle>& triangles,
                             const std::vector<Triangle>& expected, const std::string& frame,
                             const std::string& other) {
  if (triangles.size() != expected.size()) {
    return bad_input(fmt::format("{} has {} triangles and {} has {}: {}", frame, triangles.size(),
                                 other, expected.size(), kSameMesh));
  }
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    if (triangles[t] == expected[t]) continue;
    if (t + 1 < triangles.size() && same_quad(&triangles[t], &expected[t])) {
      ++t;
      continue;
    }
    return bad_input(
        fmt::format("{} connects its vertices otherwise than {}, from triangle {} on: "
                    "{}",
                    frame, other, t + 1, kSameMesh));
  }
  return {};
}

}  // namespace supple::bake::detail
