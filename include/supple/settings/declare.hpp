// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace supple::settings {

/// The fields of a settings struct S: see fields.hpp.
template <class S>
class Fields;

}  // namespace supple::settings
