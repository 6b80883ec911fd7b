// SPDX-License-Identifier: Apache-2.0
// The proof finds whether messages of any kind that are in the network together can wait for one
// another in a circle. A message that waits for a lane may wait for any other message with that
// lane on its route; that message holds the lane, or stands in its buffer, and may itself wait
// farther on or on another branch, because a worm holds all its branches while it waits for one.
// Without a circle of such waits there is no deadlock [DallySeitz87]; a possible circle does not
// mean that a deadlock occurs.
#pragma once

#include <vector>

#include "traffic/proof/worm_messages.h"

namespace allport {

/// A circle among the messages whose phase is `phase` or next to it, as short as any through one of
/// its waits; empty: there is none. Without barriers, all messages are judged together.
std::vector<WormWait> find_waiting_circle(const WormMessages& messages,
                                          const std::vector<SoundPart>& parts, int phase,
                                          bool has_barriers);

}  // namespace allport
