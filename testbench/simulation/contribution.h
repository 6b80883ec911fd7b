// SPDX-License-Identifier: Apache-2.0
// What nodes contribute to joins.
#pragma once

#include <cstdint>
#include <tlm>

#include "traffic/schedule/schedule.h"

namespace allport {

/// Fills the payload of `message` with what `node` contributes to the joins of `schedule`, which is
/// collective `number` of a trial: lanes of finite numbers whose magnitudes differ, so that the
/// order of additions shows, if a join adds float32, and bytes otherwise.
void fill_contribution(tlm::tlm_generic_payload& message, const Schedule& schedule,
                       std::uint64_t number, NodeId node);

}  // namespace allport
