// SPDX-License-Identifier: Apache-2.0
// This makes the HTML page of a comparison of algorithms.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "testbench/program/report/winner.h"
#include "testbench/results/explanation.h"
#include "testbench/results/json.h"

namespace allport {

/// An algorithm on that page.
struct ComparedRow {
  Json entry;                                      ///< as in the JSON of the comparison
  const std::vector<PathMessage>* path = nullptr;  ///< critical path of its largest latency
  std::vector<double> uses;                        ///< as line_uses() gives them
};

/// What the page says of all rows.
struct ComparedRows {
  std::vector<ComparedRow> rows;
  std::optional<Winner> winner;
  Json fabric;        ///< as fabric_picture() gives it; null: its channels are not shown
  std::string table;  ///< the comparison as the terminal shows it
  Json config;        ///< what all runs have in common
};

/// The text of the page; `fabric` is the name of the topology.
std::string comparison_page(const std::string& command, const std::string& fabric,
                            const ComparedRows& compared);

}  // namespace allport
