// SPDX-License-Identifier: Apache-2.0
// A RouterDeclaration is what a router in RTL that the project did not write declares of itself, by
// the parameters of its top (docs/bring-your-own-router.md, section 1), and what a run requires of
// it.
#pragma once

#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "rtl_model/router/router_config.h"
#include "rtl_model/router/switching.h"
#include "rtl_model/topology/message_kind.h"
#include "rtl_model/topology/routing.h"
#include "rtl_model/topology/topology.h"
#include "testbench/plan/planned_collective.h"

namespace allport {

struct RunPlan;

struct RouterDeclaration {
  std::string top;  ///< name of its top module
  /// HopCycles: least number of cycles from an input to an output channel, 1..64; those of its
  /// pipeline and one more where it declares none
  int hop_cycles = 1;
  int most_hop_cycles = 1;  ///< MaxHopCycles: the most in an empty router, hop_cycles..64
  std::array<int, pipeline_delays.size()> delays{};  ///< RouteDelay, VcDelay, ..: of its pipeline
  /// Kinds: bit 0 unicast, 1 deposit, 2 tree, 3 multidestination, 4 path, 5 label.
  unsigned kinds = 7;
  unsigned modes = 1;     ///< Modes: bit 0 wormhole, 1 cut-through, 2 store-and-forward, 3 circuit
  unsigned routings = 1;  ///< Routings: bit 0 e-cube or dimension order, 1 adaptive
  unsigned topologies = 7;              ///< Topologies: bit 0 hypercube, 1 torus and ring, 2 mesh
  std::optional<int> max_ports;         ///< MaxInternalPorts, 1..10; none: not declared
  std::optional<int> dimensions;        ///< MaxDimensions, 1..10; none: any number
  std::optional<int> max_side;          ///< MaxSide, 2..65535 nodes; none: any side
  bool is_square = false;               ///< Square: whether all sides must be equal
  std::optional<int> fixed_depth;       ///< FixedDepth: flits of each buffer; none: any number
  bool has_power_of_two_depth = false;  ///< PowerOfTwoDepth: whether depths are powers of two
  int longest_message = 0;              ///< MaxFlits: most flits of a message; 0: any number
  bool length_in_head = false;  ///< LengthInHead: heads carry their length in every switching mode
  bool has_ties = true;         ///< Ties: whether it heeds ties; otherwise exact ties go +
  bool custom_vc_classes = false;  ///< CustomVcClasses: a torus has a rule of classes of its own
  bool is_made_for_nodes = false;  ///< whether parameters of its top say at which node it is
  int reset_cycles = 0;            ///< ResetCycles: cycles after reset without a flit, 0..4096
  int adapter_cycles = 0;  ///< AdapterCycles: those of HopCycles that an adapter adds, 0..63
  std::map<std::string, std::string> parameters{};  ///< all parameters of the top, with values
  std::vector<std::string> files{};                 ///< files that were named, as they were named
  std::vector<std::string> settings{};              ///< parameters and macros that the user has set
  std::string fingerprint{};                        ///< hash of all that was read, 16 hex digits

  bool has(MessageKind kind) const { return (kinds >> static_cast<unsigned>(kind) & 1U) != 0; }
  bool has(TopologyKind kind) const;
  bool has(Switching mode) const { return (modes >> static_cast<unsigned>(mode) & 1U) != 0; }
  int pipeline_delay() const { return std::accumulate(delays.begin(), delays.end(), 0); }
  /// Whether a head takes the cycles of docs/router.md, with these delays, in an empty router.
  bool has_our_time() const {
    const int ours = 1 + pipeline_delay();
    return hop_cycles == ours && most_hop_cycles == ours;
  }
  bool has_adaptive() const { return (routings >> 1 & 1U) != 0; }
  /// The first mode that it declares.
  Switching first_mode() const;
  /// Internal ports of a router with `external` external ones, unless the user chooses: as many as
  /// it declares, else one.
  int default_ports(int external) const;
};

/// Its time through a router: `2 cycles`, `2..4 cycles`.
std::string cycles_in_words(const RouterDeclaration& declared);

/// Throws std::invalid_argument, one sentence that names the parameter, when the router declares
/// that it does not support this topology.
void require_topology(const RouterDeclaration& declared, const Topology& topology);

/// The same for the fabric of `plan`: topology, internal ports, switching mode, routing and ties.
void require_declared_fabric(const RouterDeclaration& declared, const RunPlan& plan);

/// The same for the kinds and the ties of the messages in `collectives`.
void require_declared_kinds(const RouterDeclaration& declared,
                            const std::vector<PlannedCollective>& collectives,
                            const Routing& routing);

}  // namespace allport
