// SPDX-License-Identifier: Apache-2.0
#include "experiment_bench.hpp"

#include "supple/core/files.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/io/image.hpp"

namespace supple::app {

Result<void> ExperimentBench::write(const std::string& name, std::string_view content) {
  SUPPLE_TRY_VOID(check_interrupt());
  SUPPLE_TRY_VOID(write_file(directory / name, content));
  files.push_back(directory / name);
  return {};
}

Result<void> ExperimentBench::write(const std::string& name, const Canvas& picture) {
  SUPPLE_TRY(const Bytes png, io::write_png(picture.to_image(Canvas::Dither::None)));
  return write(name, as_text(png));
}

}  // namespace supple::app
