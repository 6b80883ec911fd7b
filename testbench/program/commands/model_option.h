// SPDX-License-Identifier: Apache-2.0
// Commands that choose the model themselves share one option.
#pragma once

#include "testbench/program/options/options.h"

namespace allport {

/// The option `model` of `run`, for commands where the model is open unless it is given: `auto`.
OptionSpec open_model_option();

}  // namespace allport
