// SPDX-License-Identifier: Apache-2.0
#include "kinds.hpp"

namespace supple::player {
namespace {

void leave_alone(supple_player& /*player*/, std::size_t /*object*/) {}

}  // namespace

const Kind kUnknownKind{
    .code = {},  // never looked for
    .name = SUPPLE_UNKNOWN_KIND,
    .has_turns = false,
    .read = [](FileReader&) { return true; },
    .lay_out = [](Arena&, const supple_asset&, supple_player&) {},
    .prepare = leave_alone,
    .adjust = leave_alone,
    .reset = leave_alone,
    .push = [](supple_player&, const format::Entry&, std::uint32_t, Vec3) {},
    .step = [](supple_player&, std::size_t, double) {},
};

}  // namespace supple::player
