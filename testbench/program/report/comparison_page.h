// SPDX-License-Identifier: Apache-2.0
// This makes the HTML page of a comparison of algorithms.
#pragma once

#include <string>
#include <vector>

#include "testbench/results/explanation.h"
#include "testbench/results/json.h"

namespace allport {

/// An algorithm on that page.
struct ComparedRow {
  Json entry;                                      ///< as in the JSON of the comparison
  const std::vector<PathMessage>* path = nullptr;  ///< critical path of its largest latency
};

/// The text of the page. `table`: the comparison as the terminal shows it; `config`: what all runs
/// have in common.
std::string comparison_page(const std::string& command, const std::string& fabric,
                            const std::vector<ComparedRow>& rows, const std::string& table,
                            const Json& config);

}  // namespace allport
