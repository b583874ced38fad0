// SPDX-License-Identifier: Apache-2.0
#include "supple/core/markup.hpp"
#include "supple/swim/body.hpp"

#include <fmt/format.h>

#include <iterator>

namespace supple::swim {
namespace {

std::string numbers(const Eigen::Vector3d& v) {
  return fmt::format("{} {} {}", v.x(), v.y(), v.z());
}

class Writer {
 public:
  explicit Writer(const Body& body) : m_body(body) {}

  void segment(std::size_t index, int depth) {
    const Segment& segment = m_body.segments[index];
    line(depth, R"(<body name="{}" pos="{}">)", segment.name, numbers(segment.anchor));
    if (index == 0) line(depth + 1, R"(<freejoint name="root"/>)");
    for (const Joint& joint : m_body.joints) {
      if (joint.segment != index) continue;
      line(
          depth + 1,
          R"(<joint name="{}" type="hinge" axis="{}" range="{} {}" limited="true" armature="{}"/>)",
          joint.name, numbers(joint.axis), joint.low, joint.high, joint.armature);
    }
    const Eigen::Matrix3d& inertia = segment.inertia;
    line(depth + 1, R"(<inertial pos="{}" mass="{}" fullinertia="{} {} {} {} {} {}"/>)",
         numbers(segment.centre), segment.mass, inertia(0, 0), inertia(1, 1), inertia(2, 2),
         inertia(0, 1), inertia(0, 2), inertia(1, 2));
    const geometry::Box box = geometry::bounding_box(segment.surface.positions);
    line(depth + 1,
         R"(<geom name="{}" type="box" pos="{}" size="{}" contype="0" conaffinity="0"/>)",
         segment.name, numbers(box.centre()), numbers(box.size() / 2));
    for (std::size_t child = index + 1; child < m_body.segments.size(); ++child) {
      if (m_body.segments[child].parent == index) this->segment(child, depth + 1);
    }
    line(depth, "</body>");
  }

  void actuators() {
    line(1, "<actuator>");
    for (const Joint& joint : m_body.joints) {
      const Servo& servo = joint.servo;
      if (!(servo.max_torque > 0)) continue;  // MuJoCo rejects an empty force range
      line(2,
           R"(<general name="{0}" joint="{0}" gainprm="{1}" biastype="affine" )"
           R"(biasprm="0 -{1} -{2}" forcelimited="true" forcerange="-{3} {3}"/>)",
           joint.name, servo.stiffness, servo.damping, servo.max_torque);
    }
    line(1, "</actuator>");
  }

  template <class... Parts>
  void line(int depth, fmt::format_string<Parts...> format, Parts&&... parts) {
    m_text.append(2 * static_cast<std::size_t>(depth), ' ');
    fmt::format_to(std::back_inserter(m_text), format, std::forward<Parts>(parts)...);
    m_text += '\n';
  }

  [[nodiscard]] std::string text() && { return std::move(m_text); }

 private:
  const Body& m_body;
  std::string m_text;
};

}  // namespace

std::string to_mjcf(const Body& body, std::string_view model_name) {
  Writer writer(body);
  writer.line(0, R"(<mujoco model="{}">)", escape_markup(model_name));
  writer.line(1, R"(<compiler angle="radian"/>)");
  // MuJoCo's own servos are explicit in the angles, so they need short steps.
  writer.line(1, R"(<option gravity="0 0 0" timestep="0.002" integrator="implicit"/>)");
  writer.line(1, "<worldbody>");
  writer.segment(0, 2);
  writer.line(1, "</worldbody>");
  writer.actuators();
  writer.line(0, "</mujoco>");
  return std::move(writer).text();
}

}  // namespace supple::swim
