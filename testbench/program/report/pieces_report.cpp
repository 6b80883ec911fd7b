// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/pieces_report.h"

#include <fmt/format.h>

#include <algorithm>

namespace allport {

namespace {

std::pair<std::size_t, std::size_t> range_of(const std::vector<PiecesChoice>& choices) {
  const auto [least, most] = std::minmax_element(
      choices.begin(), choices.end(),
      [](const PiecesChoice& a, const PiecesChoice& b) { return a.pieces < b.pieces; });
  return {least->pieces, most->pieces};
}

}  // namespace

std::vector<PiecesChoice> pieces_of(const Trials& trials) {
  std::vector<PiecesChoice> choices;
  for (std::size_t trial = 0; trial < trials.size(); ++trial) {
    for (const PlannedCollective& one : trials[trial]) {
      if (one.is_barrier || one.goal == nullptr) continue;
      choices.push_back({trial, one.sources.front(), one.goal->block_count()});
    }
  }
  return choices;
}

std::string pieces_in_words(const std::vector<PiecesChoice>& choices) {
  const auto [least, most] = range_of(choices);
  return least == most ? std::to_string(most) : fmt::format("{}..{}", least, most);
}

Json pieces_json(const std::vector<PiecesChoice>& choices, const Topology& topology) {
  const auto [least, most] = range_of(choices);
  Json list = Json::array();
  for (const PiecesChoice& one : choices) {
    list.push_back({{"trial", one.trial},
                    {"source", node_json(one.source, topology)},
                    {"pieces", one.pieces}});
  }
  return {{"least", least}, {"most", most}, {"list", std::move(list)}};
}

}  // namespace allport
