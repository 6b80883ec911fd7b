// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/verilated/verilated_fabric.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/bits.h"

namespace allport {

/// The part of the fabric that belongs to one node.
class VerilatedFabric::Node final : public RouterModel {
 public:
  Node(VerilatedFabric& whole, NodeId node) : whole_(whole), node_(node) {}

  void reset() override {
    if (index(node_) == 0) whole_.reset();
  }
  void accept(int input, const Flit& flit, Cycle) override { whole_.inject(channel(input), flit); }
  bool accept_credit(int output, int) override {
    whole_.return_credit(channel(output));
    return true;
  }
  void accept_ack(int output, int) override { whole_.return_ack(channel(output)); }
  bool evaluate(Cycle now) override { return whole_.clock(now); }
  bool has_moved() const override { return whole_.quiet_cycles_ == 0; }
  // Nothing is known of its buffers, so this is the state of a router that is never called.
  const RouterState& state() const override { return whole_.fabric_.router(node_); }

 private:
  std::size_t channel(int port) const {
    const RouterConfig& config = whole_.fabric_.config();
    return index(node_) * static_cast<std::size_t>(config.internal_ports) +
           static_cast<std::size_t>(port - config.external_ports);
  }

  VerilatedFabric& whole_;
  NodeId node_;
};

VerilatedFabric::VerilatedFabric(std::unique_ptr<PinModel> model, Fabric& fabric, int payload_bits,
                                 int max_via)
    : model_(std::move(model)),
      fabric_(fabric),
      layout_(fabric.config(), fabric.routing(), payload_bits, 0, max_via),
      channels_(fabric.router_count() * static_cast<std::size_t>(fabric.config().internal_ports)) {
  for (std::size_t i = 0; i < fabric.router_count(); ++i) {
    nodes_.push_back(std::make_unique<Node>(*this, node_id(i)));
    fabric.substitute(node_id(i), *nodes_.back());
  }
}

VerilatedFabric::~VerilatedFabric() = default;

void VerilatedFabric::reset() {
  model_->reset(0);
  clocked_ = -1;
  quiet_cycles_ = 0;
}

void VerilatedFabric::inject(std::size_t channel, const Flit& flit) {
  put_bit(model_->inputs().valid_i, channel);
  layout_.pack(flit, static_cast<int>(channel), model_->inputs().flit_i);
}

void VerilatedFabric::return_credit(std::size_t channel) {
  put_bit(model_->inputs().credit_i, channel);
}

void VerilatedFabric::return_ack(std::size_t channel) { put_bit(model_->inputs().ack_i, channel); }

// All nodes share the clock: the first one that is called in a cycle gives the clock its edge.
// Flits on links are in no router, so the clock runs on for as long as there may be any.
bool VerilatedFabric::clock(Cycle now) {
  const int longest = fabric_.config().link_delay + 1;
  if (clocked_ == now) return quiet_cycles_ <= longest;
  clocked_ = now;
  try {
    model_->clock();
  } catch (const std::runtime_error& error) {
    SC_REPORT_FATAL("/allport/rtl", error.what());
  }
  std::fill_n(model_->inputs().valid_i, words(), 0);
  std::fill_n(model_->inputs().credit_i, words(), 0);
  std::fill_n(model_->inputs().ack_i, words(), 0);
  quiet_cycles_ = model_->is_active() ? 0 : quiet_cycles_ + 1;
  eject();
  return quiet_cycles_ <= longest;
}

void VerilatedFabric::eject() {
  const auto internal = static_cast<std::size_t>(fabric_.config().internal_ports);
  const auto port = [&](std::size_t channel) {
    return fabric_.config().external_ports + static_cast<int>(channel % internal);
  };
  for (std::size_t word = 0; word < words(); ++word) {
    for (const int bit : bits(model_->outputs().valid_o[word])) {
      const std::size_t channel = word * 32 + static_cast<std::size_t>(bit);
      const Flit flit = layout_.unpack(model_->outputs().flit_o, static_cast<int>(channel));
      fabric_.channels(node_id(channel / internal)).send(port(channel), 0, flit);
    }
    for (const int bit : bits(model_->outputs().credit_o[word])) {
      const std::size_t channel = word * 32 + static_cast<std::size_t>(bit);
      fabric_.channels(node_id(channel / internal)).return_credit(port(channel), 0);
    }
    for (const int bit : bits(model_->outputs().ack_o[word])) {
      const std::size_t channel = word * 32 + static_cast<std::size_t>(bit);
      fabric_.channels(node_id(channel / internal)).return_ack(port(channel), 0);
    }
  }
}

}  // namespace allport
