// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/topology/tie_break.h"

#include <cstdlib>

#include "rtl_model/base/range.h"
#include "rtl_model/base/split_mix.h"

namespace allport {

namespace {

// Beyond the trials of all other draws (docs/guide/randomness.md).
constexpr auto first_trial = static_cast<std::uint64_t>(limits::trials.high) + 1;

// The dimensions in which exactly half a ring lies between the two nodes.
TieMask exact_ties(const Topology& topology, NodeId from, NodeId to) {
  TieMask ties = 0;
  for (std::size_t i = 0; topology.wraps() && i < topology.dimension_count(); ++i) {
    const int offset = std::abs(topology.coordinate(to, i) - topology.coordinate(from, i));
    if (2 * offset == topology.sides()[i]) ties |= TieMask{1} << i;
  }
  return ties;
}

}  // namespace

std::string TieBreak::in_words() const {
  switch (rule) {
    case Rule::negative:
      return "negative";
    case Rule::alternate:
      return "alternate";
    case Rule::random:
      return "random:" + std::to_string(seed);
    default:
      return "positive";
  }
}

TieMask TieBreak::ties(const Topology& topology, NodeId from, NodeId to, int number) const {
  if (rule == Rule::positive) return 0;
  return exact_ties(topology, from, to) & negative(topology, from, number);
}

// The dimensions in which the message takes a tie in the - direction, if there is one.
TieMask TieBreak::negative(const Topology& topology, NodeId from, int number) const {
  if (rule == Rule::random) {
    const std::uint64_t trial = first_trial + static_cast<std::uint64_t>(number);
    return static_cast<TieMask>(SplitMix64(node_seed(seed, trial, index(from))).next());
  }
  if (rule == Rule::negative) return static_cast<TieMask>(~TieMask{0});
  TieMask odd = 0;
  for (std::size_t i = 0; i < topology.dimension_count(); ++i) {
    if (topology.coordinate(from, i) % 2 != 0) odd |= TieMask{1} << i;
  }
  return odd;
}

}  // namespace allport
