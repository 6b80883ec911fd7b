// SPDX-License-Identifier: Apache-2.0
// Random trees and joins, among one another and among unicasts, on the fabric of routers and on
// that of worms.
#pragma once

#include <cstdint>
#include <string>

namespace allport::test {

/// What a case has.
enum class Groups {
  trees,  ///< trees of several roots
  joins,  ///< joins and join-trees in steps, and trees
  mixed,  ///< joins, trees and unicasts in steps; joins have virtual channels of their own
};

std::string describe_groups(Groups groups, std::uint64_t seed);

/// Runs the case on both fabrics. Empty if all their results are the same, otherwise the first
/// line that differs. Of a deadlock, which worms do not explain, the deliveries before it are
/// compared.
std::string compare_groups(Groups groups, std::uint64_t seed);

}  // namespace allport::test
