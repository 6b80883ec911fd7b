// SPDX-License-Identifier: Apache-2.0
// The all-port wormhole router with retry on its external channels (docs/router.md): what comes in
// error over one of them is sent once more. Its contract, its parameters and its pins are those of
// allport_router, but for these: on each external channel a checksum goes beside the flit, and a
// nack goes back like a credit. valid, credits, acknowledgements and nacks are on wires that do not
// err. While nack_i and what allport_router names are low, and active_o is, the clock may be
// stopped. Behind the registers of the external outputs there are the choice between register and
// replay line, and the checksum; before the external inputs there is its check.

module allport_retry_router #(

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
  /// The words of the replay lines of each dimension, sixteen bits each, dimension 0 lowest:
  /// D = 2 s + 2 d + CrossbarDelay, with the Phits s, at least 1, and the delay d, 0 .. 1024, of
  /// its channels. 0: they have no retry. The rest is 0.
  parameter logic [159:0] Retry = '0,
  localparam allport_pkg::router_config_t Config = allport_pkg::router_config(
      Topology, Dimensions, Sides, Ascending, InternalPorts, Vcs, Depth, ReplicationDelay,
      DataWidth, Replication, IntermediateReception, Switching, MaxVia, Adaptive, Balanced, Groups,
      CombineDelay, JoinVcs, CombineWidth, Floats, Phits, Classes, RouteDelay, VcDelay,
      CrossbarDelay),
  localparam int unsigned ExternalPorts = Config.ExternalPorts,
  localparam int unsigned Ports = Config.Ports,
  localparam int unsigned VcWidth = Config.VcWidth,
  localparam int unsigned FlitWidth = Config.FlitWidth
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic [Config.AddressWidth-1:0] node_i,
  input  logic [Ports-1:0]               valid_i,
  input  logic [Ports*FlitWidth-1:0]     flit_i,
  input  logic [16*ExternalPorts-1:0]    checksum_i,   // of the flit on each external input
  output logic [ExternalPorts-1:0]       nack_o,       // per external input: one was wrong
  output logic [Ports-1:0]               credit_o,
  output logic [Ports*VcWidth-1:0]       credit_vc_o,
  output logic [Ports-1:0]               valid_o,
  output logic [Ports*FlitWidth-1:0]     flit_o,
  output logic [16*ExternalPorts-1:0]    checksum_o,
  input  logic [ExternalPorts-1:0]       nack_i,       // per external output
  input  logic [Ports-1:0]               credit_i,
  input  logic [Ports*VcWidth-1:0]       credit_vc_i,
  output logic [Ports*Config.Vcs-1:0]    ack_o,
  input  logic [Ports*Config.Vcs-1:0]    ack_i,
  output logic                           active_o
);

  if (!Config.IsValid || !allport_pkg::agree(Sides, Side0, Side1, Side2)
      || !allport_pkg::are_replays(Dimensions, Retry, Phits, CrossbarDelay)) begin : gen_invalid
    $error("allport_retry_router: a parameter is out of its range");
  end

  logic [Ports-1:0] valid, leaving;           // behind the receivers, before the senders
  logic [Ports*FlitWidth-1:0] leaving_flit;
  logic [ExternalPorts-1:0] repeats, is_sending, is_discarding;
  logic is_core_active;

  for (genvar p = 0; p < ExternalPorts; p++) begin : gen_channel
    localparam int unsigned Replay =
        32'(Retry[16 * allport_pkg::dimension_of(Topology, p) +: 16]);
    localparam logic [7:0] PortPhits = Config.PortPhits[8 * p +: 8];

    if (Replay > 0) begin : gen_retry
      allport_retry_receiver #(
        .Width(FlitWidth),
        .Retry(Replay)
      ) u_receiver (
        .clk_i,
        .rst_ni,
        .valid_i(valid_i[p]),
        .flit_i(flit_i[p * FlitWidth +: FlitWidth]),
        .checksum_i(checksum_i[16 * p +: 16]),
        .valid_o(valid[p]),
        .nack_o(nack_o[p]),
        .is_active_o(is_discarding[p])
      );

      allport_retry_sender #(
        .Width(FlitWidth),
        .Retry(Replay),
        .Phits((PortPhits > 8'd1) ? 32'(PortPhits) : 1),
        .CrossbarDelay(CrossbarDelay)
      ) u_sender (
        .clk_i,
        .rst_ni,
        .valid_i(leaving[p]),
        .flit_i(leaving_flit[p * FlitWidth +: FlitWidth]),
        .nack_i(nack_i[p]),
        .valid_o(valid_o[p]),
        .flit_o(flit_o[p * FlitWidth +: FlitWidth]),
        .checksum_o(checksum_o[16 * p +: 16]),
        .is_busy_o(repeats[p]),
        .is_active_o(is_sending[p])
      );
    end else begin : gen_no_retry
      logic unused_retry;

      assign valid[p] = valid_i[p];
      assign nack_o[p] = 1'b0;
      assign valid_o[p] = leaving[p];
      assign flit_o[p * FlitWidth +: FlitWidth] = leaving_flit[p * FlitWidth +: FlitWidth];
      assign checksum_o[16 * p +: 16] = '0;
      assign repeats[p] = 1'b0;
      assign is_sending[p] = 1'b0;
      assign is_discarding[p] = 1'b0;
      assign unused_retry = ^{checksum_i[16 * p +: 16], nack_i[p]};
    end
  end

  assign valid[Ports-1:ExternalPorts] = valid_i[Ports-1:ExternalPorts];
  assign valid_o[Ports-1:ExternalPorts] = leaving[Ports-1:ExternalPorts];
  assign flit_o[Ports*FlitWidth-1 : ExternalPorts*FlitWidth] =
      leaving_flit[Ports*FlitWidth-1 : ExternalPorts*FlitWidth];
  assign active_o = is_core_active || (is_sending != '0) || (is_discarding != '0);

  allport_router_core #(
    .Config(Config)
  ) u_core (
    .clk_i,
    .rst_ni,
    .node_i,
    .table_write_i(1'b0),
    .table_row_i({Config.RowWidth{1'b0}}),
    .table_hop_i({Config.HopWidth{1'b0}}),
    .phits_i({(8 * ExternalPorts){1'b0}}),
    .repeats_i(repeats),
    .valid_i(valid),
    .flit_i,
    .credit_o,
    .credit_vc_o,
    .valid_o(leaving),
    .flit_o(leaving_flit),
    .credit_i,
    .credit_vc_i,
    .ack_o,
    .ack_i,
    .active_o(is_core_active)
  );

endmodule
