// SPDX-License-Identifier: Apache-2.0
// Which pairs of unicasts share a channel without being ordered. Counted channel by channel, never
// pair by pair: n unicasts over one channel cost n log n, not n^2, and nothing is stored per pair.
#pragma once

#include <vector>

#include "traffic/proof/channel_users.h"
#include "traffic/proof/schedule_check.h"
#include "traffic/schedule/delivery_tree.h"

namespace allport {

struct ContentionFindings {
  Finding stepwise;
  Finding definition4;
  Finding theorem1;
};

/// Judges all pairs of `sends`, sorted by step, u, order.
ContentionFindings find_contention(const std::vector<Send>& sends, const DeliveryTree& tree,
                                   const ChannelUsers& users);

}  // namespace allport
