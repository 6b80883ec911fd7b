// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/message_limit.h"

#include <stdexcept>
#include <string>

namespace allport {

void require_few_messages(const Topology& topology, std::size_t (*sends_on)(std::size_t nodes)) {
  const auto fits = [&](std::size_t nodes) {
    return sends_on(nodes) <= max_block_messages / nodes;
  };
  std::size_t most = topology.node_count();
  while (!fits(most)) --most;
  if (most == topology.node_count()) return;
  throw std::invalid_argument(
      topology.name() + " is too large for this collective: it may send at most " +
      std::to_string(max_block_messages) + " blocks, each as a message, and so takes up to " +
      std::to_string(most) + " nodes");
}

}  // namespace allport
