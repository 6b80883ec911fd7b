// SPDX-License-Identifier: Apache-2.0
// Does the twin test see a wrong router? scripts/mutate builds the faults of faults.txt into a copy
// of the RTL; each must show as a difference, and none may show while none is active.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "rtl_model/tables/make_table.h"
#include "rtl_model/verilated/model_cache.h"
#include "rtl_model/verilated/model_library.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/twin/router/twin_bench.h"

namespace allport::test {

namespace {

namespace fs = std::filesystem;

constexpr Cycle most_cycles = 40000;  // for one node and round
constexpr std::uint64_t most_rounds = 15;

struct Fault {
  int number = 0;
  std::string unit;
  std::string sentence;
  std::string reason;  // why it cannot be seen; empty: it can

  std::string name() const {
    return "fault " + std::to_string(number) + " (" + unit + ": " + sentence + ")";
  }
};

/// The mutated copy, in the cache folder, since the libraries made of it are there, too.
class MutatedRtl {
 public:
  MutatedRtl() : folder_(cache_folder() / "mutated") {
    fs::create_directories(folder_);
    const std::string command = "'" ALLPORT_MUTATE "' '" + folder_.string() + "'";
    if (std::system(command.c_str()) != 0) throw std::runtime_error("scripts/mutate has failed");
  }

  std::vector<Fault> faults() const {
    std::vector<Fault> faults;
    std::ifstream in(folder_ / "faults.tsv");
    for (std::string line; std::getline(in, line);) {
      std::istringstream row(line);
      std::string number;
      Fault fault;
      std::getline(row, number, '\t');
      std::getline(row, fault.unit, '\t');
      std::getline(row, fault.sentence, '\t');
      std::getline(row, fault.reason);
      fault.number = std::stoi(number);
      faults.push_back(fault);
    }
    return faults;
  }

  RtlSource source(const Blueprint& blueprint, int payload_bits, int max_via,
                   PinGroups groups) const {
    RtlSource source;
    std::ifstream in(folder_ / "allport.f");
    for (std::string line; std::getline(in, line);) {
      if (!line.empty() && line.rfind("//", 0) != 0) source.files.push_back(folder_ / line);
    }
    source.top = blueprint.routing.table() != nullptr ? "allport_table_router"
                 : blueprint.config.retry             ? "allport_retry_router"
                                                      : "allport_router";
    source.parameters = router_parameters(blueprint.config, blueprint.routing,
                                          payload_bits + PinLayout::message_bits, max_via, groups);
    return source;
  }

 private:
  fs::path folder_;
};

/// One configuration of the mutated router.
class Mutant {
 public:
  Mutant(const MutatedRtl& rtl, const char* topology, const FabricConfig& fabric, int max_via = 0,
         std::optional<RoutingOrder> order = std::nullopt, VcUse vc_use = VcUse::strict,
         PinGroups groups = PinGroups::none)
      : blueprint_(topology, fabric, order, vc_use),
        payload_bits_(groups == PinGroups::joins ? 64 : 16),
        max_via_(max_via),
        groups_(groups),
        library_(rtl.source(blueprint_, payload_bits_, max_via, groups)) {}

  /// One that follows the table that `rule` makes.
  Mutant(const MutatedRtl& rtl, const std::string& rule, const char* topology,
         const FabricConfig& fabric)
      : blueprint_(routing_by(rule, topology), fabric),
        payload_bits_(16),
        max_via_(0),
        groups_(PinGroups::none),
        library_(rtl.source(blueprint_, payload_bits_, 0, groups_)) {}

  /// How a difference was noticed within `most_cycles` of a few nodes; none if there was none.
  std::optional<std::string> seen(int fault, std::uint64_t seed) const {
    const Topology& topology = blueprint_.routing.topology();
    const std::size_t nodes = topology.node_count();
    for (const std::size_t node : {nodes / 2, std::size_t{0}, nodes - 2}) {
      TwinBench bench(library_.create(), blueprint_, payload_bits_, node_id(node),
                      all_kinds(blueprint_, groups_), seed, fault, max_via_, groups_);
      const std::string where = " (node " + std::to_string(node) + " of " + topology.name() + ")";
      try {
        const auto difference = bench.run(most_cycles);
        if (difference) return "caught: " + in_words(*difference) + where;
      } catch (const std::runtime_error& error) {
        return std::string("caught: ") + error.what() + where;
      }
    }
    return std::nullopt;
  }

 private:
  static Routing routing_by(const std::string& rule, const char* topology) {
    TableRequest wanted;
    wanted.rule = rule;
    wanted.topology = parse_topology(topology);
    return {wanted.topology, make_table(wanted)};
  }

  const Blueprint blueprint_;
  const int payload_bits_;
  const int max_via_;
  const PinGroups groups_;
  const ModelLibrary library_;
};

/// Those from the number in ALLPORT_FIRST_FAULT on; of them all, or `count` of those that can be
/// seen, evenly spread.
std::vector<Fault> choose(std::vector<Fault> all, std::uint64_t count) {
  const char* const first = std::getenv("ALLPORT_FIRST_FAULT");
  all.erase(std::remove_if(all.begin(), all.end(),
                           [&](const Fault& fault) {
                             return first != nullptr && fault.number < std::stoi(first);
                           }),
            all.end());
  if (count >= all.size()) return all;
  all.erase(std::remove_if(all.begin(), all.end(),
                           [](const Fault& fault) { return !fault.reason.empty(); }),
            all.end());
  std::vector<Fault> chosen;
  for (std::uint64_t i = 0; i < count; ++i) chosen.push_back(all[i * all.size() / count]);
  return chosen;
}

TEST(Mutation, EachFaultOfTheRtlIsCaught) {
  const MutatedRtl rtl;
  const RandomCases cases(5);
  const std::uint64_t seed = cases.first + 1;
  // Two VCs, a delay and few internal ports; VC classes, ties, wraparound channels and lists;
  // labels; whole messages in a buffer; circuits and adaptive routing; joins with and without VCs
  // of their own; narrow channels; message classes with VC classes and with adaptive routing; a
  // table of two layers, and one whose rows differ between layers; retry, on narrow channels, too.
  // Some have a pipeline: short and long ones, with joins, branches that have classes, adaptive
  // routing, and heads that wait for their route for a shorter time than to be replicated.
  const Mutant cube(rtl, "hypercube:3", With().ports(2).vcs(2).depth(3).replication_delay(2));
  const Mutant torus(rtl, "torus:4x5", With().ports(3).vcs(4).depth(1), 3);
  const Mutant balanced(rtl, "torus:4x5", With().ports(3).vcs(4).depth(2), 1, std::nullopt,
                        VcUse::balanced);
  const Mutant mesh(rtl, "mesh:3x4", With().ports(3).depth(2), 3);
  const Mutant store(rtl, "hypercube:3",
                     With().ports(2).vcs(2).depth(5).switching(Switching::store_and_forward));
  const Mutant circuit(rtl, "hypercube:3",
                       With().vcs(2).depth(2).switching(Switching::circuit).pipeline(1, 0, 1), 0,
                       RoutingOrder::adaptive);
  const Mutant joins(rtl, "mesh:3x4",
                     With().vcs(2).depth(3).combine_delay(2).replication_delay(1).pipeline(1, 1, 0),
                     0, std::nullopt, VcUse::strict, PinGroups::joins);
  const Mutant join_vcs(rtl, "torus:4x4", With().ports(2).depth(2).join_vcs(2).pipeline(2, 0, 1), 0,
                        std::nullopt, VcUse::strict, PinGroups::joins);
  const Mutant narrow(rtl, "mesh:3x4",
                      With().ports(3).vcs(2).depth(3).phits({3, 2}).pipeline(2, 2, 2), 1);
  const Mutant classes(rtl, "torus:4x3",
                       With().ports(2).vcs(4).classes(2).depth(2).pipeline(1, 0, 0), 0,
                       std::nullopt, VcUse::balanced, PinGroups::trees);
  const Mutant adaptive_classes(rtl, "hypercube:3", With().ports(2).vcs(4).classes(2).depth(2), 0,
                                RoutingOrder::adaptive);
  const Mutant table(rtl, "dimension", "torus:4x3",
                     With().ports(2).vcs(8).classes(2).depth(2).phits({3, 2}));
  const Mutant layers(rtl, "shortest", "torus:5x3", With().ports(2).vcs(4).depth(2));
  const Mutant held(rtl, "hypercube:3",
                    With().ports(2).vcs(2).depth(3).replication_delay(3).pipeline(1, 0, 0));
  With erring = With().vcs(2).depth(3).phits({1, 3}).link_delay({0, 2});
  erring.retry = true;
  const Mutant retry(rtl, "mesh:3x4", erring);
  erring.pipeline(0, 0, 2);
  const Mutant retry_behind_a_crossbar(rtl, "mesh:3x4", erring);
  const auto seen = [&](int fault, std::uint64_t rounds) {
    std::optional<std::string> how;
    for (std::uint64_t round = 0; round < rounds && !how; ++round) {
      for (const Mutant* mutant :
           {&cube, &torus, &balanced, &mesh, &store, &circuit, &joins, &join_vcs, &narrow, &classes,
            &adaptive_classes, &table, &layers, &held, &retry, &retry_behind_a_crossbar}) {
        if (!how) how = mutant->seen(fault, seed + round);
      }
    }
    return how;
  };

  EXPECT_EQ(seen(0, 1).value_or(""), "") << "no fault is active; seed " << seed;

  const std::vector<Fault> chosen = choose(rtl.faults(), cases.end - cases.first);
  int caught = 0;
  int invisible = 0;
  for (const Fault& fault : chosen) {
    const std::optional<std::string> how =
        seen(fault.number, fault.reason.empty() ? most_rounds : 1);
    std::cout << fault.name() << ": " << how.value_or("not caught") << '\n';
    if (fault.reason.empty()) {
      EXPECT_TRUE(how) << fault.name() << "; seed " << seed;
      caught += how ? 1 : 0;
    } else {
      EXPECT_FALSE(how) << fault.name() << " should not be seen: " << fault.reason;
      ++invisible;
    }
  }
  std::cout << caught << " of " << chosen.size() << " faults caught, " << invisible
            << " cannot be seen; seed " << seed << '\n';
}

}  // namespace

}  // namespace allport::test
