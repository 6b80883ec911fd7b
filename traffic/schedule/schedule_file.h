// SPDX-License-Identifier: Apache-2.0
// Schedules as JSON Lines: one unicast per line with the keys u, v, step, order, and, where needed,
// dx and dy (two dimensions) or displacement, kind, via (the destinations before v of a
// multidestination or label message), first_dimension (of a label message), blocks (a list of
// numbers) and adds (docs/guide/schedules.md).
#pragma once

#include <iosfwd>
#include <string>

#include "rtl_model/topology/routing.h"
#include "traffic/schedule/schedule.h"

namespace allport {

/// Reads a schedule. `name` is used in messages; `begun` is what of the stream has been read
/// already. Throws std::invalid_argument with one sentence
/// naming file, line and what is wrong for a torn line, an unknown or missing key, a wrong type, an
/// unknown kind, or an empty file. Node ids are read as they are (0 .. 2^32 - 1).
Schedule read_schedule(std::istream& in, const std::string& name, const Topology& topology,
                       const std::string& begun = {});

/// Writes `schedule`, one line per unicast, sorted by step, u and order.
void write_schedule(std::ostream& out, const Schedule& schedule, const Topology& topology);

}  // namespace allport
