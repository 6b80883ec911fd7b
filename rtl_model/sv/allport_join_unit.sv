// SPDX-License-Identifier: Apache-2.0
// The join unit brings together the contributions of a group that meet in this router on their way
// to the root (docs/joins.md). Flits of a join on external inputs never act by themselves: the
// local contribution, at the front of injection input 0, speaks for all. It is ready once each
// expected input has the same flit of the same join at the front of a buffer, each of them for
// CombineDelay cycles, and at the root of a join-tree for ReplicationDelay more. What leaves is the
// local flit with the data of all, combined by port with the local one last; at the root of a
// join-tree its head becomes that of a tree. All operands leave their buffers together. From head
// to tail the unit keeps in which buffers they are. The data beside the CombineWidth lowest bits
// are those of the local flit. With RouteDelay what the local head says, and where the heads of the
// others are, goes through RouteDelay registers: a contribution counts as there so many cycles
// after its head came to the front.

module allport_join_unit #(
  /// The router.
  parameter allport_pkg::router_config_t Config = allport_pkg::Hypercube3Joins,
  localparam int unsigned ExternalPorts = Config.ExternalPorts,
  localparam int unsigned ExternalVcs = Config.ExternalVcs,
  localparam int unsigned InputVcs = ExternalVcs + 1,  // the last one is that of injection input 0
  localparam int unsigned AddressWidth = Config.AddressWidth,
  localparam int unsigned StoredWidth = Config.StoredWidth
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic [AddressWidth-1:0]         node_i,
  input  logic [InputVcs-1:0]             push_i,      // a flit arrives
  input  logic [InputVcs-1:0]             occupied_i,  // there is a front flit ...
  input  logic [InputVcs*StoredWidth-1:0] front_i,     // ... this one
  input  logic [InputVcs-1:0]             done_i,      // it leaves in this cycle
  output logic                            is_join_o,   // a local contribution is at the front ...
  output logic                            is_ready_o,  // ... and takes part
  output logic                            is_lacking_o,  // with RouteDelay: its head does not yet
  output logic [ExternalVcs-1:0]          operands_o,  // if it is ready: where the others are
  output logic [StoredWidth-1:0]          combined_o,  // if it is ready: what leaves
  output logic                            is_waiting_o  // some flit is still under a delay
);

  localparam int unsigned Dimensions = Config.Dimensions;
  localparam int unsigned Vcs = Config.Vcs;
  localparam int unsigned Depth = Config.Depth;
  localparam int unsigned CombineDelay = Config.CombineDelay;
  localparam int unsigned ReplicationDelay = Config.ReplicationDelay;
  localparam int unsigned HeaderWidth = Config.HeaderWidth;
  localparam int unsigned DataWidth = Config.DataWidth;
  localparam int unsigned CombineWidth = Config.CombineWidth;
  localparam int unsigned KindWidth = allport_pkg::KindWidth;
  localparam int unsigned JoinWidth = allport_pkg::JoinWidth;
  localparam int unsigned JoinOffset = HeaderWidth - KindWidth - JoinWidth
      - (Config.NeedsRoom ? allport_pkg::LengthWidth : 0);
  localparam int unsigned TagWidth = 11;
  localparam int unsigned RouteDelay = Config.RouteDelay;

  logic [StoredWidth-1:0] local_flit;
  logic [HeaderWidth-1:0] header;
  allport_pkg::kind_e kind;
  logic is_head, is_tail, leaves, is_kind, becomes_tree, is_complete, is_ripe;
  logic unused_header;
  logic [ExternalPorts-1:0] inputs, found, unused_tree, unused_class;
  logic [ExternalVcs-1:0] matching, fronts;
  logic [4:0] computes;  // type and operation
  // By the local head: whether it counts as there, and what it says; and where the others are.
  logic is_known, head_becomes_tree;
  logic [ExternalPorts-1:0] head_inputs;
  logic [4:0] head_computes;
  logic [ExternalVcs-1:0] heads_of_join;
  // Flits for which the delays have not run out.
  logic [InputVcs-1:0] taking_part, is_unripe, is_unripe_for_tree;
  logic is_waiting_to_combine, is_waiting_for_tree, is_settling;

  // The state from head to tail.
  logic is_open_d, is_open_q, becomes_tree_d, becomes_tree_q;
  logic [ExternalPorts-1:0] inputs_d, inputs_q;
  logic [ExternalVcs-1:0] operands_d, operands_q;
  logic [4:0] computes_d, computes_q;

  assign local_flit = front_i[ExternalVcs * StoredWidth +: StoredWidth];
  assign {is_head, is_tail, kind} = local_flit[StoredWidth-1 -: 2 + KindWidth];
  assign header = local_flit[DataWidth +: HeaderWidth];
  assign is_kind = allport_pkg::is_join(kind);
  assign unused_header = ^header;  // length, via
  assign is_join_o = occupied_i[ExternalVcs] && (is_head ? is_kind : is_open_q);
  assign leaves = is_join_o && done_i[ExternalVcs];

  allport_group_routing #(
    .Config(Config)
  ) u_group_routing (
    .node_i,
    .root_i(header[AddressWidth-1:0]),
    .free_i(header[AddressWidth +: Dimensions]),
    .tree_o(unused_tree),
    .class_o(unused_class),
    .join_o(inputs_d)
  );
  assign inputs = is_head ? head_inputs : inputs_q;
  assign becomes_tree_d = (kind == allport_pkg::KindJoinTree)
      && (header[AddressWidth-1:0] == node_i);
  assign becomes_tree = is_head ? head_becomes_tree : becomes_tree_q;
  assign computes_d = header[JoinOffset + TagWidth +: 5];
  assign computes = is_head ? head_computes : computes_q;

  // Where the heads are: with kind, root, group, tag, operation and type of the local one.
  for (genvar p = 0; p < ExternalPorts; p++) begin : gen_port
    logic [Vcs-1:0] match;

    for (genvar v = 0; v < Vcs; v++) begin : gen_vc
      localparam int unsigned Iv = p * Vcs + v;
      logic [StoredWidth-1:0] flit;
      logic [HeaderWidth-1:0] other;
      logic unused_flit;

      assign unused_flit = ^{flit, other};
      assign flit = front_i[Iv * StoredWidth +: StoredWidth];
      assign other = flit[DataWidth +: HeaderWidth];
      assign match[v] = occupied_i[Iv] && flit[StoredWidth-1]
          && (other[HeaderWidth-1 -: KindWidth] == kind)
          && (other[JoinOffset +: JoinWidth] == header[JoinOffset +: JoinWidth])
          && (other[AddressWidth+Dimensions-1 : 0] == header[AddressWidth+Dimensions-1 : 0]);
    end
    // The lowest one: there is no other.
    assign matching[p * Vcs +: Vcs] = match & (~match + Vcs'(1)) & {Vcs{inputs_d[p]}};
    assign found[p] = fronts[p * Vcs +: Vcs] != '0;
  end

  assign fronts = is_head ? heads_of_join : operands_q & occupied_i[ExternalVcs-1:0];
  assign is_complete = is_join_o && ((inputs & ~found) == '0);
  assign is_ready_o = is_complete && is_ripe && (is_known || !is_head);
  assign operands_o = is_ready_o ? fronts : '0;

  // The delays of all operands, the local one included.
  if (CombineDelay > 0) begin : gen_combine
    allport_replication_delay #(
      .InputVcs(InputVcs),
      .Depth(Depth),
      .ReplicationDelay(CombineDelay)
    ) u_combine_delay (
      .clk_i,
      .rst_ni,
      .push_i(push_i),
      .is_replicated_i({InputVcs{1'b1}}),
      .done_i(done_i),
      .is_held_o(is_unripe),
      .is_waiting_o(is_waiting_to_combine)
    );
  end else begin : gen_no_combine
    assign is_unripe = '0;
    assign is_waiting_to_combine = 1'b0;
  end
  if (ReplicationDelay > 0) begin : gen_root
    allport_replication_delay #(
      .InputVcs(InputVcs),
      .Depth(Depth),
      .ReplicationDelay(CombineDelay + ReplicationDelay)
    ) u_root_delay (
      .clk_i,
      .rst_ni,
      .push_i(push_i),
      .is_replicated_i({InputVcs{1'b1}}),
      .done_i(done_i),
      .is_held_o(is_unripe_for_tree),
      .is_waiting_o(is_waiting_for_tree)
    );
  end else begin : gen_no_root
    assign is_unripe_for_tree = '0;
    assign is_waiting_for_tree = 1'b0;
  end
  if ((CombineDelay == 0) && (ReplicationDelay == 0)) begin : gen_no_delay
    logic unused_delay;
    assign unused_delay = ^{push_i, done_i};
  end

  assign taking_part = {inputs != '0, fronts};
  assign is_ripe =
      (taking_part & (is_unripe | (is_unripe_for_tree & {InputVcs{becomes_tree}}))) == '0;
  assign is_waiting_o = is_waiting_to_combine || is_waiting_for_tree || is_settling;

  if (RouteDelay == 0) begin : gen_at_once
    assign is_known = 1'b1;
    assign head_becomes_tree = becomes_tree_d;
    assign head_computes = computes_d;
    assign head_inputs = inputs_d;
    assign heads_of_join = matching;
    assign is_lacking_o = 1'b0;
    assign is_settling = 1'b0;
  end else begin : gen_registers
    localparam int unsigned WordWidth = 7 + ExternalPorts + ExternalVcs;
    logic [WordWidth-1:0] word;
    logic [RouteDelay*WordWidth-1:0] words, words_d, words_q;
    logic [ExternalPorts-1:0] found_head;
    logic [InputVcs-1:0] heads;
    logic are_heads_ripe;

    assign word = (is_join_o && is_head)
        ? {1'b1, becomes_tree_d, computes_d, inputs_d, matching} : '0;
    assign words = (RouteDelay * WordWidth)'({words_q, word});
    assign words_d = leaves ? '0 : words;
    assign {is_known, head_becomes_tree, head_computes, head_inputs, heads_of_join} =
        words_q[(RouteDelay - 1) * WordWidth +: WordWidth];
    assign is_settling = words != words_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) words_q <= '0;
      else words_q <= words_d;
    end

    // Whether the local head may ask for VCs follows from registers alone.
    for (genvar p = 0; p < ExternalPorts; p++) begin : gen_found
      assign found_head[p] = heads_of_join[p * Vcs +: Vcs] != '0;
    end
    assign heads = {head_inputs != '0, heads_of_join};
    assign are_heads_ripe =
        (heads & (is_unripe | (is_unripe_for_tree & {InputVcs{head_becomes_tree}}))) == '0;
    assign is_lacking_o =
        is_known && (((head_inputs & ~found_head) != '0) || !are_heads_ripe);
  end

  // A left fold: external inputs by port, the local one last.
  logic [CombineWidth-1:0] folded;

  for (genvar p = 0; p < ExternalPorts; p++) begin : gen_fold
    logic [CombineWidth-1:0] word, below, both, sofar;  // below: of the ports below
    logic has_any;

    if (p == 0) begin : gen_first
      assign below = '0;
      assign has_any = 1'b0;
    end else begin : gen_next
      assign below = gen_fold[p-1].sofar;
      assign has_any = found[p-1:0] != '0;
    end
    always_comb begin
      word = '0;
      for (int unsigned v = 0; v < Vcs; v++) begin
        if (fronts[p * Vcs + v]) begin
          word = word | front_i[(p * Vcs + v) * StoredWidth +: CombineWidth];
        end
      end
    end
    allport_combine #(
      .Width(CombineWidth),
      .HasFloats(Config.Floats)
    ) u_combine (
      .operation_i(computes[2:0]),
      .type_i(computes[4:3]),
      .first_i(below),
      .second_i(word),
      .result_o(both)
    );
    assign sofar = !found[p] ? below : has_any ? both : word;
  end

  allport_combine #(
    .Width(CombineWidth),
    .HasFloats(Config.Floats)
  ) u_combine_local (
    .operation_i(computes[2:0]),
    .type_i(computes[4:3]),
    .first_i(gen_fold[ExternalPorts-1].sofar),
    .second_i(local_flit[CombineWidth-1:0]),
    .result_o(folded)
  );

  always_comb begin
    combined_o = local_flit;
    if (found != '0) combined_o[CombineWidth-1:0] = folded;
    if (is_head && becomes_tree) combined_o[StoredWidth-3 -: KindWidth] = allport_pkg::KindTree;
  end

  assign is_open_d = leaves ? !is_tail : is_open_q;
  assign operands_d = fronts;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      is_open_q <= 1'b0;
      becomes_tree_q <= 1'b0;
      inputs_q <= '0;
      operands_q <= '0;
      computes_q <= '0;
    end else begin
      is_open_q <= is_open_d;
      if (leaves && is_head) begin
        becomes_tree_q <= becomes_tree_d;
        inputs_q <= inputs_d;
        operands_q <= operands_d;
        computes_q <= computes_d;
      end
    end
  end

endmodule
