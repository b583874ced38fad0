// SPDX-License-Identifier: Apache-2.0
// Debian has fmt as a shared library alone; a program that is copied to other machines takes its
// functions from its own headers.
#include <fmt/format-inl.h>

template fmt::detail::thousands_sep_result<char> fmt::detail::thousands_sep_impl(
    fmt::detail::locale_ref);
template char fmt::detail::decimal_point_impl(fmt::detail::locale_ref);
