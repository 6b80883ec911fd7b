// SPDX-License-Identifier: Apache-2.0
// These functions make random plans of unicasts for Theorem 1 (docs/algorithms.md, section 14), and
// find what it says of them.
#pragma once

#include <cstdint>
#include <string>

#include "tests/testbench/simulation/block_plans.h"

namespace allport::test {

struct ProofCase {
  Routing routing;
  SimulationConfig config;
  PlannedCollective plan;
  std::string words;
};

/// The plan of a random algorithm, whole or in pieces.
ProofCase case_of_algorithm(std::uint64_t seed);
/// A few unicasts at random.
ProofCase case_of_unicasts(std::uint64_t seed);
/// Many messages of one sender on one channel, in several VCs: if the buffers are too small for the
/// full rate, late ones overtake early ones.
ProofCase case_of_overtaking(std::uint64_t seed);

/// Whether `check` proves the order in which the programs send free of contention.
bool is_proved(const ProofCase& one);
/// Whether two unicasts share a channel that only Theorem 1 orders: neither of them depends on the
/// reception of the other.
bool has_meeting(const Schedule& schedule, const Routing& routing);
int longest_message(const ProofCase& one);

}  // namespace allport::test
