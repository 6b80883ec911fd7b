// SPDX-License-Identifier: Apache-2.0
#include "fabric.h"

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

#include <sst/core/output.h>
#include <sst/core/unitAlgebra.h>

#include "parameters.h"

using SST::Interfaces::SimpleNetwork;

namespace allport_sst {

namespace {

std::invalid_argument foreign_port(std::int64_t node) {
  return std::invalid_argument("port " + std::to_string(node) +
                               " is connected with something else than allport.linkcontrol");
}

}  // namespace

template <class Call>
void Fabric::told(Call call) {
  allport_sst::told(getSimulationOutput(), getName(), call);
}

Fabric::Fabric(SST::ComponentId_t id, SST::Params& params) : Component(id) {
  told([&] {
    fabric_ = std::make_unique<PortFabric>(params.find<std::string>("options"));
    const SST::UnitAlgebra clock = find_clock(params, getCoreTimeBase());
    times_ = CycleTimes(getTimeConverter(clock).getFactor());
    bandwidth_ = (clock * SST::UnitAlgebra(std::to_string(8 * fabric_->flit_bytes()) + "b"))
                     .toStringBestSI();
    schedule_ = open_file("schedule", params);
    if (schedule_) fabric_->write_schedule(*schedule_);
    results_ = open_file("results", params);
    if (results_) fabric_->results();  // refused without a record
  });
  told([&] {
    const std::string beyond = "port" + std::to_string(fabric_->node_count());
    if (isPortConnected(beyond)) {
      throw std::invalid_argument(beyond + ": the fabric has the ports 0.." +
                                  std::to_string(fabric_->node_count() - 1));
    }
  });
  const std::string unit = getCoreTimeBase().toString();
  own_ = configureSelfLink("wake", unit, new SST::Event::Handler<Fabric, &Fabric::wake>(this));
  for (std::size_t node = 0; node < fabric_->node_count(); ++node) {
    links_.push_back(configureLink(
        "port" + std::to_string(node), unit,
        new SST::Event::Handler<Fabric, &Fabric::hear, int>(this, static_cast<int>(node))));
  }
}

std::unique_ptr<std::ofstream> Fabric::open_file(const std::string& parameter,
                                                 SST::Params& params) const {
  const auto name = params.find<std::string>(parameter);
  if (name.empty()) return nullptr;
  auto file = std::make_unique<std::ofstream>(name);
  if (!*file) {
    throw std::invalid_argument(parameter + " " + name +
                                ": it cannot be written: " + std::strerror(errno));
  }
  return file;
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

void Fabric::forward_untimed() {
  told([&] {
    for (std::size_t node = 0; node < links_.size(); ++node) {
      while (links_[node] != nullptr) {
        const std::unique_ptr<SST::Event> event(links_[node]->recvUntimedData());
        if (event == nullptr) break;
        const auto* packet = dynamic_cast<PacketEvent*>(event.get());
        if (packet == nullptr) throw foreign_port(static_cast<std::int64_t>(node));
        forward(*packet, node);
      }
    }
  });
}

// A broadcast goes to all others.
void Fabric::forward(const PacketEvent& packet, std::size_t from) {
  const SimpleNetwork::nid_t to = packet.request().dest;
  if (to != SimpleNetwork::INIT_BROADCAST_ADDR) {
    link_of(to).sendUntimedData(packet.copy());
    return;
  }
  for (std::size_t other = 0; other < links_.size(); ++other) {
    if (other == from || links_[other] == nullptr) continue;
    links_[other]->sendUntimedData(packet.copy());
  }
}

SST::Link& Fabric::link_of(SimpleNetwork::nid_t destination) const {
  const auto count = static_cast<SimpleNetwork::nid_t>(links_.size());
  if (destination < 0 || destination >= count) {
    throw std::invalid_argument("destination " + std::to_string(destination) +
                                ": the fabric has the ports 0.." + std::to_string(count - 1));
  }
  SST::Link* const link = links_[static_cast<std::size_t>(destination)];
  if (link == nullptr) {
    throw std::invalid_argument("destination " + std::to_string(destination) +
                                ": nobody is at its port");
  }
  return *link;
}

void Fabric::begin_cycle() {
  const std::int64_t cycle = times_.next_at(getCurrentSimCycle());
  if (fabric_->now() < cycle) fabric_->advance_to(cycle);
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
      link_of(request.dest);
      fabric_->send(packet);
      auto kept = std::make_unique<PacketEvent>(sent->take_request().release(), sent->flits);
      kept->number = packet_count_;
      kept->source = node;
      packets_.emplace(packet_count_++, std::move(kept));
    } else {
      throw foreign_port(node);
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

// Passes on what has become of packets when it is known, and sees to be woken.
void Fabric::end_call() {
  for (const PortFabric::News& one : fabric_->news()) {
    const auto found = packets_.find(one.number);
    const Request& request = found->second->request();
    const SST::SimTime_t delay = times_.until(one.known, getCurrentSimCycle());
    if (one.is_received) {
      SST::Link& link = link_of(request.dest);
      link.send(delay, found->second.release());
      packets_.erase(found);
    } else {
      link_of(found->second->source).send(delay, new SentEvent(request.vn, request.size_in_bits));
    }
  }
  const std::optional<std::int64_t> next = fabric_->next();
  if (!next || next == awaited_cycle_) return;
  awaited_cycle_ = next;
  own_->send(times_.until(*next, getCurrentSimCycle()), new WakeEvent(++wake_count_));
}

void Fabric::finish() {
  told([&] {
    if (results_) *results_ << fabric_->results() << '\n';
    for (const auto& [parameter, file] :
         {std::pair("schedule", schedule_.get()), std::pair("results", results_.get())}) {
      if (file == nullptr) continue;
      file->close();
      if (!*file) throw std::runtime_error(std::string(parameter) + ": it could not be written");
    }
  });
  if (fabric_->under_way() == 0) return;
  const std::string waits = fabric_->deadlock();
  getSimulationOutput().output("%s: %zu packets are under way at the end%s%s\n", getName().c_str(),
                               fabric_->under_way(),
                               waits.empty() ? "" : ", in a deadlock: ", waits.c_str());
}

}  // namespace allport_sst
