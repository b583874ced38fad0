// SPDX-License-Identifier: Apache-2.0
#include "supple/core/job.hpp"

#include <utility>

namespace supple {
namespace {

thread_local Job* t_job = nullptr;

}  // namespace

Job::Job(std::function<void(const ProgressState&)> receiver) : m_receiver(std::move(receiver)) {}

void Job::report(const ProgressState& state) const {
  if (m_receiver) m_receiver(state);
}

Job* current_job() {
  return t_job;
}

JobScope::JobScope(Job* job) : m_before(t_job) {
  t_job = job;
}

JobScope::~JobScope() {
  t_job = m_before;
}

}  // namespace supple
