// SPDX-License-Identifier: Apache-2.0
#include "tests/properties/reference/random_case.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include "testbench/simulation/simulation.h"
#include "tests/properties/reference/fabric.h"
#include "tests/support/draw.h"
#include "tests/support/forked.h"

namespace allport::test {

namespace {

struct Case {
  reference::Config config;
  std::vector<reference::Collective> collectives;
  reference::UniformPattern pattern;
  int flits_long = 0;  // flits of one message in ten; 0: all have the same length
};

bool is_pattern(Traffic traffic) {
  return traffic == Traffic::uniform || traffic == Traffic::uniform_modes ||
         traffic == Traffic::mixed;
}

const std::vector<std::string>& topologies() {
  static const std::vector<std::string> names{
      "hypercube:1", "hypercube:2", "hypercube:3", "hypercube:4", "hypercube:5", "ring:2",
      "ring:3",      "ring:5",      "ring:8",      "mesh:3x4",    "mesh:2x2x3",  "mesh:5",
      "torus:2x2",   "torus:3x3",   "torus:4x4",   "torus:5x4",   "torus:6x3",   "torus:2x5",
      "torus:3x2x4", "torus:7x2",   "torus:8x2"};
  return names;
}

bool has_modes(Traffic traffic) {
  return traffic == Traffic::modes || traffic == Traffic::uniform_modes;
}

void draw_mode(Draw& draw, reference::Config& config) {
  using reference::Mode;
  config.mode =
      draw.one_of<Mode>({Mode::wormhole, Mode::cut_through, Mode::cut_through,
                         Mode::store_and_forward, Mode::store_and_forward, Mode::circuit});
  config.is_adaptive = parse_topology(config.topology)->is_hypercube() &&
                       (draw.below(2) == 0 || config.is_ascending);
  if (config.is_adaptive) {
    config.is_ascending = false;
    config.vcs = draw.one_of<int>({2, 2, 3, 4});
  }
  if (config.mode == Mode::cut_through || config.mode == Mode::store_and_forward) {
    config.buffer_depth = config.flits + draw.one_of<int>({0, 0, 1, 7, config.flits});
  }
}

reference::Config draw_config(Draw& draw, Traffic traffic) {
  reference::Config config;
  config.topology = draw.one_of(topologies());
  const auto topology = parse_topology(config.topology);
  config.is_ascending = topology->is_hypercube() && draw.below(2) == 1;
  config.vcs = topology->wraps() ? draw.one_of<int>({2, 2, 4}) : draw.one_of<int>({1, 1, 2, 3});
  config.ports = 1 + draw.below(static_cast<int>(topology->port_count()));
  if (draw.below(2) == 0) config.ports = 0;
  config.link_delay = draw.one_of<int>({0, 0, 0, 1, 2, 5});
  config.replication_delay = draw.one_of<int>({0, 0, 1, 3});
  config.buffer_depth = draw.one_of<int>({1, 2, 3, 4, 4, 8, 17});
  config.flits = draw.one_of<int>({1, 1, 2, 3, 5, 8, 16, 40});
  config.ts = draw.one_of<int>({0, 0, 1, 7, 30});
  config.tr = draw.one_of<int>({0, 0, 1, 9});
  config.jitter = draw.one_of<int>({0, 0, 5, 60});
  config.seed = static_cast<std::uint64_t>(draw.below(1000));
  config.trial = static_cast<std::uint64_t>(is_pattern(traffic) ? 0 : draw.below(2));
  config.has_barrier = traffic == Traffic::kinds && draw.below(4) == 0;
  config.barrier = config.has_barrier ? draw.one_of<int>({0, 3}) : 0;
  if (has_modes(traffic)) draw_mode(draw, config);
  return config;
}

bool has_kinds(Traffic traffic, const reference::Config& config) {
  if (traffic == Traffic::kinds) return true;
  return traffic == Traffic::modes && !config.is_adaptive &&
         config.mode != reference::Mode::circuit;
}

// Draws some nodes that the message visits on its way.
std::vector<int> draw_via(Draw& draw, int u, int v, int nodes) {
  std::vector<int> via;
  for (int tries = 1 + draw.below(5); tries > 0; --tries) {
    const int node = draw.below(nodes);
    const bool is_new = std::find(via.begin(), via.end(), node) == via.end();
    if (node != u && node != v && is_new) via.push_back(node);
  }
  return via;
}

// Draws a displacement: an exact tie sometimes goes the other way.
std::vector<int> draw_displacement(Draw& draw, const Routing& routing, int u, int v) {
  if (routing.topology().is_hypercube() || draw.below(2) == 0) return {};
  const auto ties = static_cast<TieMask>(draw.below(8));
  return routing.displacement(node_id(static_cast<std::size_t>(u)),
                              node_id(static_cast<std::size_t>(v)), ties);
}

reference::Collective draw_collective(Draw& draw, const Routing& routing, bool has_kinds) {
  const int nodes = static_cast<int>(routing.topology().node_count());
  std::vector<int> order(static_cast<std::size_t>(nodes));
  for (int i = 0; i < nodes; ++i) order[static_cast<std::size_t>(i)] = i;
  for (int i = nodes - 1; i > 0; --i) {
    std::swap(order[static_cast<std::size_t>(i)],
              order[static_cast<std::size_t>(draw.below(i + 1))]);
  }
  reference::Collective collective;
  collective.sources = {order.front()};
  std::vector<int> sent(static_cast<std::size_t>(nodes), 0);
  const int receivers = 1 + draw.below(nodes - 1);
  for (int i = 1; i <= receivers; ++i) {
    reference::Line line;
    line.u = order[static_cast<std::size_t>(draw.below(i))];
    line.v = order[static_cast<std::size_t>(i)];
    line.order = sent[static_cast<std::size_t>(line.u)]++;
    line.displacement = draw_displacement(draw, routing, line.u, line.v);
    if (has_kinds && draw.below(3) == 0) line.kind = reference::Kind::deposit;
    if (has_kinds && draw.below(4) == 0) {
      line.kind = reference::Kind::multidestination;
      line.displacement.clear();
      line.via = draw_via(draw, line.u, line.v, nodes);
    }
    collective.lines.push_back(line);
  }
  if (has_kinds && routing.topology().is_hypercube() && draw.below(2) == 0) {
    const int u = collective.sources.front();
    const int last = sent[static_cast<std::size_t>(u)]++;
    const auto kind = draw.one_of<reference::Kind>({reference::Kind::tree, reference::Kind::path});
    collective.lines.push_back({u, 0, last, kind, {}, {}});
  }
  return collective;
}

Routing routing_of(const reference::Config& config) {
  const auto topology = parse_topology(config.topology);
  if (config.is_adaptive) return Routing(topology, RoutingOrder::adaptive);
  return Routing(topology,
                 config.is_ascending ? RoutingOrder::ascending : Routing::default_order(*topology));
}

// A short worm may be in one buffer with its tail while its head is on the way for a long time.
Case draw_mixed_case(Draw& draw) {
  Case drawn;
  drawn.config.topology = draw.one_of<std::string>({"hypercube:4", "mesh:12x3", "ring:24"});
  const bool wraps = parse_topology(drawn.config.topology)->wraps();
  drawn.config.vcs = wraps ? 4 : 2 + draw.below(3);
  drawn.config.link_delay = draw.one_of<int>({3, 7, 10, 15, 20});
  drawn.config.buffer_depth = draw.one_of<int>({32, 64, 100});
  drawn.config.flits = draw.one_of<int>({24, 32, 40, 60});
  drawn.flits_long = 4000;
  drawn.pattern = {draw.one_of<double>({0.3, 0.5, 0.7}), 6000};
  drawn.config.seed = static_cast<std::uint64_t>(draw.below(1000));
  return drawn;
}

Case draw_case(Traffic traffic, std::uint64_t seed) {
  Draw draw(seed);
  if (traffic == Traffic::mixed) return draw_mixed_case(draw);
  Case drawn;
  drawn.config = draw_config(draw, traffic);
  const Routing routing = routing_of(drawn.config);
  if (is_pattern(traffic)) {
    drawn.pattern = {0.02 * (1 + draw.below(30)), 50 + draw.below(400)};
    return drawn;
  }
  const int collectives = traffic == Traffic::schedule ? 1 : 1 + draw.below(3);
  for (int i = 0; i < collectives; ++i) {
    drawn.collectives.push_back(draw_collective(draw, routing, has_kinds(traffic, drawn.config)));
  }
  return drawn;
}

SimulationConfig simulation_config(const reference::Config& config) {
  SimulationConfig out;
  out.fabric = {config.ports,
                config.vcs,
                config.buffer_depth,
                config.link_delay,
                config.replication_delay,
                static_cast<Switching>(config.mode)};
  out.ts = config.ts;
  out.tr = config.tr;
  out.jitter = config.jitter;
  if (config.has_barrier) out.barrier = config.barrier;
  out.flits = config.flits;
  out.bytes = static_cast<std::size_t>(config.flits) * 4 - config.seed % 4;
  out.seed = config.seed;
  return out;
}

PlannedCollective planned(const reference::Collective& collective, const Routing& routing) {
  PlannedCollective out;
  for (const int source : collective.sources) {
    out.sources.push_back(node_id(static_cast<std::size_t>(source)));
  }
  for (std::size_t node = 0; node < routing.topology().node_count(); ++node) {
    if (node_id(node) != out.sources.front()) out.destinations.push_back(node_id(node));
  }
  for (const reference::Line& line : collective.lines) {
    Unicast unicast;
    unicast.u = node_id(static_cast<std::size_t>(line.u));
    unicast.v = node_id(static_cast<std::size_t>(line.v));
    unicast.order = line.order;
    unicast.kind = static_cast<MessageKind>(line.kind);
    unicast.displacement = line.displacement;
    for (const int node : line.via) unicast.via.push_back(node_id(static_cast<std::size_t>(node)));
    out.schedule.unicasts.push_back(unicast);
  }
  return out;
}

Results simulate(const Case& drawn, Traffic traffic, bool moves_worms = false) {
  const Routing routing = routing_of(drawn.config);
  SimulationConfig config = simulation_config(drawn.config);
  config.moves_worms = moves_worms;
  Simulation simulation(config, routing, is_pattern(traffic));
  if (is_pattern(traffic)) {
    TrafficRequest request;
    request.rate = drawn.pattern.rate;
    request.cycles = drawn.pattern.cycles;
    request.flits_long = drawn.flits_long;
    request.long_fraction = drawn.flits_long > 0 ? 0.1 : 0;
    return simulation.run_pattern(request);
  }
  std::vector<PlannedCollective> collectives;
  for (const auto& collective : drawn.collectives) {
    collectives.push_back(planned(collective, routing));
  }
  // The trial under test is the last one: the ones before it must leave no trace.
  return simulation.run({drawn.config.trial + 1, collectives});
}

void print(std::ostream& out, const reference::ContentionEvent& e) {
  out << "cycle " << e.cycle << " for " << e.cycles << " at " << e.node << "." << e.port << " "
      << e.waiting.u << ">" << e.waiting.v << "#" << e.waiting.order << " held by " << e.holding.u
      << ">" << e.holding.v << "#" << e.holding.order << "\n";
}

reference::MessageName name_of(const MessageName& name) {
  return {static_cast<int>(index(name.u)),
          name.v ? static_cast<int>(index(*name.v)) : reference::no_node, name.order};
}

std::string compare_events(const char* what, const Contention& mine, int trial,
                           std::vector<reference::ContentionEvent> theirs, bool is_deadlocked) {
  std::vector<reference::ContentionEvent> events;
  for (const ContentionEvent& e : mine.list) {
    if (e.trial != trial) continue;
    events.push_back({e.cycle, e.cycles, static_cast<int>(index(e.channel.node)),
                      static_cast<int>(index(e.channel.port)), name_of(e.waiting),
                      name_of(e.holding)});
  }
  if (is_deadlocked) {  // the two models stop counting at different cycles
    for (auto& event : events) event.cycles = 0;
    for (auto& event : theirs) event.cycles = 0;
  }
  std::sort(events.begin(), events.end());
  std::sort(theirs.begin(), theirs.end());
  if (events == theirs) return "";
  std::ostringstream out;
  out << what << " events differ: " << events.size() << " here, " << theirs.size()
      << " in the reference\n";
  for (const auto& e : events) {
    if (std::find(theirs.begin(), theirs.end(), e) == theirs.end()) print(out << "only here ", e);
  }
  for (const auto& e : theirs) {
    if (std::find(events.begin(), events.end(), e) == events.end()) print(out << "missing ", e);
  }
  return out.str();
}

std::string compare_deliveries(const Results& mine, const reference::Results& theirs) {
  std::ostringstream out;
  for (std::size_t i = 0; i < std::max(mine.deliveries.size(), theirs.deliveries.size()); ++i) {
    reference::Delivery a;
    if (i < mine.deliveries.size()) {
      const Delivery& d = mine.deliveries[i];
      a = {static_cast<int>(index(d.source)), static_cast<int>(index(d.destination)), d.message,
           d.head, d.tail};
    }
    const reference::Delivery b =
        i < theirs.deliveries.size() ? theirs.deliveries[i] : reference::Delivery{};
    if (a == b) continue;
    out << "delivery " << i << ": " << a.source << ">" << a.destination << " #" << a.message << " "
        << a.head << ".." << a.tail << ", reference " << b.source << ">" << b.destination << " #"
        << b.message << " " << b.head << ".." << b.tail;
    return out.str();
  }
  return "";
}

std::string compare_latency(const Results& mine, const reference::Results& theirs,
                            const Case& drawn) {
  std::map<int, Cycle> expected;
  for (std::size_t i = 0; i < theirs.latency.size(); ++i) {
    for (const auto& [node, cycles] : theirs.latency[i]) {
      if (node == drawn.collectives[i].sources.front()) continue;
      expected[node] = std::max(expected[node], cycles);
    }
  }
  std::map<int, Cycle> found;
  for (const DestinationLatency& d : mine.by_destination) {
    found[static_cast<int>(index(d.node))] = d.cycles;
  }
  return found == expected ? "" : "latencies by destination differ";
}

std::string compare(const Case& drawn, Traffic traffic, const reference::Config& as_read) {
  const reference::Results theirs = is_pattern(traffic)
                                        ? reference::simulate(as_read, drawn.pattern)
                                        : reference::simulate(as_read, drawn.collectives);
  const Results mine = simulate(drawn, traffic);
  if (!mine.broken_invariant.empty()) return "broken invariant: " + mine.broken_invariant;
  if (mine.deadlock.has_value() && mine.deadlock->trial != static_cast<int>(drawn.config.trial)) {
    return "";  // an earlier trial of other jitter got stuck: nothing to compare with
  }
  if (mine.deadlock.has_value() != theirs.is_deadlocked) {
    return mine.deadlock ? "deadlock here only" : "deadlock in the reference only";
  }
  if (mine.deadlock && mine.deadlock->stuck_messages != theirs.stuck.size()) {
    return "stuck messages differ";
  }
  if (mine.deadlock && mine.deadlock->waits.empty()) return "a deadlock without a cycle";
  std::string difference = compare_deliveries(mine, theirs);
  const int trial = static_cast<int>(drawn.config.trial);
  if (difference.empty()) {
    difference = compare_events("contention", mine.contention, trial, theirs.contention,
                                theirs.is_deadlocked);
  }
  if (difference.empty()) {
    difference =
        compare_events("reception", mine.reception, trial, theirs.reception, theirs.is_deadlocked);
  }
  if (difference.empty() && !is_pattern(traffic)) {
    difference = compare_latency(mine, theirs, drawn);
  }
  if (difference.empty() && trial == 0 &&
      mine.flit_hops != static_cast<std::uint64_t>(theirs.flit_hops)) {
    difference = "flit hops differ";
  }
  if (difference.empty() && trial == 0 && mine.digest != theirs.digest) {
    difference = "digests differ";
  }
  return difference;
}

void print(std::ostream& out, const Contention& contention) {
  out << contention.events << " events, " << contention.blocked_cycles << " cycles\n";
  for (const ContentionEvent& e : contention.list) {
    out << "trial " << e.trial << " ";
    print(out, {e.cycle, e.cycles, static_cast<int>(index(e.channel.node)),
                static_cast<int>(index(e.channel.port)), name_of(e.waiting), name_of(e.holding)});
  }
}

// All that a machine can say of a run.
std::string transcript(const Results& results) {
  std::ostringstream out;
  for (const Delivery& d : results.deliveries) {
    out << index(d.source) << ">" << index(d.destination) << " #" << d.message << " " << d.head
        << ".." << d.tail << "\n";
  }
  for (const DestinationLatency& d : results.by_destination) {
    out << index(d.node) << " after " << d.cycles << "\n";
  }
  if (results.traffic) {
    out << results.traffic->offered << " " << results.traffic->accepted << " "
        << results.traffic->network_latency.mean << " " << results.traffic->channel_load.max
        << "\n";
  }
  print(out, results.contention);
  print(out, results.reception);
  out << results.cycles << " cycles, " << results.flit_hops << " hops, digest " << results.digest
      << results.broken_invariant << "\n";
  return out.str();
}

}  // namespace

std::string describe_case(Traffic traffic, std::uint64_t seed) {
  const Case drawn = draw_case(traffic, seed);
  const reference::Config& c = drawn.config;
  std::ostringstream out;
  out << "seed " << seed << ": " << c.topology << (c.is_ascending ? " ascending" : "")
      << (c.is_adaptive ? " adaptive" : "") << " mode " << static_cast<int>(c.mode) << " V "
      << c.vcs << " k " << c.ports << " B " << c.buffer_depth << " d " << c.link_delay << " r "
      << c.replication_delay << " L " << c.flits << " ts " << c.ts << " tr " << c.tr << " jitter "
      << c.jitter << " seed " << c.seed << " trial " << c.trial << " barrier "
      << (c.has_barrier ? c.barrier : -1);
  for (const auto& collective : drawn.collectives) {
    out << "\n  source " << collective.sources.front() << ":";
    for (const auto& line : collective.lines) {
      out << " " << line.u << ">" << line.v << "#" << line.order
          << " dtmp"[static_cast<int>(line.kind)];
      for (const int node : line.via) out << "," << node;
    }
  }
  if (is_pattern(traffic)) {
    out << " rate " << drawn.pattern.rate << " cycles " << drawn.pattern.cycles << " long "
        << drawn.flits_long;
  }
  return out.str();
}

std::string compare_machines(Traffic traffic, std::uint64_t seed) {
  Case drawn = draw_case(traffic, seed);
  Draw draw(seed + 77);
  if (traffic != Traffic::mixed) {
    drawn.config.flits = draw.one_of<int>({drawn.config.flits, drawn.config.flits, 200, 900});
    if (drawn.config.flits >= 200) drawn.pattern.cycles *= 5;
  }
  const auto run = [&](bool moves_worms) {
    return forked([&] { return transcript(simulate(drawn, traffic, moves_worms)); });
  };
  std::istringstream flits(run(false));
  std::istringstream worms(run(true));
  std::string expected;
  std::string found;
  while (std::getline(flits, expected)) {
    std::getline(worms, found);
    if (found != expected)
      return "L " + std::to_string(drawn.config.flits) + ": " + found + " instead of " + expected;
  }
  return std::getline(worms, found) ? "too much: " + found : "";
}

std::string compare_case(Traffic traffic, std::uint64_t seed) {
  const Case drawn = draw_case(traffic, seed);
  return forked([&] { return compare(drawn, traffic, drawn.config); });
}

std::string compare_misread_case(Traffic traffic, std::uint64_t seed) {
  using reference::Mode;
  const Case drawn = draw_case(traffic, seed);
  reference::Config misread = drawn.config;
  if (misread.is_adaptive) {
    misread.is_adaptive = false;
  } else if (misread.mode == Mode::store_and_forward) {
    misread.mode = Mode::cut_through;
  } else if (misread.mode != Mode::wormhole) {
    misread.mode = Mode::wormhole;
  } else {
    return "";
  }
  return forked([&] { return compare(drawn, traffic, misread); });
}

}  // namespace allport::test
