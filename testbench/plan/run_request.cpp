// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/run_request.h"

namespace allport {

const char* to_string(Model model) {
  switch (model) {
    case Model::systemc:
      return "systemc";
    case Model::rtl:
      return "rtl";
    case Model::worm:
      return "worm";
    case Model::cosim:
      return "cosim";
    case Model::automatic:
      return "auto";
  }
  return "";
}

}  // namespace allport
