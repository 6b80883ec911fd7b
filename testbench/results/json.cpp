// SPDX-License-Identifier: Apache-2.0
#include "testbench/results/json.h"

namespace allport {

std::string json_text(const Json& json) { return json.dump(2) + "\n"; }

Json channel_json(Channel channel) {
  return {{"node", index(channel.node)}, {"port", index(channel.port)}};
}

}  // namespace allport
