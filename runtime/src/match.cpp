// SPDX-License-Identifier: Apache-2.0
#include "match.hpp"

#include "detail.hpp"
#include "match_space.hpp"

namespace supple::player {
namespace {

/// Of the mesh's longest side. Compressors round positions to 10 to 16 bits of it; in the coarsest
/// of these grids a vertex moves by up to sqrt(3) / 2 / 1023 = 8.5e-4.
constexpr double kMatchTolerance = 1e-3;
/// Of the tolerance: how far away a vertex may be to win by its normal. Vertices of a hard edge or
/// a seam of the texture coincide, and differ in it.
constexpr double kNormalWeight = 0.1;
/// Candidates per vertex. More than this many lie so close together only in a file made for it.
constexpr std::size_t kMostCandidates = 1024;
/// Vertices are sorted along this direction. Not along an axis, where many have the same place.
constexpr double kDirection[3] = {0.5377, 0.7394, 0.4051};

struct Bounds {
  double low[3] = {kNothing, kNothing, kNothing};
  double high[3] = {-kNothing, -kNothing, -kNothing};
  static constexpr double kNothing = 1e300;

  void add(const double p[3]) {
    for (int i = 0; i < 3; ++i) {
      low[i] = p[i] < low[i] ? p[i] : low[i];
      high[i] = p[i] > high[i] ? p[i] : high[i];
    }
  }
  [[nodiscard]] double side(int i) const { return high[i] - low[i]; }
  [[nodiscard]] double longest() const {
    double most = 0;
    for (int i = 0; i < 3; ++i) most = side(i) > most ? side(i) : most;
    return most;
  }
};

double key_of(const double p[3]) {
  return kDirection[0] * p[0] + kDirection[1] * p[1] + kDirection[2] * p[2];
}

void load(const float* from, double to[3]) {
  for (int i = 0; i < 3; ++i) to[i] = static_cast<double>(from[i]);
}

/// Sorts keys and what belongs to them: a heap, which needs no memory and has no worst case.
SUPPLE_FOR_SIZE void sort(double* keys, std::uint32_t* values, std::size_t count) {
  const auto swap = [&](std::size_t a, std::size_t b) {
    const double key = keys[a];
    const std::uint32_t value = values[a];
    keys[a] = keys[b];
    values[a] = values[b];
    keys[b] = key;
    values[b] = value;
  };
  const auto sift = [&](std::size_t at, std::size_t end) {
    for (std::size_t child = 2 * at + 1; child < end; child = 2 * at + 1) {
      if (child + 1 < end && keys[child + 1] > keys[child]) ++child;
      if (!(keys[child] > keys[at])) return;
      swap(at, child);
      at = child;
    }
  };
  for (std::size_t i = count / 2; i-- > 0;) sift(i, count);
  for (std::size_t end = count; end-- > 1;) {
    swap(0, end);
    sift(0, end);
  }
}

class Matcher {
 public:
  Matcher(const supple_asset& asset, const supple_mesh& mesh, MeshMatch& match)
      : m_asset(asset), m_mesh(mesh), m_match(match) {
    m_match.tolerance = kMatchTolerance * (asset.spaces == nullptr ? size() : size_of_largest());
  }

  bool run() {
    const std::uint32_t count = m_asset.summary->part_count;
    for (std::uint32_t p = 0; p < count; ++p) {
      sort_part(p);
      if (!find_primitive(p)) return false;
    }
    for (std::uint32_t p = 0; p < count; ++p) {
      if (!settle(p)) return false;
    }
    for (std::uint32_t p = 0; p < count; ++p) {
      const double distance = m_match.parts[p].distance * unit_of(m_asset, p);
      if (distance > m_match.distance) m_match.distance = distance;
    }
    return true;
  }

 private:
  struct Place {
    double p[3];
  };

  [[nodiscard]] double size() const {
    Bounds all;
    for (std::uint32_t v = 0; v < m_asset.summary->vertex_count; ++v) all.add(baked(v).p);
    return all.longest();
  }

  /// Parts in spaces of their own are not beside each other in the file.
  [[nodiscard]] double size_of_largest() const {
    double most = 0;
    for (std::uint32_t p = 0; p < m_asset.summary->part_count; ++p) {
      const format::Part& part = m_asset.parts[p];
      Bounds box;
      for (std::uint32_t i = 0; i < part.vertex_count; ++i) box.add(baked(part.first_vertex + i).p);
      const double size = unit_of(m_asset, p) * box.longest();
      most = size > most ? size : most;
    }
    return most;
  }

  [[nodiscard]] Place baked(std::uint32_t vertex) const {
    Place place{};
    load(m_asset.vertices[vertex].position.data(), place.p);
    return place;
  }

  [[nodiscard]] Place given(std::size_t vertex) const {
    Place place{};
    load(m_mesh.positions + 3 * vertex, place.p);
    return place;
  }

  void sort_part(std::uint32_t p) {
    const format::Part& part = m_asset.parts[p];
    m_near = m_match.tolerance / unit_of(m_asset, p);
    m_box = Bounds{};
    for (std::uint32_t i = 0; i < part.vertex_count; ++i) {
      const Place place = baked(part.first_vertex + i);
      m_box.add(place.p);
      m_match.order[i] = part.first_vertex + i;
      m_match.keys[i] = key_of(place.p);
    }
    sort(m_match.keys, m_match.order, part.vertex_count);
  }

  /// The primitive of the same numbers first; then the others, in their order, which tools keep.
  bool find_primitive(std::uint32_t p) {
    const format::Part& part = m_asset.parts[p];
    for (const bool same : {true, false}) {
      for (std::uint32_t g = 0; g < m_mesh.primitive_count; ++g) {
        GivenPrimitive& one = m_match.primitives[g];
        const bool is_same = one.mesh == part.mesh && one.primitive == part.primitive;
        if (is_same != same || one.taken || one.vertex_count == 0) continue;
        m_match.parts[p].primitive = g;
        if (!fits(part, one, m_match.parts[p])) continue;
        one.taken = true;
        return true;
      }
    }
    return elsewhere(part);
  }

  static bool elsewhere(const format::Part& part) {
    Detail("no primitive has its vertices where those of mesh ")
        << part.mesh << ", primitive " << part.primitive << " were";
    return false;
  }

  [[nodiscard]] const GivenPrimitive& primitive_of(std::uint32_t part) const {
    return m_match.primitives[m_match.parts[part].primitive];
  }

  /// Primitives of one mesh are drawn in one space.
  [[nodiscard]] bool share_space(std::uint32_t a, std::uint32_t b) const {
    return m_asset.parts[a].mesh == m_asset.parts[b].mesh &&
           primitive_of(a).mesh == primitive_of(b).mesh;
  }

  /// A box has corners that were rounded, and a small one tells little about its mesh: all vertices
  /// of the mesh together say better where they were. Then those near each other are told apart
  /// once more. Done with the first part of a mesh for all of its parts.
  bool settle(std::uint32_t first) {
    SpaceFit fit;
    for (std::uint32_t p = 0; p < m_asset.summary->part_count; ++p) {
      if (!share_space(first, p)) continue;
      if (p < first) return true;
      const GivenPrimitive& one = primitive_of(p);
      for (std::size_t v = one.first_vertex; v < one.first_vertex + one.vertex_count; ++v) {
        fit.add(given(v).p, baked(m_match.source[v]).p);
      }
    }
    if (!fit.solve() || (m_match.parts[first].scale == 1 && fit.is_as_it_was())) return true;
    for (std::uint32_t p = first; p < m_asset.summary->part_count; ++p) {
      if (!share_space(first, p)) continue;
      PartMatch& match = m_match.parts[p];
      match.scale = fit.scale();
      for (int i = 0; i < 3; ++i) match.shift[i] = fit.shift(i);
      sort_part(p);
      if (!match_vertices(m_asset.parts[p], primitive_of(p), match)) {
        return elsewhere(m_asset.parts[p]);
      }
    }
    return true;
  }

  bool fits(const format::Part& part, const GivenPrimitive& one, PartMatch& match) {
    Bounds box;
    for (std::size_t v = 0; v < one.vertex_count; ++v) box.add(given(one.first_vertex + v).p);
    return lay_over(box, match) && match_vertices(part, one, match);
  }

  /// Contract: the part is sorted.
  bool match_vertices(const format::Part& part, const GivenPrimitive& one, PartMatch& match) {
    match.distance = 0;
    for (std::uint32_t v = 0; v < one.vertex_count; ++v) {
      if (!match_vertex(part, one, match, v)) return false;
    }
    if (one.vertex_count == part.vertex_count) keep_order(part, one, match);
    return true;
  }

  /// Where vertices are closer together than they were rounded, the nearest is often a neighbour.
  /// If all have their old place in the list, as far as distances tell, they keep it.
  void keep_order(const format::Part& part, const GivenPrimitive& one, PartMatch& match) {
    double in_order = 0;
    for (std::uint32_t v = 0; v < one.vertex_count; ++v) {
      const double distance = apart(placed(one, match, v), baked(part.first_vertex + v));
      in_order = distance > in_order ? distance : in_order;
    }
    if (!(in_order <= 2 * match.distance)) return;
    match.distance = in_order;
    for (std::uint32_t v = 0; v < one.vertex_count; ++v) {
      m_match.source[one.first_vertex + v] = part.first_vertex + v;
    }
  }

  /// A given vertex where it was when it was baked.
  [[nodiscard]] Place placed(const GivenPrimitive& one, const PartMatch& match,
                             std::uint32_t v) const {
    Place now = given(one.first_vertex + v);
    for (int i = 0; i < 3; ++i) now.p[i] = match.scale * now.p[i] + match.shift[i];
    return now;
  }

  static double apart(const Place& a, const Place& b) {
    double squared = 0;
    for (int i = 0; i < 3; ++i) squared += (a.p[i] - b.p[i]) * (a.p[i] - b.p[i]);
    return __builtin_sqrt(squared);
  }

  /// The same place, or the same box in another size: a quantised mesh.
  bool lay_over(const Bounds& box, PartMatch& match) const {
    match = {match.primitive, 1, {0, 0, 0}, 0};
    bool same = true;
    for (int i = 0; i < 3; ++i) {
      same = same && near(box.low[i], m_box.low[i]) && near(box.high[i], m_box.high[i]);
    }
    if (same) return true;
    if (!(box.longest() > 0) || !(m_box.longest() > 0)) return false;
    match.scale = m_box.longest() / box.longest();
    for (int i = 0; i < 3; ++i) {
      if (!near(match.scale * box.side(i), m_box.side(i))) return false;
      match.shift[i] =
          0.5 * (m_box.low[i] + m_box.high[i] - match.scale * (box.low[i] + box.high[i]));
    }
    return true;
  }

  [[nodiscard]] bool near(double a, double b) const { return a - b <= m_near && b - a <= m_near; }

  /// Distance, and disagreement of the normals.
  [[nodiscard]] double cost(const Place& now, const double normal[3], std::uint32_t vertex) const {
    const Place was = baked(vertex);
    const auto& n = m_asset.vertices[vertex].normal;
    double sum = 0;
    double cosine = 0;
    double length = 0;
    for (int i = 0; i < 3; ++i) {
      sum += (now.p[i] - was.p[i]) * (now.p[i] - was.p[i]);
      cosine += normal[i] * n[static_cast<std::size_t>(i)];
      length +=
          static_cast<double>(n[static_cast<std::size_t>(i)]) * n[static_cast<std::size_t>(i)];
    }
    if (!(length > 0)) return sum;
    const double weight = kNormalWeight * m_near;
    return sum + weight * weight * (1 - cosine / __builtin_sqrt(length));
  }

  /// Of length 1, or 0: unknown.
  void load_normal(std::size_t vertex, double normal[3]) const {
    if (m_mesh.normals != nullptr) load(m_mesh.normals + 3 * vertex, normal);
    double length = 0;
    for (int i = 0; i < 3; ++i) length += normal[i] * normal[i];
    const double factor = length > 0 && length < Bounds::kNothing ? 1 / __builtin_sqrt(length) : 0;
    for (int i = 0; i < 3; ++i) normal[i] *= factor;
  }

  bool match_vertex(const format::Part& part, const GivenPrimitive& one, PartMatch& match,
                    std::uint32_t v) {
    const Place now = placed(one, match, v);
    double normal[3] = {0, 0, 0};
    load_normal(one.first_vertex + v, normal);
    // At the same place unless another is strictly better.
    const bool counts = one.vertex_count == part.vertex_count;
    std::uint32_t best = counts ? part.first_vertex + v : m_match.order[0];
    double least = cost(now, normal, best);
    search(part, now, normal, best, least);
    const double distance = apart(now, baked(best));
    if (!(distance <= m_near)) return false;
    if (distance > match.distance) match.distance = distance;
    m_match.source[one.first_vertex + v] = best;
    return true;
  }

  /// Along the sorted keys, both ways from the vertex's own: two vertices are at least as far apart
  /// as their keys.
  void search(const format::Part& part, const Place& now, const double normal[3],
              std::uint32_t& best, double& least) const {
    const double key = key_of(now.p);
    std::size_t above = 0;
    for (std::size_t step = part.vertex_count; step > 0; step /= 2) {
      while (above + step <= part.vertex_count && m_match.keys[above + step - 1] < key) {
        above += step;
      }
    }
    std::size_t below = above;
    for (std::size_t tried = 0; tried < kMostCandidates; ++tried) {
      const double up = above < part.vertex_count ? m_match.keys[above] - key : Bounds::kNothing;
      const double down = below > 0 ? key - m_match.keys[below - 1] : Bounds::kNothing;
      const double gap = up < down ? up : down;
      if (!(gap * gap < least)) return;
      const std::uint32_t candidate = m_match.order[up < down ? above++ : --below];
      const double found = cost(now, normal, candidate);
      if (!(found < least)) continue;
      least = found;
      best = candidate;
    }
  }

  const supple_asset& m_asset;
  const supple_mesh& m_mesh;
  MeshMatch& m_match;
  Bounds m_box;       // of the part whose vertices are sorted
  double m_near = 0;  // the tolerance in its units
};

}  // namespace

double unit_of(const supple_asset& asset, std::uint32_t part) {
  if (asset.spaces == nullptr) return 1;
  double squares = 0;
  for (const double number : asset.spaces[part].to_bind) squares += number * number;
  return squares > 0 ? __builtin_sqrt(squares / 3) : 1;
}

bool match_mesh(const supple_asset& asset, const supple_mesh& mesh, MeshMatch& match) {
  return Matcher(asset, mesh, match).run();
}

}  // namespace supple::player
