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

  /// The cycle from which on a message is shown on a channel: of an injection channel that of its
  /// head, of any other that in which it won the channel.
  Cycle first_of(CrossingIndex crossing) const;
  /// The cycle behind its tail there, or behind the trial.
  Cycle end_of(CrossingIndex crossing) const;
  TimelineSlice message(CrossingIndex crossing) const;
  TimelineSlice preparation(MessageId message) const;
  TimelineSlice reception(const Reception& reception) const;
  TimelineSlice wait(const WaitSlice& wait) const;

 private:
  /// By the ejection of which message, and what depends on it.
  using Dependent = std::pair<CrossingIndex, MessageId>;

  std::string name(MessageId message) const;
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
