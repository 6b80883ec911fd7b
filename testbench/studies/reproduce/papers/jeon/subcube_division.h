// SPDX-License-Identifier: Apache-2.0
// [Jeon01] section 2 says of Ho and Kao's broadcast that an n-cube can be divided into n + 1
// subcubes of nearly equal size, each of which has one node of an ascending path.
#pragma once

#include <optional>
#include <vector>

namespace allport {

/// The dimensions of subcubes, none more than twice as large as another, that divide an n-cube, n =
/// 1 .. 8, and of which number i has the node 2^i - 1 and no other one of the path 0, 1, 11, ..;
/// found by exhaustive search. None: there are no such subcubes.
std::optional<std::vector<int>> subcube_division(int n);

}  // namespace allport
