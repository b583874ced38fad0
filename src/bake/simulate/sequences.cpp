// SPDX-License-Identifier: Apache-2.0
#include "bake/simulate/sequences.hpp"

#include "supple/core/interrupt.hpp"
#include "supple/core/progress.hpp"
#include "supple/io/point_cache.hpp"
#include "supple/io/snapshots.hpp"
#include "supple/io/surface.hpp"
#include "supple/io/vtu_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace supple::bake::detail {
namespace {

using geometry::TriMesh;
using geometry::Vec3;

/// "out_0007.ply" of "out.ply".
std::string frame_path(const std::string& output, std::size_t frame) {
  std::filesystem::path path(output);
  const std::string name =
      fmt::format("{}_{:04d}{}", path.stem().string(), frame, path.extension().string());
  return path.replace_filename(name).string();
}

/// A name with nothing in it that a file system refuses.
std::string file_name(std::string text) {
  for (char& c : text) {
    if (c == '/' || c == '\\' || static_cast<unsigned char>(c) < ' ') c = '_';
  }
  return text;
}

void append(TriMesh& all, const std::vector<Vec3>& positions,
            const std::vector<geometry::Triangle>& triangles) {
  const auto first = static_cast<geometry::Index>(all.positions.size());
  all.positions.insert(all.positions.end(), positions.begin(), positions.end());
  for (const geometry::Triangle& t : triangles) {
    all.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  }
}

/// Where ParaView finds the frames and their times.
std::string collection(const std::string& output, std::size_t frames, double rate) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n";
  for (std::size_t f = 0; f < frames; ++f) {
    text += fmt::format("<DataSet timestep=\"{}\" file=\"{}\"/>\n", static_cast<double>(f) / rate,
                        std::filesystem::path(frame_path(output, f)).filename().string());
  }
  return text + "</Collection>\n</VTKFile>\n";
}

}  // namespace

Result<void> stage_ply(const std::string& output, const std::vector<MovingSurface>& surfaces,
                       OutputSet& files) {
  const std::size_t frames = surfaces.front().frames();
  Progress progress("writing frames", static_cast<double>(frames));
  for (std::size_t f = 0; f < frames; ++f) {
    SUPPLE_TRY_VOID(check_interrupt());
    TriMesh all;
    for (const MovingSurface& surface : surfaces) {
      SUPPLE_TRY(const std::vector<Vec3> positions, surface.positions(f));
      append(all, positions, surface.triangles());
    }
    SUPPLE_TRY_VOID(files.stage(frame_path(output, f), io::write_ply(all)));
    progress.advance();
  }
  return {};
}

Result<void> stage_vtu(const std::string& output, const std::vector<simulator::Body>& bodies,
                       const BuiltScene& scene, const FrameFile& frames, double rate,
                       OutputSet& files) {
  Progress progress("writing frames", static_cast<double>(frames.frames()));
  for (std::size_t f = 0; f < frames.frames(); ++f) {
    SUPPLE_TRY_VOID(check_interrupt());
    io::VtuGrid grid;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      SUPPLE_TRY(std::vector<Vec3> positions,
                 frames.positions(f, static_cast<std::size_t>(bodies[b].first_vertex),
                                  static_cast<std::size_t>(bodies[b].vertex_count)));
      if (scene.drawn[b].volume) {
        geometry::TetMesh mesh = *scene.drawn[b].volume;
        mesh.nodes = std::move(positions);
        grid.add(mesh);
      } else {
        grid.add(TriMesh{std::move(positions), bodies[b].surface});
      }
    }
    SUPPLE_TRY(const Bytes bytes, io::write_vtu(grid));
    SUPPLE_TRY_VOID(files.stage(frame_path(output, f), bytes));
    progress.advance();
  }
  const std::string list = std::filesystem::path(output).replace_extension(".pvd").string();
  return files.stage(list, collection(output, frames.frames(), rate));
}

Result<void> stage_pc2(const std::string& output, const std::vector<MovingSurface>& surfaces,
                       OutputSet& files) {
  const auto count = std::count_if(surfaces.begin(), surfaces.end(),
                                   [](const MovingSurface& s) { return s.deforms(); });
  for (const MovingSurface& surface : surfaces) {
    if (!surface.deforms()) continue;
    io::PointCache cache;
    cache.points = surface.vertex_count();
    for (std::size_t f = 0; f < surface.frames(); ++f) {
      SUPPLE_TRY(cache.frames.emplace_back(), surface.positions(f));
    }
    std::filesystem::path path(output);
    if (count > 1) {
      path.replace_filename(
          fmt::format("{}_{}.pc2", path.stem().string(), file_name(surface.name())));
    }
    SUPPLE_TRY_VOID(files.stage(path, io::write_pc2(cache)));
  }
  return {};
}

Result<void> stage_hdf5(const std::string& output, const std::vector<MovingSurface>& surfaces,
                        double rate, OutputSet& files) {
  std::vector<io::SnapshotWriter::Body> bodies;
  bodies.reserve(surfaces.size());
  for (const MovingSurface& surface : surfaces) {
    bodies.push_back({surface.name(), surface.vertex_count(), surface.triangles()});
  }
  const std::size_t frames = surfaces.front().frames();
  SUPPLE_TRY(io::SnapshotWriter writer, io::SnapshotWriter::create(bodies, frames, rate));
  for (std::size_t f = 0; f < frames; ++f) {
    SUPPLE_TRY_VOID(check_interrupt());
    for (std::size_t b = 0; b < surfaces.size(); ++b) {
      SUPPLE_TRY(const std::vector<Vec3> positions, surfaces[b].positions(f));
      SUPPLE_TRY_VOID(writer.add(b, positions));
    }
  }
  SUPPLE_TRY(const Bytes bytes, std::move(writer).finish());
  return files.stage(output, bytes);
}

}  // namespace supple::bake::detail
