// SPDX-License-Identifier: Apache-2.0
// A plan must keep this rule where a join shares its virtual channels with messages of no group
// (docs/joins.md, virtual channels): the join is the only message of a group, on a hypercube or
// mesh, among unicasts, and no node receives anything before it contributes. Then whatever the join
// holds depends on routes alone, which close no circle.
#pragma once

#include <vector>

#include "traffic/proof/schedule_check.h"

namespace allport {

/// The violations of this rule in `parts`, which run at once or with barriers between them; none
/// where joins have virtual channels of their own.
Finding check_shared_joins(const std::vector<SoundPart>& parts, bool has_barriers);

}  // namespace allport
