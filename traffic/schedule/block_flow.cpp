// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedule/block_flow.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "rtl_model/base/in_order.h"
#include "rtl_model/base/stop_flag.h"
#include "rtl_model/base/words.h"

namespace allport {

bool is_between_nodes(const Unicast& unicast, std::size_t nodes) {
  return index(unicast.u) < nodes && index(unicast.v) < nodes &&
         std::all_of(unicast.via.begin(), unicast.via.end(),
                     [nodes](NodeId node) { return index(node) < nodes; });
}

namespace {

// By the names of nodes where the fabric is known.
std::string described(const Unicast& unicast, const Topology* topology) {
  return topology == nullptr ? describe_of_ranks(unicast) : describe(unicast, *topology);
}

}  // namespace

std::string block_fault(const Unicast& unicast, const Collective& collective,
                        const Topology* topology) {
  if (unicast.kind != MessageKind::unicast && !goes_by_list(unicast.kind)) {
    return described(unicast, topology) +
           ": blocks are carried by unicasts, multidestination worms and label worms only";
  }
  if (unicast.blocks.empty()) return described(unicast, topology) + ": it carries no blocks";
  if (unicast.adds && !collective.is_reduction()) {
    return described(unicast, topology) + ": it adds, but the blocks of " +
           std::string(to_string(collective.operation())) + " are not sums";
  }
  const BlockId last = *std::max_element(unicast.blocks.begin(), unicast.blocks.end());
  if (last >= collective.block_count()) {
    return described(unicast, topology) + ": block " + std::to_string(last) + " is not " +
           one_of(collective.block_count()) + " of " +
           std::string(to_string(collective.operation()));
  }
  const bool ascends = std::adjacent_find(unicast.blocks.begin(), unicast.blocks.end(),
                                          std::greater_equal<>()) == unicast.blocks.end();
  if (ascends) return {};
  std::vector<BlockId> blocks = unicast.blocks.values();
  std::sort(blocks.begin(), blocks.end());
  const auto twice = std::adjacent_find(blocks.begin(), blocks.end());
  if (twice == blocks.end()) return {};
  return described(unicast, topology) + ": it carries block " + std::to_string(*twice) + " twice";
}

std::vector<NodeId> receivers_of(const Unicast& unicast) {
  return unicast.via.empty() ? std::vector<NodeId>{unicast.v} : destinations(unicast);
}

bool is_wanted(const Unicast& unicast, NodeId receiver, const Collective& collective) {
  return std::any_of(unicast.blocks.begin(), unicast.blocks.end(), [&](BlockId block) {
    // What a node holds of a sum before is its contribution alone.
    const bool has = !collective.is_reduction() && collective.holds_before(receiver, block);
    return !has && collective.must_hold(receiver, block);
  });
}

BlockFlow::BlockFlow(const Schedule& schedule, const Collective& collective,
                     const Topology* topology)
    : schedule_(schedule),
      collective_(collective),
      topology_(topology),
      programs_(collective.node_count()),
      receptions_(collective.node_count()),
      waits_(schedule.unicasts.size()) {
  collect();
  awaited_.reserve(waits_.size());
  if (collective.is_reduction()) {
    follow_sums();
    return;
  }
  for (std::size_t node = 0; node < collective.node_count(); ++node) follow_moves(node_id(node));
}

// Fills in programs and receptions. Their order is looked at while they are filled: then the
// unicasts compared lie near to each other, and those of one node afterwards do not.
void BlockFlow::collect() {
  const std::vector<Unicast>& unicasts = schedule_.unicasts;
  const std::size_t nodes = collective_.node_count();
  std::vector<std::size_t> sends(nodes);
  std::vector<std::size_t> receptions(nodes);
  for (const Unicast& unicast : unicasts) {
    if (!is_between_nodes(unicast, nodes)) continue;
    if (const std::string fault = block_fault(unicast, collective_, topology_); !fault.empty()) {
      throw std::invalid_argument(fault);
    }
    ++sends[index(unicast.u)];
    for_each_receiver(unicast, [&](NodeId node) { ++receptions[index(node)]; });
  }
  for (std::size_t node = 0; node < nodes; ++node) {
    programs_[node].reserve(sends[node]);
    receptions_[node].reserve(receptions[node]);
  }
  const auto is_sent_before = [&](std::uint32_t a, std::uint32_t b) {
    return std::tie(unicasts[a].order, unicasts[a].step) <
           std::tie(unicasts[b].order, unicasts[b].step);
  };
  const auto is_received_before = [&](std::uint32_t a, std::uint32_t b) {
    return unicasts[a].step < unicasts[b].step;
  };
  bool are_in_order = true;
  const auto append = [&](std::uint32_t i, UnicastIndices& list, const auto& is_before) {
    if (!list.empty() && is_before(i, list.back())) are_in_order = false;
    list.push_back(i);
  };
  for (std::uint32_t i = 0; i < unicasts.size(); ++i) {
    if (!is_between_nodes(unicasts[i], nodes)) continue;
    append(i, programs_[index(unicasts[i].u)], is_sent_before);
    for_each_receiver(
        unicasts[i], [&](NodeId node) { append(i, receptions_[index(node)], is_received_before); });
  }
  for (std::size_t node = 0; node < nodes && !are_in_order; ++node) {
    put_in_order(programs_[node].begin(), programs_[node].end(), is_sent_before);
    put_in_order(receptions_[node].begin(), receptions_[node].end(), is_received_before);
  }
}

void BlockFlow::follow_moves(NodeId node) {
  std::unordered_map<BlockId, std::uint32_t> brought_by;
  for (const std::uint32_t i : receptions_[index(node)]) {
    heed_stop();
    for (const BlockId block : schedule_.unicasts[i].blocks) {
      const bool is_new =
          !collective_.holds_before(node, block) && brought_by.emplace(block, i).second;
      if (!is_new) repetitions_.push_back({i, node, block});
    }
  }
  UnicastIndices receptions;
  for (const std::uint32_t i : programs_[index(node)]) {
    heed_stop();
    const Unicast& send = schedule_.unicasts[i];
    for (const BlockId block : send.blocks) {
      if (collective_.holds_before(node, block)) continue;
      const auto found = brought_by.find(block);
      const bool is_there =
          found != brought_by.end() && schedule_.unicasts[found->second].step < send.step;
      if (is_there) {
        receptions.push_back(found->second);
      } else {
        lacks_.emplace(i, block);  // the first one
      }
    }
    set_waits(i, receptions);
  }
  for (const BlockId block : collective_.blocks_after(node)) {
    if (collective_.holds_before(node, block) || brought_by.count(block) > 0) continue;
    losses_.push_back({node, block});
  }
}

namespace {

// The receptions of a node that name a block, by step, in lists of one vector for all blocks.
class ReceptionsOfBlocks {
 public:
  explicit ReceptionsOfBlocks(std::size_t blocks) : lists_(blocks) {}

  struct Entry {
    StepIndex step = 0;
    std::uint32_t reception = 0;
    std::uint32_t next = 0;  // 0: none
  };
  // To be called in the order of steps.
  void add(BlockId block, StepIndex step, std::uint32_t reception) {
    List& list = lists_[block];
    const auto place = static_cast<std::uint32_t>(entries_.size());
    if (list.first == 0) {
      list.first = place;
      named_.push_back(block);
    } else {
      entries_[list.last].next = place;
    }
    list.last = place;
    entries_.push_back({step, reception});
  }
  template <class Use>
  void for_each_before(StepIndex step, BlockId block, const Use& use) const {
    std::uint32_t place = lists_[block].first;
    for (; place != 0 && entries_[place].step < step; place = entries_[place].next) {
      use(entries_[place].reception);
    }
  }
  void clear() {
    for (const BlockId block : named_) lists_[block] = {};
    named_.clear();
    entries_.resize(1);
  }

 private:
  struct List {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
  };
  std::vector<List> lists_;        // by block
  std::vector<BlockId> named_;     // the blocks that have one
  std::vector<Entry> entries_{1};  // entry 0 is unused
};

}  // namespace

void BlockFlow::follow_sums() {
  ReceptionsOfBlocks received(collective_.block_count());
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> listed_for(waits_.size(), none);  // by reception: the last send
  UnicastIndices receptions;
  for (std::size_t node = 0; node < programs_.size(); ++node) {
    for (const std::uint32_t i : receptions_[node]) {
      heed_stop();
      const Unicast& reception = schedule_.unicasts[i];
      for (const BlockId block : reception.blocks) received.add(block, reception.step, i);
    }
    for (const std::uint32_t i : programs_[node]) {
      heed_stop();
      const Unicast& send = schedule_.unicasts[i];
      for (const BlockId block : send.blocks) {
        received.for_each_before(send.step, block, [&](std::uint32_t reception) {
          if (std::exchange(listed_for[reception], i) != i) receptions.push_back(reception);
        });
      }
      set_waits(i, receptions);
    }
    received.clear();
  }
}

// Takes over the receptions, each once.
void BlockFlow::set_waits(std::uint32_t unicast, UnicastIndices& receptions) {
  std::sort(receptions.begin(), receptions.end());
  const auto end = std::unique(receptions.begin(), receptions.end());
  waits_[unicast] = {awaited_.size(), static_cast<std::uint64_t>(end - receptions.begin())};
  awaited_.insert(awaited_.end(), receptions.begin(), end);
  receptions.clear();
}

std::optional<BlockId> BlockFlow::lacks(std::size_t i) const {
  const auto found = lacks_.find(i);
  return found == lacks_.end() ? std::nullopt : std::optional<BlockId>(found->second);
}

// The unicasts that wait for each: from its own of `begins` to that of the next one.
UnicastIndices BlockFlow::waiting_for_each(std::vector<std::uint32_t>& begins) const {
  constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  if (awaited_.size() > most)
    throw std::invalid_argument(
        "the messages wait for too much: " + std::to_string(awaited_.size()) +
        " receptions in all, and the limit is " + std::to_string(most));
  begins.assign(waits_.size() + 1, 0);
  for (const std::uint32_t reception : awaited_) ++begins[reception];
  for (std::size_t i = 1; i < begins.size(); ++i) begins[i] += begins[i - 1];
  UnicastIndices waiting(awaited_.size());  // filled from the back
  for (auto program = programs_.rbegin(); program != programs_.rend(); ++program) {
    for (auto one = program->rbegin(); one != program->rend(); ++one) {
      for (const std::uint32_t reception : waits_for(*one)) waiting[--begins[reception]] = *one;
    }
  }
  return waiting;
}

UnicastIndices BlockFlow::execution_order() const {
  std::vector<std::uint32_t> begins;
  const UnicastIndices waiting = waiting_for_each(begins);
  std::vector<std::uint32_t> missing(waits_.size());
  UnicastIndices order;
  order.reserve(waits_.size());
  for (const UnicastIndices& program : programs_) {
    for (std::size_t i = 0; i < program.size(); ++i) {
      const std::uint32_t one = program[i];
      missing[one] = static_cast<std::uint32_t>(waits_for(one).size() + (i > 0 ? 1 : 0));
      if (missing[one] == 0) order.push_back(one);
    }
  }
  std::vector<std::size_t> sent(programs_.size());  // by node: how far its program has come
  for (std::size_t done = 0; done < order.size(); ++done) {
    const std::uint32_t one = order[done];
    const std::size_t sender = index(schedule_.unicasts[one].u);
    const UnicastIndices& program = programs_[sender];
    const std::size_t next = ++sent[sender];
    if (next < program.size() && --missing[program[next]] == 0) order.push_back(program[next]);
    for (std::uint32_t i = begins[one]; i < begins[one + 1]; ++i) {
      if (--missing[waiting[i]] == 0) order.push_back(waiting[i]);
    }
  }
  return order;
}

std::string BlockFlow::program_fault() const {
  for (const UnicastIndices& program : programs_) {
    for (std::size_t i = 1; i < program.size(); ++i) {
      const Unicast& before = schedule_.unicasts[program[i - 1]];
      const Unicast& one = schedule_.unicasts[program[i]];
      if (one.order == before.order) {
        return described(one, topology_) + ": order " + std::to_string(one.order) +
               " is also that of the unicast to " +
               (topology_ == nullptr ? std::to_string(index(before.v))
                                     : topology_->node_name(before.v));
      }
      if (collective_.is_reduction() && one.step < before.step) {
        return described(one, topology_) + ": it follows step " + std::to_string(before.step) +
               " in its program, but sums must be sent in the order of steps";
      }
    }
  }
  const UnicastIndices order = execution_order();
  std::vector<bool> is_done(waits_.size());
  for (const std::uint32_t i : order) is_done[i] = true;
  for (const UnicastIndices& program : programs_) {
    for (const std::uint32_t i : program) {
      if (!is_done[i]) {
        return described(schedule_.unicasts[i], topology_) +
               ": it waits in a circle with messages that come before others in their programs";
      }
    }
  }
  return {};
}

}  // namespace allport
