// SPDX-License-Identifier: Apache-2.0
#include "tlm/message/join_result.h"

#include <algorithm>
#include <cstring>

#include "rtl_model/base/bits.h"
#include "rtl_model/topology/group_routes.h"

namespace allport {

namespace {

using Bytes = std::vector<unsigned char>;

Bytes combined(JoinTag join, const Bytes& first, const Bytes& second) {
  Bytes result = first;
  for (std::size_t at = 0; at < result.size(); at += 8) {
    const std::size_t count = std::min<std::size_t>(8, result.size() - at);
    std::uint64_t a = 0;
    std::uint64_t b = 0;
    std::memcpy(&a, first.data() + at, count);
    std::memcpy(&b, second.data() + at, count);
    const std::uint64_t word = combine(join, a, b);
    std::memcpy(result.data() + at, &word, count);
  }
  return result;
}

// What leaves the router of `node`.
Bytes result_at(NodeId node, const MessageRecord& record, const JoinLog::Contributions& given,
                const Routing& routing) {
  Bytes result;
  for (const int bit : bits(join_inputs(routing, node, record.source, record.group))) {
    const PortId port = port_id(static_cast<std::size_t>(bit));
    const NodeId from = routing.topology().incoming(node, port)->node;
    const Bytes one = result_at(from, record, given, routing);
    result = result.empty() ? one : combined(record.join, result, one);
  }
  if (index(node) >= routing.topology().node_count()) return result;  // a switch has none
  const Bytes& own = given.at(node);
  return result.empty() ? own : combined(record.join, result, own);
}

}  // namespace

std::vector<unsigned char> join_result(MessageId id, const MessageLog& log,
                                       const Routing& routing) {
  const MessageRecord& record = log[id];
  return result_at(record.source, record, log.joins().of(id), routing);
}

}  // namespace allport
