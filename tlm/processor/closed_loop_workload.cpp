// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/closed_loop_workload.h"

#include <algorithm>

#include "tlm/processor/jitter.h"

namespace allport {

ClosedLoopWorkload::ClosedLoopWorkload(const NodeConfig& config, MessagePool& pool,
                                       MessageBytes bytes, std::size_t nodes, int reply_class,
                                       ReceptionTaker* taker)
    : config_(config),
      messages_(config, pool, bytes),
      reply_class_(reply_class),
      taker_(taker),
      parties_(nodes) {}

void ClosedLoopWorkload::reset() {
  parties_.assign(parties_.size(), Party{});
  made_.clear();
  round_trips_.clear();
}

void ClosedLoopWorkload::start(const SyntheticTraffic& traffic, Cycle jitter_max) {
  traffic_ = &traffic;
  jitter_max_ = jitter_max;
  const TrafficRequest& request = traffic.request();
  for (std::size_t i = 0; i < parties_.size(); ++i) {
    parties_[i].destinations = traffic.generator(i);
    parties_[i].jitter = SplitMix64(node_seed(request.seed, 0, i));
    if (!traffic.sends(node_id(i))) continue;
    for (int made = 0; made < request.loop->outstanding; ++made) make_request(node_id(i), 0);
  }
}

void ClosedLoopWorkload::make_request(NodeId node, Cycle now) {
  if (now >= traffic_->request().cycles || traffic_->is_stopped()) return;
  Party& party = parties_[index(node)];
  const NodeId destination = traffic_->draw_destination(node, party.destinations);
  party.waiting.push({now, party.known++, destination, false, now});
  made_.push_back(now);
}

std::uint64_t ClosedLoopWorkload::made_in(Cycle from, Cycle to) const {
  return static_cast<std::uint64_t>(std::count_if(
      made_.begin(), made_.end(), [=](Cycle cycle) { return cycle >= from && cycle < to; }));
}

Cycle ClosedLoopWorkload::next_ready(NodeId node) const {
  const Party& party = parties_[index(node)];
  return party.waiting.empty() || traffic_->is_stopped() ? never : party.waiting.top().ready;
}

tlm::tlm_generic_payload& ClosedLoopWorkload::take_next(NodeId node, Cycle now) {
  Party& party = parties_[index(node)];
  const Waiting next = party.waiting.top();
  party.waiting.pop();
  if (taker_ != nullptr && next.is_reply) taker_->take(next.request, now + config_.ts);
  const TrafficRequest& request = traffic_->request();
  const auto flit_bytes = static_cast<std::size_t>(config_.flit_bytes);
  const std::size_t bytes = next.is_reply
                                ? static_cast<std::size_t>(request.loop->reply_flits) * flit_bytes
                                : config_.bytes;
  const auto order = static_cast<int>(party.sent.size());
  party.sent.push_back({next.is_reply, next.made});
  tlm::tlm_generic_payload& message = messages_.make(node, order, bytes);
  message.set_address(index(next.destination));
  MessageExtension& extension = *message_extension(message);
  extension.ties = traffic_->ties(node, next.destination, order);
  extension.order = order;
  extension.message_class = next.is_reply ? reply_class_ : 0;
  extension.created = next.ready;
  extension.jitter = draw_jitter(party.jitter, jitter_max_);
  return message;
}

void ClosedLoopWorkload::on_message(NodeId node, tlm::tlm_generic_payload& message, Cycle now) {
  const MessageExtension& extension = *message_extension(message);
  const Sent& sent =
      parties_[index(extension.source)].sent[static_cast<std::size_t>(extension.order)];
  const auto flits = static_cast<std::int64_t>(flits_of(message, config_.flit_bytes));
  const Received received{node, extension.internal_port, extension.message_class, flits};
  if (sent.is_reply) {
    if (taker_ != nullptr) taker_->take(received, now);
    round_trips_.push_back({sent.made, now});
    make_request(node, now);
    return;
  }
  Party& party = parties_[index(node)];
  party.waiting.push({now + traffic_->request().loop->service, party.known++, extension.source,
                      true, sent.made, received});
}

}  // namespace allport
