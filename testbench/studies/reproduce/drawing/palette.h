// SPDX-License-Identifier: Apache-2.0
// The colour-blind can tell these colours apart as well: they are those of M. Okabe and K. Ito.
#pragma once

#include <array>
#include <cstddef>

namespace allport {

/// Colour `number`, as #rrggbb; after seven they begin again.
inline const char* palette(std::size_t number) {
  constexpr std::array colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                               "#e69f00", "#56b4e9", "#000000"};
  return colours[number % colours.size()];
}

}  // namespace allport
