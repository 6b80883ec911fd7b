// SPDX-License-Identifier: Apache-2.0
#include "testbench/results/message_name.h"

namespace allport {

std::string name_in_words(const MessageName& name) {
  const std::string receiver = name.v ? std::to_string(index(*name.v)) : "all";
  return std::to_string(index(name.u)) + ">" + receiver + "#" + std::to_string(name.order);
}

}  // namespace allport
