// SPDX-License-Identifier: Apache-2.0
#include "supple/io/snapshots.hpp"

#include "io/hdf5/handle.hpp"

#include "supple/core/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace supple::io {
namespace detail {

std::unique_lock<std::recursive_mutex> lock_hdf5() {
  static std::recursive_mutex mutex;
  std::unique_lock lock(mutex);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  return lock;
}

}  // namespace detail

namespace {

using detail::Handle;
using geometry::Vec3;

Error hdf5_failed(std::string_view what) {
  return io_error(fmt::format("HDF5 cannot {}: the memory may be full", what));
}

/// Chunks of about this size compress and read well.
constexpr std::size_t kChunkBytes = std::size_t{1} << 20U;

/// Without the times at which objects were made: the same content gives the same bytes.
Handle timeless(hid_t type) {
  Handle properties(H5Pcreate(type), H5Pclose);
  H5Pset_obj_track_times(properties.get(), false);
  return properties;
}

Handle memory_file() {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  constexpr std::size_t kGrowth = std::size_t{1} << 20U;
  if (H5Pset_fapl_core(access.get(), kGrowth, false) < 0) return {};
  // Nothing is written to a file of this name.
  return {H5Fcreate("snapshots", H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose};
}

Handle positions_set(hid_t group, hsize_t frames, hsize_t vertices) {
  const std::array<hsize_t, 3> size{frames, vertices, 3};
  const Handle space(H5Screate_simple(3, size.data(), nullptr), H5Sclose);
  const Handle properties = timeless(H5P_DATASET_CREATE);
  const hsize_t per_frame = std::max<hsize_t>(vertices * 3 * sizeof(double), 1);
  const std::array<hsize_t, 3> chunk{
      std::clamp<hsize_t>(kChunkBytes / per_frame, 1, std::max<hsize_t>(frames, 1)),
      std::max<hsize_t>(vertices, 1), 3};
  H5Pset_chunk(properties.get(), 3, chunk.data());
  H5Pset_shuffle(properties.get());
  H5Pset_deflate(properties.get(), 1);  // noise in the last bits compresses no better at more
  return {H5Dcreate2(group, "positions", H5T_IEEE_F64LE, space.get(), H5P_DEFAULT, properties.get(),
                     H5P_DEFAULT),
          H5Dclose};
}

bool write_triangles(hid_t group, const std::vector<geometry::Triangle>& triangles) {
  const std::array<hsize_t, 2> size{triangles.size(), 3};
  const Handle space(H5Screate_simple(2, size.data(), nullptr), H5Sclose);
  const Handle properties = timeless(H5P_DATASET_CREATE);
  const Handle set(H5Dcreate2(group, "triangles", H5T_STD_I32LE, space.get(), H5P_DEFAULT,
                              properties.get(), H5P_DEFAULT),
                   H5Dclose);
  return set.good() && (triangles.empty() || H5Dwrite(set.get(), H5T_NATIVE_INT32, H5S_ALL, H5S_ALL,
                                                      H5P_DEFAULT, triangles.data()) >= 0);
}

bool write_rate(hid_t file, double rate) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute(
      H5Acreate2(file, "rate", H5T_IEEE_F64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return attribute.good() && H5Awrite(attribute.get(), H5T_NATIVE_DOUBLE, &rate) >= 0;
}

}  // namespace

struct SnapshotWriter::State {
  Handle file;
  std::vector<Handle> sets;
  std::vector<hsize_t> vertices;
  std::vector<hsize_t> added;
  hsize_t frames = 0;
};

SnapshotWriter::SnapshotWriter(std::unique_ptr<State> state) : m_state(std::move(state)) {}
SnapshotWriter::SnapshotWriter(SnapshotWriter&&) noexcept = default;
SnapshotWriter& SnapshotWriter::operator=(SnapshotWriter&&) noexcept = default;
SnapshotWriter::~SnapshotWriter() {
  const auto lock = detail::lock_hdf5();
  m_state.reset();
}

Result<SnapshotWriter> SnapshotWriter::create(const std::vector<Body>& bodies, std::size_t frames,
                                              double rate) {
  const auto lock = detail::lock_hdf5();
  auto state = std::make_unique<State>();
  state->frames = frames;
  state->file = memory_file();
  if (!state->file.good() || !write_rate(state->file.get(), rate)) {
    return hdf5_failed("make a file in memory");
  }
  std::set<std::string> names;
  for (const Body& body : bodies) {
    std::string name = body.name;
    std::replace(name.begin(), name.end(), '/', '_');
    if (name.empty() || name == "." || !names.insert(name).second) {
      return bad_input(fmt::format(
          "the body '{}' needs a name of its own, other than '.', in an HDF5 file", body.name));
    }
    const Handle properties = timeless(H5P_GROUP_CREATE);
    const Handle group(
        H5Gcreate2(state->file.get(), name.c_str(), H5P_DEFAULT, properties.get(), H5P_DEFAULT),
        H5Gclose);
    Handle set = positions_set(group.get(), frames, body.vertices);
    if (!set.good() || !write_triangles(group.get(), body.triangles)) {
      return hdf5_failed(fmt::format("keep the body '{}'", body.name));
    }
    state->sets.push_back(std::move(set));
    state->vertices.push_back(body.vertices);
  }
  state->added.assign(bodies.size(), 0);
  return SnapshotWriter(std::move(state));
}

Result<void> SnapshotWriter::add(std::size_t body, const std::vector<Vec3>& positions) {
  const auto lock = detail::lock_hdf5();
  SUPPLE_CHECK_OP(positions.size(), ==, m_state->vertices[body]);
  SUPPLE_CHECK_OP(m_state->added[body], <, m_state->frames);
  const std::array<hsize_t, 3> start{m_state->added[body]++, 0, 0};
  const std::array<hsize_t, 3> count{1, positions.size(), 3};
  if (positions.empty()) return {};
  const hid_t set = m_state->sets[body].get();
  const Handle space(H5Dget_space(set), H5Sclose);
  const Handle memory(H5Screate_simple(3, count.data(), nullptr), H5Sclose);
  H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
  if (H5Dwrite(set, H5T_NATIVE_DOUBLE, memory.get(), space.get(), H5P_DEFAULT,
               positions.front().data()) < 0) {
    return hdf5_failed("keep a frame");
  }
  return {};
}

Result<Bytes> SnapshotWriter::finish() && {
  const auto lock = detail::lock_hdf5();
  for (const hsize_t added : m_state->added) SUPPLE_CHECK_OP(added, ==, m_state->frames);
  m_state->sets.clear();
  const hid_t file = m_state->file.get();
  if (H5Fflush(file, H5F_SCOPE_GLOBAL) < 0) return hdf5_failed("complete a file");
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  if (size < 0) return hdf5_failed("complete a file");
  Bytes bytes(static_cast<std::size_t>(size));
  if (H5Fget_file_image(file, bytes.data(), bytes.size()) < 0) return hdf5_failed("copy a file");
  return bytes;
}

}  // namespace supple::io
