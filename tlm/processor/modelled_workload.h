// SPDX-License-Identifier: Apache-2.0
// A ModelledWorkload carries out what processors send (a Workload), under a NodeModel that is not
// the default one. A processor that takes messages over itself does so, in the order in which they
// came, before it prepares the next message. With start-ups per port a message that is ready joins
// the queue of its port at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <tuple>
#include <vector>

#include "rtl_model/router/router_config.h"
#include "rtl_model/topology/routing.h"
#include "tlm/processor/processor_rule.h"
#include "tlm/processor/timekeeper.h"
#include "tlm/processor/workload.h"
#include "traffic/planning/node_model.h"

namespace allport {

class ModelledWorkload final : public Timekeeper {
 public:
  /// All references must outlive it.
  ModelledWorkload(Workload& workload, const NodeConfig& node, const NodeModel& model,
                   const RouterConfig& router, const Routing& routing)
      : workload_(workload), config_(node), model_(model), router_(router), routing_(routing) {}

  // Timekeeper
  void reset() override;
  void on_arrival(NodeId node, tlm::tlm_generic_payload& message, Cycle now) override;
  bool observes_sent() const override { return model_.send_blocks; }
  void on_sent(NodeId number, tlm::tlm_generic_payload& message, Cycle now) override;
  Cycle act(NodeId node, Cycle now, ProcessorHands& hands) override;

 private:
  struct Arrival {  // a message that has come
    Cycle due = 0;  // when the processor has it, or can take it over
    NodeId source{};
    int order = 0;
    int collective = 0;
    tlm::tlm_generic_payload* message = nullptr;
    bool operator>(const Arrival& other) const {
      return std::tie(due, source, collective, order) >
             std::tie(other.due, other.source, other.collective, other.order);
    }
  };
  struct Worker {  // a processor, or a port that prepares messages
    Cycle free_at = 0;
    bool is_sending = false;                      // a send that blocks
    std::deque<tlm::tlm_generic_payload*> queue;  // of a port
    bool is_free(Cycle now) const { return !is_sending && free_at <= now; }
  };
  struct Node {
    Worker processor;
    std::vector<Worker> ports;
    std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> arrivals;
    tlm::tlm_generic_payload* taken = nullptr;  // the message that it takes over
  };
  struct Turn {
    NodeId number{};
    Node& node;
    Cycle now = 0;
    ProcessorHands& hands;
  };

  Cycle flits_of(const tlm::tlm_generic_payload& message) const;
  bool receive_all(const Turn& turn);
  bool take_over(const Turn& turn);
  bool send_next(const Turn& turn);
  bool send_by_ports(const Turn& turn);
  void have(const Turn& turn, tlm::tlm_generic_payload& message);
  void send(const Turn& turn, Worker& worker, tlm::tlm_generic_payload& message);
  Cycle next(const Turn& turn) const;

  Workload& workload_;
  const NodeConfig& config_;
  const NodeModel& model_;
  const RouterConfig& router_;
  const Routing& routing_;
  std::vector<Node> nodes_;
};

}  // namespace allport
