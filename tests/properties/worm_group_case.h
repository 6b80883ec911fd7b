// SPDX-License-Identifier: Apache-2.0
// These functions run random trees and joins, among one another and among unicasts, on the fabric
// of routers and on that of worms.
#pragma once

#include <cstdint>
#include <string>

namespace allport::test {

/// What a case has.
enum class Groups {
  trees,  ///< trees of several roots
  joins,  ///< joins and join-trees in steps, and trees
  mixed,  ///< joins, trees and unicasts in steps; joins have virtual channels of their own
  trees_by_tables,  ///< trees among unicasts along the tree of a table, on graphs too
  joins_by_tables,  ///< joins and join-trees in steps, and trees, likewise
  rows,             ///< deposits, path, multidestination and label worms among unicasts and trees
  mixed_by_tables,  ///< joins and trees with virtual channels of their own among many unicasts
};

std::string describe_groups(Groups groups, std::uint64_t seed);

/// Runs the case on both fabrics. Empty if all their results are the same, otherwise the first
/// line that differs; of a deadlock, too, who waits for whom, where and since when.
std::string compare_groups(Groups groups, std::uint64_t seed);

/// Runs the case, with joins of u32 or, if `seed` is odd, of float32, on routers that combine in
/// the order of ports and on some that do in the order of arrival. Empty if all their results but
/// sums of float32 are the same, otherwise what differs.
std::string compare_orders(Groups groups, std::uint64_t seed);

}  // namespace allport::test
