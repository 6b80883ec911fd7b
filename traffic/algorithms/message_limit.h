// SPDX-License-Identifier: Apache-2.0
// The limit of the plans in which nearly every block is a message of its own.
#pragma once

#include <cstddef>

#include "rtl_model/topology/topology.h"

namespace allport {

/// Largest number of messages of such a plan; each takes some hundred bytes.
constexpr std::size_t max_block_messages = std::size_t{1} << 20;

/// `sends_on` gives the mean number of messages per node on a fabric of `nodes`. Throws
/// std::invalid_argument when `topology` has too many messages in all.
void require_few_messages(const Topology& topology, std::size_t (*sends_on)(std::size_t nodes));

/// Throws std::invalid_argument, one sentence with both numbers, when a plan on `topology` has more
/// than max_planned_messages messages or these carry more than max_carried_blocks blocks together.
void require_plan_fits(const Topology& topology, std::size_t messages, std::size_t carried);

}  // namespace allport
