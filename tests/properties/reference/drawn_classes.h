// SPDX-License-Identifier: Apache-2.0
// DrawnClasses is a random case of message classes for the reference model: unicasts of all nodes,
// with a message class each, on a fabric with several VCs for each class.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/properties/reference/fabric.h"

namespace allport::test {

struct DrawnClasses {
  reference::Config config;
  std::vector<reference::Line> lines;
};

DrawnClasses draw_classes(std::uint64_t seed);

/// A unicast of `flits` flits, which its sender does not prepare before cycle `at`.
reference::Line class_line(int u, int v, int order, int message_class, int flits,
                           reference::Cycle at = 0);

/// All lines as one collective, which every sender has at the start.
std::vector<reference::Collective> as_collective(const std::vector<reference::Line>& lines);

}  // namespace allport::test
