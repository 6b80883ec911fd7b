// SPDX-License-Identifier: Apache-2.0
// This makes the head of a run's page: what ran, its numbers, the verdicts, and a sentence why.
#pragma once

#include <string>

#include "testbench/program/report/run_page_facts.h"

namespace allport {

/// HTML: what stands before the first section.
std::string run_page_head(const RunPageFacts& run);

}  // namespace allport
