// SPDX-License-Identifier: Apache-2.0
#include "link_control.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include <sst/core/output.h>

#include "parameters.h"

namespace allport_sst {

namespace {

bool is_size(const SST::UnitAlgebra& one, const std::string& unit) {
  return one.hasUnits(unit) && one >= SST::UnitAlgebra("1" + unit);
}

}  // namespace

template <class Call>
auto LinkControl::told(Call call) -> decltype(call()) {
  return allport_sst::told(getSimulationOutput(), getName(), call);
}

LinkControl::LinkControl(SST::ComponentId_t id, SST::Params& params, int vns)
    : SimpleNetwork(id), vns_(vns), queues_(std::max(vns, 0)) {
  told([&] {
    if (vns < 1) {
      throw std::invalid_argument(std::to_string(vns) + " virtual networks: must be 1 or more");
    }
    SST::UnitAlgebra room = find_quantity(
        params, "output_buf_size", "1kB",
        [](const auto& one) { return is_size(one, "b") || is_size(one, "B"); },
        "a number of b or B, 1 at least, as 1kB");
    if (room.hasUnits("B")) room *= SST::UnitAlgebra("8b/B");
    output_bits_ = room.getRoundedValue();
    const std::string port =
        isAnonymous() ? params.find<std::string>("port_name", "rtr_port") : "rtr_port";
    link_ = configureLink(port, new SST::Event::Handler<LinkControl, &LinkControl::hear>(this));
    if (link_ == nullptr) throw std::invalid_argument("port " + port + " is not connected");
  });
}

void LinkControl::open(const PortEvent& port) {
  if (vns_ > port.classes) {
    throw std::invalid_argument(std::to_string(vns_) + " virtual networks: the fabric has " +
                                std::to_string(port.classes) + " message classes");
  }
  if (output_bits_ < port.flit_bits) {
    throw std::invalid_argument("output_buf_size " + std::to_string(output_bits_) +
                                "b: a flit of the fabric has " + std::to_string(port.flit_bits) +
                                " bits");
  }
  queues_.open(output_bits_ / port.flit_bits, port.flit_bits);
  node_ = port.node;
  bandwidth_ = SST::UnitAlgebra(port.bandwidth);
}

void LinkControl::hear_untimed() {
  told([&] {
    while (SST::Event* event = link_->recvUntimedData()) {
      std::unique_ptr<SST::Event> owned(event);
      if (const auto* port = dynamic_cast<PortEvent*>(event)) {
        open(*port);
      } else if (auto* packet = dynamic_cast<PacketEvent*>(event)) {
        owned.release();
        untimed_.emplace_back(packet);
      } else {
        throw std::invalid_argument(
            "its port is connected with something else than allport.fabric");
      }
    }
  });
}

void LinkControl::init(unsigned int /*phase*/) { hear_untimed(); }

void LinkControl::setup() {
  told([&] {
    if (!queues_.is_open()) {
      throw std::invalid_argument("no node of an allport.fabric is at the other end of its link");
    }
  });
}

void LinkControl::complete(unsigned int /*phase*/) { hear_untimed(); }

void LinkControl::sendUntimedData(Request* request) {
  link_->sendUntimedData(new PacketEvent(request, 0));
}

LinkControl::Request* LinkControl::recvUntimedData() {
  if (untimed_.empty()) return nullptr;
  Request* const first = untimed_.front()->take_request().release();
  untimed_.pop_front();
  return first;
}

bool LinkControl::send(Request* request, int vn) {
  return told([&] {
    if (!queues_.send(vn, request->size_in_bits)) return false;
    request->vn = vn;
    link_->send(new PacketEvent(request, queues_.flits_of(request->size_in_bits)));
    return true;
  });
}

bool LinkControl::spaceToSend(int vn, int bits) {
  return told([&] { return queues_.has_space(vn, static_cast<std::uint64_t>(bits)); });
}

LinkControl::Request* LinkControl::recv(int vn) {
  return told([&]() -> Request* {
    auto packet = queues_.fetch(vn);
    if (!packet) return nullptr;
    link_->send(new TakenEvent((*packet)->number));
    return (*packet)->take_request().release();
  });
}

bool LinkControl::requestToReceive(int vn) {
  return told([&] { return queues_.has_received(vn); });
}

namespace {

std::function<bool(int)> notice_of(SST::Interfaces::SimpleNetwork::HandlerBase* handler) {
  if (handler == nullptr) return nullptr;
  return [handler](int vn) { return (*handler)(vn); };
}

}  // namespace

void LinkControl::setNotifyOnReceive(HandlerBase* handler) {
  queues_.on_receive(notice_of(handler));
}
void LinkControl::setNotifyOnSend(HandlerBase* handler) { queues_.on_send(notice_of(handler)); }

void LinkControl::hear(SST::Event* event) {
  std::unique_ptr<SST::Event> owned(event);
  told([&] {
    if (auto* packet = dynamic_cast<PacketEvent*>(event)) {
      owned.release();
      const int vn = packet->request().vn;
      queues_.receive(vn, std::unique_ptr<PacketEvent>(packet));
    } else if (const auto* sent = dynamic_cast<SentEvent*>(event)) {
      queues_.sent(sent->vn, sent->bits);
    }
  });
}

}  // namespace allport_sst
