// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/reproduce/papers/jeon/figures.h"

#include "testbench/studies/reproduce/papers/papers.h"

namespace allport {

std::vector<Figure> jeon_figures() {
  return {jeon_1(), jeon_2(), jeon_4(), jeon_6a(), jeon_6b(), jeon_orders(), jeon_sync()};
}

}  // namespace allport
