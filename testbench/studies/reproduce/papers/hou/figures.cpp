// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/reproduce/papers/hou/figures.h"

#include "testbench/studies/reproduce/papers/papers.h"

namespace allport {

std::vector<Figure> hou_figures() {
  return {hou_2(),   hou_3(), hou_5(), hou_6(),      hou_7(),
          hou_edn(), hou_8(), hou_9(), hou_timing(), hou_steps()};
}

}  // namespace allport
