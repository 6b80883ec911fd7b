// SPDX-License-Identifier: Apache-2.0
// WormTrees has the trees and joins under way in the fabric of worms: each is one worm, whatever
// the number of its senders and receivers. The passages and junctions of its whole way are laid
// when it starts, those of a join when the first contribution does.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tlm/worm/request.h"
#include "tlm/worm/store.h"
#include "tlm/worm/tree_stops.h"
#include "tlm/worm/unit.h"

namespace allport {

class WormTrees : private WormUnit {
 public:
  explicit WormTrees(WormStore& store) : WormUnit(store) {}
  void reset();

  /// The passage by which the flits of `request` leave their node.
  WormIndex start(const WormRequest& request);
  /// Notes that a message into `tree` has been sent, or a copy of it received; returns whether that
  /// was the last thing that happens to it.
  bool ends(std::uint32_t tree) { return --trees_[tree].to_come == 0; }
  /// Forgets tree `number`, which has ended; returns how many messages were sent into it.
  std::uint64_t end(std::uint32_t number);

 private:
  struct Tree {
    MessageId message = no_message;
    std::uint32_t worm = 0;
    std::uint32_t to_come = 0;   // messages and receptions that have not ended
    std::uint32_t messages = 0;  // that have been sent into it
    std::vector<std::pair<NodeId, WormIndex>> firsts;  // ascending: the passages out of its senders
    std::vector<std::uint32_t> junctions;              // by stop
  };

  std::uint32_t make(const WormRequest& request);
  void make_worm(const WormRequest& request, const std::vector<TreeStop>& stops,
                 std::uint32_t number);
  std::uint32_t make_junction(const TreeStop& stop, WormIndex first);
  void lay(const TreeStop& stop, std::uint32_t number, int message_class);
  void lay_branch(const TreeStop& stop, const TreeHop& hop, WormIndex id);
  void link(const std::vector<TreeStop>& stops, const Tree& tree);

  std::vector<Tree> trees_{1};                              // entry 0 is unused
  std::unordered_map<std::uint32_t, std::uint32_t> joins_;  // by message: those under way
  std::vector<std::uint32_t> free_trees_;
  std::vector<std::uint32_t> free_junctions_;
};

}  // namespace allport
