// SPDX-License-Identifier: Apache-2.0
// These functions read JSON from files that may have been changed by anybody.
#pragma once

#include <string>

#include "testbench/results/json.h"

namespace allport {

/// The value of `text`; it is discarded if it is damaged, or nested deeper than anything that the
/// program writes, because values are copied, compared and printed by recursion.
Json parsed_json(const std::string& text);

}  // namespace allport
