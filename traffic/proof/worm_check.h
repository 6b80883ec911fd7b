// SPDX-License-Identifier: Apache-2.0
// The check judges contention and deadlock of messages of any kind, in one or several collectives,
// by their routes.
#pragma once

#include <vector>

#include "traffic/proof/schedule_check.h"

namespace allport {

/// `has_barriers` says whether the phases of `parts` keep them apart.
WormFindings check_worms(const std::vector<SoundPart>& parts, bool has_barriers);

}  // namespace allport
