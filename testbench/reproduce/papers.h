// SPDX-License-Identifier: Apache-2.0
// The figures of each paper, in the order of the paper. One file or two for each paper.
#pragma once

#include <vector>

#include "testbench/reproduce/figure.h"

namespace allport {

std::vector<Figure> robinson_figures();  ///< [Robinson93]
std::vector<Figure> jeon_figures();      ///< [Jeon01]
std::vector<Figure> hou_figures();       ///< [Hou98]
std::vector<Figure> ranka_figures();     ///< [Ranka88]
std::vector<Figure> casanova_figures();  ///< [CasanovaSlides]

}  // namespace allport
