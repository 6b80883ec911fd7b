// SPDX-License-Identifier: Apache-2.0
// JSON from files that anybody may have changed.
#pragma once

#include <string>

#include "testbench/results/json.h"

namespace allport {

/// The value of `text`; discarded where it is damaged, or nested deeper than anything that is
/// written here: values are copied, compared and printed by recursion.
Json parsed_json(const std::string& text);

}  // namespace allport
