// SPDX-License-Identifier: Apache-2.0
#include "traffic/synthesis/synthesis.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "rtl_model/base/range.h"
#include "traffic/schedule/block_lengths.h"
#include "traffic/synthesis/matching.h"
#include "traffic/synthesis/pair_exchange.h"
#include "traffic/synthesis/phases.h"
#include "traffic/theory/block_timing.h"

namespace allport {

namespace {

// From the paper's, whose messages are short, to long messages, of which a node prepares few. The
// first ones are for plans that are large.
const std::vector<MatchingStyle>& styles() {
  static const std::vector<MatchingStyle> list{
      {Matching::draws, 1, 0},  {Matching::links, 0, 1}, {Matching::dimension, 0, 0},
      {Matching::rarest, 1, 0}, {Matching::links, 0, 0}, {Matching::links, 1, 0},
      {Matching::rarest, 1, 2}, {Matching::links, 0, 2}, {Matching::draws, 4, 0},
  };
  return list;
}
constexpr std::size_t styles_of_large = 3;
constexpr std::size_t large = std::size_t{1} << 15;  // receptions

[[noreturn]] void refuse_size(const Topology& topology, std::size_t receptions) {
  throw std::invalid_argument(
      topology.name() + " is too large for a synthesized plan: its nodes receive " +
      std::to_string(receptions) + " blocks, and the limit is " + std::to_string(max_synthesized));
}

// Before anything is made: each block, whole, is received once, or by all members.
void require_size(const SynthesisRequest& request) {
  const Topology& topology = request.routing.topology();
  if (topology.node_count() > max_synthesis_nodes) {
    throw std::invalid_argument(topology.name() + " is too large for a synthesized plan: it has " +
                                std::to_string(topology.node_count()) +
                                " nodes, and the limit is " + std::to_string(max_synthesis_nodes));
  }
  const Collective& goal = request.goal;
  const std::size_t blocks = goal.block_count() / goal.part_count();
  const bool goes_to_all =
      goal.operation() == Operation::allgather || goal.operation() == Operation::reduce_scatter;
  const std::size_t receptions = blocks * (goes_to_all ? goal.rank_count() : 1);
  if (goal.operation() != Operation::bcast && receptions > max_synthesized) {
    refuse_size(topology, receptions);
  }
}

// The number that is tried after `atoms` in 1, 2, 4, 8, .., `most`. After the last comes 0.
std::size_t next_number(std::size_t atoms, std::size_t most) {
  return atoms == most ? 0 : std::min(most, 2 * atoms);
}

class Synthesis {
 public:
  explicit Synthesis(const SynthesisRequest& request)
      : request_(request),
        phases_(request.goal),
        ahead_(request.routing, request.internal_ports, request.missing, false),
        back_(request.routing, request.internal_ports, request.missing, true),
        goal_(request.goal.of_length(request.timing.flits)) {}

  Schedule best() {
    switch (request_.goal.operation()) {
      case Operation::bcast:
        try_phases([&](std::size_t atoms) { return std::vector{phases_.bcast(atoms)}; });
        break;
      case Operation::reduce:
        try_phases([&](std::size_t atoms) { return std::vector{phases_.reduce(atoms)}; });
        break;
      case Operation::allreduce:
        try_phases([&](std::size_t atoms) {
          return std::vector{phases_.reduce_scatter(atoms), phases_.allgather(atoms)};
        });
        try_sums_at_once();
        break;
      case Operation::barrier:
        try_sums_at_once();
        break;
      default:
        try_phases([&](std::size_t atoms) { return std::vector{phases_.only(atoms)}; });
    }
    return std::move(best_);
  }

 private:
  // Reductions to the middle of the group and back, and exchanges.
  void try_sums_at_once() {
    phases_.set_root(middle());
    try_phases([&](std::size_t atoms) {
      return std::vector{phases_.reduce(atoms), phases_.bcast(atoms)};
    });
    const std::vector<PairMessage> pairs = exchange_in_pairs(ahead_, phases_.members());
    Schedule schedule;
    for (const PairMessage& message : pairs) {
      Unicast unicast = ahead_.all()[message.link].hop;
      unicast.step = message.round;
      unicast.blocks = phases_.all_blocks();
      unicast.adds = true;
      schedule.unicasts.push_back(std::move(unicast));
    }
    if (!pairs.empty()) judge(std::move(schedule));
  }

  // The member from which the farthest other one is nearest.
  NodeId middle() const {
    NodeId best = phases_.members().front();
    int least = std::numeric_limits<int>::max();
    for (const NodeId node : phases_.members()) {
      const std::vector<int> hops = ahead_.hops_from(node);
      int most = 0;
      for (const NodeId other : phases_.members()) most = std::max(most, hops[index(other)]);
      if (most < least) best = node;
      least = std::min(least, most);
    }
    return best;
  }

  // `make(atoms)` gives the phases in which as many atoms are made of each block; of a message or
  // vector that goes as a whole, in all.
  template <class Make>
  void try_phases(const Make& make) {
    const std::size_t most = make(0).front().most_atoms;
    for (std::size_t atoms = 1; atoms > 0; atoms = next_number(atoms, most)) {
      const std::vector<Phase> phases = make(atoms);
      std::size_t receptions = 0;
      for (const Phase& phase : phases) {
        receptions += reception_count(phase.goals, links_of(phase));
      }
      if (receptions > max_synthesized) {
        if (atoms > 1) return;  // coarser ones will do
        refuse_size(request_.routing.topology(), receptions);
      }
      const std::size_t count = receptions > large ? styles_of_large : styles().size();
      for (std::size_t i = 0; i < count; ++i) try_style(phases, styles()[i]);
    }
  }

  const PlanLinks& links_of(const Phase& phase) const {
    return phase.is_backwards ? back_ : ahead_;
  }

  void try_style(const std::vector<Phase>& phases, const MatchingStyle& style) {
    Schedule schedule;
    StepIndex before = 0;
    for (const Phase& phase : phases) {
      const PlanLinks& links = links_of(phase);
      const auto messages = match_atoms(phase.goals, links, style, request_.seed);
      before = append(schedule, phase, messages, links, before);
    }
    judge(std::move(schedule));
  }

  // Rounds become the steps after `before`, without those in which nothing is sent; returns the
  // last.
  static StepIndex append(Schedule& schedule, const Phase& phase,
                          const std::vector<AtomMessage>& messages, const PlanLinks& links,
                          StepIndex before) {
    std::vector<StepIndex> rounds;
    for (const AtomMessage& message : messages) {
      if (rounds.empty() || rounds.back() != message.round) rounds.push_back(message.round);
    }
    const auto count = static_cast<StepIndex>(rounds.size());
    for (const AtomMessage& message : messages) {
      Unicast unicast = links.all()[message.link].hop;
      const auto place = static_cast<StepIndex>(
          std::lower_bound(rounds.begin(), rounds.end(), message.round) - rounds.begin());
      unicast.step = before + (phase.is_backwards ? count - place : place + 1);
      std::vector<BlockId> carried;
      for (const std::uint32_t atom : message.atoms) {
        const std::vector<BlockId>& blocks = phase.blocks[atom];
        carried.insert(carried.end(), blocks.begin(), blocks.end());
      }
      unicast.blocks = std::move(carried);
      unicast.adds = phase.adds;
      schedule.unicasts.push_back(std::move(unicast));
    }
    return before + count;
  }

  // Keeps the schedule if it is better than those before.
  void judge(Schedule schedule) {
    number_by_step(schedule);
    Schedule sent = schedule;
    if (goal_.has_empty_blocks()) {
      leave_out_empty_blocks(sent, goal_);
      close_gaps(sent);
    }
    const BlockLengths lengths(goal_, request_.timing.flits, 1,
                               static_cast<std::size_t>(request_.timing.flits));
    const bool is_short = std::all_of(
        sent.unicasts.begin(), sent.unicasts.end(),
        [&](const Unicast& unicast) { return lengths.flits_of(unicast) <= limits::flits.high; });
    if (!is_short && has_best_) return;
    const std::vector<Cycle> latency =
        is_short ? predicted_block_latency(sent, request_.routing, goal_, lengths,
                                           request_.internal_ports, request_.timing)
                 : std::vector<Cycle>{std::numeric_limits<Cycle>::max()};
    const Cycle longest = *std::max_element(latency.begin(), latency.end());
    if (has_best_ && longest >= least_) return;
    has_best_ = true;
    least_ = longest;
    best_ = std::move(schedule);
  }

  const SynthesisRequest& request_;
  Phases phases_;
  const PlanLinks ahead_;
  const PlanLinks back_;
  const Collective goal_;  // without its empty blocks
  Schedule best_;
  bool has_best_ = false;
  Cycle least_ = 0;
};

}  // namespace

Schedule synthesize(const SynthesisRequest& request) {
  require_size(request);
  return Synthesis(request).best();
}

}  // namespace allport
