// SPDX-License-Identifier: Apache-2.0
// What goes over the link between an allport.linkcontrol and its port of an allport.fabric.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <sst/core/event.h>
#include <sst/core/interfaces/simpleNetwork.h>
#include <sst/core/serialization/serialize.h>

namespace allport_sst {

using Request = SST::Interfaces::SimpleNetwork::Request;

/// To an endpoint, before anything else: what its port is.
class PortEvent : public SST::Event {
 public:
  std::int64_t node = 0;
  std::int64_t classes = 0;
  std::int64_t flit_bits = 0;
  std::string bandwidth;

  void serialize_order(SST::Core::Serialization::serializer& ser) override {
    Event::serialize_order(ser);
    SST_SER(node);
    SST_SER(classes);
    SST_SER(flit_bits);
    SST_SER(bandwidth);
  }
  ImplementSerializable(allport_sst::PortEvent)
};

/// To the fabric and from there to the destination: a packet, or what is sent before and after the
/// time of the simulation. It owns its request.
class PacketEvent : public SST::Event {
 public:
  PacketEvent() = default;
  PacketEvent(Request* owned, std::int64_t length) : flits(length), request_(owned) {}
  ~PacketEvent() override { delete request_; }
  PacketEvent(const PacketEvent&) = delete;
  PacketEvent& operator=(const PacketEvent&) = delete;

  const Request& request() const { return *request_; }
  std::unique_ptr<Request> take_request() {
    return std::unique_ptr<Request>(std::exchange(request_, nullptr));
  }
  PacketEvent* copy() const { return new PacketEvent(request_->clone(), flits); }
  PacketEvent* clone() override { return copy(); }

  std::int64_t flits = 0;
  std::uint64_t number = 0;  ///< of the fabric
  std::int64_t source = 0;   ///< node whose port it came to

  void serialize_order(SST::Core::Serialization::serializer& ser) override {
    Event::serialize_order(ser);
    SST_SER(flits);
    SST_SER(number);
    SST_SER(source);
    SST_SER(request_);
  }
  ImplementSerializable(allport_sst::PacketEvent)

      private : Request* request_ = nullptr;
};

/// To the source: the network has taken a packet of so many bits; its room is free.
class SentEvent : public SST::Event {
 public:
  SentEvent() = default;
  SentEvent(int network, std::uint64_t length) : vn(network), bits(length) {}

  int vn = 0;
  std::uint64_t bits = 0;

  void serialize_order(SST::Core::Serialization::serializer& ser) override {
    Event::serialize_order(ser);
    SST_SER(vn);
    SST_SER(bits);
  }
  ImplementSerializable(allport_sst::SentEvent)
};

/// To the fabric: the destination has taken a packet.
class TakenEvent : public SST::Event {
 public:
  TakenEvent() = default;
  explicit TakenEvent(std::uint64_t of) : number(of) {}

  std::uint64_t number = 0;

  void serialize_order(SST::Core::Serialization::serializer& ser) override {
    Event::serialize_order(ser);
    SST_SER(number);
  }
  ImplementSerializable(allport_sst::TakenEvent)
};

/// To the fabric from itself: it has asked to be woken.
class WakeEvent : public SST::Event {
 public:
  WakeEvent() = default;
  explicit WakeEvent(std::uint64_t of) : number(of) {}

  std::uint64_t number = 0;

  void serialize_order(SST::Core::Serialization::serializer& ser) override {
    Event::serialize_order(ser);
    SST_SER(number);
  }
  ImplementSerializable(allport_sst::WakeEvent)
};

}  // namespace allport_sst
