// SPDX-License-Identifier: Apache-2.0
// These functions are about powers of two.
#pragma once

namespace allport {

/// Whether `number`, 1 or more, is 1, 2, 4, 8, ..
template <class Number>
constexpr bool is_power_of_two(Number number) {
  return (number & (number - 1)) == 0;
}

}  // namespace allport
