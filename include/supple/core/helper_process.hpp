// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace supple {

/// A process that works for this one and writes a file of it. `remove_unfinished` kills it first:
/// otherwise it could create the file again after this process has gone.
class HelperProcess {
 public:
  HelperProcess() = default;
  ~HelperProcess() { release(); }
  HelperProcess(const HelperProcess&) = delete;
  HelperProcess& operator=(const HelperProcess&) = delete;

  /// Takes over a process that was just started.
  void own(int pid);
  [[nodiscard]] int pid() const { return m_pid; }  ///< -1: none
  /// Call after waiting for it: its number may belong to another process now.
  void release();

 private:
  int m_pid = -1;
};

/// Kills all of them and waits until they are gone.
void kill_helpers();

}  // namespace supple
