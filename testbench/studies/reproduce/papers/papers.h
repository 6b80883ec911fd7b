// SPDX-License-Identifier: Apache-2.0
// These functions return the figures of each paper, in the order of the paper. Each paper has one
// file or two.
#pragma once

#include <string>
#include <vector>

#include "testbench/studies/reproduce/figure.h"

namespace allport {

std::vector<Figure> robinson_figures();  ///< [Robinson93]
std::vector<Figure> jeon_figures();      ///< [Jeon01]
std::vector<Figure> hou_figures();       ///< [Hou98]
std::vector<Figure> ranka_figures();     ///< [Ranka88]
std::vector<Figure> casanova_figures();  ///< [CasanovaSlides]

/// All figures, paper by paper.
const std::vector<Figure>& figures();
/// The figures called `names`; `all` stands for all. Throws std::invalid_argument that offers the
/// nearest name.
std::vector<const Figure*> find_figures(const std::vector<std::string>& names);

}  // namespace allport
