// SPDX-License-Identifier: Apache-2.0
#include "player.h"

#include <algorithm>
#include <memory>
#include <stdexcept>

#include <sst/core/output.h>
#include <sst/core/unitAlgebra.h>

#include "parameters.h"
#include "port_events.h"

using SST::Interfaces::SimpleNetwork;

namespace allport_sst {

namespace {

bool is_negative(std::int64_t number) { return number < 0; }

}  // namespace

template <class Call>
auto Player::told(Call call) -> decltype(call()) {
  return allport_sst::told(getSimulationOutput(), getName(), call);
}

Player::Player(SST::ComponentId_t id, SST::Params& params)
    : Component(id), receives_(params.find<std::int64_t>("receives", 0)) {
  told([&] {
    vns_ = params.find<int>("vns", 1);
    std::vector<std::int64_t> numbers;
    params.find_array<std::int64_t>("sends", numbers);
    if (numbers.size() % 4 != 0 || std::any_of(numbers.begin(), numbers.end(), is_negative)) {
      throw std::invalid_argument("sends must have four numbers for each packet, 0 or more");
    }
    params.find_array<std::int64_t>("greets", greets_);
    for (std::size_t i = 0; i < numbers.size(); i += 4) {
      sends_.push_back({numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3]});
    }
    times_ = CycleTimes(getTimeConverter(find_clock(params, getCoreTimeBase())).getFactor());
  });
  own_ = configureSelfLink("wake", getCoreTimeBase().toString(),
                           new SST::Event::Handler<Player, &Player::wake>(this));
  network_ = loadUserSubComponent<SimpleNetwork>("networkIF", SST::ComponentInfo::SHARE_NONE, vns_);
  told([&] {
    if (network_ == nullptr) throw std::invalid_argument("the slot networkIF is empty");
  });
  network_->setNotifyOnReceive(new SimpleNetwork::Handler<Player, &Player::receive>(this));
  network_->setNotifyOnSend(new SimpleNetwork::Handler<Player, &Player::send_due>(this));
  registerAsPrimaryComponent();
  primaryComponentDoNotEndSim();
}

void Player::init(unsigned int phase) {
  network_->init(phase);
  if (!has_greeted_ && network_->isNetworkInitialized()) {
    has_greeted_ = true;
    greet();
  }
  hear_greetings("before");
}

void Player::complete(unsigned int phase) {
  network_->complete(phase);
  if (phase == 0) greet();
  hear_greetings("after");
}

void Player::greet() {
  for (const std::int64_t node : greets_) {
    network_->sendUntimedData(
        new SimpleNetwork::Request(node < 0 ? SimpleNetwork::INIT_BROADCAST_ADDR : node,
                                   network_->getEndpointID(), 0, true, true));
  }
}

void Player::hear_greetings(const char* when) {
  while (SimpleNetwork::Request* heard = network_->recvUntimedData()) {
    const std::unique_ptr<SimpleNetwork::Request> request(heard);
    getSimulationOutput().output("greeting %lld %lld %s\n", static_cast<long long>(request->src),
                                 static_cast<long long>(network_->getEndpointID()), when);
  }
}

void Player::finish() { network_->finish(); }

void Player::setup() {
  network_->setup();
  send_due(0);
}

std::int64_t Player::cycle() const { return times_.cycle_at(getCurrentSimCycle()); }

void Player::await_next() {
  if (sends_.empty() || sends_.front().cycle <= std::max(cycle(), awaited_)) return;
  awaited_ = sends_.front().cycle;
  own_->send(times_.until(awaited_, getCurrentSimCycle()), new WakeEvent());
}

void Player::wake(SST::Event* event) {
  delete event;
  send_due(0);
}

// Sends what is due as far as there is room, in its order. What has no room waits for a notice.
bool Player::send_due(int /*vn*/) {
  while (!sends_.empty() && sends_.front().cycle <= cycle()) {
    const Send& one = sends_.front();
    const int vn = static_cast<int>(one.vn);
    auto request = std::make_unique<SimpleNetwork::Request>(
        one.destination, network_->getEndpointID(), static_cast<std::size_t>(8 * one.bytes), true,
        true);
    if (!network_->send(request.get(), vn)) return true;
    request.release();
    sends_.pop_front();
  }
  await_next();
  end_if_done();
  return true;
}

bool Player::receive(int vn) {
  while (SimpleNetwork::Request* fetched = network_->recv(vn)) {
    const std::unique_ptr<SimpleNetwork::Request> request(fetched);
    ++received_;
    getSimulationOutput().output("reception %lld %lld %d %zu %lld\n",
                                 static_cast<long long>(request->src),
                                 static_cast<long long>(network_->getEndpointID()), vn,
                                 request->size_in_bits / 8, static_cast<long long>(cycle()));
  }
  end_if_done();
  return true;
}

void Player::end_if_done() {
  if (is_done_ || !sends_.empty() || received_ < receives_) return;
  is_done_ = true;
  primaryComponentOKToEndSim();
}

}  // namespace allport_sst
