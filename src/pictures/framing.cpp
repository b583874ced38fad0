// SPDX-License-Identifier: Apache-2.0
#include "supple/pictures/framing.hpp"

#include "supple/core/check.hpp"
#include "supple/io/gltf_water.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace supple::pictures {
namespace {

using geometry::Vec3;
using Box = Eigen::AlignedBox3d;

constexpr std::size_t kMostSamples = 48;  ///< of a motion: enough to contain its extremes

/// The surface reaches to below the eye: unless the near plane is as close, the picture shows where
/// it cuts the water off. A ray within 60 degrees of the axis meets water h below at a depth of h/2
/// or more; an eye almost in the surface sees it from the edge, where nothing shows.
void show_water_below_the_eye(render::Camera& camera, double surface) {
  constexpr double kClosest = 0.02;  // of the near plane, for the depths' sake
  const double depth = 0.5 * std::abs(camera.eye.y() - surface);
  camera.near_plane = std::clamp(depth, kClosest * camera.near_plane, camera.near_plane);
}

Box box_of(const std::vector<Vec3>& points) {
  Box box;
  for (const Vec3& p : points) box.extend(p);
  return box;
}

std::vector<double> sorted(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

std::vector<double> thinned(const std::vector<double>& times) {
  if (times.size() <= kMostSamples) return times;
  std::vector<double> fewer;
  fewer.reserve(kMostSamples);
  for (std::size_t i = 0; i < kMostSamples; ++i) {
    fewer.push_back(times[i * (times.size() - 1) / (kMostSamples - 1)]);
  }
  return fewer;
}

/// Everything that must fit the picture. The last deformation decides; others shown for comparison
/// may leave the picture, as linear modes that grow to many times their length do.
std::vector<Vec3> shown_points(const Subject& subject, double time,
                               const FramingSettings& settings) {
  std::vector<Vec3> points = subject.points(time, settings.shown.back(), settings.focus);
  constexpr double kRoom = 0.12;  // of the diagonal, on each side
  Box room = box_of(points);
  const Vec3 more = Vec3::Constant(kRoom * room.diagonal().norm());
  room = Box(room.min() - more, room.max() + more);
  for (std::size_t i = 0; i + 1 < settings.shown.size(); ++i) {
    for (const Vec3& p : subject.points(time, settings.shown[i], settings.focus)) {
      if (room.contains(p)) points.push_back(p);
    }
  }
  return points;
}

/// The height of the standing feet. A toe that briefly dips lower may sink in a little: a character
/// that hovers all the time looks worse.
double floor_of(const Subject& subject, Deformation deformation) {
  std::vector<double> lowest;
  const int samples = subject.duration() > 0 ? 24 : 1;
  lowest.reserve(static_cast<std::size_t>(samples));
  double height = 0;
  for (int i = 0; i < samples; ++i) {
    const Box box = box_of(subject.points(subject.duration() * i / samples, deformation));
    lowest.push_back(box.min().y());
    height = std::max(height, box.sizes().y());
  }
  std::sort(lowest.begin(), lowest.end());
  constexpr double kDeepest = 0.03;  // of the height
  return std::min(lowest[lowest.size() / 4], lowest.front() + kDeepest * height);
}

/// Moving averages over `reach` seconds to both sides, shorter at the ends so that the end points
/// stay in place.
std::vector<Vec3> smoothed(const std::vector<double>& times, const std::vector<Vec3>& path,
                           double reach) {
  std::vector<Vec3> result(path.size());
  for (std::size_t i = 0; i < path.size(); ++i) {
    const double here = std::min({reach, times[i] - times.front(), times.back() - times[i]}) + 1e-9;
    Vec3 sum = Vec3::Zero();
    double weights = 0;
    for (std::size_t j = 0; j < path.size(); ++j) {
      const double weight = 1 - std::abs(times[j] - times[i]) / here;
      if (weight <= 0) continue;
      sum += weight * path[j];
      weights += weight;
    }
    result[i] = sum / weights;
  }
  return result;
}

}  // namespace

Framing::Framing(const Subject& subject, const std::vector<double>& times,
                 const FramingSettings& settings)
    : m_times(thinned(sorted(times))) {
  SUPPLE_CHECK(!times.empty() && !settings.shown.empty());
  std::vector<std::vector<Vec3>> points;
  points.reserve(m_times.size());
  for (const double time : m_times) {
    points.push_back(shown_points(subject, subject.wrapped(time), settings));
  }
  place_anchors(points, settings);
  std::vector<Vec3> all;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (const Vec3& p : points[i]) all.push_back(p - m_anchors[i]);
  }
  const double margin = settings.focus ? 0.16 : 0.085;
  m_view.camera = render::frame(all, settings.direction, settings.aspect, margin);
  const Box box = box_of(all);
  // The distance changes along the line of sight through the middle of what is shown.
  const Vec3 back = m_view.camera.axes.row(2).transpose();
  const double away = back.dot(m_view.camera.eye - box.center());
  m_view.camera.eye += (settings.distance - 1) * away * back;
  m_view.camera.near_plane *= std::min(1.0, settings.distance);
  m_view.camera.far_plane *= std::max(1.0, settings.distance);
  m_view.key_direction = render::key_direction(settings.direction);
  m_view.floor = floor_of(subject, settings.shown.back());
  if (settings.each_moment && !settings.focus) {
    // Narrow pictures: a high light keeps the shadow inside, and the floor hides no foot.
    m_view.key_direction = render::view_axes({settings.direction.yaw - 48, 64}).row(2).transpose();
    for (const std::vector<Vec3>& cloud : points) {
      m_view.floor = std::min(m_view.floor, box_of(cloud).min().y());
    }
  }
  m_view.water = io::water_surface(subject.asset());
  if (m_view.water) {
    constexpr double kDeep = 0.8;  // times the size: the swimmer floats well above the floor
    const double lowest = *m_view.water - kDeep * box.diagonal().norm();
    m_view.floor = std::min(m_view.floor, lowest);
  }
  // Objects outside a close-up cast shadows too.
  Box whole = box;
  if (settings.focus) {
    for (std::size_t i = 0; i < m_times.size(); i += 8) {
      for (const Vec3& p : subject.points(subject.wrapped(m_times[i]), settings.shown.back()))
        whole.extend(Vec3(p - m_anchors[i]));
    }
  }
  m_view.centre = whole.center();
  m_view.radius = 0.5 * whole.diagonal().norm();
  m_view.camera.far_plane = std::max(
      m_view.camera.far_plane, (m_view.camera.eye - m_view.centre).norm() + 8 * m_view.radius);
}

void Framing::place_anchors(const std::vector<std::vector<Vec3>>& points,
                            const FramingSettings& settings) {
  const bool close_up = settings.focus.has_value();
  std::vector<Vec3> centres;
  centres.reserve(points.size());
  Box travelled;
  Box all;
  double size = 0;
  double height = 0;
  for (const std::vector<Vec3>& cloud : points) {
    const Box box = box_of(cloud);
    centres.push_back(box.center());
    travelled.extend(box.center());
    all.extend(box);
    size = std::max(size, box.diagonal().norm());
    height = std::max(height, box.sizes().y());
  }
  m_anchors.assign(points.size(), Vec3::Zero());
  constexpr double kFar = 0.8;  // of its size: below that, one picture can show all of it
  const Vec3 path = travelled.sizes();
  m_follows = close_up || settings.each_moment || std::hypot(path.x(), path.z()) > kFar * size;
  if (!m_follows) return;
  m_anchors = settings.each_moment ? centres : smoothed(m_times, centres, close_up ? 0.3 : 0.6);
  constexpr double kHigh = 1.7;  // of its height: beyond that, the subject would be too small
  if (close_up || (settings.each_moment && all.sizes().y() > kHigh * height)) return;
  for (Vec3& anchor : m_anchors) anchor.y() = 0;  // the camera does not follow jumps
}

Vec3 Framing::anchor(double time) const {
  const auto after = std::lower_bound(m_times.begin(), m_times.end(), time);
  if (after == m_times.begin()) return m_anchors.front();
  if (after == m_times.end()) return m_anchors.back();
  const auto i = static_cast<std::size_t>(after - m_times.begin());
  const double share = (time - m_times[i - 1]) / (m_times[i] - m_times[i - 1]);
  return (1 - share) * m_anchors[i - 1] + share * m_anchors[i];
}

render::View Framing::view(double time) const {
  render::View view = m_view;
  const Vec3 here = anchor(time);
  view.camera.eye += here;
  view.centre += here;
  if (view.water) show_water_below_the_eye(view.camera, *view.water);
  return view;
}

}  // namespace supple::pictures
