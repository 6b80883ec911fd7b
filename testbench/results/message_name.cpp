// SPDX-License-Identifier: Apache-2.0
#include "testbench/results/message_name.h"

#include <tuple>

namespace allport {

bool operator==(const MessageName& a, const MessageName& b) {
  const auto parts = [](const MessageName& name) {
    const JoinName join = name.join.value_or(JoinName{});
    return std::make_tuple(name.u, name.v, name.order, name.join.has_value(), join.kind, join.free,
                           join.tag);
  };
  return parts(a) == parts(b);
}

std::string name_in_words(const MessageName& name) {
  const std::string receiver = name.v ? std::to_string(index(*name.v)) : "all";
  return std::to_string(index(name.u)) + ">" + receiver + "#" + std::to_string(name.order);
}

}  // namespace allport
