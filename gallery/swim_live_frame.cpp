// SPDX-License-Identifier: Apache-2.0
#include "gallery/swim_live_frame.hpp"

#include "supple/core/base64.hpp"
#include "supple/core/check.hpp"
#include "supple/core/files.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace supple::gallery {
namespace {

constexpr double kQuaternionUnit = 32767;
constexpr double kForceUnit = 0.1;  // N
constexpr std::size_t kHead = 72;
constexpr std::size_t kSegment = 26;

/// Little-endian bytes on any machine.
class FrameWriter {
 public:
  void byte(std::uint8_t value) { m_bytes.push_back(static_cast<char>(value)); }
  template <class Unsigned>
  void whole(Unsigned value) {
    for (std::size_t i = 0; i < sizeof(Unsigned); ++i) {
      byte(static_cast<std::uint8_t>((value >> (8 * i)) & 0xFFU));
    }
  }
  void real(double value) { whole(std::bit_cast<std::uint32_t>(static_cast<float>(value))); }
  void precise(double value) { whole(std::bit_cast<std::uint64_t>(value)); }
  /// In units, clamped to the range of the type.
  void small(double value, double unit) {
    constexpr double kMost = std::numeric_limits<std::int16_t>::max();
    const double scaled = std::clamp(std::round(value / unit), -kMost, kMost);
    whole(static_cast<std::uint16_t>(static_cast<std::int16_t>(scaled)));
  }
  void vector(const Eigen::Vector3d& value) {
    for (const double number : value) real(number);
  }
  [[nodiscard]] const std::string& bytes() const { return m_bytes; }

 private:
  std::string m_bytes;
};

}  // namespace

std::string write_frame(const SwimLiveFrame& frame) {
  SUPPLE_CHECK(frame.segments.size() <= std::numeric_limits<std::uint8_t>::max());
  FrameWriter out;
  out.byte(kSwimFrameVersion);
  out.byte(static_cast<std::uint8_t>(frame.segments.size()));
  out.byte(frame.stroke);
  out.byte(frame.pose);
  for (const std::int8_t held : frame.held) out.byte(static_cast<std::uint8_t>(held));
  out.byte(static_cast<std::uint8_t>((frame.has_target ? 1 : 0) | (frame.lost_control ? 2 : 0)));
  out.whole(frame.run);
  out.vector(frame.aim);
  out.vector(frame.centre);
  out.vector(frame.velocity);
  out.precise(frame.time);
  out.real(frame.distance);
  out.real(frame.speed);
  out.real(frame.power);
  out.whole(frame.cycles);
  SUPPLE_CHECK(out.bytes().size() == kHead);
  for (const SwimLiveFrame::Segment& segment : frame.segments) {
    out.vector(segment.origin);
    for (const double number : segment.turn.coeffs()) out.small(number, 1 / kQuaternionUnit);
    for (const double newtons : segment.force) out.small(newtons, kForceUnit);
  }
  SUPPLE_CHECK(out.bytes().size() == kHead + kSegment * frame.segments.size());
  return encode_base64(as_bytes(out.bytes()));
}

}  // namespace supple::gallery
