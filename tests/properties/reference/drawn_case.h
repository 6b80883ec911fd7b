// SPDX-License-Identifier: Apache-2.0
// A DrawnCase is a random case: fabric, router and traffic are drawn from a seed.
#pragma once

#include <cstdint>
#include <vector>

#include "rtl_model/topology/routing.h"
#include "tests/properties/reference/fabric.h"
#include "tests/properties/reference/random_case.h"

namespace allport::test {

struct DrawnCase {
  reference::Config config;
  std::vector<reference::Collective> collectives;
  reference::UniformPattern pattern;
  int address_flits = 0;  ///< of each address in the lists of trees of unicasts; 0: no lists
  int flits_long = 0;     ///< flits of one message in ten; 0: all have the same length
};

DrawnCase draw_case(Traffic traffic, std::uint64_t seed);

/// Whether the messages are those of a pattern, not of collectives.
bool is_pattern(Traffic traffic);
Routing routing_of(const reference::Config& config);

}  // namespace allport::test
