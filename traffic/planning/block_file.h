// SPDX-License-Identifier: Apache-2.0
// A block of a user's own (torus_block.h) is read from a schedule file: a broadcast on torus:4x4,
// whose nodes stand for units.
#pragma once

#include <iosfwd>
#include <string>

#include "traffic/algorithms/torus_block.h"

namespace allport {

/// Reads a block. A message half around goes by its displacement, without one in the + direction.
/// Throws std::invalid_argument, one sentence naming file and line, as read_messages does, for a
/// message with a length, start, kind or blocks of its own, one that is not among the 16 units or
/// not a shortest way, a unit that is informed twice, never, or after it sends, and steps that a
/// broadcast to 16 units has no use for.
UnitBlock read_block(std::istream& in, const std::string& name);

}  // namespace allport
