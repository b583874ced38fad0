// SPDX-License-Identifier: Apache-2.0
#include "view/viewer_files.hpp"

#include <fmt/format.h>

#include <cstdlib>

#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

namespace supple::app {
namespace {

namespace fs = std::filesystem;

fs::path program_path() {
  std::error_code ignored;
#ifdef __APPLE__
  std::string path(4096, '\0');
  auto size = static_cast<std::uint32_t>(path.size());
  if (_NSGetExecutablePath(path.data(), &size) != 0) return {};
  return fs::canonical(path.c_str(), ignored);
#else
  return fs::read_symlink("/proc/self/exe", ignored);
#endif
}

}  // namespace

Result<fs::path> find_viewer(const std::string& named) {
  fs::path directory = named;
  std::string remedy = "give the folder of a built viewer";
  // Read once, before any thread starts.
  const char* variable = std::getenv("SUPPLE_VIEWER");  // NOLINT(concurrency-mt-unsafe)
  if (directory.empty() && variable != nullptr && *variable != '\0') {
    directory = variable;
    remedy = "SUPPLE_VIEWER is set to it; " + remedy;
  }
  if (directory.empty()) {
    directory = (program_path().parent_path() / "../share/supple/viewer").lexically_normal();
    remedy =
        "this program was built without the viewer: install Node.js and npm (scripts/setup.sh "
        "does) and build again, or give a built viewer with --viewer DIR";
  }
  std::error_code failure;
  if (fs::is_regular_file(directory / "index.html", failure)) return directory;
  return io_error(fmt::format("there is no viewer in '{}' (index.html is missing); {}",
                              directory.string(), remedy));
}

}  // namespace supple::app
