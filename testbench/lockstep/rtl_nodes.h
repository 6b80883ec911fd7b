// SPDX-License-Identifier: Apache-2.0
// The nodes of a fabric whose routers are RTL: alone in their place, or in lockstep with the
// SystemC router.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "rtl_model/verilated/model_library.h"
#include "testbench/lockstep/lockstep_router.h"

namespace allport {

class RtlNodes {
 public:
  /// `library` must outlive it. `data_width` of its pins, 0: payload and message number. `max_via`:
  /// entries of their lists of destinations.
  RtlNodes(const ModelLibrary& library, const RouterConfig& config, const Routing& routing,
           int payload_bits, int data_width = 0, int max_via = 0);

  /// RTL alone at `nodes`. Call it before the simulation begins.
  void replace(Fabric& fabric, const std::vector<NodeId>& nodes, std::uint32_t seed = 0);
  /// RTL and SystemC side by side at `nodes`.
  void shadow(Fabric& fabric, const std::vector<NodeId>& nodes, std::uint32_t seed = 0);

  /// The first difference seen; none yet: null.
  const Difference* difference() const;
  /// Router-cycles compared so far.
  std::uint64_t compared_cycles() const;
  const std::vector<std::unique_ptr<LockstepRouter>>& pairs() const { return pairs_; }

 private:
  const ModelLibrary& library_;
  PinLayout layout_;
  std::vector<std::unique_ptr<VerilatedRouter>> routers_;
  std::vector<std::unique_ptr<LockstepRouter>> pairs_;
};

}  // namespace allport
