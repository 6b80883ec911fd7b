// SPDX-License-Identifier: Apache-2.0
// RtlNodes puts RTL in the place of the routers of some nodes: alone, or in lockstep with the
// SystemC router.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "rtl_model/verilated/model_library.h"
#include "rtl_model/verilated/node_libraries.h"
#include "testbench/observe/lockstep/lockstep_router.h"

namespace allport {

class RtlNodes {
 public:
  /// `library` must outlive it. `data_width`: bits of the data on its pins, 0: payload and message
  /// number. `max_via`: entries of its lists of destinations. `hop_cycles`: least time of a flit
  /// through a router that is not the twin. `groups`: what headers say of groups.
  RtlNodes(const ModelLibrary& library, const RouterConfig& config, const Routing& routing,
           int payload_bits, int data_width = 0, int max_via = 0, int hop_cycles = 1,
           PinGroups groups = PinGroups::none);
  /// The same with the library of each node.
  RtlNodes(const NodeLibraries& libraries, const RouterConfig& config, const Routing& routing,
           int payload_bits, int data_width, int max_via, int hop_cycles);

  /// Puts RTL in the place of the routers of `nodes`. To be called before the simulation begins.
  void replace(Fabric& fabric, const std::vector<NodeId>& nodes, std::uint32_t seed = 0);
  /// Puts RTL beside the SystemC routers of `nodes`.
  void shadow(Fabric& fabric, const std::vector<NodeId>& nodes, std::uint32_t seed = 0);

  /// The first difference seen; null if there is none yet.
  const Difference* difference() const;
  /// Router-cycles compared so far.
  std::uint64_t compared_cycles() const;
  const std::vector<std::unique_ptr<LockstepRouter>>& pairs() const { return pairs_; }

 private:
  using LibraryAt = std::function<const ModelLibrary&(NodeId)>;
  RtlNodes(LibraryAt library_at, PinLayout layout, int hop_cycles);

  LibraryAt library_at_;
  PinLayout layout_;
  const int hop_cycles_;
  std::vector<std::unique_ptr<VerilatedRouter>> routers_;
  std::vector<std::unique_ptr<LockstepRouter>> pairs_;
};

}  // namespace allport
