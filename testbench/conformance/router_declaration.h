// SPDX-License-Identifier: Apache-2.0
// What a router in RTL declares by the parameters of its top (docs/bring-your-own-router.md), and
// how it is fitted to a fabric.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "rtl_model/topology/message_kind.h"
#include "rtl_model/verilated/model_library.h"
#include "rtl_model/verilated/rtl_source.h"

namespace allport {

struct RouterDeclaration {
  int hop_cycles = 1;  ///< HopCycles: cycles from an input to the output channel
  /// Kinds: bit 0 unicast, 1 deposit, 2 tree, 3 multidestination, 4 path, 5 label.
  unsigned kinds = 7;
  unsigned modes = 1;     ///< Modes: bit 0 wormhole, 1 cut-through, 2 store-and-forward, 3 circuit
  unsigned routings = 1;  ///< Routings: bit 0 e-cube or dimension order, 1 adaptive
  unsigned topologies = 7;  ///< Topologies: bit 0 hypercube, 1 torus and ring, 2 mesh
  std::map<std::string, std::string> parameters;  ///< all parameters of the top, with their values

  bool has(MessageKind kind) const { return (kinds >> static_cast<unsigned>(kind) & 1U) != 0; }
  bool has(TopologyKind kind) const;
  bool has(Switching mode) const { return (modes >> static_cast<unsigned>(mode) & 1U) != 0; }
  bool has_adaptive() const { return (routings >> 1 & 1U) != 0; }
};

/// Reads the declaration. Throws std::invalid_argument, one sentence, for RTL that Verilator does
/// not accept, for a parameter in `source` that the top does not have, and for a value out of
/// range; throws Stopped once `stop` is set.
RouterDeclaration read_declaration(const RtlSource& source, StopFlag stop);

/// Throws std::invalid_argument, one sentence, when the router declares that it does not support
/// the switching mode or the routing of this fabric.
void require_declared(const RouterDeclaration& declared, const std::string& top,
                      const RouterConfig& config, const Routing& routing);

/// `source` with those parameters of the contract for this fabric that its top has and that the
/// user has not set.
RtlSource fitted(RtlSource source, const RouterDeclaration& declared, const RouterConfig& config,
                 const Routing& routing, int data_width, int max_via);

/// The width of its data field. Throws RtlRefused, naming every pin that is missing or does not
/// have the width that the fabric needs.
int check_pins(const ModelLibrary& library, const std::string& top, const RouterConfig& config,
               const Routing& routing, int payload_bits, int max_via);

}  // namespace allport
