// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/background.h"

#include <algorithm>

#include "tlm/interface/injection_port.h"

namespace allport {

namespace {

bool is_of_pattern(tlm::tlm_generic_payload& message) {
  return message_extension(message)->collective == Background::collective;
}

}  // namespace

// The hands of the pattern, in one cycle.
class Background::PatternHands final : public ProcessorHands {
 public:
  PatternHands(Background& all, ProcessorHands& hands, Cycle now)
      : all_(all), hands_(hands), now_(now) {}

  void send(NodeId node, tlm::tlm_generic_payload& message, Cycle preparation) override {
    message_extension(message)->collective = collective;
    const int number = injection_port(message, node, all_.router_, all_.routing_);
    Port& port = all_.port_of(node, number);
    if (port.is_busy) {
      port.queue.push_back({&message, now_ + preparation});
      return;
    }
    port.is_busy = true;
    hands_.send(node, message, preparation);
  }
  void have(tlm::tlm_generic_payload& message) override { hands_.have(message); }
  void expect(NodeId node, Cycle cycle) override { hands_.expect(node, cycle); }

 private:
  Background& all_;
  ProcessorHands& hands_;
  const Cycle now_;
};

Background::Background(Timekeeper& ranks, PatternWorkload& pattern, const NodeConfig& node,
                       const RouterConfig& router, const Routing& routing)
    : ranks_(ranks),
      pattern_(pattern),
      messages_(pattern, node, plain_, router, routing),
      router_(router),
      routing_(routing),
      nodes_(routing.topology().node_count()) {}

void Background::reset() {
  ranks_.reset();
  pattern_.reset();
  messages_.reset();
  ports_.assign(nodes_ * static_cast<std::size_t>(router_.internal_ports), Port{});
  rank_turn_.assign(nodes_ + 1, never);
  waiting_ranks_ = 0;
  under_way_ = 0;
  last_rank_turn_ = 0;
  has_ended_ = false;
}

void Background::on_arrival(NodeId node, tlm::tlm_generic_payload& message, Cycle now) {
  if (is_of_pattern(message)) {
    messages_.on_arrival(node, message, now);
    return;
  }
  --under_way_;
  expect_rank(node, now);
  ranks_.on_arrival(node, message, now);
}

void Background::on_sent(NodeId node, tlm::tlm_generic_payload& message, Cycle now) {
  if (is_of_pattern(message)) {
    port_of(node, message_extension(message)->internal_port).is_busy = false;
  } else if (ranks_.observes_sent()) {
    expect_rank(node, now);
    ranks_.on_sent(node, message, now);
  }
}

Cycle Background::act(NodeId node, Cycle now, ProcessorHands& hands) {
  hands_ = &hands;
  if (now > last_rank_turn_ && are_over() && !has_ended_) {
    has_ended_ = true;
    pattern_.end(last_rank_turn_);
  }
  if (rank_turn_[index(node)] <= now) last_rank_turn_ = now;
  set_rank_turn(node, never);
  const Cycle next = ranks_.act(node, now, *this);
  if (next != never) expect_rank(node, next);
  const Cycle rank_turn = rank_turn_[index(node)];
  if (index(node) == nodes_) return rank_turn;  // the host
  hand_over(node, now);
  PatternHands of_pattern(*this, hands, now);
  return std::min(rank_turn, messages_.act(node, now, of_pattern));
}

// What waits for a port goes there once the message before it has left.
void Background::hand_over(NodeId node, Cycle now) {
  for (int number = 0; number < router_.internal_ports; ++number) {
    Port& port = port_of(node, number);
    if (port.is_busy || port.queue.empty()) continue;
    const Held next = port.queue.front();
    port.queue.pop_front();
    port.is_busy = true;
    hands_->send(node, *next.message, std::max<Cycle>(next.prepared - now, 0));
  }
}

void Background::send(NodeId node, tlm::tlm_generic_payload& message, Cycle preparation) {
  ++under_way_;
  hands_->send(node, message, preparation);
}

void Background::expect(NodeId node, Cycle cycle) {
  expect_rank(node, cycle);
  hands_->expect(node, cycle);
}

void Background::set_rank_turn(NodeId node, Cycle cycle) {
  Cycle& turn = rank_turn_[index(node)];
  if (turn != never) --waiting_ranks_;
  if (cycle != never) ++waiting_ranks_;
  turn = cycle;
}

void Background::expect_rank(NodeId node, Cycle cycle) {
  if (cycle < rank_turn_[index(node)]) set_rank_turn(node, cycle);
}

}  // namespace allport
