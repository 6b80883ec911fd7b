// SPDX-License-Identifier: Apache-2.0
// allport_print() prints what RTL prints: to stderr, because stdout is for results alone, and only
// the first lines of it. Every unit of a model library includes this file first.
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
