// SPDX-License-Identifier: Apache-2.0
// A ChannelPicture shows what the channels of a trial do over time, and who waits for whom: the
// cycles are cut into stretches of one length, as many as may be drawn.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "testbench/observe/explain/explained_trial.h"
#include "testbench/observe/explain/patience.h"
#include "testbench/observe/explain/roots.h"
#include "testbench/results/explanation.h"
#include "testbench/results/json.h"
#include "testbench/show/picture/congestion_tree.h"
#include "testbench/show/picture/folded_fabric.h"
#include "testbench/show/picture/picture_size.h"

namespace allport {

class ChannelPicture {
 public:
  /// All references must outlive it.
  ChannelPicture(const ShownTrial& trial, const FoldedFabric& fabric, const PictureSize& size,
                 const Patience& patience);

  /// Adds the waits among the cycles of a message.
  void add(const Waits::List& waits);
  /// The stretches, as trial_picture() describes them.
  Json take() const;

 private:
  /// What the channels of a line do in a stretch.
  struct LineUse {
    std::array<Cycle, 4> cycles{};  // used, lost, no credit, empty
    Cycle flits = 0;
    std::size_t most_waiting = 0;

    bool is_idle() const;
    void add(const ChannelUse& use);
  };
  struct Waiting {
    Cycle cycles = 0;
    Cycle blamed = 0;
  };
  struct Stretch {
    std::vector<LineUse> uses;                               // by line
    std::map<std::pair<std::size_t, Cause>, Waiting> waits;  // by line and cause
    CongestionTree tree;
  };

  std::vector<Stretch> used_stretches() const;
  FabricChannels::Number place_of(const Resource& resource) const;
  void add(const Wait& wait);
  Cycle first_of(std::size_t stretch) const { return static_cast<Cycle>(stretch) * every_; }
  Cycle length_of(std::size_t stretch) const;
  Cycle tree_cycle(std::size_t stretch) const;
  static Json uses_json(const Stretch& stretch);
  static Json waits_json(const Stretch& stretch);
  Json tree_json(std::size_t stretch) const;

  const ShownTrial& trial_;
  const FabricChannels& channels_;
  const FoldedFabric& fabric_;
  const PictureSize& size_;
  Roots roots_;
  const Cycle cycles_;
  Cycle every_ = 1;
  std::vector<Stretch> stretches_;
};

}  // namespace allport
