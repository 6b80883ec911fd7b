// SPDX-License-Identifier: Apache-2.0
#include "testbench/network/network.h"

#include <utility>

#include "testbench/network/network_state.h"

namespace allport {

Network::Network(const NetworkRequest& request) : state_(std::make_unique<NetworkState>(request)) {}
Network::Network(std::unique_ptr<NetworkState> state) : state_(std::move(state)) {}
Network::~Network() = default;
Network::Network(Network&& other) noexcept = default;
Network& Network::operator=(Network&& other) noexcept = default;

Network Network::copy() const {
  const NetworkState::Visit visit(*state_);
  return Network(std::make_unique<NetworkState>(*state_));
}

const Topology& Network::topology() const { return state_->topology(); }

Model Network::model() const { return state_->model(); }

Cycle Network::now() const { return state_->now(); }

std::uint64_t Network::send(const NetworkMessage& message, Cycle at) {
  const NetworkState::Visit visit(*state_);
  return state_->send(message, at);
}

std::optional<std::uint64_t> Network::try_send(const NetworkMessage& message, Cycle at) {
  const NetworkState::Visit visit(*state_);
  return state_->try_send(message, at);
}

const std::vector<NetworkDelivery>& Network::advance(Cycle to) {
  const NetworkState::Visit visit(*state_);
  return state_->advance(to, false);
}

const std::vector<NetworkDelivery>& Network::advance_to_delivery(Cycle limit) {
  const NetworkState::Visit visit(*state_);
  return state_->advance(limit, true);
}

Cycle Network::next_event() const {
  const NetworkState::Visit visit(*state_);
  return state_->next_event();
}

Cycle Network::lookahead(NodeId source, NodeId destination) const {
  const NetworkState::Visit visit(*state_);
  return state_->expected(source, destination, 1);
}

Cycle Network::expected(NodeId source, NodeId destination, std::uint64_t bytes) const {
  const NetworkState::Visit visit(*state_);
  return state_->expected(source, destination, state_->flits_of(bytes));
}

std::int64_t Network::queued(NodeId node, int message_class) const {
  const NetworkState::Visit visit(*state_);
  return state_->queued(node, message_class);
}

std::optional<std::int64_t> Network::limit() const { return state_->limit(); }

void Network::on_space(OnSpace call) {
  const NetworkState::Visit visit(*state_);
  state_->on_space(std::move(call));
}

void Network::take(std::uint64_t id, NodeId node) {
  const NetworkState::Visit visit(*state_);
  state_->take(id, node);
}

void Network::waits_for(NodeId node, int message_class, std::uint64_t id) {
  const NetworkState::Visit visit(*state_);
  state_->waits_for(node, message_class, id);
}

bool Network::is_idle() const { return state_->is_idle(); }

std::optional<NetworkDeadlock> Network::deadlock() const {
  const NetworkState::Visit visit(*state_);
  return state_->deadlock();
}

Results Network::results() const {
  const NetworkState::Visit visit(*state_);
  return state_->results();
}

Results Network::explain(const ExplainRequest& request) const {
  const NetworkState::Visit visit(*state_);
  return state_->explain(request);
}

void Network::show(const std::function<void(const ShownTrial&)>& show) const {
  const NetworkState::Visit visit(*state_);
  state_->show(show);
}

void Network::finish_wave() {
  const NetworkState::Visit visit(*state_);
  state_->finish_wave();
}

}  // namespace allport
