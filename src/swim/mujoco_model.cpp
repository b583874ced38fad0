// SPDX-License-Identifier: Apache-2.0
#include "swim/mujoco_model.hpp"

#include "supple/core/check.hpp"
#include "supple/core/log.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <mutex>

namespace supple::swim {
namespace {

/// MuJoCo prints its messages unless redirected, and always ends the process after an error: such
/// errors are our bugs, and this way at least they are logged.
void send_messages_to_log() {
  static std::once_flag once;
  std::call_once(once, [] {
    mju_user_warning = [](const char* text) { log::warn("MuJoCo: {}", text); };
    mju_user_error = [](const char* text) {
      log::error("MuJoCo: {}", text);
      std::abort();
    };
  });
}

}  // namespace

Result<std::shared_ptr<const mjModel>> mujoco_model(const Body& body) {
  static std::mutex parser;  // MuJoCo keeps the last model it parsed in a global
  const std::scoped_lock lock(parser);
  send_messages_to_log();
  const std::string text = to_mjcf(body, "swimmer");
  const char* const name = "swimmer.xml";
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  SUPPLE_CHECK_OP(mj_makeEmptyFileVFS(files.get(), name, static_cast<int>(text.size())), ==, 0);
  std::memcpy(files->filedata[0], text.data(), text.size());
  std::array<char, 1000> reason{};
  mjModel* model = mj_loadXML(name, files.get(), reason.data(), static_cast<int>(reason.size()));
  mj_deleteVFS(files.get());
  if (model == nullptr) {
    return bad_input(fmt::format("MuJoCo rejects the body: {}", reason.data()));
  }
  SUPPLE_CHECK_OP(static_cast<std::size_t>(model->nbody), ==, body.segments.size() + 1);
  SUPPLE_CHECK_OP(static_cast<std::size_t>(model->nv), ==, body.joints.size() + 6);
  for (std::size_t i = 0; i < body.segments.size(); ++i) {
    const int number = mj_name2id(model, mjOBJ_BODY, body.segments[i].name.c_str());
    SUPPLE_CHECK_OP(static_cast<std::size_t>(number), ==, i + 1);  // depth first, as in MuJoCo
  }
  return std::shared_ptr<const mjModel>(model, [](const mjModel* m) {
    mj_deleteModel(const_cast<mjModel*>(m));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  });
}

}  // namespace supple::swim
