// SPDX-License-Identifier: Apache-2.0
#include "traffic/proof/block_check.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "traffic/proof/contributions.h"

namespace allport {

namespace {

std::string number(NodeId node) { return std::to_string(index(node)); }

// Carries out a reduction: in each step all sums are sent as they were before the step.
class Summation {
 public:
  Summation(const Schedule& schedule, const Collective& collective, BlockFindings& findings)
      : schedule_(schedule),
        collective_(collective),
        findings_(findings),
        blocks_(collective.block_count()) {
    const std::size_t nodes = collective.node_count();
    if (nodes > max_sums / blocks_) {
      throw std::invalid_argument(
          "a reduction of " + std::to_string(blocks_) + " blocks among " + std::to_string(nodes) +
          " nodes: the limit is nodes x blocks = " + std::to_string(max_sums));
    }
    sums_.reserve(nodes * blocks_);
    for (std::size_t i = 0; i < nodes; ++i) {
      for (std::size_t block = 0; block < blocks_; ++block) sums_.emplace_back(node_id(i));
    }
  }

  void run(const UnicastIndices& by_step) {
    for (auto begin = by_step.begin(); begin != by_step.end();) {
      auto end = begin;
      std::vector<std::vector<Contributions>> sent;  // by unicast of the step, then by its blocks
      for (; end != by_step.end() && unicast(*end).step == unicast(*begin).step; ++end) {
        sent.push_back(sums_sent(unicast(*end)));
      }
      for (auto i = begin; i != end; ++i) {
        for (const NodeId node : receivers_of(unicast(*i))) {
          receive(unicast(*i), node, sent[static_cast<std::size_t>(i - begin)]);
        }
      }
      begin = end;
    }
    for (std::size_t i = 0; i < collective_.node_count(); ++i) judge(node_id(i));
  }

 private:
  const Unicast& unicast(std::uint32_t i) const { return schedule_.unicasts[i]; }
  Contributions& sum(NodeId node, BlockId block) { return sums_[index(node) * blocks_ + block]; }

  std::vector<Contributions> sums_sent(const Unicast& unicast) {
    std::vector<Contributions> sums;
    sums.reserve(unicast.blocks.size());
    for (const BlockId block : unicast.blocks) sums.push_back(sum(unicast.u, block));
    return sums;
  }

  // ` to block 3`; empty where there is one block.
  std::string to_block(BlockId block) const {
    return blocks_ == 1 ? "" : " to block " + std::to_string(block);
  }

  void receive(const Unicast& unicast, NodeId node, const std::vector<Contributions>& sent) {
    for (std::size_t i = 0; i < sent.size(); ++i) {
      Contributions& own = sum(node, unicast.blocks[i]);
      if (!unicast.adds) {
        if (const std::optional<NodeId> lost = sent[i].missing(own)) {
          findings_.collective.add(describe(unicast) + ": node " + number(node) +
                                   " gives up the contribution of node " + number(*lost) +
                                   to_block(unicast.blocks[i]));
        }
        own = sent[i];
        continue;
      }
      if (const std::optional<NodeId> twice = own.common(sent[i])) {
        findings_.exactly_once.add(describe(unicast) + ": node " + number(node) +
                                   " adds the contribution of node " + number(*twice) +
                                   to_block(unicast.blocks[i]) + " twice");
      }
      own.add(sent[i]);
    }
  }

  void judge(NodeId node) {
    for (const BlockId block : collective_.blocks_after(node)) {
      const std::size_t count = sum(node, block).count();
      if (count == collective_.node_count()) continue;
      const std::string of_block = blocks_ == 1 ? "" : " of block " + std::to_string(block);
      findings_.exactly_once.add("the sum" + of_block + (blocks_ == 1 ? " of" : " at") + " node " +
                                 number(node) + " has " + std::to_string(count) + " of " +
                                 std::to_string(collective_.node_count()) +
                                 " contributions at the end");
    }
  }

  const Schedule& schedule_;
  const Collective& collective_;
  BlockFindings& findings_;
  std::size_t blocks_;
  std::vector<Contributions> sums_;  // by node, then block
};

UnicastIndices by_step(const Schedule& schedule, std::size_t nodes) {
  UnicastIndices list;
  for (std::uint32_t i = 0; i < schedule.unicasts.size(); ++i) {
    const Unicast& unicast = schedule.unicasts[i];
    if (index(unicast.u) < nodes && index(unicast.v) < nodes) list.push_back(i);
  }
  std::stable_sort(list.begin(), list.end(), [&](auto a, auto b) {
    return schedule.unicasts[a].step < schedule.unicasts[b].step;
  });
  return list;
}

void add_moves(const Schedule& schedule, const BlockFlow& flow, BlockFindings& findings) {
  for (std::size_t i = 0; i < schedule.unicasts.size(); ++i) {
    const std::optional<BlockId> lacked = flow.lacks(i);
    if (!lacked) continue;
    const Unicast& unicast = schedule.unicasts[i];
    findings.causality.add(describe(unicast) + ": node " + number(unicast.u) +
                           " does not hold block " + std::to_string(*lacked) + " before that step");
  }
  for (const BlockFlow::Repetition& repetition : flow.repetitions()) {
    const Unicast& unicast = schedule.unicasts[repetition.unicast];
    findings.exactly_once.add(describe(unicast) + ": brings node " + number(repetition.receiver) +
                              " block " + std::to_string(repetition.block) +
                              ", which it already has");
  }
  for (const BlockFlow::Loss& loss : flow.losses()) {
    findings.exactly_once.add("node " + number(loss.node) + " never receives block " +
                              std::to_string(loss.block));
  }
}

}  // namespace

BlockFindings check_blocks(const Schedule& schedule, const Collective& collective,
                           const BlockFlow& flow) {
  BlockFindings findings;
  if (collective.is_reduction()) {
    Summation(schedule, collective, findings).run(by_step(schedule, collective.node_count()));
  } else {
    add_moves(schedule, flow, findings);
  }
  return findings;
}

}  // namespace allport
