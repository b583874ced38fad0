// SPDX-License-Identifier: Apache-2.0
#include "gpu/egl.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <sstream>

#include <dlfcn.h>

namespace supple::gpu {
namespace {

constexpr const char* kRemedy =
    "Install a graphics driver, or Mesa's software rasteriser: apt install libegl1 libgles2 "
    "libegl-mesa0 libgl1-mesa-dri";

Result<Egl> open_libraries() {
  Egl egl;
  void* library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return io_error("no GPU can be used: libEGL.so.1 cannot be opened (" + std::string(dlerror()) +
                    "). " + kRemedy);
  }
  const char* missing = nullptr;
#define SUPPLE_EGL_LOAD(type, name)                            \
  egl.name = std::bit_cast<type>(dlsym(library, "egl" #name)); \
  if (egl.name == nullptr) missing = "egl" #name;
  SUPPLE_EGL_FUNCTIONS(SUPPLE_EGL_LOAD)
#undef SUPPLE_EGL_LOAD
  if (missing != nullptr) {
    return io_error("no GPU can be used: libEGL.so.1 lacks " + std::string(missing) +
                    ", it is too old. " + kRemedy);
  }
  // Before EGL 1.5, eglGetProcAddress need not return core functions.
  egl.gles = dlopen("libGLESv2.so.2", RTLD_NOW | RTLD_LOCAL);
  return egl;
}

template <class Function>
Function extension(const Egl& egl, const char* name) {
  return std::bit_cast<Function>(egl.GetProcAddress(name));
}

struct Device {
  EGLDeviceEXT handle;
  bool software;
  std::string name;
};

std::vector<Device> list_devices(const Egl& egl) {
  const char* extensions = egl.QueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  if (!has_word(extensions, "EGL_EXT_device_enumeration") &&
      !has_word(extensions, "EGL_EXT_device_base")) {
    return {};
  }
  const auto query_devices = extension<PFNEGLQUERYDEVICESEXTPROC>(egl, "eglQueryDevicesEXT");
  const auto query_string =
      extension<PFNEGLQUERYDEVICESTRINGEXTPROC>(egl, "eglQueryDeviceStringEXT");
  if (query_devices == nullptr || query_string == nullptr) return {};
  std::array<EGLDeviceEXT, 32> handles{};
  EGLint count = 0;
  if (query_devices(static_cast<EGLint>(handles.size()), handles.data(), &count) == EGL_FALSE) {
    return {};
  }
  std::vector<Device> devices;
  devices.reserve(static_cast<std::size_t>(count));
  for (EGLint i = 0; i < count; ++i) {
    EGLDeviceEXT handle = handles[static_cast<std::size_t>(i)];
    const bool software =
        has_word(query_string(handle, EGL_EXTENSIONS), "EGL_MESA_device_software");
    devices.push_back(
        {handle, software, "EGL device " + std::to_string(i) + (software ? " (software)" : "")});
  }
  return devices;
}

bool is_number(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](unsigned char c) { return std::isdigit(c) != 0; });
}

std::vector<Device> wanted_devices(const Egl& egl, const std::string& device) {
  std::vector<Device> devices = list_devices(egl);
  if (is_number(device)) {
    std::istringstream text(device);
    std::size_t index = devices.size();
    text >> index;
    if (text.fail() || index >= devices.size()) return {};
    return {devices[index]};
  }
  if (device == "mesa") return {};
  if (device == "software") std::erase_if(devices, [](const Device& d) { return !d.software; });
  std::stable_partition(devices.begin(), devices.end(),
                        [](const Device& d) { return !d.software; });
  return devices;
}

}  // namespace

Result<const Egl*> Egl::load() {
  static const Result<Egl> egl = open_libraries();
  if (!egl.ok()) return egl.error();
  return &*egl;
}

void* Egl::function(const char* name) const {
  if (gles != nullptr) {
    if (void* found = dlsym(gles, name); found != nullptr) return found;
  }
  return std::bit_cast<void*>(GetProcAddress(name));
}

std::optional<Display> Display::open(const Egl& egl, EGLDisplay handle) {
  if (handle == EGL_NO_DISPLAY || egl.Initialize(handle, nullptr, nullptr) == EGL_FALSE) return {};
  return Display(egl, handle);
}

bool Display::has(const char* extension_name) const {
  return has_word(m_egl->QueryString(m_handle, EGL_EXTENSIONS), extension_name);
}

bool is_device_name(const std::string& device) {
  return device.empty() || device == "software" || device == "mesa" || is_number(device);
}

std::vector<DisplayChoice> display_choices(const Egl& egl, const std::string& device) {
  std::vector<DisplayChoice> choices;
  const auto get_display =
      extension<PFNEGLGETPLATFORMDISPLAYEXTPROC>(egl, "eglGetPlatformDisplayEXT");
  const char* extensions = egl.QueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  if (get_display != nullptr && has_word(extensions, "EGL_EXT_platform_device")) {
    const std::vector<Device> devices = wanted_devices(egl, device);
    choices.reserve(devices.size() + 2);
    for (const Device& each : devices) {
      choices.push_back({get_display(EGL_PLATFORM_DEVICE_EXT, each.handle, nullptr), each.name});
    }
  }
  if (is_number(device)) return choices;
  if (get_display != nullptr && has_word(extensions, "EGL_MESA_platform_surfaceless")) {
    choices.push_back(
        {get_display(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr), "surfaceless Mesa"});
  }
  if (device.empty()) choices.push_back({egl.GetDisplay(EGL_DEFAULT_DISPLAY), "default display"});
  return choices;
}

bool has_word(const char* words, const std::string& word) {
  if (words == nullptr) return false;
  std::istringstream text(words);
  for (std::string each; text >> each;) {
    if (each == word) return true;
  }
  return false;
}

}  // namespace supple::gpu
