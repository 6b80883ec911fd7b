// SPDX-License-Identifier: Apache-2.0
// These joins combine their operands in the order of their arrival: nothing but sums of
// floating-point numbers shows it, and these are sums in some order. ALLPORT_CASES and
// ALLPORT_NIGHTLY_SEED choose other cases (scripts/nightly).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <vector>

#include "rtl_model/topology/group_routes.h"
#include "testbench/simulation/contribution.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/properties/worm_group_case.h"
#include "tests/testbench/simulation/group_cases.h"
#include "tlm/message/message.h"

namespace allport::test {
namespace {

void expect_only_sums_to_differ(Groups groups) {
  const RandomCases cases(60);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    ASSERT_EQ(compare_orders(groups, seed), "") << describe_groups(groups, seed);
  }
}

TEST(CombineOrder, ChangesNeitherTimesNorIntegersOfJoins) {
  expect_only_sums_to_differ(Groups::joins);
}

TEST(CombineOrder, ChangesNeitherTimesNorIntegersOfJoinsAmongUnicasts) {
  expect_only_sums_to_differ(Groups::mixed);
}

constexpr JoinTag float_sum{0, JoinOperation::sum, LaneType::float32};

std::uint64_t contribution_of(NodeId node) {
  MessagePool pool;
  tlm::tlm_generic_payload& message = pool.allocate(sizeof(float));
  fill_contribution(message, true, 0, node);
  std::uint32_t bits = 0;
  std::memcpy(&bits, message.get_data_ptr(), sizeof bits);
  message.release();
  return bits;
}

using Sums = std::set<std::uint64_t>;

// Adds to `sums` those of `operands`, of each of which any number may be taken, in any order.
void add_sums(std::vector<Sums> operands, Sums& sums) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < operands.size(); ++i) order.push_back(i);
  do {
    Sums partial = operands[order.front()];
    for (std::size_t i = 1; i < order.size(); ++i) {
      Sums next;
      for (const std::uint64_t sum : partial) {
        for (const std::uint64_t other : operands[order[i]]) {
          next.insert(combine(float_sum, sum, other));
        }
      }
      partial = next;
    }
    sums.insert(partial.begin(), partial.end());
  } while (std::next_permutation(order.begin(), order.end()));
}

// What may leave the router of `node`, whatever the order of arrival at each router.
Sums sums_at(NodeId node, NodeId root, const Routing& routing) {
  std::vector<Sums> operands{{contribution_of(node)}};
  for (PortMask rest = join_inputs(routing, node, root, 0); rest != 0; rest &= rest - 1) {
    const PortId port = port_id(static_cast<std::size_t>(__builtin_ctzll(rest)));
    operands.push_back(sums_at(*routing.topology().neighbour(node, port), root, routing));
  }
  Sums sums;
  add_sums(operands, sums);
  return sums;
}

std::uint64_t checksum_of(std::uint64_t number, std::size_t bytes) {
  std::vector<unsigned char> data(bytes);
  std::memcpy(data.data(), &number, bytes);
  return payload_checksum(data.data(), bytes);
}

TEST(CombineOrder, YieldsSumsInSomeOrderThatDifferFromSeedToSeed) {
  for (const char* name : {"hypercube:3", "mesh:3x2", "torus:3x3"}) {
    const Routing routing = routing_on(name);
    const NodeId root = node_id(1);
    Sums possible;
    for (const std::uint64_t sum : sums_at(root, root, routing)) {
      possible.insert(checksum_of(checksum_of(sum, sizeof(float)), sizeof(std::uint64_t)));
    }
    Sums seen;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      With fabric;
      fabric.combine_order = CombineOrder::arrival;
      const std::string checksum = forked([&] {
        Simulation simulation(Experiment().on(fabric).length(1).with_skew(7).with_seed(seed),
                              routing);
        const Results results =
            simulation.run({{group_collective(MessageKind::join, 1, 0, routing, float_sum)}});
        if (!results.is_complete()) return fault_of(results);
        return std::to_string(results.combine->checksums.front());
      });
      seen.insert(std::stoull(checksum));
      EXPECT_EQ(possible.count(std::stoull(checksum)), 1U) << name << " seed " << seed;
    }
    EXPECT_GT(seen.size(), 1U) << name;
  }
}

}  // namespace
}  // namespace allport::test
