// SPDX-License-Identifier: Apache-2.0
// The router of rtl_model/sv and that of rtl_model/systemc are one machine: the same outputs in
// every cycle, whatever comes in.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "rtl_model/verilated/model_cache.h"
#include "rtl_model/verilated/model_library.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/support/class_bench.h"
#include "tests/twin/router/twin_bench.h"

namespace allport::test {

namespace {

struct TwinCase {
  const char* name = "";
  std::string topology;
  With fabric;
  std::optional<RoutingOrder> order = std::nullopt;
  int payload_bits = 32;
  bool has_assertions = false;
  std::vector<RtlParameter> parameters = {};  // over those that follow from the fabric
  std::vector<MessageKind> kinds = {};        // empty: all that the configuration knows
  int max_via = 0;
  VcUse vc_use = VcUse::strict;
  PinGroups groups = PinGroups::none;
};

std::ostream& operator<<(std::ostream& out, const TwinCase& one) {
  return out << one.topology << ", " << one.fabric.internal_ports << " internal ports (0: all), "
             << one.fabric.FabricConfig::vcs << " VCs (0: default), depth "
             << one.fabric.buffer_depth << ", replication delay "
             << one.fabric.FabricConfig::replication_delay << ", payload " << one.payload_bits
             << ", " << to_string(one.fabric.FabricConfig::switching) << ", lists of "
             << one.max_via << (one.groups == PinGroups::none ? "" : ", groups")
             << (one.groups == PinGroups::joins ? " with joins" : "") << ", combine delay "
             << one.fabric.FabricConfig::combine_delay << ", " << one.fabric.FabricConfig::join_vcs
             << " VCs of joins, " << one.fabric.FabricConfig::classes << " message classes, "
             << to_string(one.vc_use) << " VCs"
             << (one.fabric.FabricConfig::phits.empty() ? "" : ", narrow channels")
             << ", route, VC and crossbar delay " << one.fabric.route_delay << " "
             << one.fabric.vc_delay << " " << one.fabric.crossbar_delay
             << (one.fabric.retry ? ", retry" : "")
             << (one.order ? std::string(", ") + to_string(*one.order) : "");
}

RtlSource source_of(const TwinCase& one, const Blueprint& blueprint) {
  RtlSource source =
      twin_source(blueprint.config, blueprint.routing, one.payload_bits + PinLayout::message_bits,
                  one.max_via, one.groups);
  for (const RtlParameter& parameter : one.parameters) source.parameters.push_back(parameter);
  if (one.has_assertions) {
    source.has_assertions = true;
    for (const auto& file : assertion_files()) source.files.push_back(file);
  }
  return source;
}

/// A corner, the middle and one more.
std::set<NodeId> some_nodes(const Topology& topology, std::uint64_t seed) {
  return {node_id(0), busiest_node(topology), node_id(seed % topology.node_count())};
}

/// The number of cycles compared.
std::uint64_t compare(const TwinCase& one, Cycle cycles, std::uint64_t seed) {
  const Blueprint blueprint(one.topology, one.fabric, one.order, one.vc_use);
  const Topology& topology = blueprint.routing.topology();
  const ModelLibrary library(source_of(one, blueprint));
  const std::vector<MessageKind> kinds =
      one.kinds.empty() ? all_kinds(blueprint, one.groups) : one.kinds;
  TwinBench::Counts all;
  for (const NodeId node : some_nodes(topology, seed)) {
    // What is not reset starts at random: nothing may depend on it.
    TwinBench bench(library.create(static_cast<std::uint32_t>(seed) + 1), blueprint,
                    one.payload_bits, node, kinds, seed, 0, one.max_via, one.groups);
    const std::optional<Difference> difference = bench.run(cycles);
    if (difference) {
      ADD_FAILURE() << one << "; seed " << seed << ", node " << index(node) << ": "
                    << in_words(*difference);
      break;
    }
    all.cycles += bench.counts().cycles;
    all.flits += bench.counts().flits;
    all.messages += bench.counts().messages;
    all.resets += bench.counts().resets;
    all.standstills += bench.counts().standstills;
    all.asleep += bench.counts().asleep;
    all.errors += bench.counts().errors;
    all.nacks += bench.counts().nacks;
  }
  std::cout << one << "; seed " << seed << ": " << all.cycles << " cycles compared (" << all.asleep
            << " asleep), " << all.messages << " messages, " << all.flits << " flits out, "
            << all.resets << " resets, " << all.standstills << " of them after a deadlock, "
            << all.errors << " errors, " << all.nacks << " nacks\n";
  return all.cycles;
}

class RouterTwin : public testing::TestWithParam<TwinCase> {};

TEST_P(RouterTwin, DrivesTheSameOutputsInEveryCycle) {
  const RandomCases seeds(1);
  std::uint64_t cycles = 0;
  for (std::uint64_t seed = seeds.first; seed < seeds.end && !HasFailure(); ++seed) {
    cycles += compare(GetParam(), 15000, seed + 1);
  }
  std::cout << cycles << " router-cycles compared\n";
}

const std::vector<MessageKind> unicast_only{MessageKind::unicast};
const std::vector<MessageKind> up_to_deposit{MessageKind::unicast, MessageKind::deposit};
constexpr auto ascending = RoutingOrder::ascending;
constexpr auto adaptive = RoutingOrder::adaptive;

With with_retry(With fabric) {
  fabric.retry = true;
  return fabric;
}

const std::vector<TwinCase> cases{
    {"Cube1", "hypercube:1", With().depth(1), std::nullopt, 8},
    {"Cube3", "hypercube:3", With()},
    {"Cube3AscendingDelayed", "hypercube:3", With().ports(1).depth(3).replication_delay(3),
     ascending},
    {"Cube3Depth1Delayed", "hypercube:3", With().depth(1).replication_delay(1), std::nullopt, 32,
     true},
    {"Cube3TwoVcsDelayed", "hypercube:3", With().ports(2).vcs(2).depth(7).replication_delay(3)},
    {"Cube4", "hypercube:4", With().ports(2).vcs(3).depth(2).replication_delay(1), std::nullopt,
     64},
    {"Cube4Ascending", "hypercube:4", With().depth(2), ascending, 8},
    {"Cube1SixteenVcs", "hypercube:1", With().vcs(16).depth(2)},
    {"Torus4x4", "torus:4x4", With().vcs(2)},
    {"Torus4x3FourVcs", "torus:4x3", With().ports(3).vcs(4).depth(3)},
    {"Torus3x3x2", "torus:3x3x2", With().ports(1).depth(2)},
    {"TorusBalanced",
     "torus:5x4",
     With().ports(3).vcs(4).depth(2),
     std::nullopt,
     32,
     true,
     {},
     {},
     3,
     VcUse::balanced},
    {"RingBalanced",
     "ring:8",
     With().depth(3).switching(Switching::cut_through),
     std::nullopt,
     16,
     false,
     {},
     {},
     0,
     VcUse::balanced},
    {"CubeOfGroups",
     "hypercube:4",
     With().ports(2).vcs(2).depth(3).replication_delay(2),
     ascending,
     32,
     true,
     {},
     {},
     1,
     VcUse::strict,
     PinGroups::trees},
    {"TorusOfGroups",
     "torus:4x3x2",
     With().ports(2).vcs(4).depth(2).replication_delay(1),
     std::nullopt,
     16,
     true,
     {},
     {},
     0,
     VcUse::balanced,
     PinGroups::trees},
    {"RingOfGroups",
     "ring:7",
     With().depth(5).switching(Switching::cut_through),
     std::nullopt,
     64,
     false,
     {},
     {},
     0,
     VcUse::strict,
     PinGroups::trees},
    {"MeshOfGroups",
     "mesh:3x4",
     With().vcs(2).depth(2),
     std::nullopt,
     32,
     false,
     {},
     {},
     3,
     VcUse::strict,
     PinGroups::trees},
    {"CubeOfJoins",
     "hypercube:3",
     With().depth(3).combine_delay(2).replication_delay(1),
     std::nullopt,
     64,
     true,
     {},
     {},
     0,
     VcUse::strict,
     PinGroups::joins},
    {"CubeOfJoinsAscending",
     "hypercube:4",
     With().ports(2).vcs(2).depth(2).join_vcs(1),
     ascending,
     32,
     true,
     {},
     {},
     1,
     VcUse::strict,
     PinGroups::joins},
    {"TorusOfJoins",
     "torus:4x3",
     With().ports(2).vcs(2).join_vcs(2).depth(3).combine_delay(1),
     std::nullopt,
     64,
     true,
     {},
     {},
     0,
     VcUse::balanced,
     PinGroups::joins},
    {"RingOfJoins",
     "ring:7",
     With().depth(1).replication_delay(3),
     std::nullopt,
     64,
     true,
     {},
     {},
     0,
     VcUse::strict,
     PinGroups::joins},
    {"MeshOfJoinsCutThrough",
     "mesh:3x4",
     With().vcs(2).depth(5).combine_delay(4).switching(Switching::cut_through),
     std::nullopt,
     32,
     true,
     {},
     {},
     3,
     VcUse::strict,
     PinGroups::joins},
    {"Cube1OfClasses", "hypercube:1", three_classes()},
    {"TorusOfClasses",
     "torus:4x3",
     With().ports(3).vcs(4).classes(2).depth(3),
     std::nullopt,
     32,
     false,
     {},
     {},
     0,
     VcUse::balanced},
    {"CubeOfClasses", "hypercube:3",
     With().ports(2).vcs(4).classes(2).depth(2).switching(Switching::circuit), adaptive, 32, true},
    {"CubeOfFourClasses",
     "hypercube:3",
     With().ports(2).vcs(4).classes(4).depth(3).replication_delay(2),
     ascending,
     32,
     true,
     {},
     {},
     3},
    {"AdaptiveOfFourClasses", "hypercube:4", With().ports(1).vcs(12).classes(4).depth(2), adaptive,
     16, true},
    {"TorusOfClassesAndGroups",
     "torus:4x3",
     With().ports(2).vcs(8).classes(4).depth(2).replication_delay(1),
     std::nullopt,
     32,
     true,
     {},
     {},
     0,
     VcUse::balanced,
     PinGroups::trees},
    {"RingOfClassesStoreAndForward", "ring:7",
     With().vcs(4).classes(2).depth(5).switching(Switching::store_and_forward), std::nullopt, 16,
     true},
    {"MeshOfClassesCutThrough",
     "mesh:3x4",
     With().ports(3).vcs(4).classes(2).depth(5).switching(Switching::cut_through).phits({2, 1}),
     std::nullopt,
     32,
     true,
     {},
     {},
     3},
    {"TorusOfClassesCircuit", "torus:4x3",
     With().ports(1).vcs(8).classes(4).depth(1).switching(Switching::circuit), std::nullopt, 32,
     true},
    {"TorusNarrow", "torus:4x3", With().ports(3).vcs(2).depth(2).phits({4, 2}), std::nullopt, 32,
     true},
    {"CubeNarrowOfJoins",
     "hypercube:3",
     With().vcs(2).depth(3).replication_delay(1).phits({1, 4, 2}),
     std::nullopt,
     64,
     true,
     {},
     {},
     1,
     VcUse::strict,
     PinGroups::joins},
    {"MeshNarrowStoreAndForward", "mesh:3x4",
     With().ports(2).depth(4).switching(Switching::store_and_forward).phits({64, 2}), std::nullopt,
     16, true},
    {"Ring5", "ring:5", With().depth(1), std::nullopt, 64, true},
    {"Mesh3x4", "mesh:3x4", With().depth(7)},
    {"Mesh3x4ThreeVcs", "mesh:3x4", With().ports(1).vcs(3).depth(2), std::nullopt, 32, true},
    {"CubeOfLists",
     "hypercube:3",
     With().ports(2).vcs(2).replication_delay(1),
     std::nullopt,
     32,
     true,
     {},
     {},
     7},
    {"CubeAscendingOfLists", "hypercube:4", With().depth(2), ascending, 8, false, {}, {}, 15},
    {"TorusOfLists",
     "torus:4x3",
     With().ports(3).vcs(2).depth(3),
     std::nullopt,
     32,
     false,
     {},
     {},
     3},
    {"MeshOfLists", "mesh:3x4", With().depth(3), std::nullopt, 32, true, {}, {}, 15},
    {"Mesh2x3x2OfLists",
     "mesh:2x3x2",
     With().ports(2).vcs(2).depth(2),
     std::nullopt,
     32,
     false,
     {},
     {},
     3},
    {"CubeCutThrough",
     "hypercube:3",
     With().ports(2).vcs(2).depth(6).replication_delay(2).switching(Switching::cut_through),
     std::nullopt,
     32,
     true,
     {},
     {},
     1},
    {"TorusStoreAndForward",
     "torus:4x4",
     With().vcs(2).depth(5).switching(Switching::store_and_forward),
     std::nullopt,
     32,
     true,
     {},
     {},
     3},
    {"CubeStoreAndForward", "hypercube:3",
     With().ports(1).vcs(2).depth(4).replication_delay(3).switching(Switching::store_and_forward),
     std::nullopt, 16},
    {"CubeCircuit", "hypercube:3", With().vcs(3).switching(Switching::circuit), std::nullopt, 32,
     true},
    {"TorusCircuit", "torus:4x5", With().ports(1).vcs(4).depth(1).switching(Switching::circuit)},
    {"CubeAdaptive", "hypercube:4", With().ports(2).vcs(2).depth(2), adaptive, 32, true},
    {"CubeAdaptiveCutThrough", "hypercube:3",
     With().vcs(3).depth(5).switching(Switching::cut_through), adaptive, 16},
    {"CubeAdaptiveCircuit", "hypercube:3", With().vcs(4).depth(2).switching(Switching::circuit),
     adaptive, 16, true},
    {"CubePipelined", "hypercube:3",
     With().ports(2).vcs(2).depth(3).replication_delay(2).pipeline(1, 1, 1), std::nullopt, 32,
     true},
    {"TorusPipelined",
     "torus:4x3",
     With().ports(3).vcs(4).depth(5).phits({2, 1}).pipeline(2, 0, 1),
     std::nullopt,
     32,
     true,
     {},
     {},
     3,
     VcUse::balanced,
     PinGroups::trees},
    {"MeshPipelined",
     "mesh:3x4",
     With().ports(1).vcs(2).depth(4).switching(Switching::store_and_forward).pipeline(1, 2, 0),
     std::nullopt,
     16,
     true,
     {},
     {},
     2},
    {"JoinsPipelined",
     "hypercube:3",
     With().ports(2).vcs(2).depth(4).combine_delay(1).replication_delay(2).pipeline(1, 1, 0),
     std::nullopt,
     64,
     true,
     {},
     {},
     0,
     VcUse::strict,
     PinGroups::joins},
    {"JoinsInALongPipeline",
     "torus:4x3",
     With().ports(2).vcs(2).join_vcs(2).depth(3).pipeline(3, 2, 2),
     std::nullopt,
     64,
     true,
     {},
     {},
     1,
     VcUse::strict,
     PinGroups::joins},
    {"AdaptivePipelined", "hypercube:4",
     With().ports(2).vcs(4).classes(2).depth(3).switching(Switching::circuit).pipeline(1, 1, 2),
     adaptive, 32, true},
    {"AdaptiveInALongPipeline", "hypercube:3",
     With().vcs(3).depth(5).switching(Switching::cut_through).pipeline(4, 4, 4), adaptive, 16,
     true},
    {"CubeOfRetry", "hypercube:3", with_retry(With()), std::nullopt, 32, true},
    {"TorusOfRetry",
     "torus:4x3",
     with_retry(
         With().ports(3).vcs(4).classes(2).depth(3).phits({1, 2}).link_delay({0, 2}).pipeline(1, 1,
                                                                                              2)),
     std::nullopt,
     32,
     true,
     {},
     {},
     1,
     VcUse::balanced},
    {"JoinsOfRetry",
     "hypercube:3",
     with_retry(With().depth(3).replication_delay(1).combine_delay(2)),
     std::nullopt,
     64,
     true,
     {},
     {},
     0,
     VcUse::strict,
     PinGroups::joins},
    {"AdaptiveOfRetry", "hypercube:4",
     with_retry(With().ports(2).vcs(2).depth(2).switching(Switching::circuit).link_delay(3)),
     adaptive, 16, true},
    {"MeshOfRetry", "mesh:3x4",
     with_retry(With()
                    .ports(1)
                    .vcs(2)
                    .depth(5)
                    .switching(Switching::store_and_forward)
                    .phits({64, 3})
                    .pipeline(0, 0, 4)),
     std::nullopt, 16, true},
    {"CubeWithoutReplication",
     "hypercube:3",
     With().vcs(2),
     std::nullopt,
     32,
     false,
     {{"Replication", "1'b0"}},
     up_to_deposit},
    {"CubeOfUnicastsOnly",
     "hypercube:3",
     With().depth(2),
     std::nullopt,
     32,
     false,
     {{"Replication", "1'b0"}, {"IntermediateReception", "1'b0"}},
     unicast_only},
    {"MeshOfUnicastsPipelined",
     "mesh:3x4",
     With().ports(1).depth(4).pipeline(1, 1, 1),
     std::nullopt,
     32,
     true,
     {{"Replication", "1'b0"}, {"IntermediateReception", "1'b0"}},
     unicast_only},
    {"TorusOfUnicastsOnly",
     "torus:4x4",
     With().vcs(2).depth(3),
     std::nullopt,
     32,
     false,
     {{"Replication", "1'b0"}, {"IntermediateReception", "1'b0"}},
     unicast_only},
};

// By day a machine of each kind, switching mode and routing; each has to be built.
std::vector<TwinCase> cases_of(bool is_day) {
  const std::set<std::string_view> by_day{
      "Cube3",           "Cube3TwoVcsDelayed",  "Torus4x4",
      "Mesh3x4ThreeVcs", "CubeOfLists",         "TorusStoreAndForward",
      "MeshOfLists",     "CubeCutThrough",      "CubeAdaptiveCircuit",
      "TorusBalanced",   "TorusOfUnicastsOnly", "TorusOfGroups",
      "CubeOfGroups",    "CubeOfJoins",         "TorusOfJoins",
      "TorusNarrow",     "Cube1OfClasses",      "TorusOfClasses",
      "CubeOfClasses",   "CubePipelined",       "JoinsPipelined",
      "MeshPipelined",   "AdaptivePipelined",   "CubeOfRetry",
      "TorusOfRetry"};
  std::vector<TwinCase> chosen;
  for (const TwinCase& one : cases) {
    if ((by_day.count(one.name) > 0) == is_day) chosen.push_back(one);
  }
  return chosen;
}

std::string name_of(const testing::TestParamInfo<TwinCase>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Of, RouterTwin, testing::ValuesIn(cases_of(true)), name_of);
INSTANTIATE_TEST_SUITE_P(ByNight, RouterTwin, testing::ValuesIn(cases_of(false)), name_of);

TwinCase random_case(std::uint64_t seed) {
  Draw draw(seed);
  TwinCase one;
  one.topology = draw.one_of<std::string>({"hypercube:1", "hypercube:2", "hypercube:3",
                                           "hypercube:4", "hypercube:5", "torus:4x4", "torus:4x3",
                                           "torus:2x5", "torus:3x3x2", "ring:2", "ring:5", "ring:6",
                                           "mesh:3x4", "mesh:2x3x2", "mesh:5x5"});
  const auto topology = parse_topology(one.topology);
  const auto ports = static_cast<int>(topology->port_count());
  one.fabric.ports(draw.one_of<int>({1, ports, 1 + draw.below(ports)}));
  const int vcs = 1 + draw.below(ports > 4 ? 4 : 8);
  one.fabric.vcs(topology->wraps() ? 2 * ((vcs + 1) / 2) : vcs);
  one.fabric.depth(draw.one_of<int>({1, 2, 3, 4, 5, 7, 8, 16}));
  one.groups = draw.one_of<PinGroups>({PinGroups::none, PinGroups::trees, PinGroups::joins});
  const bool has_trees = topology->is_hypercube() || one.groups != PinGroups::none;
  if (has_trees) one.fabric.replication_delay(draw.one_of<int>({0, 0, 1, 2, 3, 9}));
  if (topology->is_hypercube()) {
    one.order = draw.one_of<RoutingOrder>({RoutingOrder::descending, ascending, adaptive});
    if (one.order == adaptive) {
      one.fabric.vcs(std::max(vcs, 2));
      one.groups = PinGroups::none;
    }
  }
  one.payload_bits = draw.one_of<int>({8, 32, 64});
  one.fabric.switching(
      switching_modes[static_cast<std::size_t>(draw.below(switching_modes.size()))]);
  if (one.groups == PinGroups::joins) {
    one.payload_bits = draw.one_of<int>({32, 64});
    one.fabric.switching(draw.one_of<Switching>({Switching::wormhole, Switching::cut_through}));
    one.fabric.combine_delay(draw.one_of<int>({0, 0, 1, 2, 7}));
    one.fabric.join_vcs(draw.below(3));
  }
  one.max_via = draw.one_of<int>({0, 1, 2, 7, 15});
  if (topology->wraps()) one.vc_use = draw.one_of<VcUse>({VcUse::strict, VcUse::balanced});
  if (draw.below(3) == 0) {
    for (std::size_t i = 0; i < topology->dimension_count(); ++i) {
      one.fabric.FabricConfig::phits.push_back(draw.one_of<int>({1, 2, 3, 5, 64}));
    }
  }
  if (one.groups != PinGroups::joins && draw.below(3) == 0) {
    const int classes = draw.one_of<int>({2, 3, 4});
    const bool is_pair = topology->wraps() || one.order == adaptive;
    one.fabric.vcs(classes * (is_pair ? 2 : 1 + draw.below(2))).classes(classes);
  }
  if (draw.below(3) == 0) {
    const auto delay = [&draw] { return draw.below(draw.one_of<int>({2, 2, 2, 5})); };
    const int route = delay();
    const int vc = delay();
    one.fabric.pipeline(route, vc, delay());
  }
  if (draw.below(4) == 0) {
    one.fabric.retry = true;
    one.fabric.link_delay(draw.one_of<int>({0, 0, 1, 2, 7}));
  }
  return one;
}

TEST(RandomRouterTwin, OfARandomConfigurationDrivesTheSameOutputsInEveryCycle) {
  // Libraries of configurations that do not come again are not kept.
  const std::filesystem::path folder = cache_folder() / ("random." + std::to_string(getpid()));
  ASSERT_EQ(setenv("ALLPORT_CACHE", folder.c_str(), 1), 0);
  const RandomCases seeds(1);
  std::uint64_t cycles = 0;
  for (std::uint64_t seed = seeds.first; seed < seeds.end && !HasFailure(); ++seed) {
    cycles += compare(random_case(seed), 60000, seed);
    std::filesystem::remove_all(folder);
  }
  std::cout << cycles << " router-cycles compared\n";
}

}  // namespace

}  // namespace allport::test
