// SPDX-License-Identifier: Apache-2.0
// The check judges contention and deadlock of messages of any kind, in one or several collectives,
// by their routes. `has_barriers` says whether the phases of `parts` keep them apart.
#pragma once

#include <vector>

#include "traffic/proof/schedule_check.h"
#include "traffic/proof/worm_messages.h"

namespace allport {

WormFindings check_worms(const std::vector<SoundPart>& parts, bool has_barriers);

// What it consists of, each proof in a file of its own, besides join_order.h.

/// The pairs of messages that may meet on a channel.
Finding find_worm_contention(const WormMessages& messages, const std::vector<SoundPart>& parts,
                             bool has_barriers);

/// A circle among the messages whose phase is `phase` or next to it, as short as any through one of
/// its waits; empty: there is none. Without barriers, all messages are judged together.
std::vector<WormWait> find_waiting_circle(const WormMessages& messages,
                                          const std::vector<SoundPart>& parts, int phase,
                                          bool has_barriers);

/// What parts do that a join which shares its virtual channels cannot bear; nothing where joins
/// have virtual channels of their own.
Finding check_shared_joins(const std::vector<SoundPart>& parts, bool has_barriers);

}  // namespace allport
