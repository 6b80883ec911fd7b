// SPDX-License-Identifier: Apache-2.0
// These functions determine what nodes contribute to joins.
#pragma once

#include <cstdint>
#include <tlm>

#include "traffic/schedule/schedule.h"

namespace allport {

/// Whether a join of `schedule` computes with float32.
bool joins_floats(const Schedule& schedule);

/// Fills the payload of `message` with what `node` contributes to the joins of collective `number`
/// of a trial: lanes of finite numbers whose magnitudes differ, so that the order of additions
/// shows, if `has_floats`, and bytes otherwise.
void fill_contribution(tlm::tlm_generic_payload& message, bool has_floats, std::uint64_t number,
                       NodeId node);

}  // namespace allport
