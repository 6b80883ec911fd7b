// SPDX-License-Identifier: Apache-2.0
#include "testbench/lockstep/rtl_nodes.h"

namespace allport {

RtlNodes::RtlNodes(const ModelLibrary& library, const RouterConfig& config, const Routing& routing,
                   int payload_bits, int data_width, int max_via, int hop_cycles, PinGroups groups)
    : library_(library),
      layout_(config, routing, payload_bits, data_width, max_via, groups),
      hop_cycles_(hop_cycles) {}

void RtlNodes::replace(Fabric& fabric, const std::vector<NodeId>& nodes, std::uint32_t seed) {
  for (const NodeId node : nodes) {
    const Router& twin = fabric.router(node);
    routers_.push_back(std::make_unique<VerilatedRouter>(
        twin.name(), library_.create(seed), layout_, twin, fabric.channels(node), hop_cycles_));
    fabric.substitute(node, *routers_.back());
  }
}

void RtlNodes::shadow(Fabric& fabric, const std::vector<NodeId>& nodes, std::uint32_t seed) {
  for (const NodeId node : nodes) {
    pairs_.push_back(
        std::make_unique<LockstepRouter>(fabric, node, library_.create(seed), layout_));
  }
}

const Difference* RtlNodes::difference() const {
  for (const auto& pair : pairs_) {
    if (pair->difference()) return &*pair->difference();
  }
  return nullptr;
}

std::uint64_t RtlNodes::compared_cycles() const {
  std::uint64_t cycles = 0;
  for (const auto& pair : pairs_) cycles += pair->compared_cycles();
  return cycles;
}

}  // namespace allport
