// SPDX-License-Identifier: Apache-2.0
#include "traffic/proof/block_check.h"

#include <algorithm>
#include <stdexcept>

namespace allport {

namespace {

std::string number(NodeId node) { return std::to_string(index(node)); }

// The contributions that a sum contains: a set of nodes.
class Contributions {
 public:
  Contributions(std::size_t nodes, std::size_t own) : words_((nodes + 63) / 64) {
    words_[own / 64] = std::uint64_t{1} << own % 64;
  }
  /// A contribution that both contain; none: -1.
  std::int64_t common(const Contributions& other) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (const std::uint64_t both = words_[i] & other.words_[i]; both != 0) return lowest(i, both);
    }
    return -1;
  }
  /// A contribution that `other` contains and this does not; none: -1.
  std::int64_t missing(const Contributions& other) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (const std::uint64_t only = other.words_[i] & ~words_[i]; only != 0) {
        return lowest(i, only);
      }
    }
    return -1;
  }
  void add(const Contributions& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }
  std::size_t count() const {
    std::size_t count = 0;
    for (const std::uint64_t word : words_)
      count += static_cast<std::size_t>(__builtin_popcountll(word));
    return count;
  }

 private:
  static std::int64_t lowest(std::size_t word, std::uint64_t bits) {
    return static_cast<std::int64_t>(word) * 64 + __builtin_ctzll(bits);
  }
  std::vector<std::uint64_t> words_;
};

// Carries out a reduction: in each step all sums are sent as they were before the step.
class Summation {
 public:
  Summation(const Schedule& schedule, const Collective& collective, BlockFindings& findings)
      : schedule_(schedule), collective_(collective), findings_(findings) {
    const std::size_t nodes = collective.node_count();
    if (nodes > max_summing_nodes) {
      throw std::invalid_argument("a reduction among " + std::to_string(nodes) +
                                  " nodes: the limit is " + std::to_string(max_summing_nodes));
    }
    for (std::size_t i = 0; i < nodes; ++i) sums_.emplace_back(nodes, i);
  }

  void run(const UnicastIndices& by_step) {
    for (auto begin = by_step.begin(); begin != by_step.end();) {
      auto end = begin;
      std::vector<Contributions> sent;
      for (; end != by_step.end() && unicast(*end).step == unicast(*begin).step; ++end) {
        sent.push_back(sums_[index(unicast(*end).u)]);
      }
      for (auto i = begin; i != end; ++i) {
        for (const NodeId node : receivers_of(unicast(*i))) {
          receive(unicast(*i), node, sent[static_cast<std::size_t>(i - begin)]);
        }
      }
      begin = end;
    }
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      const std::size_t count = sums_[i].count();
      if (count == sums_.size() || !collective_.must_hold(node_id(i), 0)) continue;
      findings_.exactly_once.add("the sum of node " + std::to_string(i) + " has " +
                                 std::to_string(count) + " of " + std::to_string(sums_.size()) +
                                 " contributions at the end");
    }
  }

 private:
  const Unicast& unicast(std::uint32_t i) const { return schedule_.unicasts[i]; }

  void receive(const Unicast& unicast, NodeId node, const Contributions& sent) {
    Contributions& sum = sums_[index(node)];
    if (!unicast.adds) {
      if (const std::int64_t lost = sent.missing(sum); lost >= 0) {
        findings_.collective.add(describe(unicast) + ": node " + number(node) +
                                 " gives up the contribution of node " + std::to_string(lost));
      }
      sum = sent;
      return;
    }
    if (const std::int64_t twice = sum.common(sent); twice >= 0) {
      findings_.exactly_once.add(describe(unicast) + ": node " + number(node) +
                                 " adds the contribution of node " + std::to_string(twice) +
                                 " twice");
    }
    sum.add(sent);
  }

  const Schedule& schedule_;
  const Collective& collective_;
  BlockFindings& findings_;
  std::vector<Contributions> sums_;  // by node
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
