// SPDX-License-Identifier: Apache-2.0
// Results become bytes here, which pass from one process to another: exactly, and for this program
// only.
#pragma once

#include <string>

#include "testbench/results/results.h"

namespace allport {

/// The bytes of `results`.
std::string to_bytes(const Results& results);
/// The results that to_bytes() was given. Throws std::runtime_error, one sentence, when `bytes` are
/// not such bytes: they end too early, go on, or have something else in them.
Results results_of(const std::string& bytes);

}  // namespace allport
