// SPDX-License-Identifier: Apache-2.0
// Debian packages fmt only as a shared library; a program that is copied to other machines compiles
// its functions from the headers.
#include <fmt/format-inl.h>

template fmt::detail::thousands_sep_result<char> fmt::detail::thousands_sep_impl(
    fmt::detail::locale_ref);
template char fmt::detail::decimal_point_impl(fmt::detail::locale_ref);
