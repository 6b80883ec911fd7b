// SPDX-License-Identifier: Apache-2.0
#include "traffic/theory/bandwidth.h"

namespace allport {

namespace {

// The share of the data that goes through each node, of `nodes`, at least.
double bus_share(Operation operation, double nodes) {
  switch (operation) {
    case Operation::bcast:
    case Operation::reduce:
      return 1;
    case Operation::allreduce:
      return 2 * (nodes - 1) / nodes;
    default:
      return (nodes - 1) / nodes;
  }
}

bool has_a_block_for_each_node(Operation operation) {
  return operation != Operation::bcast && operation != Operation::reduce &&
         operation != Operation::allreduce;
}

}  // namespace

Bandwidth bandwidth(Operation operation, std::size_t nodes, std::size_t bytes, Cycle latency) {
  if (operation == Operation::barrier || stencil_of(operation)) return {};
  const auto count = static_cast<double>(nodes);
  const double size =
      static_cast<double>(bytes) * (has_a_block_for_each_node(operation) ? count : 1);
  const double algorithm = size / static_cast<double>(latency);
  return {algorithm, algorithm * bus_share(operation, count)};
}

}  // namespace allport
