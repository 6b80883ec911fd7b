// SPDX-License-Identifier: Apache-2.0
// allport.fabric is a component of SST with a PortFabric and a link at each of its ports. Cycle c
// of the network begins at c times the length of a cycle: a packet that comes over a link then, or
// later than the cycle before began, enters the network in it. One whose tail is on the ejection
// channel in cycle c goes over the link of its destination when the cycle is over.
#pragma once

#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <sst/core/component.h>
#include <sst/core/link.h>
#include <sst/core/params.h>

#include "cycle_times.h"
#include "port_events.h"
#include "port_fabric.h"

namespace allport_sst {

class Fabric : public SST::Component {
 public:
  SST_ELI_REGISTER_COMPONENT(allport_sst::Fabric, "allport", "fabric",
                             SST_ELI_ELEMENT_VERSION(1, 0, 0),
                             "All-port wormhole routers, cycle by cycle",
                             COMPONENT_CATEGORY_NETWORK)
  SST_ELI_DOCUMENT_PARAMS({"options", "Options of the network, KEY=VALUE separated by blanks"},
                          {"clock", "Rate of its cycles", "1GHz"},
                          {"schedule",
                           "File to which packets are written when they enter the network, as a "
                           "schedule for allport run",
                           ""},
                          {"results",
                           "File to which what allport run of this schedule tells is written at "
                           "the end, as JSON; options must have record=true",
                           ""})
  SST_ELI_DOCUMENT_PORTS({"port%(node)d", "Link of a node", {}})

  Fabric(SST::ComponentId_t id, SST::Params& params);

  void init(unsigned int phase) override;
  void complete(unsigned int phase) override;
  void finish() override;

 private:
  void hear(SST::Event* event, int node);
  void wake(SST::Event* event);
  void begin_cycle();
  void end_call();
  void forward_untimed();
  void forward(const PacketEvent& packet, std::size_t from);
  SST::Link& link_of(std::int64_t destination) const;
  std::unique_ptr<std::ofstream> open_file(const std::string& parameter, SST::Params& params) const;
  template <class Call>
  void told(Call call);

  std::unique_ptr<PortFabric> fabric_;
  std::vector<SST::Link*> links_;  // by node; null where nobody is
  SST::Link* own_ = nullptr;
  CycleTimes times_;  // in the simulator's units
  std::string bandwidth_;
  std::unordered_map<std::uint64_t, std::unique_ptr<PacketEvent>> packets_;  // under way
  std::uint64_t packet_count_ = 0;
  std::uint64_t wake_count_ = 0;               // events of the own link cannot be withdrawn:
  std::optional<std::int64_t> awaited_cycle_;  // all but the last one, for this cycle, are stale
  std::unique_ptr<std::ofstream> schedule_, results_;  // null: nobody asked for it
};

}  // namespace allport_sst
