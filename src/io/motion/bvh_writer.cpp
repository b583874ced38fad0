// SPDX-License-Identifier: Apache-2.0
#include "supple/core/check.hpp"
#include "supple/io/bvh.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <iterator>
#include <utility>

namespace supple::io {
namespace {

constexpr std::array<const char*, 6> kWrittenChannels{"Xposition", "Yposition", "Zposition",
                                                      "Xrotation", "Yrotation", "Zrotation"};
constexpr std::size_t kMostDepth = 200;

/// Writes joints in file order: each followed by its children. The numbers of a frame use the same
/// order, regardless of the order of the list.
class BvhWriter {
 public:
  explicit BvhWriter(const Bvh& bvh) : m_bvh(bvh), m_children(bvh.joints.size()) {
    for (std::size_t j = 0; j < bvh.joints.size(); ++j) {
      const auto& parent = bvh.joints[j].parent;
      SUPPLE_CHECK(!parent || *parent < j);
      if (parent) m_children[*parent].push_back(j);
    }
  }

  Result<std::string> write() {
    SUPPLE_TRY_VOID(check());
    add("HIERARCHY\n");
    for (std::size_t j = 0; j < m_bvh.joints.size(); ++j) {
      if (!m_bvh.joints[j].parent) SUPPLE_TRY_VOID(joint(j, 0));
    }
    add("MOTION\nFrames: {}\nFrame Time: {:.9g}\n", m_bvh.frame_count(), m_bvh.frame_time);
    for (std::size_t f = 0; f < m_bvh.frame_count(); ++f) frame(f);
    return std::move(m_text);
  }

 private:
  template <class... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(m_text), format, std::forward<Values>(values)...);
  }

  [[nodiscard]] Result<void> check() const {
    if (m_bvh.joints.empty() || m_bvh.frame_count() == 0) {
      return bad_input("a BVH file needs joints and at least one frame");
    }
    if (!(m_bvh.frame_time > 0) || !std::isfinite(m_bvh.frame_time)) {
      return bad_input(fmt::format("{} s is not a valid time between frames", m_bvh.frame_time));
    }
    for (std::size_t i = 0; i < m_bvh.values.size(); ++i) {
      if (std::isfinite(m_bvh.values[i])) continue;
      return bad_input(fmt::format("frame {} of the motion contains a number that is not finite",
                                   i / m_bvh.channel_count + 1));
    }
    return {};
  }

  Result<void> joint(std::size_t j, std::size_t depth) {
    const BvhJoint& joint = m_bvh.joints[j];
    if (depth > kMostDepth || joint.name.empty() ||
        joint.name.find_first_of("{}\n\r") != std::string::npos) {
      return bad_input(fmt::format("a BVH file cannot contain the joint '{}'", joint.name));
    }
    m_order.push_back(j);
    const std::string indent(2 * depth, ' ');
    const std::string inner = indent + "  ";
    add("{}{} {}\n{}{{\n", indent, joint.parent ? "JOINT" : "ROOT", joint.name, indent);
    add("{}OFFSET {:.7g} {:.7g} {:.7g}\n", inner, joint.offset.x(), joint.offset.y(),
        joint.offset.z());
    add("{}CHANNELS {}", inner, joint.channels.size());
    for (const BvhChannel channel : joint.channels) {
      add(" {}", kWrittenChannels.at(static_cast<std::size_t>(channel)));
    }
    m_text += '\n';
    for (const std::size_t child : m_children[j]) {
      SUPPLE_TRY_VOID(this->joint(child, depth + 1));
    }
    if (joint.end) {
      add("{}End Site\n{}{{\n{}  OFFSET {:.7g} {:.7g} {:.7g}\n{}}}\n", inner, inner, inner,
          joint.end->x(), joint.end->y(), joint.end->z(), inner);
    }
    add("{}}}\n", indent);
    return {};
  }

  void frame(std::size_t f) {
    const double* values = m_bvh.values.data() + f * m_bvh.channel_count;
    const char* between = "";
    for (const std::size_t j : m_order) {
      for (std::size_t c = 0; c < m_bvh.joints[j].channels.size(); ++c) {
        add("{}{:.6f}", between, values[m_bvh.joints[j].first_channel + c]);
        between = " ";
      }
    }
    m_text += '\n';
  }

  const Bvh& m_bvh;
  std::vector<std::vector<std::size_t>> m_children;
  std::vector<std::size_t> m_order;
  std::string m_text;
};

}  // namespace

Result<std::string> write_bvh(const Bvh& bvh) {
  return BvhWriter(bvh).write();
}

}  // namespace supple::io
