// SPDX-License-Identifier: Apache-2.0
#include "gallery/steps.hpp"

#include "supple/core/console.hpp"
#include "supple/core/log.hpp"

namespace supple::gallery {

void GallerySteps::plan(double usual_seconds) {
  ++m_planned;
  m_usual_total += usual_seconds;
}

void GallerySteps::begin(const std::string& what, double usual_seconds) {
  if (m_begun == 0) m_start = Clock::now();
  ++m_begun;
  m_usual_done += m_usual_current;
  m_usual_current = usual_seconds;
  const double passed = std::chrono::duration<double>(Clock::now() - m_start).count();
  const double pace = m_usual_done > 0 ? passed / m_usual_done : 1;
  const double left = pace * (m_usual_total - m_usual_done);
  log::info("[{}/{}] {} (about {} left)", m_begun, m_planned, what, format_seconds(left));
}

void GallerySteps::finish() {
  if (m_planned == 0) log::info("everything is up to date");
}

}  // namespace supple::gallery
