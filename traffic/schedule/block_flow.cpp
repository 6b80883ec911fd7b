// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedule/block_flow.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <unordered_map>
#include "rtl_model/base/in_order.h"

namespace allport {

namespace {

bool is_inside(const Unicast& unicast, std::size_t nodes) {
  const std::vector<NodeId> receivers = receivers_of(unicast);
  return index(unicast.u) < nodes &&
         std::all_of(receivers.begin(), receivers.end(),
                     [nodes](NodeId node) { return index(node) < nodes; });
}

}  // namespace

std::string block_fault(const Unicast& unicast, const Collective& collective) {
  if (unicast.kind != MessageKind::unicast && !goes_by_list(unicast.kind)) {
    return describe(unicast) +
           ": blocks are carried by unicasts, multidestination worms and label worms only";
  }
  if (unicast.blocks.empty()) return describe(unicast) + ": it carries no blocks";
  if (unicast.adds && !collective.is_reduction()) {
    return describe(unicast) + ": it adds, but the blocks of " +
           std::string(to_string(collective.operation())) + " are not sums";
  }
  std::vector<BlockId> blocks = unicast.blocks.values();
  if (!std::is_sorted(blocks.begin(), blocks.end())) std::sort(blocks.begin(), blocks.end());
  if (blocks.back() >= collective.block_count()) {
    return describe(unicast) + ": block " + std::to_string(blocks.back()) + " is not one of 0.." +
           std::to_string(collective.block_count() - 1) + " of " +
           std::string(to_string(collective.operation()));
  }
  const auto twice = std::adjacent_find(blocks.begin(), blocks.end());
  if (twice == blocks.end()) return {};
  return describe(unicast) + ": it carries block " + std::to_string(*twice) + " twice";
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

BlockFlow::BlockFlow(const Schedule& schedule, const Collective& collective)
    : schedule_(schedule),
      collective_(collective),
      programs_(collective.node_count()),
      receptions_(collective.node_count()),
      waits_(schedule.unicasts.size()),
      contributions_(collective.is_reduction() ? schedule.unicasts.size() : 0) {
  const std::vector<Unicast>& unicasts = schedule.unicasts;
  for (std::uint32_t i = 0; i < unicasts.size(); ++i) {
    if (!is_inside(unicasts[i], collective.node_count())) continue;
    if (const std::string fault = block_fault(unicasts[i], collective); !fault.empty()) {
      throw std::invalid_argument(fault);
    }
    programs_[index(unicasts[i].u)].push_back(i);
    for (const NodeId node : receivers_of(unicasts[i])) receptions_[index(node)].push_back(i);
  }
  for (std::size_t node = 0; node < collective.node_count(); ++node) {
    put_in_order(programs_[node].begin(), programs_[node].end(), [&](auto a, auto b) {
      return std::tie(unicasts[a].order, unicasts[a].step) <
             std::tie(unicasts[b].order, unicasts[b].step);
    });
    put_in_order(receptions_[node].begin(), receptions_[node].end(),
                 [&](auto a, auto b) { return unicasts[a].step < unicasts[b].step; });
    if (collective.is_reduction()) {
      follow_sums(node_id(node));
    } else {
      follow_moves(node_id(node));
    }
  }
}

void BlockFlow::follow_moves(NodeId node) {
  std::unordered_map<BlockId, std::uint32_t> brought_by;
  for (const std::uint32_t i : receptions_[index(node)]) {
    for (const BlockId block : schedule_.unicasts[i].blocks) {
      const bool is_new =
          !collective_.holds_before(node, block) && brought_by.emplace(block, i).second;
      if (!is_new) repetitions_.push_back({i, node, block});
    }
  }
  UnicastIndices receptions;
  for (const std::uint32_t i : programs_[index(node)]) {
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

void BlockFlow::follow_sums(NodeId node) {
  struct Contribution {
    BlockId block;
    std::uint32_t reception;
  };
  std::vector<Contribution> received;
  for (const std::uint32_t i : receptions_[index(node)]) {
    for (const BlockId block : schedule_.unicasts[i].blocks) received.push_back({block, i});
  }
  put_in_order(received.begin(), received.end(),
               [](const auto& a, const auto& b) { return a.block < b.block; });  // then by step
  UnicastIndices receptions;
  for (const std::uint32_t i : programs_[index(node)]) {
    const Unicast& send = schedule_.unicasts[i];
    for (const BlockId block : send.blocks) {
      auto one = std::partition_point(received.begin(), received.end(),
                                      [&](const auto& other) { return other.block < block; });
      for (; one != received.end() && one->block == block; ++one) {
        if (schedule_.unicasts[one->reception].step >= send.step) break;
        receptions.push_back(one->reception);
        ++contributions_[i];
      }
    }
    set_waits(i, receptions);
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

int BlockFlow::contributions(std::size_t i) const {
  return contributions_.empty() ? 0 : contributions_[i];
}

UnicastIndices BlockFlow::execution_order() const {
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  const std::size_t count = waits_.size();
  std::vector<std::uint32_t> missing(count);
  std::vector<std::uint32_t> next_in_program(count, none);
  // The unicasts that wait for each: from its own of `begins` to that of the next one.
  if (awaited_.size() > none)
    throw std::invalid_argument(
        "the messages wait for too much: " + std::to_string(awaited_.size()) +
        " receptions in all, and the limit is " + std::to_string(none));
  std::vector<std::uint32_t> begins(count + 1);
  for (const std::uint32_t reception : awaited_) ++begins[reception];
  for (std::size_t i = 0; i < count; ++i) begins[i + 1] += begins[i];
  UnicastIndices waiting(awaited_.size());  // filled from the back
  for (auto program = programs_.rbegin(); program != programs_.rend(); ++program) {
    for (auto one = program->rbegin(); one != program->rend(); ++one) {
      for (const std::uint32_t reception : waits_for(*one)) waiting[--begins[reception]] = *one;
    }
  }
  UnicastIndices order;
  order.reserve(count);
  for (const UnicastIndices& program : programs_) {
    for (std::size_t i = 0; i < program.size(); ++i) {
      const std::uint32_t one = program[i];
      if (i > 0) next_in_program[program[i - 1]] = one;
      missing[one] = static_cast<std::uint32_t>(waits_for(one).size() + (i > 0 ? 1 : 0));
      if (missing[one] == 0) order.push_back(one);
    }
  }
  for (std::size_t done = 0; done < order.size(); ++done) {
    const std::uint32_t one = order[done];
    const std::uint32_t next = next_in_program[one];
    if (next != none && --missing[next] == 0) order.push_back(next);
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
        return describe(one) + ": order " + std::to_string(one.order) +
               " is also that of the unicast to " + std::to_string(index(before.v));
      }
      if (collective_.is_reduction() && one.step < before.step) {
        return describe(one) + ": it follows step " + std::to_string(before.step) +
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
        return describe(schedule_.unicasts[i]) +
               ": it waits in a circle with messages that come before others in their programs";
      }
    }
  }
  return {};
}

}  // namespace allport
