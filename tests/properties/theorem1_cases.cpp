// SPDX-License-Identifier: Apache-2.0
#include "tests/properties/theorem1_cases.h"

#include <algorithm>
#include <deque>
#include <map>
#include <sstream>
#include <tuple>
#include <vector>

#include "testbench/plan/message_lengths.h"
#include "testbench/simulation/program_table.h"
#include "tests/support/draw.h"

namespace allport::test {

namespace {

// The schedule with the steps that follow from the programs: the step of each unicast is the one
// after its sender's reception and after the previous unicast in its program.
Schedule in_program_order(const Schedule& schedule, const std::vector<NodeId>& sources) {
  std::map<NodeId, std::vector<Unicast>> programs;
  for (const Unicast& unicast : schedule.unicasts) programs[unicast.u].push_back(unicast);
  std::map<NodeId, StepIndex> received;
  std::deque<NodeId> holders(sources.begin(), sources.end());
  Schedule ordered;
  for (; !holders.empty(); holders.pop_front()) {
    std::vector<Unicast>& program = programs[holders.front()];
    std::stable_sort(program.begin(), program.end(),
                     [](const Unicast& a, const Unicast& b) { return a.order < b.order; });
    StepIndex last = received[holders.front()];
    for (Unicast& unicast : program) {
      unicast.step = ++last;
      ordered.unicasts.push_back(unicast);
      if (received.emplace(unicast.v, last).second) holders.push_back(unicast.v);
    }
    program.clear();
  }
  ordered.sort();
  return ordered;
}

bool is_in_program_order(const Schedule& schedule) {
  std::vector<Unicast> sends = schedule.unicasts;
  std::sort(sends.begin(), sends.end(), [](const Unicast& a, const Unicast& b) {
    return std::tie(a.u, a.order, a.step) < std::tie(b.u, b.order, b.step);
  });
  return std::is_sorted(sends.begin(), sends.end(), [](const Unicast& a, const Unicast& b) {
    return std::tie(a.u, a.step) < std::tie(b.u, b.step);
  });
}

}  // namespace

bool is_proved(const ProofCase& one) {
  const PlannedCollective& plan = one.plan;
  const bool has_blocks = plan.goal != nullptr;
  if (has_blocks && !is_in_program_order(plan.schedule)) return false;
  const ScheduleReport report =
      check_schedule(has_blocks ? plan.schedule : in_program_order(plan.schedule, plan.sources),
                     {one.routing, one.config.fabric.internal_ports, plan.sources,
                      plan.destinations, plan.goal.get()});
  return report.theorem1.ok() && report.exactly_once.ok() && report.causality.ok();
}

int longest_message(const ProofCase& one) {
  return std::max(1, static_cast<int>(MessageLengths(one.plan, one.config).longest()));
}

bool has_meeting(const Schedule& schedule, const Routing& routing) {
  std::map<NodeId, const Unicast*> received;
  for (const Unicast& unicast : schedule.unicasts) received[unicast.v] = &unicast;
  const auto is_behind = [&](const Unicast& late, const Unicast& early) {
    const Unicast* at = &late;
    while (at != nullptr && at != &early) {
      const auto found = received.find(at->u);
      at = found == received.end() ? nullptr : found->second;
    }
    return at != nullptr;
  };
  for (const Unicast& a : schedule.unicasts) {
    const std::vector<Channel> way = channels(a, routing);
    for (const Unicast& b : schedule.unicasts) {
      if (&a == &b || a.u == b.u || is_behind(b, a) || is_behind(a, b)) continue;
      for (const Channel channel : channels(b, routing)) {
        if (std::find(way.begin(), way.end(), channel) != way.end()) return true;
      }
    }
  }
  return false;
}

namespace {

Routing draw_routing(Draw& draw) {
  if (draw.below(4) == 0) {
    return ascending_on(draw.one_of<const char*>({"hypercube:3", "hypercube:4", "hypercube:5"}));
  }
  return routing_on(draw.one_of<const char*>(
      {"hypercube:2", "hypercube:3", "hypercube:4", "hypercube:4", "hypercube:5", "hypercube:6",
       "ring:6", "ring:8", "ring:16", "torus:4x4", "torus:4x4", "torus:8x8", "torus:5x3",
       "torus:4x4x4", "torus:2x4x4", "mesh:4x4", "mesh:3x5", "mesh:12", "mesh:3x3x3"}));
}

// Draws everything but the depth of the buffers, which depends on the messages.
void draw_machine(Draw& draw, ProofCase& one) {
  const bool wraps = one.routing.topology().wraps();
  FabricConfig& fabric = one.config.fabric;
  const int all = all_ports(one.routing);
  fabric.internal_ports = draw.below(4) > 0 ? all : 1 + draw.below(all);
  fabric.vcs = wraps ? draw.one_of<int>({2, 2, 4}) : draw.one_of<int>({1, 2, 2, 3, 4});
  fabric.link_delay = draw.one_of<int>({0, 0, 1, 2, 5});
  fabric.switching =
      draw.one_of<Switching>({Switching::wormhole, Switching::wormhole, Switching::cut_through,
                              Switching::store_and_forward, Switching::circuit});
  one.config = Experiment()
                   .on(fabric)
                   .length(draw.one_of<int>({1, 2, 3, 4, 7, 16, 30}))
                   .times(draw.one_of<int>({0, 0, 0, 1, 5, 40}), draw.one_of<int>({0, 0, 1, 20}))
                   .with_jitter(draw.one_of<int>({0, 0, 4, 40, 300}))
                   .with_seed(static_cast<std::uint64_t>(draw.below(1000000)));
}

// Some messages that are sent whole have lists of destinations, which makes them unequal.
void give_lists(ProofCase& one, std::ostringstream& words) {
  if (one.plan.goal != nullptr || one.config.seed % 3 != 2) return;
  const int flits = one.config.seed % 2 == 0 ? 1 : 9;
  words << " A " << flits;
  one.plan.address_fields = AddressFields(one.plan.schedule, one.routing.topology().node_count(),
                                          one.plan.destinations, flits);
}

void draw_depth(Draw& draw, ProofCase& one) {
  FabricConfig& fabric = one.config.fabric;
  const bool buffers = buffers_messages(fabric.switching);
  const int least = buffers ? longest_message(one) : 1;
  fabric.buffer_depth =
      least + draw.one_of<int>({0, 0, 1, 2, 3, 7, 2 + 2 * fabric.link_delay, least + 12});
}

Multicast draw_goal(Draw& draw, const Topology& topology, bool is_broadcast) {
  const std::size_t nodes = topology.node_count();
  const int some = draw.below(2) == 0 ? 8 : static_cast<int>(nodes);
  const auto count = std::min(nodes - 1, static_cast<std::size_t>(1 + draw.below(some)));
  std::vector<std::size_t> chosen = draw.subset(nodes, 1 + count);
  const std::size_t source = chosen.back();
  chosen.pop_back();
  return is_broadcast ? broadcast(topology, node_id(source))
                      : multicast(topology, node_id(source), allport::nodes(chosen));
}

// A few unicasts between random nodes, with ties in either direction.
Schedule draw_unicasts(Draw& draw, const Routing& routing, const std::vector<NodeId>& chosen) {
  Schedule schedule;
  std::map<NodeId, int> sent;
  for (std::size_t i = 1; i < chosen.size(); ++i) {
    const int before = draw.below(2) == 0 ? 0 : draw.below(static_cast<int>(i));
    Unicast unicast;
    unicast.u = chosen[static_cast<std::size_t>(before)];
    unicast.v = chosen[i];
    unicast.order = sent[unicast.u]++;
    if (!routing.topology().is_hypercube()) {
      unicast.displacement =
          routing.displacement(unicast.u, unicast.v, static_cast<TieMask>(draw.below(8)));
    }
    schedule.unicasts.push_back(unicast);
  }
  return in_program_order(schedule, {chosen.front()});
}

}  // namespace

ProofCase case_of_algorithm(std::uint64_t seed) {
  Draw draw(seed);
  ProofCase one{draw_routing(draw), {}, {}, {}};
  draw_machine(draw, one);
  const Topology& topology = one.routing.topology();
  std::vector<const Algorithm*> list;
  for (const Algorithm& algorithm : algorithms()) {
    const bool is_usable = algorithm.kind == MessageKind::unicast &&
                           algorithm.destinations != Destinations::one &&
                           !algorithm.is_synthesized;  // synthesis_test.cpp has them
    if (is_usable && algorithm.is_for(topology)) list.push_back(&algorithm);
  }
  const Algorithm& algorithm = *draw.one_of(list);
  const int ports = one.config.fabric.internal_ports;
  const Multicast goal = draw_goal(draw, topology, algorithm.destinations == Destinations::all);
  std::ostringstream words;
  words << "case " << seed << ": " << algorithm.name << " on " << topology.name() << " "
        << to_string(one.routing.order()) << " from " << index(goal.source);
  if (algorithm.operation != Operation::bcast) {
    one.plan = of_blocks(algorithm.name, one.routing, index(goal.source), ports, one.config.flits);
  } else if (const int pieces = draw.below(3) * draw.below(5); pieces > 1) {
    words << " pieces " << std::min(pieces, one.config.flits);
    one.plan =
        of_pieces(algorithm.name, one.routing, goal, std::min(pieces, one.config.flits), ports);
  } else {
    one.plan = collective(algorithm.name, one.routing, goal, ports);
    const auto own = static_cast<int>(piece_count(one.plan.schedule));
    if (own > 0) {
      one.plan =
          of_pieces(algorithm.name, one.routing, goal, std::min(own, one.config.flits), ports);
    }
  }
  give_lists(one, words);
  draw_depth(draw, one);
  words << " to";
  for (const NodeId node : goal.destinations) words << " " << index(node);
  one.words = words.str() + "; " + describe(one.config);
  return one;
}

ProofCase case_of_unicasts(std::uint64_t seed) {
  Draw draw(seed);
  ProofCase one{draw_routing(draw), {}, {}, {}};
  draw_machine(draw, one);
  const Topology& topology = one.routing.topology();
  for (int tries = 0; tries < 300; ++tries) {
    const auto count = std::min(topology.node_count(), static_cast<std::size_t>(3 + draw.below(6)));
    const std::vector<NodeId> chosen = nodes(draw.subset(topology.node_count(), count));
    one.plan.sources = {chosen.front()};
    one.plan.destinations = {chosen.begin() + 1, chosen.end()};
    one.plan.schedule = draw_unicasts(draw, one.routing, chosen);
    if (has_meeting(one.plan.schedule, one.routing) && is_proved(one)) break;
  }
  std::ostringstream words;
  words << "case " << seed << ": on " << topology.name() << " " << to_string(one.routing.order());
  for (const Unicast& unicast : one.plan.schedule.unicasts) {
    words << " " << index(unicast.u) << ">" << index(unicast.v) << "@" << unicast.step;
    for (const int part : unicast.displacement) words << "," << part;
  }
  const int pieces = std::min(1 + draw.below(2) * draw.below(4), one.config.flits);
  if (pieces > 1) {
    words << " pieces " << pieces;
    one.plan.goal = std::make_shared<Collective>(
        topology.node_count(), multicast(topology, one.plan.sources.front(), one.plan.destinations),
        static_cast<std::size_t>(pieces));
    one.plan.schedule =
        in_pieces(one.plan.schedule, pieces, one.routing, one.config.fabric.internal_ports);
  }
  give_lists(one, words);
  draw_depth(draw, one);
  one.words = words.str() + "; " + describe(one.config);
  return one;
}

ProofCase case_of_overtaking(std::uint64_t seed) {
  Draw draw(seed);
  ProofCase one{
      routing_on(draw.one_of<const char*>({"mesh:8", "mesh:3x6", "hypercube:4"})), {}, {}, {}};
  FabricConfig& fabric = one.config.fabric;
  fabric.internal_ports = all_ports(one.routing);
  fabric.vcs = 2 + draw.below(3);
  fabric.link_delay = draw.below(6);
  fabric.buffer_depth = draw.below(2) == 0 ? 1 + draw.below(4) : 2 + 2 * fabric.link_delay;
  one.config = Experiment().on(fabric).length(1 + draw.below(6)).with_jitter(draw.below(2) * 3);
  const Topology& topology = one.routing.topology();
  for (int tries = 0; tries < 300; ++tries) {
    const auto count = std::min(topology.node_count(), static_cast<std::size_t>(4 + draw.below(6)));
    std::vector<std::size_t> chosen = draw.subset(topology.node_count() - 1, count - 1);
    for (std::size_t& node : chosen) ++node;
    chosen.insert(chosen.begin(), 0);
    one.plan.sources = {node_id(0)};
    one.plan.destinations = nodes({chosen.begin() + 1, chosen.end()});
    one.plan.schedule = draw_unicasts(draw, one.routing, nodes(chosen));
    if (has_meeting(one.plan.schedule, one.routing) && is_proved(one)) break;
  }
  std::ostringstream words;
  words << "case " << seed << ": on " << topology.name();
  for (const Unicast& unicast : one.plan.schedule.unicasts) {
    words << " " << index(unicast.u) << ">" << index(unicast.v) << "@" << unicast.step;
  }
  one.words = words.str() + "; " + describe(one.config);
  return one;
}

}  // namespace allport::test
