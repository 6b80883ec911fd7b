// SPDX-License-Identifier: Apache-2.0
#include "traffic/planning/replanning.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace allport {

namespace {

std::uint64_t key_of(NodeId rank, BlockId block) {
  return static_cast<std::uint64_t>(index(rank)) << 32U | block;
}

// Passes blocks on in the place of ranks that are gone.
class Passing {
 public:
  explicit Passing(const std::vector<bool>& is_gone, const std::function<bool(BlockId)>& is_wanted)
      : is_gone_(is_gone), is_wanted_(is_wanted) {}

  // Blocks that are moved come to a rank once, so that what it has of them came in an earlier step.
  // Of sums to which ranks in turn add those of each other, a rank has what it had before the step.
  Schedule of(const Schedule& plan) {
    Schedule left;
    std::vector<std::pair<std::uint64_t, NodeId>> had;  // in the place of ranks, after the step
    StepIndex step = 0;
    for (const Unicast& unicast : plan.unicasts) {
      if (unicast.step != step) take(had);
      step = unicast.step;
      parcels_.clear();
      for (const BlockId block : blocks_of(unicast)) {
        const std::optional<NodeId> from = who_has(unicast.u, block);
        if (!is_wanted_(block) || !from) continue;
        if (is_gone_[index(unicast.v)]) {
          had.emplace_back(key_of(unicast.v, block), *from);
        } else if (*from != unicast.v) {
          parcel_from(*from).push_back(block);
        }
      }
      for (auto& [from, blocks] : parcels_) {
        Unicast one = unicast;
        one.u = from;
        one.displacement.clear();
        if (!unicast.blocks.empty()) one.blocks = std::move(blocks);
        left.unicasts.push_back(std::move(one));
      }
    }
    number_by_step(left);
    return left;
  }

 private:
  using Blocks = std::vector<BlockId>;

  static Blocks blocks_of(const Unicast& unicast) {
    return unicast.blocks.empty() ? Blocks{0} : unicast.blocks.values();
  }

  // None: a rank that is gone has had nothing.
  std::optional<NodeId> who_has(NodeId rank, BlockId block) const {
    if (!is_gone_[index(rank)]) return rank;
    const auto found = instead_.find(key_of(rank, block));
    return found == instead_.end() ? std::nullopt : std::make_optional(found->second);
  }
  void take(std::vector<std::pair<std::uint64_t, NodeId>>& had) {
    for (const auto& [key, from] : had) instead_[key] = from;
    had.clear();
  }
  Blocks& parcel_from(NodeId from) {
    for (auto& [sender, blocks] : parcels_) {
      if (sender == from) return blocks;
    }
    return parcels_.emplace_back(from, Blocks{}).second;
  }

  const std::vector<bool>& is_gone_;
  const std::function<bool(BlockId)>& is_wanted_;
  std::unordered_map<std::uint64_t, NodeId> instead_;  // by rank and block
  std::vector<std::pair<NodeId, Blocks>> parcels_;     // of one unicast, by sender
};

// Whether every rank gives its sum of a block to one other, so that the ways of the sums are trees.
bool are_trees(const std::vector<Unicast>& sums) {
  std::unordered_set<std::uint64_t> given;
  return std::all_of(sums.begin(), sums.end(), [&](const Unicast& one) {
    return std::all_of(one.blocks.begin(), one.blocks.end(),
                       [&](BlockId block) { return given.insert(key_of(one.u, block)).second; });
  });
}

// Whether the receiver of `one` comes before its sender, or before the one before, where `from`
// says from whom each receives. A circle without it is left after at most twice its ranks.
bool is_in_circle(const Unicast& one, const std::unordered_map<NodeId, NodeId>& from) {
  NodeId rank = one.u;
  NodeId seen = rank;
  std::size_t again = 1;
  for (std::size_t i = 0;; ++i) {
    const auto before = from.find(rank);
    if (before == from.end()) return false;
    rank = before->second;
    if (rank == one.v) return true;
    if (rank == seen) return false;
    if (i != again) continue;
    seen = rank;
    again *= 2;
  }
}

// In a step in which ranks exchange their sums, none may receive before it has sent, since what it
// sends would contain what it received. So those that send in a circle, as two that exchange do,
// send to each other last; each receives from one other at most.
void send_in_circles_last(Schedule& sums) {
  std::vector<Unicast>& unicasts = sums.unicasts;
  for (auto begin = unicasts.begin(); begin != unicasts.end();) {
    const auto end = std::find_if(begin, unicasts.end(), [step = begin->step](const Unicast& one) {
      return one.step != step;
    });
    std::unordered_map<NodeId, NodeId> from;
    for (auto one = begin; one != end; ++one) from[one->v] = one->u;
    std::stable_partition(begin, end, [&](const Unicast& one) { return !is_in_circle(one, from); });
    begin = end;
  }
  number_by_step(sums);
}

}  // namespace

Schedule without_ranks(const Schedule& plan, const std::vector<bool>& is_gone,
                       const std::function<bool(BlockId)>& is_wanted) {
  Schedule sums;
  Schedule moves;
  for (const Unicast& unicast : plan.unicasts) {
    (unicast.adds ? sums : moves).unicasts.push_back(unicast);
  }
  Schedule left = Passing(is_gone, is_wanted).of(moves);
  // Up a tree, sums go the ways on which blocks would come down it.
  const bool has_trees = are_trees(sums.unicasts);
  Schedule added = Passing(is_gone, is_wanted).of(has_trees ? backwards(sums) : sums);
  if (has_trees) {
    added = backwards(added);
  } else {
    send_in_circles_last(added);
  }
  left.unicasts.insert(left.unicasts.end(), added.unicasts.begin(), added.unicasts.end());
  number_by_step(left);
  return left;
}

}  // namespace allport
