// SPDX-License-Identifier: Apache-2.0
#include "testbench/network/network_movement.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <tuple>

namespace allport {

namespace {

// The numbers of the messages of `log` in the order in which they are begun.
std::vector<MessageId> numbers_by_start(const MessageLog& log) {
  std::vector<std::uint32_t> order(log.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(log[MessageId{a}].begun, a) < std::tuple(log[MessageId{b}].begun, b);
  });
  std::vector<MessageId> numbers(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) numbers[order[i]] = MessageId{i};
  return numbers;
}

// The same messages by these numbers, as the log of a run has them.
MessageLog numbered(const MessageLog& log, const std::vector<MessageId>& numbers) {
  std::vector<MessageId> before(numbers.size());
  for (std::uint32_t i = 0; i < numbers.size(); ++i) {
    before[static_cast<std::size_t>(numbers[i])] = MessageId{i};
  }
  MessageLog all;
  all.reserve(before.size());
  for (const MessageId one : before) all.add(log[one]);
  return all;
}

}  // namespace

NetworkMovement::NetworkMovement(const RunPlan& plan, NetworkFabric& fabric, const MessageLog& log,
                                 std::int64_t reception_limit)
    : plan_(plan),
      fabric_(fabric),
      channels_(plan.router, plan.routing.topology()),
      movement_(channels_) {
  movement_.limit_reception(reception_limit);
  fabric.write(movement_, log);
}

void NetworkMovement::take(NodeId node, int port, int message_class, std::int64_t flits,
                           Cycle now) {
  const int output = channels_.config().external_ports + port;
  movement_.take({channels_.output(node, output, message_class), now, flits});
}

NetworkMovement::NetworkMovement(const NetworkMovement& other, const RunPlan& plan,
                                 NetworkFabric& fabric)
    : plan_(plan),
      fabric_(fabric),
      channels_(plan.router, plan.routing.topology()),
      movement_(channels_),
      received_(other.received_) {
  movement_.take_over(other.movement_);
  fabric.go_on_writing(other.fabric_, movement_);
}

Explanation NetworkMovement::explain(const ExplainRequest& request, const MessageLog& log,
                                     Cycle now, Cycle end) const {
  Explanation explanation;
  explain_so_far(request, log, now, end,
                 [&](Explainer& explainer) { explanation = explainer.result(); });
  return explanation;
}

void NetworkMovement::show(const MessageLog& log, Cycle now, Cycle end,
                           const std::function<void(const ShownTrial&)>& show) const {
  ExplainRequest request;
  request.movement = true;
  explain_so_far(request, log, now, end,
                 [&](const Explainer& explainer) { explainer.show(nullptr, end, show); });
}

void NetworkMovement::explain_so_far(const ExplainRequest& request, const MessageLog& log,
                                     Cycle now, Cycle end,
                                     const std::function<void(Explainer&)>& use) const {
  const std::vector<MessageId> numbers = numbers_by_start(log);
  const MessageLog all = numbered(log, numbers);
  Explainer explainer(request, plan_.router, plan_.routing, all, 0, nullptr);
  explainer.begin_run();
  explainer.movement().take_over(movement_);
  fabric_.finish_movement(now, explainer.movement());
  explainer.movement().renumber(numbers);
  for (const WormReception& one : received_) {
    Reception reception;
    reception.message = numbers[static_cast<std::size_t>(one.message)];
    reception.receiver = node_id(one.destination);
    reception.port = one.port;
    reception.head = one.head;
    reception.tail = one.tail;
    reception.has = one.tail;
    explainer.receive(reception);
  }
  explainer.explain_so_far(end);
  use(explainer);
}

}  // namespace allport
