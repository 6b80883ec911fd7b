// SPDX-License-Identifier: Apache-2.0
// allport.linkcontrol is the network interface of an endpoint, SST's SimpleNetwork, over a link to
// a port of an allport.fabric. Virtual network v is message class v. Packets go over the link when
// they are sent; their room in the output buffer is free, and a notice of sending is given, when
// the endpoint hears that the network has taken them.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>

#include <sst/core/interfaces/simpleNetwork.h>
#include <sst/core/link.h>
#include <sst/core/params.h>
#include <sst/core/unitAlgebra.h>

#include "endpoint_queues.h"
#include "port_events.h"

namespace allport_sst {

class LinkControl : public SST::Interfaces::SimpleNetwork {
 public:
  SST_ELI_REGISTER_SUBCOMPONENT(allport_sst::LinkControl, "allport", "linkcontrol",
                                SST_ELI_ELEMENT_VERSION(1, 0, 0),
                                "Network interface at a port of allport.fabric",
                                SST::Interfaces::SimpleNetwork)
  SST_ELI_DOCUMENT_PARAMS({"output_buf_size", "Room of a virtual network, in b or B", "1kB"},
                          {"port_name", "Port, if it is loaded anonymously", "rtr_port"})
  SST_ELI_DOCUMENT_PORTS({"rtr_port", "Link to a port of allport.fabric", {}})

  LinkControl(SST::ComponentId_t id, SST::Params& params, int vns);

  void init(unsigned int phase) override;
  void setup() override;
  void complete(unsigned int phase) override;

  void sendUntimedData(Request* request) override;
  Request* recvUntimedData() override;
  bool send(Request* request, int vn) override;
  Request* recv(int vn) override;
  bool spaceToSend(int vn, int bits) override;
  bool requestToReceive(int vn) override;
  void setNotifyOnReceive(HandlerBase* handler) override;
  void setNotifyOnSend(HandlerBase* handler) override;
  bool isNetworkInitialized() const override { return queues_.is_open(); }
  nid_t getEndpointID() const override { return node_; }
  const SST::UnitAlgebra& getLinkBW() const override { return bandwidth_; }

 private:
  using Queues = EndpointQueues<std::unique_ptr<PacketEvent>>;

  void hear(SST::Event* event);
  void hear_untimed();
  void open(const PortEvent& port);
  template <class Call>
  auto told(Call call) -> decltype(call());

  const int vns_;
  std::int64_t output_bits_ = 0;
  SST::Link* link_ = nullptr;
  Queues queues_;  // opened when the fabric has said what the port is
  nid_t node_ = -1;
  SST::UnitAlgebra bandwidth_;
  std::deque<std::unique_ptr<PacketEvent>> untimed_;
};

}  // namespace allport_sst
