// SPDX-License-Identifier: Apache-2.0
// These are the sections of a run's page: pictures, tables, and the sentences beside them.
#pragma once

#include <vector>

#include "testbench/program/report/run_page_facts.h"
#include "testbench/show/page/page.h"

namespace allport {

/// In their order on the page.
std::vector<PageSection> run_page_sections(const RunPageFacts& run);

}  // namespace allport
