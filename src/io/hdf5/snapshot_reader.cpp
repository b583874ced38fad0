// SPDX-License-Identifier: Apache-2.0
#include "supple/io/snapshots.hpp"

#include "io/hdf5/handle.hpp"

#include "supple/core/check.hpp"
#include "supple/core/suggest.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

namespace supple::io {
namespace {

using detail::Handle;
using geometry::Vec3;

Error not_snapshots(const std::filesystem::path& path, std::string text) {
  return bad_input(std::move(text)).at(path.string());
}

Result<Handle> open_snapshots(const std::filesystem::path& path) {
  SUPPLE_TRY_VOID(check_plain_file(path));
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (file.good()) return file;
  std::error_code ignored;
  if (std::filesystem::file_size(path, ignored) == 0) {
    return not_snapshots(path, "the file is empty; write it again");
  }
  return not_snapshots(path, "this is not an HDF5 file, or it is damaged");
}

herr_t collect_group(hid_t parent, const char* name, const H5L_info_t* /*link*/, void* names) {
  H5O_info_t info{};
  if (H5Oget_info_by_name2(parent, name, &info, H5O_INFO_BASIC, H5P_DEFAULT) >= 0 &&
      info.type == H5O_TYPE_GROUP) {
    static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  }
  return 0;
}

std::vector<std::string> group_names(hid_t file) {
  std::vector<std::string> names;
  H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect_group, &names);
  return names;
}

/// The dataset's size if it has this many dimensions and numbers of this kind; else nothing.
std::vector<hsize_t> set_size(hid_t set, int dimensions, H5T_class_t kind) {
  const Handle space(H5Dget_space(set), H5Sclose);
  const Handle type(H5Dget_type(set), H5Tclose);
  if (H5Sget_simple_extent_ndims(space.get()) != dimensions || H5Tget_class(type.get()) != kind) {
    return {};
  }
  std::vector<hsize_t> size(static_cast<std::size_t>(dimensions));
  H5Sget_simple_extent_dims(space.get(), size.data(), nullptr);
  return size;
}

/// What the file may claim to contain for each byte that it stores: deflate, which these files use,
/// packs 1032 bytes into one at best.
constexpr double kMostPacked = 1032;

/// Whether a dataset is as large as what is stored of it allows. Numbers that were never written
/// take no space, and the library would read them as zeros.
bool is_stored(hid_t set, const std::vector<hsize_t>& size) {
  const Handle type(H5Dget_type(set), H5Tclose);
  auto bytes = static_cast<double>(H5Tget_size(type.get()));
  for (const hsize_t count : size) bytes *= static_cast<double>(count);
  return bytes <= kMostPacked * static_cast<double>(H5Dget_storage_size(set));
}

double read_rate(hid_t file) {
  double rate = 0;
  const Handle attribute(H5Aopen(file, "rate", H5P_DEFAULT), H5Aclose);
  if (attribute.good()) H5Aread(attribute.get(), H5T_NATIVE_DOUBLE, &rate);
  return rate;
}

constexpr std::size_t kMostVertices = std::numeric_limits<geometry::Index>::max();

}  // namespace

struct SnapshotReader::State {
  std::filesystem::path path;
  Handle file;
  Handle set;
  std::size_t frames = 0;
  std::size_t vertices = 0;
  double rate = 0;
  std::vector<geometry::Triangle> triangles;

  Result<void> read_positions(hid_t group);
  Result<void> read_triangles(hid_t group);
};

Result<void> SnapshotReader::State::read_positions(hid_t group) {
  set = Handle(H5Dopen2(group, "positions", H5P_DEFAULT), H5Dclose);
  const auto size = set.good() ? set_size(set.get(), 3, H5T_FLOAT) : std::vector<hsize_t>();
  if (size.empty() || size[2] != 3 || size[1] > kMostVertices) {
    return not_snapshots(path, "the dataset 'positions' must be frames x vertices x 3 numbers");
  }
  if (!is_stored(set.get(), size)) {
    return not_snapshots(path, fmt::format("the file is too small for {} frames of {} vertices; "
                                           "write it again",
                                           size[0], size[1]));
  }
  frames = size[0];
  vertices = size[1];
  return {};
}

Result<void> SnapshotReader::State::read_triangles(hid_t group) {
  const Handle stored(H5Dopen2(group, "triangles", H5P_DEFAULT), H5Dclose);
  if (!stored.good()) return {};  // positions alone will do
  const auto size = set_size(stored.get(), 2, H5T_INTEGER);
  if (size.empty() || size[1] != 3 || !is_stored(stored.get(), size)) {
    return not_snapshots(path, "the dataset 'triangles' must be n x 3 whole numbers");
  }
  triangles.resize(size[0]);
  if (!triangles.empty() && H5Dread(stored.get(), H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                    triangles.data()) < 0) {
    return not_snapshots(path, "the triangles are damaged");
  }
  for (const geometry::Triangle& triangle : triangles) {
    for (const geometry::Index corner : triangle) {
      if (corner >= 0 && static_cast<std::size_t>(corner) < vertices) continue;
      return not_snapshots(
          path, fmt::format("a triangle has the vertex {}; the body has {}", corner, vertices));
    }
  }
  return {};
}

SnapshotReader::SnapshotReader(std::unique_ptr<State> state) : m_state(std::move(state)) {}
SnapshotReader::SnapshotReader(SnapshotReader&&) noexcept = default;
SnapshotReader& SnapshotReader::operator=(SnapshotReader&&) noexcept = default;
SnapshotReader::~SnapshotReader() {
  const auto lock = detail::lock_hdf5();
  m_state.reset();
}

Result<SnapshotReader> SnapshotReader::open(const std::filesystem::path& path,
                                            const std::string& body) {
  const auto lock = detail::lock_hdf5();
  auto state = std::make_unique<State>();
  state->path = path;
  SUPPLE_TRY(state->file, open_snapshots(path));
  const std::vector<std::string> names = group_names(state->file.get());
  if (names.empty()) return not_snapshots(path, "the file has no bodies");
  if (body.empty() && names.size() > 1) {
    return not_snapshots(path, fmt::format("the file has {} bodies; name one of {}", names.size(),
                                           fmt::join(names, ", ")));
  }
  const std::string& name = body.empty() ? names.front() : body;
  const Handle group(H5Gopen2(state->file.get(), name.c_str(), H5P_DEFAULT), H5Gclose);
  if (!group.good()) {
    return not_snapshots(path, fmt::format("no body '{}'{}; there are: {}", name,
                                           did_you_mean(name, names), fmt::join(names, ", ")));
  }
  SUPPLE_TRY_VOID(state->read_positions(group.get()));
  SUPPLE_TRY_VOID(state->read_triangles(group.get()));
  state->rate = read_rate(state->file.get());
  return SnapshotReader(std::move(state));
}

std::size_t SnapshotReader::frames() const {
  return m_state->frames;
}
std::size_t SnapshotReader::vertices() const {
  return m_state->vertices;
}
double SnapshotReader::rate() const {
  return m_state->rate;
}
const std::vector<geometry::Triangle>& SnapshotReader::triangles() const {
  return m_state->triangles;
}

Result<std::vector<Vec3>> SnapshotReader::frame(std::size_t number) const {
  const auto lock = detail::lock_hdf5();
  SUPPLE_CHECK_OP(number, <, m_state->frames);
  std::vector<Vec3> positions(m_state->vertices);
  if (positions.empty()) return positions;
  const std::array<hsize_t, 3> start{number, 0, 0};
  const std::array<hsize_t, 3> count{1, positions.size(), 3};
  const Handle space(H5Dget_space(m_state->set.get()), H5Sclose);
  const Handle memory(H5Screate_simple(3, count.data(), nullptr), H5Sclose);
  H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
  if (H5Dread(m_state->set.get(), H5T_NATIVE_DOUBLE, memory.get(), space.get(), H5P_DEFAULT,
              positions.front().data()) < 0) {
    return not_snapshots(m_state->path, fmt::format("frame {} is damaged", number));
  }
  for (const Vec3& point : positions) {
    if (point.allFinite()) continue;
    return not_snapshots(m_state->path,
                         fmt::format("frame {} has numbers that are not finite", number));
  }
  return positions;
}

Result<std::vector<std::string>> snapshot_bodies(const std::filesystem::path& path) {
  const auto lock = detail::lock_hdf5();
  SUPPLE_TRY(const Handle file, open_snapshots(path));
  return group_names(file.get());
}

}  // namespace supple::io
