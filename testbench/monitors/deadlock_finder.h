// SPDX-License-Identifier: Apache-2.0
// Names a deadlock. Called when nothing in the fabric can move any more (every router asleep,
// nothing on a wire, no processor counting): then every flit left belongs to a message that waits
// for ever, and the messages wait for each other in a cycle. No timeout is involved, and no report
// is retracted.
#pragma once

#include "rtl_model/systemc/fabric.h"
#include "testbench/monitors/contention_monitor.h"
#include "testbench/monitors/standstill.h"
#include "testbench/results.h"
#include "tlm/message_log.h"

namespace allport {

/// The cycle that a deadlock of `fabric` is dated: 2 + 2d + r after the last movement.
Cycle deadlock_cycle(const Fabric& fabric);

/// The messages with a flit left in a buffer of `fabric`, the wait-for graph among them, and a
/// cycle in it. A message waits for the owner of each virtual channel that a front flit of it
/// lacks; where a credit lacks, for the message at the front of the buffer beyond; and for the one
/// before it in a buffer; a replicating flit for all its branches at once. A wait for a virtual
/// channel begins with its contention event, any other when its router came to a standstill.
Deadlock find_deadlock(const Fabric& fabric, const MessageLog& log,
                       const ContentionMonitor& contention, const Standstill& standstill);

}  // namespace allport
