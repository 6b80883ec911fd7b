// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/commands/model_option.h"

namespace allport {

OptionSpec open_model_option() {
  OptionSpec own = option_named("model");
  own.default_value = "auto";
  return own;
}

}  // namespace allport
