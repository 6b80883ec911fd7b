// SPDX-License-Identifier: Apache-2.0
// The join unit brings together the contributions of a group that meet in this router on their way
// to the root (docs/joins.md). Flits of a join on external inputs never act by themselves: the
// local contribution, at the front of injection input 0, speaks for all. It is ready once each
// expected input has the same flit of the same join at the front of a buffer, each of them for
// CombineDelay cycles, and at the root of a join-tree for ReplicationDelay more. What leaves is the
// local flit with the data of all, combined by port with the local one last; at the root of a
// join-tree its head becomes that of a tree. All operands leave their buffers together. From head
// to tail the unit keeps in which buffers they are. The data beside the CombineWidth lowest bits
// are those of the local flit.

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
  output logic [ExternalVcs-1:0]          operands_o,  // if it is ready: where the others are
  output logic [StoredWidth-1:0]          combined_o,  // if it is ready: what leaves
  output logic                            is_waiting_o  // some flit is still under the delay
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

  logic [StoredWidth-1:0] local_flit;
  logic [HeaderWidth-1:0] header;
  allport_pkg::kind_e kind;
  logic is_head, is_tail, leaves, is_kind, becomes_tree, is_complete, is_ripe;
  logic unused_header;
  logic [ExternalPorts-1:0] inputs, found, unused_tree, unused_class;
  logic [ExternalVcs-1:0] heads_of_join, fronts;
  logic [4:0] computes;  // type and operation

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
  assign inputs = is_head ? inputs_d : inputs_q;
  assign becomes_tree_d = (kind == allport_pkg::KindJoinTree)
      && (header[AddressWidth-1:0] == node_i);
  assign becomes_tree = is_head ? becomes_tree_d : becomes_tree_q;
  assign computes_d = header[JoinOffset + TagWidth +: 5];
  assign computes = is_head ? computes_d : computes_q;

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
    assign heads_of_join[p * Vcs +: Vcs] = match & (~match + Vcs'(1)) & {Vcs{inputs_d[p]}};
    assign found[p] = fronts[p * Vcs +: Vcs] != '0;
  end

  assign fronts = is_head ? heads_of_join : operands_q & occupied_i[ExternalVcs-1:0];
  assign is_complete = is_join_o && ((inputs & ~found) == '0);
  assign is_ready_o = is_complete && is_ripe;
  assign operands_o = is_ready_o ? fronts : '0;

  // The delay of all operands, the local one included.
  if ((CombineDelay > 0) || (ReplicationDelay > 0)) begin : gen_delay
    logic [InputVcs-1:0] taking_part, is_held, is_held_longer;
    logic is_waiting, is_waiting_longer;

    assign taking_part = {inputs != '0, fronts};
    if (CombineDelay > 0) begin : gen_combine
      allport_replication_delay #(
        .InputVcs(InputVcs),
        .Depth(Depth),
        .ReplicationDelay(CombineDelay)
      ) u_combine_delay (
        .clk_i,
        .rst_ni,
        .push_i(push_i),
        .is_replicated_i(taking_part),
        .done_i(done_i),
        .is_held_o(is_held),
        .is_waiting_o(is_waiting)
      );
    end else begin : gen_no_combine
      assign is_held = '0;
      assign is_waiting = 1'b0;
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
        .is_replicated_i(taking_part & {InputVcs{becomes_tree}}),
        .done_i(done_i),
        .is_held_o(is_held_longer),
        .is_waiting_o(is_waiting_longer)
      );
    end else begin : gen_no_root
      assign is_held_longer = '0;
      assign is_waiting_longer = 1'b0;
    end
    assign is_ripe = (is_held | is_held_longer) == '0;
    assign is_waiting_o = is_waiting || is_waiting_longer;
  end else begin : gen_no_delay
    logic unused_delay;

    assign is_ripe = 1'b1;
    assign is_waiting_o = 1'b0;
    assign unused_delay = ^{push_i, done_i};
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
