// SPDX-License-Identifier: Apache-2.0
// The slices of a timeline: what they are called, what is noted of them, and the arrows between
// them.
#pragma once

#include <utility>
#include <vector>

#include "testbench/explain/explained_trial.h"
#include "testbench/timeline/timeline_file.h"
#include "testbench/timeline/wait_slices.h"

namespace allport {

class Slices {
 public:
  /// `trial` must outlive it.
  explicit Slices(const ShownTrial& trial);

  /// A message on a channel, from the cycle of its head on an injection channel, of any other from
  /// that in which it won the channel, to the one behind its tail, or behind the trial.
  TimelineSlice message(CrossingIndex crossing) const;
  TimelineSlice preparation(MessageId message) const;
  TimelineSlice reception(const Reception& reception) const;
  TimelineSlice wait(const WaitSlice& wait) const;

 private:
  /// By the ejection of which message, and what depends on it.
  using Dependent = std::pair<CrossingIndex, MessageId>;

  std::string name(MessageId message) const;
  Cycle first_of(CrossingIndex crossing) const;
  Cycle end_of(CrossingIndex crossing) const;
  bool is_injected(MessageId message) const { return trial_.log[message].injected >= 0; }
  void find_dependents();
  void begin_dependencies(CrossingIndex ejection, TimelineSlice& slice) const;
  void end_dependency(MessageId message, TimelineSlice& slice) const;
  void add_arrows(CrossingIndex crossing, TimelineSlice& slice) const;

  const ShownTrial& trial_;
  const History& history_;
  const FabricChannels& channels_;
  std::vector<Dependent> dependents_;
};

}  // namespace allport
