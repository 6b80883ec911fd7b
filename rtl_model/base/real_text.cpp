// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/base/real_text.h"

#ifdef _LIBCPP_VERSION
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#endif

namespace allport {

#ifdef _LIBCPP_VERSION

namespace {

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

const char* after_digits(const char* at, const char* last) {
  return std::find_if_not(at, last, is_digit);
}

}  // namespace

std::from_chars_result from_chars(const char* first, const char* last, double& number) {
  const char* const whole = first != last && *first == '-' ? first + 1 : first;
  const char* end = after_digits(whole, last);
  bool has_digits = end != whole;
  if (end != last && *end == '.') {
    const char* const decimals = end + 1;
    const char* const behind = after_digits(decimals, last);
    has_digits = has_digits || behind != decimals;
    if (has_digits) end = behind;
  }
  if (!has_digits) return {first, std::errc::invalid_argument};
  if (end != last && (*end == 'e' || *end == 'E')) {
    const char* power = end + 1;
    if (power != last && (*power == '-' || *power == '+')) ++power;
    const char* const behind = after_digits(power, last);
    if (behind != power) end = behind;
  }
  const double read = std::strtod(std::string(first, end).c_str(), nullptr);
  const bool is_zero = std::find_if(first, end, [](char letter) {
                         return (letter >= '1' && letter <= '9') || letter == 'e' || letter == 'E';
                       }) == end;
  if (std::isinf(read) || (read == 0 && !is_zero)) return {end, std::errc::result_out_of_range};
  number = read;
  return {end, std::errc{}};
}

std::to_chars_result to_decimal(char* first, char* last, double number) {
  constexpr int most_decimals = 1100;
  std::string text(1500, ' ');
  for (int decimals = 0; decimals <= most_decimals; ++decimals) {
    const int length = std::snprintf(text.data(), text.size(), "%.*f", decimals, number);
    if (std::strtod(text.c_str(), nullptr) != number) continue;
    if (length > last - first) break;
    return {std::copy(text.data(), text.data() + length, first), std::errc{}};
  }
  return {last, std::errc::value_too_large};
}

#else

std::to_chars_result to_decimal(char* first, char* last, double number) {
  return std::to_chars(first, last, number, std::chars_format::fixed);
}

#endif

}  // namespace allport
