// SPDX-License-Identifier: Apache-2.0
// The check notes programs whose order differs from that of their steps; the nodes follow the
// program.
#pragma once

#include <string>
#include <vector>

#include "traffic/schedule/schedule.h"

namespace allport {

/// A sentence that says how many programs are not in the order of their steps, with an example;
/// empty if all are.
std::string order_note(std::vector<const Unicast*> unicasts, const Topology& topology);

}  // namespace allport
