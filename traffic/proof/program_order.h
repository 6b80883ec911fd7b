// SPDX-License-Identifier: Apache-2.0
// Programs whose order is not that of their steps: the nodes go by the former.
#pragma once

#include <string>
#include <vector>

#include "traffic/schedule/schedule.h"

namespace allport {

/// In a sentence how many programs are in another order than their steps, with an example; empty
/// when none is.
std::string order_note(std::vector<const Unicast*> unicasts);

}  // namespace allport
