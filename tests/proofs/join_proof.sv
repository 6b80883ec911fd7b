// SPDX-License-Identifier: Apache-2.0
// allport_join_unit: a join is ready only if each input that is expected has one operand, at the
// front of a buffer and with the same ends as the local flit; behind its head the operands stay in
// the buffers of the heads, it is ready when all of them have a flit (where there is no delay), and
// no buffer gives more or fewer flits than the local one: no operand is lost or used twice, and
// none gets out of step. Demanded: operands leave with the local flit and not by themselves, which
// is what the router does; and contributions to one join have the same length.

module join_proof #(
  parameter int unsigned Topology = 0,
  parameter int unsigned Dimensions = 2,
  parameter logic [47:0] Sides = 48'd0,
  parameter int unsigned Vcs = 1,
  parameter int unsigned CombineDelay = 0,
  localparam allport_pkg::router_config_t Config = allport_pkg::router_config(
      Topology, Dimensions, Sides, 0, 1, Vcs, 2, 0, 32, 1, 1, 0, 0, 0, 0, allport_pkg::GroupsJoins,
      CombineDelay, 0, 32, 0, '0, 1, 0, 0, 0),
  localparam int unsigned ExternalPorts = Config.ExternalPorts,
  localparam int unsigned ExternalVcs = Config.ExternalVcs,
  localparam int unsigned InputVcs = ExternalVcs + 1,
  localparam int unsigned AddressWidth = Config.AddressWidth,
  localparam int unsigned HeaderWidth = Config.HeaderWidth,
  localparam int unsigned StoredWidth = Config.StoredWidth,
  localparam int unsigned CountWidth = 3
) (
  input logic                            clk_i,
  input logic                            rst_ni,
  input logic [AddressWidth-1:0]         node_i,
  input logic [InputVcs-1:0]             push_i,
  input logic [InputVcs-1:0]             occupied_i,
  input logic [InputVcs*StoredWidth-1:0] front_i,
  input logic [InputVcs-1:0]             leaves_i  // what is no operand leaves
);

  localparam int unsigned Local = ExternalVcs;

  logic is_join, is_ready, is_lacking, is_waiting, local_head, local_tail;
  logic [ExternalVcs-1:0] operands;
  logic [StoredWidth-1:0] combined;
  logic [InputVcs-1:0] done;
  (* hierconn *) wire [ExternalPorts-1:0] \u_join_unit.inputs ;
  (* hierconn *) wire [ExternalVcs-1:0] \u_join_unit.operands_q ;
  (* hierconn *) wire \u_join_unit.is_open_q ;
  (* hierconn *) wire [ExternalPorts-1:0] \u_join_unit.inputs_q ;

  allport_join_unit #(
    .Config(Config)
  ) u_join_unit (
    .clk_i,
    .rst_ni,
    .node_i,
    .push_i,
    .occupied_i,
    .front_i,
    .done_i(done),
    .is_join_o(is_join),
    .is_ready_o(is_ready),
    .is_lacking_o(is_lacking),
    .operands_o(operands),
    .combined_o(combined),
    .is_waiting_o(is_waiting)
  );

  assign {local_head, local_tail} = front_i[(Local + 1) * StoredWidth - 2 +: 2];

  // The ghost of a join from its head to its tail: the buffers of its operands, and how many flits
  // have left each of them, and that of the local contribution.
  logic is_inside_q, leaves_as_one;
  logic [ExternalVcs-1:0] ghost_q, acts;
  logic [InputVcs*CountWidth-1:0] count_q;
  logic [InputVcs-1:0] in_step;
  logic [ExternalPorts-1:0] has_one, has_some, keeps_port;
  logic [ExternalVcs-1:0] ends_alike, is_free;

  assign leaves_as_one = is_join && is_ready && leaves_i[Local];
  assign done[Local] = is_join ? leaves_as_one : leaves_i[Local] && occupied_i[Local];
  // Operands of the join under way never act by themselves; nor do those that wait for it.
  assign acts = is_inside_q ? ~ghost_q : '1;
  assign done[ExternalVcs-1:0] = leaves_as_one ? operands
      : (leaves_i[ExternalVcs-1:0] & occupied_i[ExternalVcs-1:0] & acts
         & ~(is_join ? operands : '0));

  for (genvar p = 0; p < ExternalPorts; p++) begin : gen_port
    logic [Vcs-1:0] own, kept;

    assign own = operands[p * Vcs +: Vcs];
    assign kept = \u_join_unit.operands_q [p * Vcs +: Vcs];
    assign has_some[p] = own != '0;
    assign has_one[p] = (own & (own - Vcs'(1))) == '0;
    assign keeps_port[p] = ((kept != '0) == \u_join_unit.inputs_q [p])
        && ((kept & (kept - Vcs'(1))) == '0);
  end

  for (genvar iv = 0; iv < InputVcs; iv++) begin : gen_count
    logic is_counted;

    if (iv < ExternalVcs) begin : gen_operand
      assign is_counted = is_inside_q ? ghost_q[iv] : 1'b0;
      assign ends_alike[iv] = !operands[iv]
          || (front_i[(iv + 1) * StoredWidth - 2 +: 2] == {local_head, local_tail});
      assign is_free[iv] = !operands[iv] || occupied_i[iv];
      assign in_step[iv] = !is_counted
          || (count_q[iv * CountWidth +: CountWidth] == count_q[Local * CountWidth +: CountWidth]);
    end else begin : gen_local
      assign is_counted = 1'b1;
      assign in_step[iv] = is_counted;
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) count_q[iv * CountWidth +: CountWidth] <= '0;
      else if (leaves_as_one && local_head) begin
        count_q[iv * CountWidth +: CountWidth] <= CountWidth'(done[iv]);
      end else begin
        count_q[iv * CountWidth +: CountWidth] <=
            count_q[iv * CountWidth +: CountWidth] + CountWidth'(done[iv]);
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      is_inside_q <= 1'b0;
      ghost_q <= '0;
    end else if (leaves_as_one) begin
      is_inside_q <= !local_tail;
      if (local_head) ghost_q <= operands;
    end
  end

  initial assume (!rst_ni);

  always_comb begin
    if (rst_ni) begin
      // The local flits of a message follow its head, up to its tail.
      assume (!occupied_i[Local] || (local_head != is_inside_q) || !is_join);
      assume (!is_inside_q || !occupied_i[Local] || !local_head);
      assume (ends_alike == '1);
      KnowsWhatIsUnderWay: assert (\u_join_unit.is_open_q == is_inside_q);
      KeepsWhereOperandsAre: assert (!is_inside_q || (\u_join_unit.operands_q == ghost_q));
      KeepsOneForEachInput: assert (!is_inside_q || (keeps_port == '1));
      HasEachInputOnce: assert (!is_ready
                                || ((has_some == \u_join_unit.inputs ) && (has_one == '1)));
      HasOnlyFlitsThatAreThere: assert (is_free == '1);
      StaysInItsBuffers: assert (!(is_ready && is_inside_q) || (operands == ghost_q));
      GoesOnWhenAllAreThere: assert ((CombineDelay > 0) || !is_inside_q || !occupied_i[Local]
                                     || ((ghost_q & ~occupied_i[ExternalVcs-1:0]) != '0)
                                     || is_ready);
      StaysInStep: assert (in_step == '1);
      OffersNothingBefore: assert (is_ready || (operands == '0));
    end
  end

endmodule
