// SPDX-License-Identifier: Apache-2.0
// What a router in RTL says of itself by the parameters of its top
// (docs/bring-your-own-router.md), and how it is fitted to a fabric.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "rtl_model/topology/message_kind.h"
#include "rtl_model/verilated/model_library.h"
#include "rtl_model/verilated/rtl_source.h"

namespace allport {

struct RouterDeclaration {
  int hop_cycles = 1;     ///< HopCycles: from an input to the output channel
  unsigned kinds = 7;     ///< Kinds: bit 0 unicast, 1 deposit, 2 tree, 3 multidestination, 4 path
  unsigned modes = 1;     ///< Modes: bit 0 wormhole, 1 cut-through, 2 store-and-forward, 3 circuit
  unsigned routings = 1;  ///< Routings: bit 0 e-cube or dimension order, 1 adaptive
  unsigned topologies = 7;  ///< Topologies: bit 0 hypercube, 1 torus and ring, 2 mesh
  std::map<std::string, std::string> parameters;  ///< all of the top, with their values

  bool has(MessageKind kind) const { return (kinds >> static_cast<unsigned>(kind) & 1U) != 0; }
  bool has(TopologyKind kind) const;
  bool has(Switching mode) const { return (modes >> static_cast<unsigned>(mode) & 1U) != 0; }
  bool has_adaptive() const { return (routings >> 1 & 1U) != 0; }
};

/// Reads them. Throws std::invalid_argument, one sentence: RTL that Verilator does not accept, a
/// parameter in `source` that the top has not, a claim that is out of range.
RouterDeclaration read_declaration(const RtlSource& source);

/// Throws std::invalid_argument, one sentence, when the router declares that it has not the
/// switching mode or the routing of this fabric.
void require_declared(const RouterDeclaration& declared, const std::string& top,
                      const RouterConfig& config, const Routing& routing);

/// `source` with the parameters of the contract for this fabric, as far as its top has them and
/// the user has not set them.
RtlSource fitted(RtlSource source, const RouterDeclaration& declared, const RouterConfig& config,
                 const Routing& routing, int data_width, int max_via);

/// Width of its data field. Throws RtlRefused naming every pin that is missing or has
/// another width than the fabric needs.
int check_pins(const ModelLibrary& library, const std::string& top, const RouterConfig& config,
               const Routing& routing, int payload_bits, int max_via);

}  // namespace allport
