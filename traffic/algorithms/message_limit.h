// SPDX-License-Identifier: Apache-2.0
// What an algorithm plans has limits, which are checked before anything is planned.
#pragma once

#include <cstddef>

#include "rtl_model/topology/topology.h"

namespace allport {

/// Throws std::invalid_argument, one sentence with both numbers, when a plan on `topology` has more
/// than max_planned_messages messages or these carry more than max_carried_blocks blocks together.
void require_plan_fits(const Topology& topology, std::size_t messages, std::size_t carried);

}  // namespace allport
