// SPDX-License-Identifier: Apache-2.0
// The all-port wormhole router. Contract (docs/router.md):
// a flit on an input in cycle c that is not held up is on the output channel in cycle c + 1; one
// flit per cycle and channel; its credit is on the wire in cycle c + 1 as well. With RouteDelay and
// VcDelay heads wait in between, and with CrossbarDelay all flits are on the output channel so many
// cycles later. A flit is sent only on a credit; an output VC belongs to one worm from its head to
// its tail. All outputs are registers. While active_o, valid_i, credit_i and ack_i are low the
// clock may be stopped. Port p has slice p of each vector, external ports first; a flit is, from
// the top: head, tail, vc, kind, length, via, ties, address, data (allport_pkg says which of them
// exist). Acknowledgements are for circuit switching; otherwise ack_i is ignored, and ack_o is low.

module allport_router #(
  /// 0 hypercube, 1 torus (a ring is a torus of one dimension), 2 mesh.
  parameter int unsigned Topology = 0,
  /// Hypercube 1 .. 10, torus and mesh 1 .. 3.
  parameter int unsigned Dimensions = 3,
  /// Torus, mesh: the sides, 2 .. 65535; 0 for a dimension that does not exist.
  parameter int unsigned Side0 = 0,
  parameter int unsigned Side1 = 0,
  parameter int unsigned Side2 = 0,
  /// The same in one vector, as an alternative: 16 bits per dimension, dimension 0 lowest.
  parameter logic [47:0] Sides = allport_pkg::side_vector(Side0, Side1, Side2),
  /// 1: e-cube of a hypercube is from the lowest dimension.
  parameter int unsigned Ascending = 0,
  /// Injection and ejection channels, 1 .. ExternalPorts.
  parameter int unsigned InternalPorts = 3,
  /// Virtual channels of an external channel, 1 .. 16; on a torus 1 or even.
  parameter int unsigned Vcs = 1,
  /// Flits of each buffer, 1 .. 4096.
  parameter int unsigned Depth = 4,
  /// Cycles that a tree flit is held before it branches, 0 .. 1024.
  parameter int unsigned ReplicationDelay = 0,
  /// Bits of a flit's payload, 1 or more.
  parameter int unsigned DataWidth = 64,
  /// 1: tree worms are understood.
  parameter int unsigned Replication = 1,
  /// 1: deposit, multidestination, label, path and tree worms leave copies at routers they pass.
  parameter int unsigned IntermediateReception = 1,
  /// 0 wormhole, 1 cut-through, 2 store-and-forward, 3 circuit (unicasts only).
  parameter int unsigned Switching = 0,
  /// Most destinations of a multidestination or label worm after its first, 0 .. 15; 0: there are
  /// no lists, and no label worms.
  parameter int unsigned MaxVia = 0,
  /// 1: hypercube, descending, two VCs at least, unicasts only: another useful dimension when that
  /// of e-cube is busy.
  parameter int unsigned Adaptive = 0,
  /// 1: torus, two VCs at least: messages that never cross the wraparound channel of a dimension
  /// use the VCs of both classes there.
  parameter int unsigned Balanced = 0,
  /// 1: tree worms go to the nodes of a group, on every topology: their ties are the group's free
  /// dimensions. 2: there are joins as well; wormhole or cut-through. 0: trees go to all nodes of a
  /// hypercube.
  parameter int unsigned Groups = 0,
  /// Joins: cycles that operands are held before they are combined, 0 .. 1024.
  parameter int unsigned CombineDelay = 0,
  /// Joins: VCs, the last ones of each external channel, that serve nothing but joins and trees: 0,
  /// 1, or 2, of which the first is for joins and the second for trees.
  parameter int unsigned JoinVcs = 0,
  /// Joins: the lowest bits of the payload that are combined, 32 or 64; they hold u32, u64 or
  /// float32.
  parameter int unsigned CombineWidth = (DataWidth < 64) ? 32 : 64,
  /// Joins: 0: there is no unit for numbers in single precision; they are taken for integers.
  parameter int unsigned Floats = 1,
  /// Cycles for which a flit occupies the external channels of each dimension, 0 .. 64 in eight
  /// bits each, dimension 0 lowest: a channel narrower than a flit carries it in several phits. 0
  /// is 1, and the rest is 0. The channel delivers a flit when its last phit is there.
  parameter logic [79:0] Phits = '0,
  /// Message classes, 1 .. 8, each with Vcs / Classes VCs of an external channel and one of an
  /// internal channel, whose vc it is; no joins with more than one.
  parameter int unsigned Classes = 1,
  /// Cycles that a head waits at the front of its buffer for its route, 0 .. 4.
  parameter int unsigned RouteDelay = 0,
  /// Cycles between winning a VC and asking for the switch, 0 .. 4.
  parameter int unsigned VcDelay = 0,
  /// Further cycles of a flit from the switch to the output channel, 0 .. 4.
  parameter int unsigned CrossbarDelay = 0,
  localparam allport_pkg::router_config_t Flat = allport_pkg::router_config(
      Topology, Dimensions, Sides, Ascending, InternalPorts, Vcs, Depth, ReplicationDelay,
      DataWidth, Replication, IntermediateReception, Switching, MaxVia, Adaptive, Balanced, Groups,
      CombineDelay, JoinVcs, CombineWidth, Floats, Phits, Classes, RouteDelay, VcDelay,
      CrossbarDelay),
  /// All of them in one structure, in place of the others: allport_pkg::Torus8x8, say.
  parameter allport_pkg::router_config_t Config = Flat,
  localparam int unsigned Ports = Config.Ports,
  localparam int unsigned VcWidth = Config.VcWidth,
  localparam int unsigned FlitWidth = Config.FlitWidth
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic [Config.AddressWidth-1:0] node_i,
  input  logic [Ports-1:0]               valid_i,
  input  logic [Ports*FlitWidth-1:0]     flit_i,
  output logic [Ports-1:0]               credit_o,     // per input: a place is free again ...
  output logic [Ports*VcWidth-1:0]       credit_vc_o,  // ... in the buffer of this vc
  output logic [Ports-1:0]               valid_o,
  output logic [Ports*FlitWidth-1:0]     flit_o,
  input  logic [Ports-1:0]               credit_i,     // per output
  input  logic [Ports*VcWidth-1:0]       credit_vc_i,
  output logic [Ports*Config.Vcs-1:0]    ack_o,        // per input and vc: a head has been ejected
  input  logic [Ports*Config.Vcs-1:0]    ack_i,        // per output and vc
  output logic                           active_o
);

  if (!Config.IsValid || !allport_pkg::agree(Sides, Side0, Side1, Side2)) begin : gen_invalid
    $error("allport_router: a parameter is out of its range");
  end
  if ((Config != Flat) && (Flat != allport_pkg::Hypercube3)) begin : gen_two_configs
    $error("allport_router: Config is not what the other parameters say");
  end

  allport_router_core #(
    .Config(Config)
  ) u_core (
    .clk_i,
    .rst_ni,
    .node_i,
    .table_write_i(1'b0),
    .table_row_i({Config.RowWidth{1'b0}}),
    .table_hop_i({Config.HopWidth{1'b0}}),
    .phits_i({(8 * Config.ExternalPorts){1'b0}}),
    .repeats_i({Config.ExternalPorts{1'b0}}),
    .valid_i,
    .flit_i,
    .credit_o,
    .credit_vc_o,
    .valid_o,
    .flit_o,
    .credit_i,
    .credit_vc_i,
    .ack_o,
    .ack_i,
    .active_o
  );

endmodule
