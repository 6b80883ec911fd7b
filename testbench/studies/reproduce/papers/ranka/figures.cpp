// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/reproduce/papers/ranka/figures.h"

#include "testbench/studies/reproduce/papers/papers.h"

namespace allport {

std::vector<Figure> ranka_figures() {
  return {ranka_4(),  ranka_5(),  ranka_10(), ranka_12(),  ranka_13(),
          ranka_15(), ranka_17(), ranka_20(), ranka_host()};
}

}  // namespace allport
