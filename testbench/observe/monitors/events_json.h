// SPDX-License-Identifier: Apache-2.0
// These functions put contention and deadlocks into JSON, as all results have them
// (docs/guide/results.md).
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>

#include "rtl_model/topology/topology.h"
#include "testbench/results/json.h"
#include "testbench/results/results.h"

namespace allport {

/// The groups of the waiting and of the holding message of an event; none: one has no group.
using EventGroups =
    std::function<std::optional<std::array<std::size_t, 2>>(const ContentionEvent& event)>;

/// Adds `contention`, with its `reception`. `groups`: null where there are none.
void add_contention(Json& json, const Results& results, bool with_trials, const Topology& topology,
                    const EventGroups& groups = nullptr);

/// Adds `deadlock` and, where there is one, `deadlock_cycle` and `wait_for`.
void add_deadlock(Json& json, const Results& results, bool with_trials, const Topology& topology);

}  // namespace allport
