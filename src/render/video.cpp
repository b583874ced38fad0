// SPDX-License-Identifier: Apache-2.0
#include "supple/render/video.hpp"

#include "supple/core/check.hpp"
#include "supple/core/helper_process.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/core/output.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves it to us

namespace supple::render {
namespace {

namespace fs = std::filesystem;

constexpr int kPatience = 100;  ///< milliseconds between checks for Ctrl-C

std::vector<std::string> arguments(const VideoSettings& settings, const fs::path& output,
                                   const fs::path& temporary) {
  std::vector<std::string> words{"ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-y"};
  const auto add = [&](std::initializer_list<std::string> more) {
    words.insert(words.end(), more);
  };
  add({"-f", "rawvideo", "-pixel_format", "rgba"});
  add({"-video_size", fmt::format("{}x{}", settings.width, settings.height)});
  add({"-framerate", fmt::format("{:.9g}", settings.fps), "-i", "pipe:0", "-an"});
  // The matrix of high-definition video, stated explicitly because players guess differently.
  add({"-vf", "scale=out_color_matrix=bt709:out_range=tv", "-pix_fmt", "yuv420p"});
  add({"-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"});
  if (settings.codec == VideoSettings::Codec::Vp9) {
    add({"-c:v", "libvpx-vp9", "-crf", "28", "-b:v", "0", "-row-mt", "1", "-cpu-used", "4"});
    add({"-f", "webm"});
  } else {
    add({"-c:v", "libx264", "-preset", "medium", "-crf", "17"});
    const bool matroska = output.extension() == ".mkv";
    if (!matroska) add({"-movflags", "+faststart"});
    add({"-f", matroska ? "matroska" : "mp4"});
  }
  add({"file:" + temporary.string()});  // otherwise a colon in a name would look like a protocol
  return words;
}

/// The last line that is not empty.
std::string last_line(std::FILE* file) {
  std::rewind(file);
  std::string text;
  std::array<char, 4096> part{};
  while (const std::size_t got = std::fread(part.data(), 1, part.size(), file)) {
    text.append(part.data(), got);
  }
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  const std::size_t start = text.rfind('\n');
  return start == std::string::npos ? text : text.substr(start + 1);
}

}  // namespace

struct VideoWriter::Process {
  fs::path path;
  Unfinished temporary;
  VideoSettings settings;
  HelperProcess encoder;
  int input = -1;
  std::FILE* messages = nullptr;

  ~Process() {
    close_input();
    if (encoder.pid() > 0) {
      ::kill(encoder.pid(), SIGKILL);
      ::waitpid(encoder.pid(), nullptr, 0);
      encoder.release();
    }
    if (messages != nullptr) (void)std::fclose(messages);
    std::error_code ignored;
    if (!temporary.path().empty()) fs::remove(temporary.path(), ignored);
  }

  void close_input() {
    if (input >= 0) ::close(input);
    input = -1;
  }

  [[nodiscard]] Result<void> spawn();
  [[nodiscard]] Error failed(const std::string& doing) const {
    const std::string said = last_line(messages);
    return io_error(fmt::format("ffmpeg failed {} '{}': {}", doing, path.string(),
                                said.empty() ? "it printed nothing" : said));
  }
};

Result<void> VideoWriter::Process::spawn() {
  // A socket rather than a pipe: writing to a dead reader then gives an error, not a signal.
  std::array<int, 2> ends{};
  messages = std::tmpfile();
  if (messages == nullptr ||
      ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return io_error(fmt::format("cannot communicate with ffmpeg: {}", std::strerror(errno)));
  }
  input = ends[0];
  posix_spawn_file_actions_t actions{};
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(messages), STDERR_FILENO);
  posix_spawnattr_t attributes{};
  posix_spawnattr_init(&attributes);
  // Its own process group: we handle Ctrl-C, otherwise ffmpeg would close a file that looks
  // complete. And no signal is blocked there, as they are here.
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  std::vector<std::string> words = arguments(settings, path, temporary.path());
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  pid_t pid = -1;
  const int failure =
      ::posix_spawnp(&pid, "ffmpeg", &actions, &attributes, pointers.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (failure == 0) {
    encoder.own(pid);
    return {};
  }
  return io_error(
      fmt::format("cannot start ffmpeg: {}; video needs it on the path (Debian package "
                  "ffmpeg), pictures (.png) do not",
                  std::strerror(failure)));
}

VideoWriter::VideoWriter(std::unique_ptr<Process> process) : m_process(std::move(process)) {}
VideoWriter::~VideoWriter() = default;
VideoWriter::VideoWriter(VideoWriter&&) noexcept = default;
VideoWriter& VideoWriter::operator=(VideoWriter&&) noexcept = default;

Result<VideoWriter> VideoWriter::start(const fs::path& path, const VideoSettings& settings) {
  SUPPLE_CHECK(settings.width % 2 == 0 && settings.height % 2 == 0);
  auto process = std::make_unique<Process>();
  SUPPLE_TRY(process->path, follow_links(path));
  process->settings = settings;
  sweep_leftovers(process->path);
  process->temporary = Unfinished(temporary_name(process->path));
  SUPPLE_TRY_VOID(process->spawn());
  return VideoWriter(std::move(process));
}

Result<void> VideoWriter::add(const io::Image& picture) {
  Process& process = *m_process;
  SUPPLE_CHECK_OP(picture.rgba.size(), ==,
                  std::size_t{4} * static_cast<std::size_t>(process.settings.width) *
                      static_cast<std::size_t>(process.settings.height));
  std::size_t sent = 0;
  while (sent < picture.rgba.size()) {
    SUPPLE_TRY_VOID(check_interrupt());
    pollfd ready{process.input, POLLOUT, 0};
    if (::poll(&ready, 1, kPatience) <= 0) continue;
    const ssize_t taken = ::send(process.input, picture.rgba.data() + sent,
                                 picture.rgba.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (taken >= 0) {
      sent += static_cast<std::size_t>(taken);
    } else if (errno != EAGAIN && errno != EINTR) {
      int status = 0;
      ::waitpid(process.encoder.pid(), &status, 0);  // it has closed its end: wait for its exit
      process.encoder.release();
      return process.failed("writing");
    }
  }
  return {};
}

Result<void> VideoWriter::finish() {
  Process& process = *m_process;
  process.close_input();
  int status = 0;
  pid_t ended = 0;
  while ((ended = ::waitpid(process.encoder.pid(), &status, WNOHANG)) == 0) {
    SUPPLE_TRY_VOID(check_interrupt());
    ::poll(nullptr, 0, kPatience / 5);
  }
  process.encoder.release();
  if (ended < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) return process.failed("writing");
  std::error_code failure;
  fs::rename(process.temporary.path(), process.path, failure);
  if (failure) {
    return io_error(fmt::format("cannot write '{}': {}", process.path.string(), failure.message()));
  }
  process.temporary = {};
  return {};
}

}  // namespace supple::render
