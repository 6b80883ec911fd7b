// SPDX-License-Identifier: Apache-2.0
// The check counts how often each node receives, for messages of any kind.
#pragma once

#include <vector>

#include "traffic/proof/schedule_check.h"

namespace allport {

using UnicastList = std::vector<const Unicast*>;

/// The messages that plan receptions: of those to a join that of the root, which stands for all.
UnicastList planned_receptions(const UnicastList& unicasts);

/// Every destination must receive once from `receptions`, which are planned_receptions(); no node
/// may receive twice, and a source never.
Finding check_exactly_once(const UnicastList& receptions, const CheckRequest& request);

}  // namespace allport
