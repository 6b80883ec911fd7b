// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/reproduce/papers/casanova/figures.h"

#include "testbench/studies/reproduce/papers/papers.h"

namespace allport {

std::vector<Figure> casanova_figures() {
  return {casanova_switching(), casanova_traces(), casanova_ring(), casanova_pipelined(),
          casanova_routing(),   casanova_gray(),   casanova_sbt()};
}

}  // namespace allport
