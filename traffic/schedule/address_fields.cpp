// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedule/address_fields.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "rtl_model/base/stop_flag.h"

namespace allport {

namespace {

// By node: the message that it receives; null: none.
std::vector<const Unicast*> receptions(const Schedule& schedule, std::size_t nodes) {
  std::vector<const Unicast*> received(nodes, nullptr);
  for (const Unicast& unicast : schedule.unicasts) {
    const Unicast*& one = received[index(unicast.v)];
    if (one != nullptr) {
      throw std::invalid_argument("node " + std::to_string(index(unicast.v)) + " receives twice (" +
                                  describe_of_ranks(*one) + ", " + describe_of_ranks(unicast) +
                                  "), so it is not known which of the two has to bring the list");
    }
    one = &unicast;
  }
  return received;
}

// By node: how many destinations get the message through it, itself not counted. A node counts when
// all that it serves have counted, whatever the steps are.
std::vector<int> served(const std::vector<const Unicast*>& received,
                        const std::vector<bool>& is_destination) {
  std::vector<int> served(received.size(), 0);
  std::vector<std::uint32_t> pending(received.size(), 0);  // sends whose receivers have not counted
  std::size_t receivers = 0;
  for (const Unicast* one : received) {
    if (one == nullptr) continue;
    ++pending[index(one->u)];
    ++receivers;
  }
  std::vector<std::size_t> ready;
  for (std::size_t node = 0; node < received.size(); ++node) {
    if (received[node] != nullptr && pending[node] == 0) ready.push_back(node);
  }
  std::size_t counted = 0;
  while (!ready.empty()) {
    heed_stop();
    ++counted;
    const std::size_t node = ready.back();
    ready.pop_back();
    const std::size_t sender = index(received[node]->u);
    served[sender] += served[node] + (is_destination[node] ? 1 : 0);
    if (--pending[sender] == 0 && received[sender] != nullptr) ready.push_back(sender);
  }
  if (counted < receivers) {
    throw std::invalid_argument("the schedule sends the message in a circle, which has no end");
  }
  return served;
}

}  // namespace

AddressFields::AddressFields(const Schedule& schedule, std::size_t nodes,
                             const std::vector<NodeId>& destinations, int flits) {
  if (flits == 0) return;
  std::vector<bool> is_destination(nodes, false);
  for (const NodeId node : destinations) is_destination[index(node)] = true;
  const std::vector<const Unicast*> received = receptions(schedule, nodes);
  const std::vector<int> counts = served(received, is_destination);
  for (std::size_t node = 0; node < nodes; ++node) {
    flits_.push_back(received[node] == nullptr ? 0 : counts[node] * flits);
  }
}

int AddressFields::longest() const {
  return flits_.empty() ? 0 : *std::max_element(flits_.begin(), flits_.end());
}

}  // namespace allport
