// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/show_words.h"

#include <fmt/format.h>

namespace allport {

std::string in_words(NodeId node, const Topology& topology) {
  if (topology.is_graph()) return topology.node_name(node);
  if (topology.is_hypercube()) {
    return fmt::format("{} ({:0{}b})", index(node), index(node), topology.dimension_count());
  }
  std::string coordinates;
  for (std::size_t i = 0; i < topology.dimension_count(); ++i) {
    coordinates += fmt::format("{}{}", i > 0 ? ", " : "", topology.coordinate(node, i));
  }
  return fmt::format("{} ({})", index(node), coordinates);
}

std::string shown_line(std::string_view label, const std::string& words) {
  return fmt::format("{:<16}{}\n", label, words);
}

}  // namespace allport
