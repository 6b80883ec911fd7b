// SPDX-License-Identifier: Apache-2.0
// Real numbers as text, by the functions of <charconv>, also where the library has these for whole
// numbers only, as libc++ does.
#pragma once

#include <charconv>

namespace allport {

using std::from_chars;

#ifdef _LIBCPP_VERSION
/// As the function of <charconv>, but that it knows no infinity and no other word.
std::from_chars_result from_chars(const char* first, const char* last, double& number);
#endif

/// Writes the shortest decimal without an exponent that is read as `number`, which is finite and
/// not negative.
std::to_chars_result to_decimal(char* first, char* last, double number);

}  // namespace allport
