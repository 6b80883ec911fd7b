// SPDX-License-Identifier: Apache-2.0
// Names a deadlock. Called when nothing in the fabric can move any more (every router asleep,
// nothing on a wire, no processor counting): then every flit left belongs to a message that waits
// for ever, and the messages wait for each other in a cycle. No timeout is involved, and no report
// is retracted.
#pragma once

#include <vector>

#include "rtl_model/systemc/fabric.h"
#include "testbench/results.h"
#include "tlm/message_log.h"

namespace allport {

/// The messages with a flit left in a buffer of `fabric`, and a cycle of the wait-for graph among
/// them. A message waits for the owner of each virtual channel that a front flit of it lacks; where
/// a credit lacks, for the message at the front of the buffer beyond; and for the one before it in
/// a buffer; a replicating flit for all its branches at once.
Deadlock find_deadlock(const Fabric& fabric, const MessageLog& log);

}  // namespace allport
