// SPDX-License-Identifier: Apache-2.0
// This function describes a deadlock. It is called when nothing in the fabric can move any more
// (every router is asleep, nothing is on a wire, no processor is counting): then every flit left
// belongs to a message that waits for ever, and the messages wait for each other in a cycle. No
// timeout is involved, and no report is retracted.
#pragma once

#include "testbench/observe/monitors/contention_monitor.h"
#include "testbench/observe/monitors/quiescent_fabric.h"
#include "testbench/results/results.h"
#include "tlm/message/message_log.h"

namespace allport {

/// The messages with a flit left in a buffer of `fabric` or in an injection queue, the wait-for
/// graph among them, and a cycle in it. A message waits for the owner of each virtual channel that
/// one of its front flits lacks; where a credit is missing, at a router or at a processor, it waits
/// for the message at the front of the next buffer; and it waits for the previous message in a
/// buffer or a queue. Where nodes have reception buffers, it waits at an ejection channel for the
/// messages that the node awaits before it takes any; what can move on when nodes take something is
/// left out. A replicating flit waits for all its branches at once. A join waits for the
/// message before a contribution that it lacks, or for a processor that has not sent its own: then
/// there need not be a cycle. A wait for a virtual channel begins with the first cycle that it
/// cost, any other wait when its router came to a standstill, and at a processor not before the
/// message was prepared.
Deadlock find_deadlock(const QuiescentFabric& fabric, const MessageLog& log,
                       const ContentionMonitor& contention);

}  // namespace allport
