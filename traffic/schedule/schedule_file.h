// SPDX-License-Identifier: Apache-2.0
// Schedule files are JSON Lines: one unicast per line with the keys u, v, step, order, and, where
// needed, dx and dy (two dimensions) or displacement, kind, via (the destinations before v of a
// multidestination or label message), first_dimension (of a label message), blocks (a list of
// numbers), adds, flits, at and class (docs/guide/schedules.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "rtl_model/topology/routing.h"
#include "traffic/schedule/schedule.h"

namespace allport {

/// A message of a file, and what a Unicast does not have of it.
struct TimedUnicast {
  Unicast unicast;
  int flits = 0;          ///< its length; 0: the default
  Cycle at = 0;           ///< the cycle before which it does not start
  bool is_timed = false;  ///< whether the file gives one of the two, or the class
  std::size_t line = 0;   ///< 1, 2, ..
  std::uint8_t message_class = 0;
};

/// Reads the messages of a file, by step, u, order, v, length and start, so that it does not matter
/// in which order its lines are; as read_schedule otherwise.
std::vector<TimedUnicast> read_messages(std::istream& in, const std::string& name,
                                        const Topology& topology);

/// The schedule of `messages`, read from the file `name`; throws std::invalid_argument, one
/// sentence, if one of them has flits, at or class.
Schedule schedule_of(const std::vector<TimedUnicast>& messages, const std::string& name);

/// Reads a schedule, whose messages have neither flits, at nor class. `name` is used in messages.
/// Throws std::invalid_argument with one sentence
/// naming file, line and what is wrong for a torn line, an unknown or missing key, a wrong type, an
/// unknown kind, or an empty file. Nodes have their
/// numbers in the whole fabric (Topology::number_of()); others are read as they are, 0 .. 2^32 - 1,
/// but on a fabric of which nodes are missing, where they are refused.
Schedule read_schedule(std::istream& in, const std::string& name, const Topology& topology);

/// Writes `schedule`, which read_schedule() reads on the same fabric, one line per unicast, sorted
/// by step, u and order.
void write_schedule(std::ostream& out, const Schedule& schedule, const Topology& topology);

}  // namespace allport
