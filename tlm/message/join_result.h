// SPDX-License-Identifier: Apache-2.0
// join_result() is what a join must yield from the bytes of its contributions: at every router of
// the group first those that come in by port, then its own (docs/joins.md).
#pragma once

#include <vector>

#include "rtl_model/topology/routing.h"
#include "tlm/message/message_log.h"

namespace allport {

/// The bytes that the root of join `id` of `log` must receive, once all nodes have contributed.
std::vector<unsigned char> join_result(MessageId id, const MessageLog& log, const Routing& routing);

}  // namespace allport
