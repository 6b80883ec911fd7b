// SPDX-License-Identifier: Apache-2.0
#include "fabric.h"

#include <exception>
#include <stdexcept>

#include <sst/core/output.h>
#include <sst/core/unitAlgebra.h>

using SST::Interfaces::SimpleNetwork;

namespace allport_sst {

// A simulator catches no exceptions.
template <class Call>
void Fabric::told(Call call) {
  try {
    call();
  } catch (const std::exception& error) {
    getSimulationOutput().fatal(CALL_INFO, 1, "%s: %s\n", getName().c_str(), error.what());
  }
}

Fabric::Fabric(SST::ComponentId_t id, SST::Params& params) : Component(id) {
  told([&] {
    fabric_ = std::make_unique<PortFabric>(params.find<std::string>("options"));
    const SST::UnitAlgebra clock(params.find<std::string>("clock", "1GHz"));
    if (!clock.hasUnits("Hz") || clock.getDoubleValue() <= 0) {
      throw std::invalid_argument("clock " + clock.toStringBestSI() + ": must be a rate, as 1GHz");
    }
    cycle_ = getTimeConverter(clock).getFactor();
    bandwidth_ = (clock * SST::UnitAlgebra(std::to_string(8 * fabric_->flit_bytes()) + "b"))
                     .toStringBestSI();
  });
  own_ = configureSelfLink("wake", getCoreTimeBase().toString(),
                           new SST::Event::Handler<Fabric, &Fabric::wake>(this));
  for (std::size_t node = 0; node < fabric_->node_count(); ++node) {
    links_.push_back(configureLink(
        "port" + std::to_string(node),
        new SST::Event::Handler<Fabric, &Fabric::hear, int>(this, static_cast<int>(node))));
  }
}

void Fabric::init(unsigned int phase) {
  for (std::size_t node = 0; phase == 0 && node < links_.size(); ++node) {
    if (links_[node] == nullptr) continue;
    auto* port = new PortEvent();
    port->node = static_cast<std::int64_t>(node);
    port->classes = fabric_->classes();
    port->flit_bits = 8 * fabric_->flit_bytes();
    port->bandwidth = bandwidth_;
    links_[node]->sendUntimedData(port);
  }
  forward_untimed();
}

void Fabric::complete(unsigned int /*phase*/) { forward_untimed(); }

// A broadcast goes to all others.
void Fabric::forward_untimed() {
  for (std::size_t node = 0; node < links_.size(); ++node) {
    while (links_[node] != nullptr) {
      const std::unique_ptr<SST::Event> event(links_[node]->recvUntimedData());
      auto* packet = dynamic_cast<PacketEvent*>(event.get());
      if (packet == nullptr) break;
      const SimpleNetwork::nid_t to = packet->request().dest;
      for (std::size_t other = 0; other < links_.size(); ++other) {
        const bool is_meant = to == SimpleNetwork::INIT_BROADCAST_ADDR
                                  ? other != node
                                  : to == static_cast<SimpleNetwork::nid_t>(other);
        if (is_meant && links_[other] != nullptr) links_[other]->sendUntimedData(packet->clone());
      }
    }
  }
}

// The first cycle that begins now or later.
std::int64_t Fabric::cycle_of_now() const {
  return static_cast<std::int64_t>((getCurrentSimCycle() + cycle_ - 1) / cycle_);
}

void Fabric::begin_cycle() {
  if (fabric_->now() < cycle_of_now()) fabric_->advance_to(cycle_of_now());
}

void Fabric::hear(SST::Event* event, int node) {
  const std::unique_ptr<SST::Event> owned(event);
  told([&] {
    begin_cycle();
    if (const auto* taken = dynamic_cast<TakenEvent*>(event)) {
      fabric_->take(taken->number);
    } else if (auto* sent = dynamic_cast<PacketEvent*>(event)) {
      const Request& request = sent->request();
      PortFabric::Packet packet;
      packet.source = node;
      packet.destination = request.dest;
      packet.message_class = request.vn;
      packet.flits = sent->flits;
      packet.number = packet_count_;
      if (request.dest >= 0 && request.dest < static_cast<std::int64_t>(links_.size()) &&
          links_[static_cast<std::size_t>(request.dest)] == nullptr) {
        throw std::invalid_argument("destination " + std::to_string(request.dest) +
                                    ": nobody is at its port");
      }
      fabric_->send(packet);
      auto kept = std::make_unique<PacketEvent>(sent->take_request().release(), sent->flits);
      kept->number = packet_count_;
      kept->source = node;
      packets_.emplace(packet_count_++, std::move(kept));
    } else {
      throw std::invalid_argument("port " + std::to_string(node) +
                                  " is connected with something else than allport.linkcontrol");
    }
    end_call();
  });
}

void Fabric::wake(SST::Event* event) {
  const std::unique_ptr<SST::Event> owned(event);
  if (static_cast<const WakeEvent*>(event)->number != wake_count_) return;
  awaited_cycle_.reset();
  told([&] {
    begin_cycle();
    end_call();
  });
}

// Passes on what has become of packets, and sees to be woken.
void Fabric::end_call() {
  for (const PortFabric::News& one : fabric_->news()) {
    const auto found = packets_.find(one.number);
    const Request& request = found->second->request();
    if (one.is_received) {
      SST::Link* const link = links_[static_cast<std::size_t>(request.dest)];
      link->send(found->second.release());
      packets_.erase(found);
    } else {
      links_[static_cast<std::size_t>(found->second->source)]->send(
          new SentEvent(request.vn, request.size_in_bits));
    }
  }
  const std::optional<std::int64_t> next = fabric_->next();
  if (!next || next == awaited_cycle_) return;
  awaited_cycle_ = next;
  const SST::SimTime_t at = static_cast<SST::SimTime_t>(*next) * cycle_;
  own_->send(at - getCurrentSimCycle(), new WakeEvent(++wake_count_));
}

void Fabric::finish() {
  if (fabric_->under_way() == 0) return;
  const std::string waits = fabric_->deadlock();
  getSimulationOutput().output("%s: %zu packets are under way at the end%s%s\n", getName().c_str(),
                               fabric_->under_way(),
                               waits.empty() ? "" : ", in a deadlock: ", waits.c_str());
}

}  // namespace allport_sst
