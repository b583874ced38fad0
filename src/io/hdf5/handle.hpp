// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hdf5.h>

#include <mutex>
#include <utility>

namespace supple::io::detail {

/// An object of the HDF5 library, closed at the end of its life; negative: none.
class Handle {
 public:
  Handle() = default;
  Handle(hid_t id, herr_t (*close)(hid_t)) : m_id(id), m_close(close) {}
  Handle(Handle&& other) noexcept { swap(other); }
  Handle& operator=(Handle&& other) noexcept {
    swap(other);
    return *this;
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (m_id >= 0) m_close(m_id);
  }

  [[nodiscard]] hid_t get() const { return m_id; }
  [[nodiscard]] bool good() const { return m_id >= 0; }

 private:
  void swap(Handle& other) noexcept {
    std::swap(m_id, other.m_id);
    std::swap(m_close, other.m_close);
  }
  hid_t m_id = -1;
  herr_t (*m_close)(hid_t) = nullptr;
};

/// Debian's library is not built for threads: one call at a time. The library's own messages, which
/// it would print, are switched off.
[[nodiscard]] std::unique_lock<std::recursive_mutex> lock_hdf5();

}  // namespace supple::io::detail
