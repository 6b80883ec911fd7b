// SPDX-License-Identifier: Apache-2.0
// These functions say what keeps the transaction-level fabric from carrying a run out. Its worms
// are moved exactly or not at all.
#pragma once

#include <string>

#include "rtl_model/router/router_config.h"
#include "rtl_model/topology/routing.h"

namespace allport {

struct RunPlan;

/// Why the transaction-level fabric cannot carry a run out, as the end of a sentence whose subject
/// is that fabric; empty if it can.
std::string transaction_level_fault(const RouterParameters& router, const Routing& routing);

/// Why it cannot carry a message of `kind`, likewise.
std::string worm_kind_fault(const RouterParameters& router, MessageKind kind);

/// Why worms cannot move the messages of `plan`, as the end of a sentence whose subject is that
/// model; empty if they can.
std::string worms_fault(const RunPlan& plan);
/// The same without the models that could, for a network that is driven, which has no other.
std::string network_fault(const RunPlan& plan);

}  // namespace allport
