// SPDX-License-Identifier: Apache-2.0
// The all-port wormhole router. Contract (docs/router.md):
// a flit on an input in cycle c that is not held up is on the output channel in cycle c + 1; one
// flit per cycle and channel; its credit is on the wire in cycle c + 1 as well. A flit is sent only
// on a credit; an output VC belongs to one worm from its head to its tail. All outputs are
// registers. While active_o, valid_i, credit_i and ack_i are low the clock may be stopped. Port p
// has slice p of each vector, external ports first; a flit is, from the top: head, tail, vc, kind,
// length, via, ties, address, data (allport_pkg says which of them exist). Acknowledgements are for
// circuit switching; otherwise ack_i is ignored, and ack_o is low.

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
  localparam allport_pkg::router_config_t Flat = allport_pkg::router_config(
      Topology, Dimensions, Sides, Ascending, InternalPorts, Vcs, Depth, ReplicationDelay,
      DataWidth, Replication, IntermediateReception, Switching, MaxVia, Adaptive, Balanced, Groups,
      CombineDelay, JoinVcs, CombineWidth, Floats, Phits, Classes),
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

  localparam int unsigned KindWidth = allport_pkg::KindWidth;
  localparam int unsigned LengthWidth = allport_pkg::LengthWidth;
  localparam int unsigned ExternalPorts = Config.ExternalPorts;
  localparam int unsigned ExternalVcs = Config.ExternalVcs;
  localparam int unsigned InputVcs = Config.InputVcs;
  localparam int unsigned OutputVcs = InputVcs;
  localparam int unsigned HeaderWidth = Config.HeaderWidth;
  localparam int unsigned StoredWidth = Config.StoredWidth;

  if (!Config.IsValid || !allport_pkg::agree(Sides, Side0, Side1, Side2)) begin : gen_invalid
    $error("allport_router: a parameter is out of its range");
  end
  if ((Config != Flat) && (Flat != allport_pkg::Hypercube3)) begin : gen_two_configs
    $error("allport_router: Config is not what the other parameters say");
  end

  logic [InputVcs-1:0] push, occupied, head, tail, done, left, is_whole, may_act;
  logic [InputVcs*HeaderWidth-1:0] header;
  logic [InputVcs*StoredWidth-1:0] front, offered;
  logic [ExternalVcs-1:0] operands;
  logic [InputVcs-1:0] is_join, is_tree;
  logic [InputVcs*LengthWidth-1:0] length;
  logic [InputVcs-1:0] is_routing, is_stripped, vc_class, any_class, is_replicated, free, is_owner;
  logic [InputVcs*KindWidth-1:0] kind;
  logic [InputVcs*ExternalPorts-1:0] external, branch_class;
  logic [InputVcs*Config.InternalPorts-1:0] copies;
  logic [InputVcs*Ports-1:0] outputs;
  logic [Ports*InputVcs-1:0] pending, take;
  logic [OutputVcs*InputVcs-1:0] owner;
  logic [InputVcs-1:0] chosen;
  logic [Ports*Ports-1:0] grant;
  logic [Ports*VcWidth-1:0] vc;
  logic [OutputVcs-1:0] spent;
  logic [Ports-1:0] is_busy;
  logic is_granting, is_waiting, is_combining, is_passing, active_d, active_q;

  // Accept: a flit on the wires joins its buffer; release: a flit that all branches took leaves it.
  allport_input_buffer #(
    .Config(Config)
  ) u_input_buffer (
    .clk_i,
    .rst_ni,
    .valid_i,
    .flit_i,
    .credit_o,
    .credit_vc_o,
    .push_o(push),
    .occupied_o(occupied),
    .head_o(head),
    .tail_o(tail),
    .is_whole_o(is_whole),
    .header_o(header),
    .front_o(front),
    .pop_i(left)
  );

  // Route: the heads that have come to the front.
  allport_route_computation #(
    .Config(Config)
  ) u_route_computation (
    .clk_i,
    .rst_ni,
    .node_i,
    .head_i(head),
    .header_i(header),
    .free_i(free),
    .is_owner_i(is_owner),
    .is_routing_o(is_routing),
    .is_stripped_o(is_stripped),
    .external_o(external),
    .copies_i(copies),
    .outputs_o(outputs),
    .vc_class_o(vc_class),
    .any_class_o(any_class),
    .branch_class_o(branch_class),
    .is_join_o(is_join),
    .is_tree_o(is_tree),
    .is_replicated_o(is_replicated),
    .clear_i(left & tail)
  );

  for (genvar iv = 0; iv < InputVcs; iv++) begin : gen_kind
    assign kind[iv * KindWidth +: KindWidth] =
        header[(iv + 1) * HeaderWidth - KindWidth +: KindWidth];
    if (Config.NeedsRoom) begin : gen_length
      assign length[iv * LengthWidth +: LengthWidth] =
          header[(iv + 1) * HeaderWidth - KindWidth - LengthWidth +: LengthWidth];
    end else begin : gen_no_length
      assign length[iv * LengthWidth +: LengthWidth] = '0;
    end
  end

  if (Config.IntermediateReception) begin : gen_intermediate_reception
    allport_reception_unit #(
      .Config(Config)
    ) u_reception_unit (
      .is_routing_i(is_routing),
      .kind_i(kind),
      .is_stripped_i(is_stripped),
      .external_i(external),
      .copies_o(copies)
    );
  end else begin : gen_ejection
    allport_ejection_unit #(
      .Config(Config)
    ) u_ejection_unit (
      .is_routing_i(is_routing),
      .kind_i(kind),
      .is_stripped_i(is_stripped),
      .external_i(external),
      .copies_o(copies)
    );
  end

  // Join: until all contributions are there, none of them takes part; then the local one does, with
  // the data of all, and they leave together.
  if (Config.HasJoins) begin : gen_join
    logic [StoredWidth-1:0] combined;
    logic is_contribution, is_ready;

    allport_join_unit #(
      .Config(Config)
    ) u_join_unit (
      .clk_i,
      .rst_ni,
      .node_i,
      .push_i(push[ExternalVcs:0]),
      .occupied_i(occupied[ExternalVcs:0]),
      .front_i(front[(ExternalVcs + 1) * StoredWidth - 1 : 0]),
      .done_i(left[ExternalVcs:0]),
      .is_join_o(is_contribution),
      .is_ready_o(is_ready),
      .operands_o(operands),
      .combined_o(combined),
      .is_waiting_o(is_combining)
    );

    always_comb begin
      may_act = occupied;
      may_act[ExternalVcs] = occupied[ExternalVcs] && (!is_contribution || is_ready);
      offered = front;
      if (is_contribution) offered[ExternalVcs * StoredWidth +: StoredWidth] = combined;
      left = done;
      if (done[ExternalVcs]) left[ExternalVcs-1:0] = done[ExternalVcs-1:0] | operands;
    end
  end else begin : gen_no_join
    assign may_act = occupied;
    assign offered = front;
    assign left = done;
    assign operands = '0;
    assign is_combining = 1'b0;
  end

  // Allocate: output VCs to heads, then the switch to flits that have a VC and a credit.
  allport_vc_allocator #(
    .Config(Config)
  ) u_vc_allocator (
    .clk_i,
    .rst_ni,
    .pending_i(pending),
    .head_i(head),
    .vc_class_i(vc_class),
    .any_class_i(any_class),
    .branch_class_i(branch_class),
    .is_join_i(is_join),
    .is_tree_i(is_tree),
    .free_o(free),
    .is_owner_o(is_owner),
    .is_granting_o(is_granting),
    .owner_o(owner),
    .spent_i(spent),
    .tail_i(tail)
  );

  allport_switch_allocator #(
    .Config(Config)
  ) u_switch_allocator (
    .clk_i,
    .rst_ni,
    .credit_i,
    .credit_vc_i,
    .head_i(head),
    .length_i(length),
    .is_whole_i(is_whole),
    .pending_i(pending),
    .owner_i(owner),
    .operands_i(operands),
    .chosen_o(chosen),
    .grant_o(grant),
    .vc_o(vc),
    .take_o(take),
    .spent_o(spent),
    .is_busy_o(is_busy)
  );

  // Replicate: which branches still wait for the front flit. Deposit worms have two of them.
  if (Config.Replication || Config.IntermediateReception) begin : gen_replication
    allport_replication_unit #(
      .Config(Config)
    ) u_replication_unit (
      .clk_i,
      .rst_ni,
      .push_i(push),
      .outputs_i(outputs),
      .occupied_i(may_act),
      .is_replicated_i(is_replicated),
      .pending_o(pending),
      .take_i(take),
      .done_o(done),
      .left_i(left),
      .is_waiting_o(is_waiting)
    );
  end else begin : gen_single_branch
    allport_single_branch #(
      .Config(Config)
    ) u_single_branch (
      .clk_i,
      .rst_ni,
      .push_i(push),
      .outputs_i(outputs),
      .occupied_i(may_act),
      .is_replicated_i(is_replicated),
      .pending_o(pending),
      .take_i(take),
      .done_o(done),
      .is_waiting_o(is_waiting)
    );
  end

  // Traverse: the copies go out in the next cycle.
  allport_crossbar #(
    .Config(Config)
  ) u_crossbar (
    .clk_i,
    .rst_ni,
    .node_i,
    .front_i(offered),
    .chosen_i(chosen),
    .grant_i(grant),
    .vc_i(vc),
    .valid_o,
    .flit_o
  );

  if (Config.Switching == allport_pkg::SwitchingCircuit) begin : gen_acknowledgement
    allport_acknowledgement_unit #(
      .Config(Config)
    ) u_acknowledgement_unit (
      .clk_i,
      .rst_ni,
      .ack_i,
      .owner_i(owner),
      .ack_o,
      .is_passing_o(is_passing)
    );
  end else begin : gen_no_acknowledgement
    logic unused_ack;

    assign ack_o = '0;
    assign is_passing = 1'b0;
    assign unused_ack = ^ack_i;
  end

  assign active_d = is_granting || is_waiting || is_combining || is_passing || (grant != '0)
      || (is_busy != '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) active_q <= 1'b0;
    else active_q <= active_d;
  end

  assign active_o = active_q;

endmodule
