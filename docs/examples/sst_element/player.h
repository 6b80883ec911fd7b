// SPDX-License-Identifier: Apache-2.0
// allport.player is an endpoint that sends what it is told at given cycles, each as soon as there
// is room, and says in which cycle a packet comes to it. A cycle here begins as one of the fabric.
// It may greet others before and after the time of the simulation, and says who greets it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include <sst/core/component.h>
#include <sst/core/interfaces/simpleNetwork.h>
#include <sst/core/link.h>
#include <sst/core/params.h>

#include "cycle_times.h"

namespace allport_sst {

class Player : public SST::Component {
 public:
  SST_ELI_REGISTER_COMPONENT(allport_sst::Player, "allport", "player",
                             SST_ELI_ELEMENT_VERSION(1, 0, 0),
                             "Endpoint that sends at given cycles", COMPONENT_CATEGORY_NETWORK)
  SST_ELI_DOCUMENT_PARAMS(
      {"sends", "List of cycle, destination, bytes, virtual network for each packet, by cycle",
       "[]"},
      {"greets", "List of the nodes that it greets, -1 for all others", "[]"},
      {"receives", "Packets that come to it", "0"}, {"vns", "Virtual networks", "1"},
      {"clock", "Rate of its cycles", "1GHz"})
  SST_ELI_DOCUMENT_SUBCOMPONENT_SLOTS({"networkIF", "Network interface",
                                       "SST::Interfaces::SimpleNetwork"})

  Player(SST::ComponentId_t id, SST::Params& params);

  void init(unsigned int phase) override;
  void setup() override;
  void complete(unsigned int phase) override;
  void finish() override;

 private:
  struct Send {
    std::int64_t cycle = 0, destination = 0, bytes = 0, vn = 0;
  };

  void wake(SST::Event* event);
  void await_next();
  bool send_due(int vn);
  bool receive(int vn);
  void end_if_done();
  void greet();
  void hear_greetings(const char* when);
  std::int64_t cycle() const;
  template <class Call>
  auto told(Call call) -> decltype(call());

  std::deque<Send> sends_;
  std::vector<std::int64_t> greets_;
  bool has_greeted_ = false;  // before the simulation
  std::int64_t receives_ = 0;
  int vns_ = 1;
  CycleTimes times_;
  SST::Interfaces::SimpleNetwork* network_ = nullptr;
  SST::Link* own_ = nullptr;
  std::int64_t received_ = 0;
  std::int64_t awaited_ = 0;  // the cycle for which it will be woken
  bool is_done_ = false;
};

}  // namespace allport_sst
