// SPDX-License-Identifier: Apache-2.0
// Where the text goes that RTL prints: to stderr, for results alone are on stdout, and the first
// lines of it only. Every unit of a model library includes this first.
#pragma once

#include <cstdarg>
#include <cstdio>

inline int allport_prints = 0;

inline void allport_print(const char* format, ...) {
  constexpr int most_prints = 40;
  if (allport_prints == most_prints) return;
  if (++allport_prints == most_prints) {
    std::fputs("(the RTL prints more)\n", stderr);
    return;
  }
  va_list values;
  va_start(values, format);
  std::vfprintf(stderr, format, values);
  va_end(values);
}
