// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/lockstep/rtl_nodes.h"

#include <utility>

namespace allport {

RtlNodes::RtlNodes(const ModelLibrary& library, const RouterConfig& config, const Routing& routing,
                   int payload_bits, int data_width, int max_via, int hop_cycles, PinGroups groups)
    : RtlNodes([&library](NodeId) -> const ModelLibrary& { return library; },
               {config, routing, payload_bits, data_width, max_via, groups}, hop_cycles) {}

RtlNodes::RtlNodes(const NodeLibraries& libraries, const RouterConfig& config,
                   const Routing& routing, int payload_bits, int data_width, int max_via,
                   int hop_cycles)
    : RtlNodes([&libraries](NodeId node) -> const ModelLibrary& { return libraries.at(node); },
               {config, routing, payload_bits, data_width, max_via}, hop_cycles) {}

RtlNodes::RtlNodes(LibraryAt library_at, PinLayout layout, int hop_cycles)
    : library_at_(std::move(library_at)), layout_(std::move(layout)), hop_cycles_(hop_cycles) {}

void RtlNodes::replace(Fabric& fabric, const std::vector<NodeId>& nodes, std::uint32_t seed) {
  for (const NodeId node : nodes) {
    const Router& twin = fabric.router(node);
    routers_.push_back(std::make_unique<VerilatedRouter>(twin.name(),
                                                         library_at_(node).create(seed), layout_,
                                                         twin, fabric.channels(node), hop_cycles_));
    fabric.substitute(node, *routers_.back());
  }
}

void RtlNodes::shadow(Fabric& fabric, const std::vector<NodeId>& nodes, std::uint32_t seed) {
  for (const NodeId node : nodes) {
    pairs_.push_back(
        std::make_unique<LockstepRouter>(fabric, node, library_at_(node).create(seed), layout_));
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
