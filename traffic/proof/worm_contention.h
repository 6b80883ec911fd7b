// SPDX-License-Identifier: Apache-2.0
// The proof finds which pairs of messages of any kind may meet on a channel (docs/algorithms.md,
// section 14). They cannot meet if the first has passed before the second is sent, if both have the
// same sender and have come the same way, or if a barrier lies between them.
#pragma once

#include <vector>

#include "traffic/proof/worm_messages.h"

namespace allport {

Finding find_worm_contention(const WormMessages& messages, const std::vector<SoundPart>& parts,
                             bool has_barriers);

}  // namespace allport
