// SPDX-License-Identifier: Apache-2.0
// A HostUse says what the host of a machine does for a program [Ranka88, sections 3, 4.2 and 4.6]:
// what is not its business the ranks have from the beginning, and keep at the end.
#pragma once

#include <cstdint>
#include <utility>

#include "traffic/programs/rank.h"

namespace allport {

/// Each does what those before it do, too.
enum class HostUse : std::uint8_t {
  none,     ///< there is none
  shared,   ///< it sends rank 0 what all ranks need, and rank 0 tells it that all have ended
  data,     ///< it sends each rank its part of the data
  results,  ///< each rank sends it its part of the results
};

/// `program` if there is a host, else none: for record().
inline RankProgram host_program(HostUse host, RankProgram program) {
  return host == HostUse::none ? nullptr : std::move(program);
}

}  // namespace allport
