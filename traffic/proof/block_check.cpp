// SPDX-License-Identifier: Apache-2.0
#include "traffic/proof/block_check.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rtl_model/base/in_order.h"
#include "rtl_model/base/stop_flag.h"
#include "traffic/proof/contributions.h"

namespace allport {

namespace {

// Number of sums that are followed at a time; each may come to have a set of its own.
constexpr std::size_t max_sums_at_once = std::size_t{1} << 25;

void add_lack(BlockFindings& findings, const Unicast& unicast, BlockId block,
              const Topology& topology) {
  findings.causality.add(describe(unicast, topology) + ": node " + topology.node_name(unicast.u) +
                         " does not hold block " + std::to_string(block) + " before that step");
}

// Carries out a reduction: in each step all sums are sent as they were before the step. The sums of
// different blocks have nothing to do with each other, so that some blocks are followed at a time.
// Most blocks of a message have the same contributions, of which sums have the number only.
class Summation {
 public:
  Summation(const Schedule& schedule, const Collective& collective, const Topology& topology,
            BlockFindings& findings)
      : schedule_(schedule),
        topology_(topology),
        collective_(collective),
        findings_(findings),
        blocks_(blocks_of(schedule, collective)),
        places_(collective.block_count(), no_place),
        width_(std::max<std::size_t>(1, max_sums_at_once / collective.node_count())),
        complete_(static_cast<Sum>(collective.node_count() + 1)),
        sets_(complete_ + std::size_t{1}),
        ascend_(
            std::all_of(schedule.unicasts.begin(), schedule.unicasts.end(), [](const Unicast& one) {
              return std::is_sorted(one.blocks.begin(), one.blocks.end());
            })) {
    for (std::size_t i = 0; i < collective.rank_count(); ++i) {
      const NodeId member = collective.member(i);
      sets_[own_set(member)] = Contributions(member);
      sets_[complete_].add(Contributions(member));
    }
  }

  void run(const UnicastIndices& by_step) {
    for (std::size_t first = 0; first < blocks_.size(); first += width_) {
      const std::size_t count = std::min(width_, blocks_.size() - first);
      first_ = blocks_.data() + first;
      end_ = first_ + count;
      for (std::size_t i = 0; i < count; ++i) places_[first_[i]] = static_cast<std::uint32_t>(i);
      sets_.resize(complete_ + std::size_t{1});
      sums_.assign(collective_.node_count() * count, nothing);
      for (std::size_t i = 0; i < collective_.rank_count(); ++i) {
        const NodeId member = collective_.member(i);
        std::fill_n(sums_.begin() + static_cast<std::ptrdiff_t>(index(member) * count), count,
                    own_set(member));
      }
      follow(by_step);
      for (std::size_t i = 0; i < collective_.rank_count(); ++i) judge(collective_.member(i));
      for (std::size_t i = 0; i < count; ++i) places_[first_[i]] = no_place;
    }
  }

 private:
  using Sum = std::uint32_t;  // the number of its contributions in sets_
  static constexpr Sum nothing = 0;
  struct SentSum {
    BlockId block = 0;
    Sum sum = nothing;
  };

  static constexpr std::uint32_t no_place = std::numeric_limits<std::uint32_t>::max();

  // The blocks that have a flit or are carried, ascending: nobody has sums of the others.
  static std::vector<BlockId> blocks_of(const Schedule& schedule, const Collective& collective) {
    std::vector<bool> is_there(collective.block_count());
    for (BlockId block = 0; block < is_there.size(); ++block) {
      is_there[block] = !collective.is_empty(block);
    }
    for (const Unicast& one : schedule.unicasts) {
      if (!collective.has_empty_blocks()) break;
      for (const BlockId block : one.blocks) is_there[block] = true;
    }
    std::vector<BlockId> blocks;
    for (BlockId block = 0; block < is_there.size(); ++block) {
      if (is_there[block]) blocks.push_back(block);
    }
    return blocks;
  }

  static Sum own_set(NodeId node) { return static_cast<Sum>(index(node) + 1); }
  const Unicast& unicast(std::uint32_t i) const { return schedule_.unicasts[i]; }
  bool is_followed(BlockId block) const { return places_[block] != no_place; }
  Sum& sum(NodeId node, BlockId block) {
    return sums_[index(node) * static_cast<std::size_t>(end_ - first_) + places_[block]];
  }

  void follow(const UnicastIndices& by_step) {
    std::vector<SentSum> sent;      // of the step, unicast by unicast
    std::vector<std::size_t> ends;  // of each unicast in `sent`
    for (auto begin = by_step.begin(); begin != by_step.end();) {
      auto end = begin;
      sent.clear();
      ends.clear();
      for (; end != by_step.end() && unicast(*end).step == unicast(*begin).step; ++end) {
        add_sums_sent(unicast(*end), sent);
        ends.push_back(sent.size());
      }
      const SentSum* first = sent.data();
      for (const std::size_t sent_before : ends) {
        const Unicast& one = unicast(*begin++);
        const SentSum* const last = sent.data() + sent_before;
        for_each_receiver(one, [&](NodeId node) { receive(one, node, first, last); });
        first = last;
      }
    }
  }

  void add_sums_sent(const Unicast& unicast, std::vector<SentSum>& sums) {
    heed_stop();
    const OneOrMore<BlockId>& blocks = unicast.blocks;
    const BlockId* block =
        ascend_ ? std::lower_bound(blocks.begin(), blocks.end(), *first_) : blocks.begin();
    for (; block != blocks.end(); ++block) {
      if (!is_followed(*block)) {
        if (ascend_) return;
        continue;
      }
      sums.push_back({*block, sum(unicast.u, *block)});
      if (sums.back().sum == nothing) add_lack(findings_, unicast, *block, topology_);
    }
  }

  // ` to block 3`; empty where there is one block.
  std::string to_block(BlockId block) const {
    return has_one_block() ? "" : " to block " + std::to_string(block);
  }
  bool has_one_block() const { return collective_.block_count() == 1; }

  // What either contains.
  Sum joined(Sum a, Sum b) {
    if (a == nothing) return b;
    if (b == nothing) return a;
    Contributions both = sets_[a];
    both.add(sets_[b]);
    if (both.count() == collective_.rank_count()) return complete_;
    sets_.push_back(std::move(both));
    return static_cast<Sum>(sets_.size() - 1);
  }

  void receive(const Unicast& unicast, NodeId node, const SentSum* first, const SentSum* last) {
    heed_stop();
    Sum met = nothing;  // of the block before: what the node had, what came, and what it has then
    Sum brought = nothing;
    Sum after = nothing;
    std::optional<NodeId> fault;  // a contribution that is lost, or comes twice
    for (; first != last; ++first) {
      Sum& own = sum(node, first->block);
      if (own != met || first->sum != brought) {
        met = own;
        brought = first->sum;
        after = unicast.adds ? joined(met, brought) : brought;
        fault =
            unicast.adds ? sets_[met].common(sets_[brought]) : sets_[brought].missing(sets_[met]);
      }
      own = after;
      if (!fault) continue;
      const std::string whose = topology_.node_name(*fault) + to_block(first->block);
      if (unicast.adds) {
        findings_.exactly_once.add(describe(unicast, topology_) + ": node " +
                                   topology_.node_name(node) + " adds the contribution of node " +
                                   whose + " twice");
      } else {
        findings_.collective.add(describe(unicast, topology_) + ": node " +
                                 topology_.node_name(node) + " gives up the contribution of node " +
                                 whose);
      }
    }
  }

  void judge(NodeId node) {
    const BlockRange due = collective_.sums_after(node);
    const BlockId* next = std::lower_bound(first_, end_, due.first);
    for (; next != end_ && *next - due.first < due.count; ++next) {
      heed_stop();
      const BlockId block = *next;
      if (sum(node, block) == complete_ || collective_.is_empty(block)) continue;
      const std::size_t count = sets_[sum(node, block)].count();
      if (count == collective_.rank_count()) continue;
      const std::string of_block = has_one_block() ? "" : " of block " + std::to_string(block);
      findings_.exactly_once.add(
          "the sum" + of_block + (has_one_block() ? " of" : " at") + " node " +
          topology_.node_name(node) + " has " + std::to_string(count) + " of " +
          std::to_string(collective_.rank_count()) + " contributions at the end");
    }
  }

  const Schedule& schedule_;
  const Topology& topology_;
  const Collective& collective_;
  BlockFindings& findings_;
  const std::vector<BlockId> blocks_;  // that are followed, some at a time
  std::vector<std::uint32_t> places_;  // of each block among those that are followed now
  std::size_t width_;                  // number of blocks followed at a time
  const BlockId* first_ = nullptr;     // those followed now: first .. end - 1
  const BlockId* end_ = nullptr;
  // The empty set, that of each node alone, that of all, and those of sums.
  Sum complete_;
  std::vector<Contributions> sets_;
  std::vector<Sum> sums_;  // by node, then block
  bool ascend_;            // whether the blocks of each message do
};

UnicastIndices by_step(const Schedule& schedule, std::size_t nodes) {
  UnicastIndices list;
  list.reserve(schedule.unicasts.size());
  for (std::uint32_t i = 0; i < schedule.unicasts.size(); ++i) {
    if (is_between_nodes(schedule.unicasts[i], nodes)) list.push_back(i);
  }
  put_in_order(list.begin(), list.end(), [&](auto a, auto b) {
    return schedule.unicasts[a].step < schedule.unicasts[b].step;
  });
  return list;
}

void add_moves(const Schedule& schedule, const BlockFlow& flow, const Topology& topology,
               BlockFindings& findings) {
  for (std::size_t i = 0; i < schedule.unicasts.size(); ++i) {
    const std::optional<BlockId> lacked = flow.lacks(i);
    if (!lacked) continue;
    add_lack(findings, schedule.unicasts[i], *lacked, topology);
  }
  for (const BlockFlow::Repetition& repetition : flow.repetitions()) {
    const Unicast& unicast = schedule.unicasts[repetition.unicast];
    findings.exactly_once.add(describe(unicast, topology) + ": brings node " +
                              topology.node_name(repetition.receiver) + " block " +
                              std::to_string(repetition.block) + ", which it already has");
  }
  for (const BlockFlow::Loss& loss : flow.losses()) {
    findings.exactly_once.add("node " + topology.node_name(loss.node) + " never receives block " +
                              std::to_string(loss.block));
  }
}

}  // namespace

BlockFindings check_blocks(const Schedule& schedule, const Collective& collective,
                           const BlockFlow& flow, const Topology& topology) {
  BlockFindings findings;
  if (collective.is_reduction()) {
    Summation(schedule, collective, topology, findings)
        .run(by_step(schedule, collective.node_count()));
  } else {
    add_moves(schedule, flow, topology, findings);
  }
  return findings;
}

}  // namespace allport
