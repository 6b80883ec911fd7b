// SPDX-License-Identifier: Apache-2.0
// Slices has the slices of a timeline: what they are called, what is noted of them, and the arrows
// between them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "testbench/observe/explain/explained_trial.h"
#include "testbench/show/timeline/timeline_file.h"
#include "testbench/show/timeline/wait_slices.h"

namespace allport {

class Slices {
 public:
  /// `trial` must outlive it.
  Slices(const ShownTrial& trial, const Topology& topology);

  /// A message on a channel, from the cycle of its head on an injection channel, of any other from
  /// that in which it won the channel, to the one behind its tail, or behind the trial.
  TimelineSlice message(CrossingIndex crossing) const;
  TimelineSlice preparation(const Sending& sent) const;
  TimelineSlice reception(const Reception& reception) const;
  TimelineSlice wait(const WaitSlice& wait) const;

 private:
  /// By the ejection of which message, and the number of what depends on it.
  using Dependent = std::pair<CrossingIndex, std::uint64_t>;

  std::string name(MessageId message) const;
  Cycle first_of(CrossingIndex crossing) const;
  Cycle end_of(CrossingIndex crossing) const;
  bool is_injected(const Sending& sent) const;
  std::uint64_t number_of(const Sending& sent) const;
  void note_injected();
  void find_dependents();
  void begin_dependencies(CrossingIndex ejection, TimelineSlice& slice) const;
  void end_dependency(const Sending& sent, TimelineSlice& slice) const;
  void add_arrows(CrossingIndex crossing, TimelineSlice& slice) const;
  void end_hops(CrossingIndex crossing, TimelineSlice& slice) const;
  void begin_hops(CrossingIndex crossing, TimelineSlice& slice) const;

  const ShownTrial& trial_;
  const Topology& topology_;
  const History& history_;
  const FabricChannels& channels_;
  std::vector<Dependent> dependents_;
  std::vector<std::uint64_t> injected_;  // the numbers of the contributions to joins that were
};

}  // namespace allport
