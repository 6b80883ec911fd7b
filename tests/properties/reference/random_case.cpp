// SPDX-License-Identifier: Apache-2.0
#include "tests/properties/reference/random_case.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include "testbench/simulation/simulation.h"
#include "tests/properties/reference/differences.h"
#include "tests/properties/reference/drawn_pipeline.h"
#include "tests/properties/reference/simulated_case.h"
#include "tests/properties/reference/transcript.h"
#include "tests/support/draw.h"
#include "tests/support/forked.h"

namespace allport::test {

namespace {

std::string compare_latency(const Results& mine, const reference::Results& theirs,
                            const DrawnCase& drawn) {
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

reference::Results reference_results(const DrawnCase& drawn, Traffic traffic,
                                     const reference::Config& as_read) {
  return is_pattern(traffic) ? reference::simulate(as_read, drawn.pattern)
                             : reference::simulate(as_read, drawn.collectives);
}

std::string compare(const DrawnCase& drawn, Traffic traffic, const reference::Config& as_read,
                    bool is_transaction_level = false) {
  const reference::Results theirs = reference_results(drawn, traffic, as_read);
  const Results mine = simulate(drawn, traffic, is_transaction_level);
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
  if (mine.deadlock && mine.deadlock->cycle != theirs.deadlock_cycle) return "dates differ";
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
  const bool has_groups = traffic == Traffic::groups || traffic == Traffic::tables;
  if (difference.empty() && !is_pattern(traffic) && !has_groups) {
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

}  // namespace

std::string describe_case(Traffic traffic, std::uint64_t seed) {
  const DrawnCase drawn = draw_case(traffic, seed);
  const reference::Config& c = drawn.config;
  std::ostringstream out;
  out << "seed " << seed << ": " << c.topology << (c.is_ascending ? " ascending" : "")
      << (c.is_adaptive ? " adaptive" : "") << (c.is_balanced ? " balanced" : "") << " mode "
      << static_cast<int>(c.mode) << " V " << c.vcs << " k " << c.ports << " B " << c.buffer_depth
      << " d " << c.link_delay;
  for (const int delay : c.link_delays) out << "," << delay;
  for (const int phits : c.phits) out << " s " << phits;
  out << pipeline_in_words(c) << " r " << c.replication_delay << " c " << c.combine_delay
      << " join VCs " << c.join_vcs << " L " << c.flits << " ts " << c.ts << " tr " << c.tr
      << " jitter " << c.jitter << " skew " << c.skew << " seed " << c.seed << " ties "
      << static_cast<int>(c.ties) << ":" << c.tie_seed << " trial " << c.trial << " barrier "
      << (c.has_barrier ? c.barrier : -1) << " A " << drawn.address_flits;
  for (const auto& collective : drawn.collectives) {
    out << "\n  source " << collective.sources.front() << ":";
    for (const auto& line : collective.lines) {
      out << " " << line.u << ">" << line.v << "#" << line.order
          << " dtmpljJ"[static_cast<int>(line.kind)];
      if (line.free != 0) out << "/" << line.free;
      for (const int node : line.via) out << "," << node;
    }
  }
  if (!c.tree.empty()) out << "\n  tree of " << c.tree;
  if (c.topology == "graph") out << ", edges:\n" << c.edges << "nodes:\n" << c.nodes;
  if (is_pattern(traffic)) {
    out << " rate " << drawn.pattern.rate << " cycles " << drawn.pattern.cycles << " long "
        << drawn.flits_long;
  }
  return out.str();
}

std::string compare_machines(Traffic traffic, std::uint64_t seed) {
  DrawnCase drawn = draw_case(traffic, seed);
  drawn.config.is_adaptive = false;
  if (drawn.config.mode == reference::Mode::store_and_forward) drawn.config.replication_delay = 0;
  Draw draw(seed + 77);
  const bool is_free = drawn.config.mode == reference::Mode::wormhole;
  if (is_free && traffic != Traffic::mixed && traffic != Traffic::narrow_mixed) {
    drawn.config.flits = draw.one_of<int>({drawn.config.flits, drawn.config.flits, 200, 900});
    if (drawn.config.flits >= 200) drawn.pattern.cycles *= 5;
  }
  const auto run = [&](bool is_transaction_level) {
    return forked([&] { return transcript(simulate(drawn, traffic, is_transaction_level)); });
  };
  const std::string difference = first_difference(run(false), run(true));
  return difference.empty() ? "" : "L " + std::to_string(drawn.config.flits) + ": " + difference;
}

std::string compare_case(const DrawnCase& drawn, Traffic traffic) {
  return forked([&] { return compare(drawn, traffic, drawn.config); });
}

std::string compare_case(Traffic traffic, std::uint64_t seed) {
  return compare_case(draw_case(traffic, seed), traffic);
}

std::string compare_worm_case(const DrawnCase& drawn, Traffic traffic) {
  return forked([&] { return compare(drawn, traffic, drawn.config, true); });
}

std::string compare_worm_case(Traffic traffic, std::uint64_t seed) {
  return compare_worm_case(draw_case(traffic, seed), traffic);
}

reference::Results explain_case(Traffic traffic, std::uint64_t seed, reference::Config* config) {
  DrawnCase drawn = draw_case(traffic, seed);
  drawn.config.explains = true;
  *config = drawn.config;
  return reference_results(drawn, traffic, drawn.config);
}

std::string compare_misread_case(Traffic traffic, std::uint64_t seed) {
  using reference::Mode;
  const DrawnCase drawn = draw_case(traffic, seed);
  reference::Config misread = drawn.config;
  if (!misread.phits.empty()) {
    misread.phits.clear();
  } else if (misread.is_adaptive) {
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

std::string compare_misread_pipeline(Traffic traffic, std::uint64_t seed) {
  const DrawnCase drawn = draw_case(traffic, seed);
  reference::Config misread = drawn.config;
  misread.route_delay = drawn.config.vc_delay;
  misread.vc_delay = drawn.config.crossbar_delay;
  misread.crossbar_delay = drawn.config.route_delay;
  const bool is_same =
      misread.route_delay == misread.vc_delay && misread.vc_delay == misread.crossbar_delay;
  return is_same ? "" : forked([&] { return compare(drawn, traffic, misread); });
}

}  // namespace allport::test
