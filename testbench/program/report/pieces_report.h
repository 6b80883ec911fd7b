// SPDX-License-Identifier: Apache-2.0
// These functions say into how many pieces `--pieces best` cut each multicast of a run, in words
// and as JSON.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "testbench/plan/plan_run.h"
#include "testbench/program/report/results_json.h"

namespace allport {

struct PiecesChoice {
  std::size_t trial = 0;
  NodeId source{};
  std::size_t pieces = 0;
};

/// The number of each multicast, by trial, then source.
std::vector<PiecesChoice> pieces_of(const Trials& trials);

/// `3`, or `2..4` where they differ.
std::string pieces_in_words(const std::vector<PiecesChoice>& choices);

/// `least`, `most`, and a `list` of trial, source and pieces.
Json pieces_json(const std::vector<PiecesChoice>& choices, const Topology& topology);

}  // namespace allport
