// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/io/image.hpp"

#include <filesystem>
#include <memory>

namespace supple::render {

struct VideoSettings {
  int width = 1280;  ///< even
  int height = 720;  ///< even
  double fps = 30;
  /// H.264 for .mp4 (and .mov, .mkv), VP9 for .webm; the colours are 4:2:0, as players expect.
  enum class Codec { H264, Vp9 } codec = Codec::H264;
};

/// Encodes pictures to a video file with the program ffmpeg. The complete file appears when
/// finish() returns; until then a temporary one lies beside it, which is removed with the writer.
class VideoWriter {
 public:
  /// Errors: no ffmpeg on the path.
  [[nodiscard]] static Result<VideoWriter> start(const std::filesystem::path& path,
                                                 const VideoSettings& settings);
  ~VideoWriter();
  VideoWriter(VideoWriter&&) noexcept;
  VideoWriter& operator=(VideoWriter&&) noexcept;

  /// Waits until ffmpeg has accepted it. An error contains ffmpeg's last line of output.
  [[nodiscard]] Result<void> add(const io::Image& picture);
  [[nodiscard]] Result<void> finish();

 private:
  struct Process;
  explicit VideoWriter(std::unique_ptr<Process> process);
  std::unique_ptr<Process> m_process;
};

}  // namespace supple::render
