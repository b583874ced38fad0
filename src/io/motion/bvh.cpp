// SPDX-License-Identifier: Apache-2.0
#include "supple/io/bvh.hpp"

#include "io/content.hpp"
#include "io/text_cursor.hpp"

#include "supple/core/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace supple::io {
namespace {

using detail::in_quotes;
using detail::TextCursor;
using detail::to_upper;
using geometry::Vec3;

constexpr double kLargestNumber = 1e9;  // of a length or an angle; sums stay finite
constexpr std::array<std::pair<std::string_view, BvhChannel>, 6> kChannelNames{{
    {"XPOSITION", BvhChannel::PositionX},
    {"YPOSITION", BvhChannel::PositionY},
    {"ZPOSITION", BvhChannel::PositionZ},
    {"XROTATION", BvhChannel::RotationX},
    {"YROTATION", BvhChannel::RotationY},
    {"ZROTATION", BvhChannel::RotationZ},
}};

class BvhReader {
 public:
  BvhReader(std::string_view text, std::string_view name) : m_at(text, name) { m_bvh.name = name; }

  Result<Bvh> read() {
    if (m_at.rest().starts_with("\xEF\xBB\xBF")) {
      std::span<const std::byte> mark;
      (void)m_at.take_bytes(3, mark);
    }
    SUPPLE_TRY_VOID(
        expect_word("HIERARCHY", "the line 'HIERARCHY' that every BVH file starts with"));
    SUPPLE_TRY_VOID(read_hierarchy());
    SUPPLE_TRY_VOID(read_motion());
    return std::move(m_bvh);
  }

 private:
  Result<void> expect_word(std::string_view word, std::string_view what) {
    m_at.skip_space();
    const TextCursor before = m_at;
    if (to_upper(m_at.take_word()) != word) return before.expected(what);
    return {};
  }

  /// The keyword that comes next, in capitals; braces are separate tokens even without spaces
  /// around them.
  std::string take_keyword() {
    m_at.skip_space();
    if (m_at.take('{')) return "{";
    if (m_at.take('}')) return "}";
    std::string word;
    while (!m_at.at_line_end() && m_at.peek() != '{' && m_at.peek() != '}' && m_at.peek() != ' ' &&
           m_at.peek() != '\t' && m_at.peek() != '\r') {
      word += m_at.peek();
      (void)m_at.take(m_at.peek());
    }
    return to_upper(word);
  }

  /// The rest of the line up to a brace: names may contain blanks.
  std::string take_name() {
    std::string name;
    while (!m_at.at_line_end() && m_at.peek() != '{') {
      name += m_at.peek();
      (void)m_at.take(m_at.peek());
    }
    return std::string(detail::trim(name));
  }

  Result<double> take_number(std::string_view what) {
    m_at.skip_space();
    const TextCursor before = m_at;
    double value = 0;
    if (!m_at.take_real(value)) return before.expected(what);
    if (!(std::abs(value) <= kLargestNumber)) {
      return before.error(fmt::format("{} is not a sensible number", what));
    }
    return value;
  }

  Result<void> open_joint(bool root) {
    BvhJoint joint;
    joint.name = take_name();
    if (joint.name.empty()) return m_at.expected("the joint's name");
    if (!root) joint.parent = m_open.back();
    m_at.skip_space();
    if (!m_at.take('{')) return m_at.expected(fmt::format("'{{' after joint '{}'", joint.name));
    joint.first_channel = m_bvh.channel_count;
    m_open.push_back(m_bvh.joints.size());
    m_bvh.joints.push_back(std::move(joint));
    return {};
  }

  Result<Vec3> take_vector(std::string_view what) {
    Vec3 vector;
    for (int axis = 0; axis < 3; ++axis) {
      SUPPLE_TRY(vector[axis], take_number(what));
    }
    return vector;
  }

  Result<void> read_channels(BvhJoint& joint) {
    std::int64_t count = 0;
    if (!m_at.next_integer(count)) return m_at.expected("the number of channels");
    if (count < 0 || count > 6 || !joint.channels.empty()) {
      return m_at.error(fmt::format("joint {}: {} channels; a joint has at most 6, given once",
                                    in_quotes(joint.name), count));
    }
    for (std::int64_t i = 0; i < count; ++i) {
      m_at.skip_space();
      const TextCursor before = m_at;
      const std::string word = to_upper(m_at.take_word());
      const auto* known = std::find_if(kChannelNames.begin(), kChannelNames.end(),
                                       [&](const auto& entry) { return entry.first == word; });
      if (known == kChannelNames.end()) {
        return before.expected("a channel: Xposition ... Zposition or Xrotation ... Zrotation");
      }
      joint.channels.push_back(known->second);
    }
    joint.first_channel = m_bvh.channel_count;
    m_bvh.channel_count += joint.channels.size();
    return {};
  }

  Result<void> read_end_site() {
    if (take_keyword() != "SITE") return m_at.expected("'End Site'");
    m_at.skip_space();
    if (!m_at.take('{')) return m_at.expected("'{' after 'End Site'");
    if (take_keyword() != "OFFSET") return m_at.expected("OFFSET of the end site");
    SUPPLE_TRY(m_bvh.joints[m_open.back()].end, take_vector("the end site's offset"));
    m_at.skip_space();
    if (!m_at.take('}')) return m_at.expected("'}' after the end site");
    return {};
  }

  Result<void> read_hierarchy() {
    for (;;) {
      m_at.skip_space();
      const TextCursor before = m_at;
      const std::string word = take_keyword();
      if (word == "MOTION" && m_open.empty()) break;
      if (word == "ROOT" && m_open.empty()) {
        SUPPLE_TRY_VOID(open_joint(true));
      } else if (m_open.empty()) {
        return before.expected(m_bvh.joints.empty() ? "ROOT" : "MOTION or another ROOT");
      } else if (word == "JOINT") {
        SUPPLE_TRY_VOID(open_joint(false));
      } else if (word == "OFFSET") {
        SUPPLE_TRY(m_bvh.joints[m_open.back()].offset, take_vector("the joint's offset"));
      } else if (word == "CHANNELS") {
        SUPPLE_TRY_VOID(read_channels(m_bvh.joints[m_open.back()]));
      } else if (word == "END") {
        SUPPLE_TRY_VOID(read_end_site());
      } else if (word == "}") {
        m_open.pop_back();
      } else {
        return before.expected(fmt::format("OFFSET, CHANNELS, JOINT, End Site or '}}' of joint {}",
                                           in_quotes(m_bvh.joints[m_open.back()].name)));
      }
    }
    if (m_bvh.joints.empty()) return m_at.error("the hierarchy has no ROOT");
    if (m_bvh.channel_count == 0) return m_at.error("no joint has channels, so nothing moves");
    return {};
  }

  Result<void> read_motion() {
    SUPPLE_TRY_VOID(expect_word("FRAMES:", "'Frames:' and their number"));
    m_at.skip_space();
    const TextCursor count_at = m_at;
    std::int64_t frames = 0;
    if (!m_at.take_integer(frames)) return count_at.expected("the number of frames");
    if (frames <= 0) return count_at.error("the motion has no frames");
    SUPPLE_TRY_VOID(expect_word("FRAME", "'Frame Time:' and seconds"));
    SUPPLE_TRY_VOID(expect_word("TIME:", "'Frame Time:' and seconds"));
    m_at.skip_space();
    const TextCursor time_at = m_at;
    SUPPLE_TRY(m_bvh.frame_time, take_number("the time of a frame in seconds"));
    if (!(m_bvh.frame_time > 1e-6 && m_bvh.frame_time < 1e4)) {
      return time_at.error(fmt::format("a frame time of {:g} s; expected something like 0.0083333",
                                       m_bvh.frame_time));
    }
    return read_frames(frames);
  }

  /// The announced number is not trusted: memory grows with the actual content.
  Result<void> read_frames(std::int64_t announced) {
    std::vector<double>& values = m_bvh.values;
    const std::size_t width = m_bvh.channel_count;
    for (std::int64_t frame = 0; frame < announced; ++frame) {
      m_at.skip_space();
      if (m_at.at_end()) break;
      const std::size_t line = m_at.line_number();
      for (std::size_t i = 0; i < width; ++i) {
        m_at.skip_space();
        if (m_at.at_end()) {
          m_bvh.warnings.push_back(fmt::format(
              "line {}: the last frame has {} of {} numbers and was skipped", line, i, width));
          values.resize(values.size() - i);
          return end_of_frames(announced);
        }
        SUPPLE_TRY(const double value, take_number(fmt::format("number {} of {} of frame {}", i + 1,
                                                               width, frame + 1)));
        values.push_back(value);
      }
    }
    m_at.skip_space();
    if (!m_at.at_end()) {
      m_bvh.warnings.push_back(fmt::format("line {}: ignored data after the {} announced frames",
                                           m_at.line_number(), announced));
    }
    return end_of_frames(announced);
  }

  Result<void> end_of_frames(std::int64_t announced) {
    const std::size_t found = m_bvh.frame_count();
    if (found == 0) return m_at.error("the file ends before its first frame");
    if (found < static_cast<std::size_t>(announced)) {
      m_bvh.warnings.push_back(fmt::format("{} frames announced, {} found", announced, found));
    }
    return {};
  }

  TextCursor m_at;
  Bvh m_bvh;
  std::vector<std::size_t> m_open;  // joints whose braces are open, outermost first
};

struct Local {
  Vec3 position;
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
};

Local local_at(const BvhJoint& joint, const double* frame) {
  Local local{joint.offset};
  bool placed = false;
  for (std::size_t i = 0; i < joint.channels.size(); ++i) {
    const int channel = static_cast<int>(joint.channels[i]);
    const double value = frame[joint.first_channel + i];
    if (channel < 3) {
      if (!placed) local.position.setZero();
      placed = true;
      local.position[channel] = value;
    } else {
      const double angle = std::remainder(value, 360.0) * std::numbers::pi / 180;
      local.rotation = local.rotation * Eigen::AngleAxisd(angle, Vec3::Unit(channel - 3));
    }
  }
  return local;
}

std::vector<Eigen::Isometry3d> chain(const Bvh& bvh, const std::vector<Local>& locals) {
  std::vector<Eigen::Isometry3d> world(bvh.joints.size());
  for (std::size_t j = 0; j < world.size(); ++j) {
    Eigen::Isometry3d local = Eigen::Isometry3d::Identity();
    local.linear() = locals[j].rotation.normalized().toRotationMatrix();
    local.translation() = locals[j].position;
    const auto& parent = bvh.joints[j].parent;
    world[j] = parent ? world[*parent] * local : local;
  }
  return world;
}

}  // namespace

Result<Bvh> read_bvh(std::span<const std::byte> bytes, std::string_view name) {
  return BvhReader(as_text(bytes), name).read();
}

Result<Bvh> read_bvh(const std::filesystem::path& path) {
  SUPPLE_TRY(const Bytes bytes, read_content(path));
  return read_bvh(bytes, path.string());
}

std::vector<Eigen::Isometry3d> bvh_rest_pose(const Bvh& bvh) {
  std::vector<Local> locals;
  for (const BvhJoint& joint : bvh.joints) locals.push_back({joint.offset});
  return chain(bvh, locals);
}

std::vector<Eigen::Isometry3d> bvh_pose(const Bvh& bvh, double time) {
  const double last = static_cast<double>(bvh.frame_count() - 1);
  const double at = std::clamp(time / bvh.frame_time, 0.0, last);
  const auto before = static_cast<std::size_t>(at);
  const std::size_t after = std::min(before + 1, bvh.frame_count() - 1);
  const double t = at - static_cast<double>(before);
  const double* a = bvh.values.data() + before * bvh.channel_count;
  const double* b = bvh.values.data() + after * bvh.channel_count;
  std::vector<Local> locals;
  for (const BvhJoint& joint : bvh.joints) {
    const Local first = local_at(joint, a);
    const Local second = local_at(joint, b);
    locals.push_back(
        {(1 - t) * first.position + t * second.position, first.rotation.slerp(t, second.rotation)});
  }
  return chain(bvh, locals);
}

}  // namespace supple::io
