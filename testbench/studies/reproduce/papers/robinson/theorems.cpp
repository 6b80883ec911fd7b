// SPDX-License-Identifier: Apache-2.0
// This figure tries the lemmas and theorems of [Robinson93], and what it says of U-cube on one
// port: on every case of small cubes, and on drawn ones of large cubes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "testbench/studies/reproduce/drawing/tree_drawing.h"
#include "testbench/studies/reproduce/multicast_curves.h"
#include "testbench/studies/reproduce/papers/robinson/figures.h"
#include "testbench/studies/reproduce/papers/robinson/passages.h"
#include "testbench/studies/reproduce/papers/robinson/path_lemmas.h"
#include "testbench/studies/reproduce/planned_tree.h"
#include "traffic/algorithms/algorithms.h"
#include "traffic/algorithms/cube_chain.h"
#include "traffic/patterns/sampling.h"

namespace allport {

namespace {

constexpr std::size_t drawn_sets = 1000;
constexpr std::size_t drawn_paths = 100000;
constexpr int whole_cube = 4;  // dimensions of the cube of which every set of destinations is tried
constexpr std::size_t chain_cube = 3;  // and of that of which every chain is planned and checked
constexpr std::array drawn_cubes{5, 7, 10};

Routing routing_of(int dimensions, RoutingOrder order = RoutingOrder::descending) {
  return {parse_topology(fmt::format("hypercube:{}", dimensions)), order};
}

// Every set of destinations of the whole cube, from 0.
template <class Use>
void for_each_set(const Use& use) {
  constexpr std::uint32_t others = (1U << whole_cube) - 1;
  for (std::uint32_t set = 1; set < 1U << others; ++set) {
    CubeChain chain{0};
    for (std::uint32_t node = 1; node <= others; ++node) {
      if ((set >> (node - 1) & 1U) != 0) chain.push_back(node);
    }
    use(whole_cube, chain);
  }
}

// Drawn sets of destinations of every size of larger cubes, from 0, in ascending order.
template <class Use>
void for_drawn_sets(const FigureRequest& request, const Use& use) {
  SplitMix64 generator(request.seed);
  for (const int dimensions : drawn_cubes) {
    const std::size_t others = (std::size_t{1} << dimensions) - 1;
    for (std::size_t i = 0; i < request.trials_or(drawn_sets); ++i) {
      const CubeChain drawn = SetSampler(others, 1 + generator.next() % others).draw(generator);
      CubeChain chain{0};
      chain.insert(chain.end(), drawn.begin(), drawn.end());
      std::sort(chain.begin(), chain.end());
      use(dimensions, chain);
    }
  }
}

// Chains of both kinds, of which those of the larger cubes are drawn from all cube-ordered ones.
template <class Use>
void for_chains(const FigureRequest& request, std::size_t largest_whole, const Use& use) {
  for (std::size_t dimensions = 1; dimensions <= largest_whole; ++dimensions) {
    for_each_cube_chain(dimensions, [&](const CubeChain& chain) { use(dimensions, chain); });
  }
  SplitMix64 generator(request.seed);
  for_drawn_sets(request, [&](int dimensions, CubeChain chain) {
    shuffle_cube_chain(chain, static_cast<std::size_t>(dimensions), generator);
    use(static_cast<std::size_t>(dimensions), chain);
  });
}

// How a multicast to the nodes of a chain, whose first element is the source, is to be planned.
enum class Chain { as_it_is, of_the_algorithm };

PlannedTree planned_along(const std::string& algorithm, const Routing& routing, int internal_ports,
                          const CubeChain& chain, Chain use) {
  std::vector<NodeId> nodes;
  nodes.reserve(chain.size());
  for (const std::uint32_t one : chain) nodes.push_back(node_id(one));
  const Multicast goal =
      multicast(routing.topology(), nodes.front(), {nodes.begin() + 1, nodes.end()});
  PlanRequest request{routing, internal_ports, goal};
  if (use == Chain::as_it_is) request.chain = std::move(nodes);
  return {routing, internal_ports, goal, plan(find_algorithm(algorithm), request)};
}

Tried theorem_4(const FigureRequest& request) {
  Tried tried;
  const auto use = [&](int dimensions, const CubeChain& chain) {
    tried.add(!chain_break(chain, static_cast<std::size_t>(dimensions)));
  };
  for_each_set(use);
  for_drawn_sets(request, use);
  return tried;
}

Tried theorem_5(const FigureRequest& request) {
  Tried tried;
  for_chains(request, whole_cube, [&](std::size_t dimensions, const CubeChain& chain) {
    CubeChain sorted = chain;
    weighted_sort(sorted, dimensions);
    tried.add(!chain_break(sorted, dimensions) && sorted.front() == chain.front() &&
              std::is_permutation(sorted.begin(), sorted.end(), chain.begin(), chain.end()));
  });
  return tried;
}

// Whether no two messages of `algorithm` along `chain` on all ports may contend.
bool is_free(const char* algorithm, std::size_t dimensions, const CubeChain& chain) {
  const auto ports = static_cast<int>(dimensions);
  const ScheduleReport report =
      planned_along(algorithm, routing_of(ports), ports, chain, Chain::as_it_is).checked();
  return report.definition4.ok() && report.theorem1.ok();
}

Tried free_along_chains(const FigureRequest& request, const char* algorithm) {
  Tried tried;
  for_chains(request, chain_cube, [&](std::size_t dimensions, const CubeChain& chain) {
    tried.add(is_free(algorithm, dimensions, chain));
  });
  for_each_set([&](int dimensions, const CubeChain& chain) {
    tried.add(is_free(algorithm, dimensions, chain));
  });
  return tried;
}

// Of U-cube on one port: whether its messages may contend, and whether its steps are the fewest.
struct OnOnePort {
  Tried freedom;
  Tried steps;
};

OnOnePort ucube_on_one_port(const FigureRequest& request) {
  OnOnePort found;
  const auto use = [&](int dimensions, const CubeChain& chain) {
    const PlannedTree tree =
        planned_along("ucube", routing_of(dimensions), 1, chain, Chain::of_the_algorithm);
    found.freedom.add(tree.checked().definition4.ok());
    found.steps.add(tree.schedule.steps() == doublings(chain.size()));
  };
  for_each_set(use);
  for_drawn_sets(request, use);
  return found;
}

Tried free_sets(const FigureRequest& request, const char* algorithm) {
  Tried tried;
  const auto use = [&](int dimensions, const CubeChain& chain) {
    tried.add(is_free(algorithm, static_cast<std::size_t>(dimensions), chain));
  };
  for_each_set(use);
  for_drawn_sets(request, use);
  return tried;
}

Tried distinct_channels(const FigureRequest& request) {
  Tried tried;
  const auto use = [&](int dimensions, const CubeChain& chain) {
    tried.add(
        planned_along("maxport", routing_of(dimensions), dimensions, chain, Chain::of_the_algorithm)
            .has_distinct_first_channels());
  };
  for_each_set(use);
  for_drawn_sets(request, use);
  return tried;
}

// The sets of figures 3 and 6 themselves, addresses resolved from low to high.
Claim same_sets_claim() {
  const CubeChain of_figure_3{0, 1, 3, 5, 7, 11, 12, 14, 15};
  const CubeChain of_figure_6{0, 9, 10, 11};
  std::string changed;
  int trees = 0;
  const auto compare = [&](const char* figure, const std::string& algorithm, int ports,
                           const CubeChain& set) {
    const auto steps = [&](RoutingOrder order) {
      return planned_along(algorithm, routing_of(whole_cube, order), ports, set,
                           Chain::of_the_algorithm)
          .schedule.steps();
    };
    const StepIndex descending = steps(RoutingOrder::descending);
    const StepIndex ascending = steps(RoutingOrder::ascending);
    ++trees;
    if (descending == ascending) return;
    changed += fmt::format("{}{} of figure {} takes {} steps, not {}", changed.empty() ? "" : ", ",
                           printed_name(algorithm), figure, ascending, descending);
  };
  compare("3(c)", "ucube", 1, of_figure_3);
  compare("3(d)", "ucube", 4, of_figure_3);
  compare("3(e)", "wsort", 4, of_figure_3);
  compare("8(b)", "maxport", 4, of_figure_3);
  compare("6(a)", "maxport", 4, of_figure_6);
  compare("6(b)", "ucube", 4, of_figure_6);
  return {"for the sets of the examples themselves it changes no number of steps",
          robinson::opposite_order,
          fmt::format("{} trees: {}", trees, changed.empty() ? "none changes" : changed),
          outcome_of(changed.empty()),
          changed.empty() ? "" : "The examples stand for their mirror images"};
}

// The address with its bits in the opposite order.
std::uint32_t mirrored(std::uint32_t address, int dimensions) {
  std::uint32_t bits = 0;
  for (int i = 0; i < dimensions; ++i) bits |= (address >> i & 1U) << (dimensions - 1 - i);
  return bits;
}

// Whether `there` has the unicasts of `here`, every address mirrored, in the same steps.
bool is_mirror_image(const PlannedTree& here, const PlannedTree& there, int dimensions) {
  using Line = std::tuple<std::uint32_t, std::uint32_t, StepIndex, int>;
  const auto lines = [](const PlannedTree& tree, const auto& address) {
    std::vector<Line> all;
    for (const Unicast& one : tree.schedule.unicasts) {
      all.emplace_back(address(one.u), address(one.v), one.step, one.order);
    }
    std::sort(all.begin(), all.end());
    return all;
  };
  const auto as_it_is = [](NodeId node) { return static_cast<std::uint32_t>(index(node)); };
  return lines(here, [&](NodeId node) { return mirrored(as_it_is(node), dimensions); }) ==
         lines(there, as_it_is);
}

Tried opposite_orders(const FigureRequest& request) {
  Tried tried;
  const auto use = [&](int dimensions, const CubeChain& set) {
    CubeChain image = set;
    for (std::uint32_t& one : image) one = mirrored(one, dimensions);
    for (const std::string& one : robinson_algorithms()) {
      const PlannedTree here =
          planned_along(one, routing_of(dimensions), dimensions, set, Chain::of_the_algorithm);
      const PlannedTree there = planned_along(one, routing_of(dimensions, RoutingOrder::ascending),
                                              dimensions, image, Chain::of_the_algorithm);
      tried.add(is_mirror_image(here, there, dimensions));
    }
  };
  for_each_set(use);
  for_drawn_sets(request, use);
  return tried;
}

constexpr std::size_t simulated_sets = 100;
constexpr std::array simulated_lengths{1, 64, 1024};
constexpr std::array simulated_start_ups{0, 47, 1000};

// Random multicasts on a 6-cube, each message and start-up latency up to `jitter` cycles late.
Point theorem_point(const FigureRequest& request, const std::string& model,
                    const std::string& algorithm, int ports, int flits, int start_up, int jitter) {
  return run_point(
      request, model,
      {"--topology", "hypercube:6", "--algorithm", algorithm, "--ports", std::to_string(ports),
       "--flits", std::to_string(flits), "--ts", std::to_string(start_up), "--jitter",
       std::to_string(jitter), "--destinations", "random:30", "--trials",
       std::to_string(request.trials_or(simulated_sets)), "--seed", std::to_string(request.seed)});
}

std::vector<Point> points_on_one_port(const FigureRequest& request, const std::string& model) {
  std::vector<Point> points;
  for (const int flits : simulated_lengths) {
    for (const int start_up : simulated_start_ups) {
      points.push_back(theorem_point(request, model, "ucube", 1, flits, start_up, 0));
    }
  }
  return points;
}

std::vector<Point> theorem_points(const FigureRequest& request, const std::string& model) {
  std::vector<Point> points = points_on_one_port(request, model);
  for (const char* one : {"maxport", "combine", "wsort"}) {
    points.push_back(theorem_point(request, model, one, 6, 64, 0, 500));
  }
  return points;
}

// Messages of `points` that waited for a channel which another one had.
std::uint64_t contention_events(const Runs& runs, const std::vector<Point>& points) {
  std::uint64_t events = 0;
  for (const Point& one : points) {
    events += runs.of(one).at("contention").at("events").get<std::uint64_t>();
  }
  return events;
}

std::string small_and_drawn(const FigureRequest& request, const char* small) {
  return fmt::format("{}, and {} drawn of each of the 5-, 7- and 10-cube", small,
                     request.trials_or(drawn_sets));
}

FigureResult make_theorems(const FigureRequest& request, const Runs& runs) {
  const PathTrials paths{request.trials_or(drawn_paths), request.seed};
  const std::string of_paths = fmt::format("of the 1- to {}-cube all, and {} drawn of the {}-cube",
                                           cube_of_all_paths, paths.drawn, cube_of_drawn_paths);
  const std::string of_sets = small_and_drawn(request, "all 32767 sets of the 4-cube");
  FigureResult result;
  result.table = NumberTable({"statement", "cases", "tried", "contradicted"});
  const auto add = [&](const char* name, const std::string& text, const Quotation& passage,
                       const std::string& cases, const Tried& tried, const std::string& also = "",
                       bool is_also = true) {
    result.table.add({name, cases, std::to_string(tried.cases), std::to_string(tried.broken)});
    result.claims.push_back({text, passage,
                             fmt::format("{} contradict it: {}{}", tried.in_words(), cases, also),
                             outcome_of(tried.broken == 0 && is_also), ""});
  };
  add("Lemma 1",
      "where a path crosses dimension d, bits 0 to d were the source's until then, those above d are the destination's from then on, and the ends differ in bit d",
      robinson::lemma_1, of_paths, lemma_1(paths));
  add("Lemma 1, in words", "a unicast travels in a dimension at most once, in falling order",
      robinson::lemma_1_in_words, of_paths, falling_dimensions(paths));
  add("Lemma 2", "the addresses of a subcube are contiguous", robinson::lemma_2,
      "subcubes with three nodes in order, " + of_paths, lemma_2(paths));
  add("Theorem 1", "paths that leave a node by different channels share no arc",
      robinson::theorem_1, "pairs of paths, " + of_paths, theorem_1(paths));
  add("Theorem 2", "a path within a subcube shares no arc with one whose ends are without",
      robinson::theorem_2,
      fmt::format(
          "pairs of paths and a subcube, of the 1- to {}-cube all, and {} drawn of the {}-cube",
          cube_of_all_pairs, paths.drawn, cube_of_drawn_paths),
      theorem_2(paths));
  add("Theorem 3", "two unicasts of one source are free of contention", robinson::theorem_3,
      "pairs of unicasts in the 2- to 4-cube, by Definition 4; those by one channel leave one after the other, as a node sends them",
      theorem_3());
  add("Theorem 4", "a dimension-ordered chain is cube-ordered", robinson::theorem_4, of_sets,
      theorem_4(request));
  add("Theorem 5", "weighted_sort gives a cube-ordered permutation with the same source",
      robinson::theorem_5,
      small_and_drawn(request, "all cube-ordered chains from 0 in the 1- to 4-cube"),
      theorem_5(request));
  const auto simulated_free = [&](const char* algorithm) {
    return contention_events(
        runs, {theorem_point(request, request.models.front(), algorithm, 6, 64, 0, 500)});
  };
  const std::string of_chains = small_and_drawn(
      request, "all cube-ordered chains from 0 in the 1- to 3-cube, all 32767 sets of the 4-cube");
  const auto also_simulated = [&](const char* algorithm) {
    return fmt::format(
        "; by Definition 4 and by Theorem 1 of [Hou98]. Simulated, {} random sets of 30 in a 6-cube, every message up to 500 cycles late: {} messages wait for a channel",
        request.trials_or(simulated_sets), simulated_free(algorithm));
  };
  add("Theorem 6", "W-sort is free of contention along any cube-ordered chain", robinson::theorem_6,
      of_chains, free_along_chains(request, "wsort"), also_simulated("wsort"),
      simulated_free("wsort") == 0);
  add("Maxport on chains", "Maxport is free of contention along any cube-ordered chain",
      robinson::maxport_on_chains, of_chains, free_along_chains(request, "maxport"),
      also_simulated("maxport"), simulated_free("maxport") == 0);
  add("resolution order",
      "the opposite order of address resolution gives the mirrored trees of the mirrored sets, so that what is said of all or of random sets does not change",
      robinson::opposite_order,
      "trees of U-cube, Maxport, Combine and W-sort, each against that of the mirrored addresses; " +
          of_sets,
      opposite_orders(request));
  result.claims.push_back(same_sets_claim());
  add("Combine", "Combine, too, is free of contention", robinson::new_algorithms_are_free, of_sets,
      free_sets(request, "combine"), also_simulated("combine"), simulated_free("combine") == 0);
  add("Maxport, channels", "Maxport's unicasts of one node leave by different channels",
      robinson::different_channels, of_sets, distinct_channels(request));
  const OnOnePort ucube = ucube_on_one_port(request);
  const std::uint64_t events =
      contention_events(runs, points_on_one_port(request, request.models.front()));
  add("U-cube, contention",
      "on one port U-cube is free of contention, whatever start-up and length",
      robinson::ucube_is_free, of_sets, ucube.freedom,
      fmt::format(
          ", by Definition 4. Simulated, {} random sets of 30 in a 6-cube with each of 1, 64 and 1024 flits and start-up latencies of 0, 47 and 1000 cycles: {} messages wait for a channel",
          request.trials_or(simulated_sets), events),
      events == 0);
  add("U-cube, steps", "on one port U-cube takes ceil(log2(m + 1)) steps to m destinations",
      robinson::ucube_steps, of_sets, ucube.steps);
  const std::vector<std::pair<const char*, CubeChain>> chains{
      {"0 1 3 5 7 11 12 14 15, dimension-ordered", {0, 1, 3, 5, 7, 11, 12, 14, 15}},
      {"0 1 3 5 7 14 15 12 11, by weighted_sort", {0, 1, 3, 5, 7, 14, 15, 12, 11}},
      {"0 1 3 7 5 11 15 14 12, another one", {0, 1, 3, 7, 5, 11, 15, 14, 12}}};
  std::vector<TreePanel> panels;
  for (const auto& [caption, chain] : chains) {
    const PlannedTree tree =
        planned_along("maxport", routing_of(whole_cube), whole_cube, chain, Chain::as_it_is);
    panels.push_back({caption, tree.schedule, tree.goal});
  }
  result.picture.svg = draw_trees("Maxport along three cube-ordered chains of the same nodes",
                                  panels, 2, whole_cube, "step");
  result.notes.emplace_back(
      "The proofs of the text are in a report that was not at hand. What is said of all cubes is tried on those named; this proves nothing of the others.");
  add_digests(result, request, runs, theorem_points);
  return result;
}

}  // namespace

Figure robinson_theorems() {
  return {"robinson-theorems",
          "lemmas and theorems on paths and chains",
          "Robinson93, sec. 3 and 4",
          FigureKind::drawing,
          [](const FigureRequest& request) { return points_of_models(request, theorem_points); },
          make_theorems,
          robinson::by_both};
}

}  // namespace allport
