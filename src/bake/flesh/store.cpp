// SPDX-License-Identifier: Apache-2.0
#include "bake/flesh/store.hpp"

#include "supple/bake/settings.hpp"
#include "supple/core/files.hpp"
#include "supple/core/hash.hpp"
#include "supple/core/log.hpp"
#include "supple/core/version.hpp"

#include <fmt/format.h>

#include <cstring>

namespace supple::bake {
namespace {

/// One list of fields for reading and writing: an Archive either writes each field or fills it.
class RecordWriter {
 public:
  template <class T>
  void number(T& value) {
    const auto* raw = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), raw, raw + sizeof(T));
  }
  std::size_t count(std::size_t size) {
    number(size);
    return size;
  }
  Bytes bytes;
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : m_bytes(bytes) {}
  template <class T>
  void number(T& value) {
    if (m_bytes.size() < sizeof(T)) {
      good = false;
      return;
    }
    std::memcpy(&value, m_bytes.data(), sizeof(T));
    m_bytes = m_bytes.subspan(sizeof(T));
  }
  /// Each entry takes at least one byte: a length beyond the file's size means damage, not a large
  /// list.
  std::size_t count(std::size_t /*size*/) {
    std::size_t size = 0;
    number(size);
    if (size > m_bytes.size()) good = false;
    return good ? size : 0;
  }
  bool good = true;

 private:
  std::span<const std::byte> m_bytes;
};

template <class Archive, class T, class Each>
void list(Archive& archive, std::vector<T>& values, Each each) {
  values.resize(archive.count(values.size()));
  for (T& value : values) each(value);
}

template <class Archive>
void text(Archive& archive, std::string& value) {
  value.resize(archive.count(value.size()));
  for (char& c : value) archive.number(c);
}

template <class Archive, class Matrix>
void fixed_matrix(Archive& archive, Matrix& matrix) {
  for (Eigen::Index i = 0; i < matrix.size(); ++i) archive.number(matrix.data()[i]);
}

template <class Archive>
void visit_fields(Archive& archive, soft::Mode& mode) {
  archive.number(mode.omega);
  archive.number(mode.damping);
  archive.number(mode.transfer);
  archive.number(mode.centrifugal);
  archive.number(mode.share);
  for (auto* vectors : {&mode.displacements, &mode.normals}) {
    list(archive, *vectors, [&](geometry::Vec3& v) { fixed_matrix(archive, v); });
  }
}

/// All but `seconds`: the same object gives the same bytes in every run.
template <class Archive>
void visit_fields(Archive& archive, flesh::FleshObject& object) {
  text(archive, object.name);
  text(archive, object.bone);
  archive.number(object.joint);
  archive.number(object.driver);
  fixed_matrix(archive, object.frame_from_bind);
  fixed_matrix(archive, object.rest_rotation.coeffs());
  for (double* value :
       {&object.limit, &object.mass, &object.thickness, &object.sag, &object.stiffening}) {
    archive.number(*value);
  }
  for (std::size_t* value : {&object.elements, &object.nodes, &object.fixed_nodes}) {
    archive.number(*value);
  }
  list(archive, object.vertices, [&](std::uint32_t& v) { archive.number(v); });
  list(archive, object.modes, [&](soft::Mode& mode) { visit_fields(archive, mode); });
  list(archive, object.coriolis, [&](Eigen::MatrixXd& matrix) {
    const auto modes = static_cast<Eigen::Index>(object.modes.size());
    matrix.resize(modes, modes);
    fixed_matrix(archive, matrix);
  });
}

Hash hash_of(std::span<const std::byte> bytes) {
  return Hasher().add(bytes).finish();
}

std::string hash_character(const character::Character& character) {
  Hasher hasher;
  hasher.add(version()).add(character.metres_per_unit).add(character.bones.size());
  for (const character::Bone& bone : character.bones) {
    hasher.add(bone.name.size()).add(bone.name).add(bone.parent.value_or(character.bones.size()));
    for (const auto* matrix : {&bone.rest_world, &bone.inverse_bind}) {
      hasher.add(std::as_bytes(std::span<const double>(matrix->data(), 16)));
    }
  }
  for (const auto* vectors : {&character.positions, &character.normals}) {
    hasher.add(vectors->size());
    for (const geometry::Vec3& v : *vectors) hasher.add(v.x()).add(v.y()).add(v.z());
  }
  hasher.add(character.triangles).add(character.materials).add(character.material_names.size());
  for (const std::string& name : character.material_names) hasher.add(name.size()).add(name);
  hasher.add(character.influences).add(character.joints).add(character.weights);
  for (const auto& [name, mask] : character.masks) hasher.add(name.size()).add(name).add(mask);
  return hasher.finish().hex();
}

}  // namespace

Result<BakeStore> BakeStore::open(const std::filesystem::path& directory,
                                  const character::Character& character) {
  std::error_code failure;
  std::filesystem::create_directories(directory, failure);
  if (failure) {
    return io_error(
        fmt::format("cannot create the directory '{}': {}", directory.string(), failure.message()));
  }
  BakeStore store;
  store.m_directory = directory;
  store.m_character = hash_character(character);
  return store;
}

std::filesystem::path BakeStore::path(const flesh::ObjectSettings& settings) const {
  BakeSettings alone;
  alone.objects = {settings};
  const Hash hash = Hasher().add(m_character).add(print_bake_settings(alone)).finish();
  return m_directory / (hash.hex() + ".flesh");
}

std::optional<flesh::FleshObject> BakeStore::find(const flesh::ObjectSettings& settings) const {
  const std::filesystem::path file = path(settings);
  if (!std::filesystem::exists(file)) return {};
  auto bytes = read_file(file);
  Hash expected;
  if (!bytes.ok() || bytes->size() < sizeof expected.words) return {};
  const std::span<const std::byte> all(*bytes);
  std::memcpy(&expected.words, all.data(), sizeof expected.words);
  const auto content = all.subspan(sizeof expected.words);
  flesh::FleshObject object;
  Reader reader(content);
  if (hash_of(content) == expected) visit_fields(reader, object);
  if (object.name != settings.name || !reader.good) {
    log::warn("'{}' is damaged; making it again", file.string());
    return {};
  }
  return object;
}

Result<void> BakeStore::keep(const flesh::ObjectSettings& settings,
                             const flesh::FleshObject& object) const {
  RecordWriter content;
  flesh::FleshObject copy = object;  // the list of fields needs a mutable object
  visit_fields(content, copy);
  RecordWriter file;
  Hash hash = hash_of(content.bytes);
  file.number(hash.words);
  file.bytes.insert(file.bytes.end(), content.bytes.begin(), content.bytes.end());
  return write_file(path(settings), file.bytes);
}

}  // namespace supple::bake
