// SPDX-License-Identifier: Apache-2.0
// The links whose loss is worst, as words, as JSON and as a page.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "testbench/results/json.h"
#include "testbench/studies/faults/fault_search.h"

namespace allport {

struct FaultReport {
  std::shared_ptr<const Topology> topology;
  LinkGraph graph;  ///< of `topology`
  FaultsFound found;
  std::string command{};  ///< the command line of the run as it is; empty: there is none
  std::size_t seeds = 1;  ///< over how many the worst rows were run
  std::size_t runs = 0;   ///< all that were carried out
};

std::string fault_report(const FaultReport& report);
Json fault_json(const FaultReport& report);
/// `command`: that of the search itself.
std::string fault_page(const FaultReport& report, const std::string& command);

}  // namespace allport
