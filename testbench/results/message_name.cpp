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

namespace {

template <class NameOf>
std::string named_by(const MessageName& name, NameOf name_of) {
  return name_of(name.u) + ">" + (name.v ? name_of(*name.v) : "all") + "#" +
         std::to_string(name.order);
}

}  // namespace

std::string name_in_words(const MessageName& name) {
  return named_by(name, [](NodeId node) { return std::to_string(index(node)); });
}

std::string name_in_words(const MessageName& name, const Topology& topology) {
  return named_by(name, [&](NodeId node) { return topology.node_name(node); });
}

}  // namespace allport
