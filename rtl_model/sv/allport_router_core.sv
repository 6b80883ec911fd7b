// SPDX-License-Identifier: Apache-2.0
// The units of a router, joined: what allport_router and allport_table_router have in common; their
// contracts are its own. Without a table the pins of the table and phits_i are ignored; with one,
// node_i. repeats_i is for channels with retry: nothing is decided for these outputs.

module allport_router_core #(
  /// The router.
  parameter allport_pkg::router_config_t Config = allport_pkg::Hypercube3,
  localparam int unsigned Ports = Config.Ports,
  localparam int unsigned VcWidth = Config.VcWidth,
  localparam int unsigned FlitWidth = Config.FlitWidth
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic [Config.AddressWidth-1:0]    node_i,
  input  logic                              table_write_i,
  input  logic [Config.RowWidth-1:0]        table_row_i,
  input  logic [Config.HopWidth-1:0]        table_hop_i,
  input  logic [8*Config.ExternalPorts-1:0] phits_i,
  input  logic [Config.ExternalPorts-1:0]   repeats_i,
  input  logic [Ports-1:0]                  valid_i,
  input  logic [Ports*FlitWidth-1:0]        flit_i,
  output logic [Ports-1:0]                  credit_o,
  output logic [Ports*VcWidth-1:0]          credit_vc_o,
  output logic [Ports-1:0]                  valid_o,
  output logic [Ports*FlitWidth-1:0]        flit_o,
  input  logic [Ports-1:0]                  credit_i,
  input  logic [Ports*VcWidth-1:0]          credit_vc_i,
  output logic [Ports*Config.Vcs-1:0]       ack_o,
  input  logic [Ports*Config.Vcs-1:0]       ack_i,
  output logic                              active_o
);

  localparam int unsigned KindWidth = allport_pkg::KindWidth;
  localparam int unsigned LengthWidth = allport_pkg::LengthWidth;
  localparam int unsigned ExternalPorts = Config.ExternalPorts;
  localparam int unsigned ExternalVcs = Config.ExternalVcs;
  localparam int unsigned InputVcs = Config.InputVcs;
  localparam int unsigned OutputVcs = InputVcs;
  localparam int unsigned HeaderWidth = Config.HeaderWidth;
  localparam int unsigned StoredWidth = Config.StoredWidth;
  // The last register of a route is that of the branches; with Adaptive a head chooses in each
  // cycle, so all of them are before route computation.
  localparam int unsigned HeadStages = (Config.RouteDelay == 0) ? 0
      : Config.Adaptive ? Config.RouteDelay : Config.RouteDelay - 1;

  logic [InputVcs-1:0] push, occupied, head, tail, done, left, is_whole, may_act;
  logic [InputVcs*HeaderWidth-1:0] header;
  logic [InputVcs-1:0] arrived;  // heads that are to be routed
  logic [InputVcs*HeaderWidth-1:0] arrived_header;
  logic [InputVcs-1:0] may_ask, asks;  // they may ask for VCs; without joins that are not ready
  logic [InputVcs*StoredWidth-1:0] front, offered;
  logic [ExternalVcs-1:0] operands;
  logic [InputVcs-1:0] is_join, is_tree;
  logic [InputVcs*LengthWidth-1:0] length;
  logic [InputVcs-1:0] is_routing, is_stripped, any_class, is_replicated, free, is_owner;
  logic [InputVcs*Config.ClassWidth-1:0] vc_class;
  logic [InputVcs*Config.HopWidth-1:0] hop;
  logic [InputVcs*KindWidth-1:0] kind;
  logic [InputVcs*ExternalPorts-1:0] external, branch_class;
  logic [InputVcs*Config.InternalPorts-1:0] copies;
  logic [InputVcs*Ports-1:0] outputs;
  logic [Ports*InputVcs-1:0] asking, pending, take;
  logic [OutputVcs*InputVcs-1:0] owner, sender;
  logic [InputVcs-1:0] chosen;
  logic [Ports*Ports-1:0] grant;
  logic [Ports*VcWidth-1:0] vc;
  logic [OutputVcs-1:0] spent, has_all;
  logic [Ports-1:0] is_busy;
  logic is_granting, is_waiting, is_combining, is_passing, is_in_pipeline, active_d, active_q;
  logic is_arriving, is_owner_waiting, is_crossing;

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

  // Route: the heads that have come to the front, by their rows of the table if there is one.
  if (HeadStages > 0) begin : gen_head_register
    allport_head_register #(
      .Config(Config),
      .Stages(HeadStages)
    ) u_head_register (
      .clk_i,
      .rst_ni,
      .head_i(head),
      .header_i(header),
      .left_i(left),
      .head_o(arrived),
      .header_o(arrived_header),
      .is_waiting_o(is_arriving)
    );
  end else begin : gen_no_head_register
    assign arrived = head;
    assign arrived_header = header;
    assign is_arriving = 1'b0;
  end

  if (Config.Tables > 0) begin : gen_table
    allport_routing_table #(
      .Config(Config)
    ) u_routing_table (
      .clk_i,
      .write_i(table_write_i),
      .row_i(table_row_i),
      .hop_i(table_hop_i),
      .header_i(arrived_header),
      .hop_o(hop)
    );
  end else begin : gen_no_table
    logic unused_table;

    assign hop = '0;
    assign unused_table = ^{table_write_i, table_row_i, table_hop_i};
  end

  allport_route_computation #(
    .Config(Config)
  ) u_route_computation (
    .clk_i,
    .rst_ni,
    .node_i,
    .head_i(arrived),
    .header_i(arrived_header),
    .hop_i(hop),
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
        arrived_header[(iv + 1) * HeaderWidth - KindWidth +: KindWidth];
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

  // Heads ask for VCs. Behind the register of the route no other flit lacks one, so what arrives
  // need not be looked at.
  assign may_ask = (Config.RouteDelay == 0) ? head : '1;

  // Join: until all contributions are there, none of them takes part; then the local one does, with
  // the data of all, and they leave together.
  if (Config.HasJoins) begin : gen_join
    logic [StoredWidth-1:0] combined;
    logic is_contribution, is_ready, is_lacking;

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
      .is_lacking_o(is_lacking),
      .operands_o(operands),
      .combined_o(combined),
      .is_waiting_o(is_combining)
    );

    always_comb begin
      may_act = occupied;
      may_act[ExternalVcs] = occupied[ExternalVcs] && (!is_contribution || is_ready);
      asks = may_ask;
      asks[ExternalVcs] = may_ask[ExternalVcs] && !is_lacking;
      offered = front;
      if (is_contribution) offered[ExternalVcs * StoredWidth +: StoredWidth] = combined;
      left = done;
      if (done[ExternalVcs]) left[ExternalVcs-1:0] = done[ExternalVcs-1:0] | operands;
    end
  end else begin : gen_no_join
    assign may_act = occupied;
    assign asks = may_ask;
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
    .pending_i(asking),
    .head_i(asks),
    .vc_class_i(vc_class),
    .any_class_i(any_class),
    .branch_class_i(branch_class),
    .is_join_i(is_join),
    .is_tree_i(is_tree),
    .has_all_i(has_all),
    .free_o(free),
    .is_owner_o(is_owner),
    .is_granting_o(is_granting),
    .is_waiting_o(is_owner_waiting),
    .owner_o(owner),
    .sender_o(sender),
    .spent_i(spent),
    .tail_i(tail)
  );

  allport_switch_allocator #(
    .Config(Config)
  ) u_switch_allocator (
    .clk_i,
    .rst_ni,
    .phits_i,
    .repeats_i,
    .credit_i,
    .credit_vc_i,
    .head_i(head),
    .length_i(length),
    .is_whole_i(is_whole),
    .pending_i(pending),
    .owner_i(sender),
    .operands_i(operands),
    .chosen_o(chosen),
    .grant_o(grant),
    .vc_o(vc),
    .take_o(take),
    .spent_o(spent),
    .has_all_o(has_all),
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
      .asks_i(asks),
      .asking_o(asking),
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
      .asks_i(asks),
      .asking_o(asking),
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
    .flit_o,
    .is_crossing_o(is_crossing)
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
    assign unused_ack = ^{ack_i, owner};
  end

  // A delay of the pipeline is running out.
  assign is_in_pipeline = is_arriving || is_owner_waiting || is_crossing
      || ((Config.RouteDelay > 0) && !Config.Adaptive && (is_routing != '0));
  assign active_d = is_granting || is_waiting || is_combining || is_passing || (grant != '0)
      || (is_busy != '0) || is_in_pipeline;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) active_q <= 1'b0;
    else active_q <= active_d;
  end

  assign active_o = active_q;

endmodule
