// SPDX-License-Identifier: Apache-2.0
// What a network that is driven refuses to send.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "rtl_model/base/range.h"
#include "rtl_model/base/run_end.h"
#include "testbench/network/network_state.h"
#include "testbench/plan/missing_links.h"
#include "testbench/plan/worm_faults.h"

namespace allport {

void NetworkState::require_destination(const NetworkMessage& message) const {
  require_node(topology(), index(message.source), "source");
  if (is_join(message.kind) || goes_by_list(message.kind)) {
    throw std::invalid_argument(fmt::format(
        "kind {}: a network that is driven carries unicasts, trees, and deposit and path worms",
        to_string(message.kind)));
  }
  if (!goes_to_all(message.kind)) {
    require_node(topology(), index(message.destination), "destination");
    if (message.source == message.destination) {
      throw std::invalid_argument(
          fmt::format("destination {}: it is the source, and a node keeps what is for itself",
                      topology().node_name(message.source)));
    }
  }
  if (message.kind != MessageKind::tree && message.free != 0) {
    throw std::invalid_argument("free dimensions are for trees");
  }
  if (message.kind == MessageKind::unicast) return;
  if (movement_ && !fabric_->explains(message.kind)) {
    throw std::invalid_argument(fmt::format(
        "kind {}: worms explain the latencies of unicasts only, and the network explains, as a timeline needs it; open it without, or on routers",
        to_string(message.kind)));
  }
  std::string fault = kind_fault(message.kind, plan_.router.switching, plan_.routing);
  if (fault.empty() && plan_.simulation.is_transaction_level) {
    const std::string of_worms = worm_kind_fault(plan_.router, message.kind);
    if (!of_worms.empty()) fault = "model worm: it " + of_worms;
  }
  if (fault.empty()) fault = route_fault(as_sent(message), plan_.routing);
  if (!fault.empty()) throw std::invalid_argument(fault);
}

void NetworkState::require_class(int message_class) const {
  require_range("class", message_class, {0, plan_.router.classes - 1});
}

std::int64_t NetworkState::flits_of(std::uint64_t bytes) const {
  if (bytes > static_cast<std::uint64_t>(limits::bytes.high)) {
    throw std::invalid_argument(fmt::format("bytes {}: must be 0..{}", bytes, limits::bytes.high));
  }
  const auto flit_bytes = static_cast<std::uint64_t>(plan_.simulation.flit_bytes);
  const auto flits = static_cast<std::int64_t>((bytes + flit_bytes - 1) / flit_bytes);
  return std::max<std::int64_t>(flits, 1);
}

std::int64_t NetworkState::length_of(const NetworkMessage& message) const {
  if (message.flits != 0 && message.bytes != 0) {
    throw std::invalid_argument(
        fmt::format("bytes {} and flits {}: a length is one of them, and the other is 0",
                    message.bytes, message.flits));
  }
  const std::int64_t flits = message.flits != 0 ? message.flits : flits_of(message.bytes);
  if (!lengths_.has(flits)) require_range("flits", flits, lengths_);
  return flits;
}

void NetworkState::require_time(const char* what, Cycle cycle) const {
  if (cycle < now_) {
    throw std::invalid_argument(
        fmt::format("{} {}: that cycle is past, and now is cycle {}", what, cycle, now_));
  }
  if (cycle > last_cycle) {
    throw std::invalid_argument(fmt::format("{} {}: {}", what, cycle, end_of_run()));
  }
}

// The message as one of a schedule, but for the ties.
Unicast NetworkState::as_sent(const NetworkMessage& message) {
  Unicast sent;
  sent.u = message.source;
  sent.v = message.destination;
  sent.kind = message.kind;
  sent.free = message.free;
  return sent;
}

TieMask NetworkState::ties_of(const NetworkMessage& message) const {
  const auto number = static_cast<int>(orders_[index(message.source)]);
  return plan_.routing.default_ties(message.source, message.destination, number);
}

void NetworkState::require_links(const NetworkMessage& message) const {
  if (plan_.routing.table() != nullptr) return;  // it goes around them
  if (message.kind == MessageKind::tree) {
    throw std::invalid_argument(fmt::format(
        "tree of {}: routers take it over all links of its group, and links are missing",
        topology().node_name(message.source)));
  }
  const std::string to =
      goes_to_all(message.kind) ? "all" : topology().node_name(message.destination);
  const auto visit = [&](Channel channel) {
    if (!std::binary_search(plan_.missing.begin(), plan_.missing.end(), channel)) return;
    throw std::invalid_argument(
        fmt::format("{} {} -> {}: its route crosses the missing link {}>{}; routing {} goes around",
                    to_string(message.kind), topology().node_name(message.source), to,
                    topology().node_name(channel.node),
                    topology().node_name(*topology().neighbour(channel.node, channel.port)),
                    tables_around_missing_links));
  };
  if (message.kind == MessageKind::path) {
    for (const Channel channel : channels(as_sent(message), plan_.routing)) visit(channel);
    return;
  }
  plan_.routing.walk(message.source, message.destination, ties_of(message), visit);
}

// Returns the flits of a message that can be sent at some time.
std::int64_t NetworkState::admit(const NetworkMessage& message, Cycle at) const {
  require_destination(message);
  require_class(message.message_class);
  const std::int64_t flits = length_of(message);
  require_time("at", at);
  if (limit_ && flits > *limit_) {
    throw std::invalid_argument(
        fmt::format("flits {}: the queue of a node has room for {}", flits, *limit_));
  }
  if (reception_limit_ && flits > *reception_limit_) {
    throw std::invalid_argument(fmt::format(
        "flits {}: the reception buffer of a node has room for {}", flits, *reception_limit_));
  }
  if (!plan_.missing.empty()) require_links(message);
  if (is_deadlocked_for_ever()) {
    throw std::invalid_argument(fmt::format("node {} cannot send: the network is deadlocked",
                                            topology().node_name(message.source)));
  }
  return flits;
}

}  // namespace allport
