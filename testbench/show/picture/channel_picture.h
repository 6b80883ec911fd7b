// SPDX-License-Identifier: Apache-2.0
// A ChannelPicture shows what the channels of a trial do over time, and who waits for whom: the
// cycles are cut into stretches of one length, as many as may be drawn.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "testbench/observe/explain/explained_trial.h"
#include "testbench/observe/explain/patience.h"
#include "testbench/observe/explain/roots.h"
#include "testbench/observe/explain/waits.h"
#include "testbench/results/explanation.h"
#include "testbench/results/json.h"
#include "testbench/show/picture/congestion_tree.h"
#include "testbench/show/picture/folded_fabric.h"
#include "testbench/show/picture/packed_table.h"
#include "testbench/show/picture/picture_size.h"

namespace allport {

class ChannelPicture {
 public:
  /// All references must outlive it.
  ChannelPicture(const ShownTrial& trial, const FoldedFabric& fabric, const PictureSize& size,
                 const Patience& patience);

  /// What the channels of a line do in a stretch, or in several.
  struct LineUse {
    std::array<Cycle, 4> cycles{};  ///< used, lost, no credit, empty
    Cycle flits = 0;
    std::size_t most_waiting = 0;

    bool is_idle() const;
    Cycle blocked() const { return cycles[1] + cycles[2] + cycles[3]; }
    void add(const ChannelUse& use);
    void add(const LineUse& use);
  };
  /// What the external channels do in a stretch, all together.
  struct Moment {
    Cycle from = 0;
    Cycle cycles = 0;
    std::size_t busiest = 0;  ///< the line whose channels are used most; the first of several
    Cycle busiest_used = 0;   ///< cycles in which these are used
    Cycle used = 0;           ///< cycles of channels
    Cycle blocked = 0;        ///< the same: owned or wanted, and no flit goes
    Cycle shared = 0;         ///< those of `used` for a message to several nodes, or of several
  };

  /// Adds the waits among the cycles of a message. It counts for the cell of its sender and, unless
  /// it was not received, for that of its receiver.
  void add(const Waits::List& waits, std::size_t sender, std::optional<std::size_t> receiver);
  /// The stretches in their order.
  std::vector<Moment> moments() const;
  /// What the channels of each line do in the whole trial.
  std::vector<LineUse> whole() const;
  /// External channels.
  std::size_t external_channels() const;
  /// `every`, `stretches`, `uses`, `waits`, `branches`, `sent`, `received` and `port_uses`, as
  /// trial_picture() describes them.
  Json take() const;

 private:
  struct Waiting {
    Cycle cycles = 0;
    Cycle blamed = 0;
  };
  struct Stretch {
    std::vector<LineUse> uses;  // by line
    // By line, injection port or -1, and cause.
    std::map<std::tuple<std::size_t, int, Cause>, Waiting> waits;
    std::vector<Cycle> port_uses;  // of the injection channels of all nodes, by internal port
    CongestionTree tree;
    std::map<std::pair<std::size_t, Cause>, Cycle> sent;      // cycles of messages, by sender
    std::map<std::pair<std::size_t, Cause>, Cycle> received;  // and by receiver
    Cycle shared = 0;
  };

  std::vector<Stretch> used_stretches() const;
  FabricChannels::Number place_of(const Resource& resource) const;
  void add_waiting(const Wait& wait);
  void add_work(const Wait& wait, std::size_t sender, std::optional<std::size_t> receiver);
  void find_shared();
  Cycle first_of(std::size_t stretch) const { return static_cast<Cycle>(stretch) * every_; }
  Cycle length_of(std::size_t stretch) const;
  Cycle tree_cycle(std::size_t stretch) const;
  void put_branches(const std::vector<CongestionTree::Branch>& branches, PackedTable& table) const;

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
