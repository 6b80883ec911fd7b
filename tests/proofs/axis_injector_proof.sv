// SPDX-License-Identifier: Apache-2.0
// allport_axis_injector: each beat that is transferred is one flit, in the same cycle, and there is
// no other flit; the first beat of a frame is a head, the last a tail, and only heads have a
// header. Credits here and flits whose credit has not come back are Depth together, so no buffer
// overflows. In the modes that need room a head goes only with credits for its whole frame, and in
// circuit mode nothing goes behind a head before its acknowledgement. A credit or the end of a
// circuit is not forgotten: without a transfer s_axis_tready does not fall while the offer stays.
// Demanded: credits come back only for flits, acknowledgements only for heads.

module axis_injector_proof #(
  parameter int unsigned Depth = 4,
  parameter int unsigned Switching = 0,
  localparam allport_pkg::router_config_t Config = allport_pkg::axis_router_config(
      allport_pkg::TopologyHypercube, 2, '0, 0, 1, 1, Depth, 0, 1, 1, Switching, 0, 0, 0, 0, 1, 1),
  localparam bit NeedsRoom = (Switching == 1) || (Switching == 2),
  localparam int unsigned RouteWidth = 4 + 13 * NeedsRoom,
  localparam int unsigned UserWidth = RouteWidth + 1
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic [1:0]           node_i,
  input logic                 tvalid_i,
  input logic [7:0]           tdata_i,
  input logic                 tkeep_i,
  input logic                 tlast_i,
  input logic [1:0]           tdest_i,
  input logic [UserWidth-1:0] tuser_i,
  input logic                 credit_i,
  input logic                 ack_i
);

  localparam int unsigned DataWidth = 2 + 1 + 9;
  localparam int unsigned FlitWidth = 2 + 1 + RouteWidth + 2 + DataWidth;
  localparam int unsigned CreditWidth = allport_pkg::idx_width(Depth + 1);

  logic tready, valid, is_transferred;
  logic [FlitWidth-1:0] flit;
  logic [RouteWidth+1:0] header;
  logic [2:0] kind;
  logic [1:0] address;
  logic [15:0] length, away_q;  // flits sent whose credit has not come
  logic is_inside_q;            // a frame has begun and not ended
  logic is_waiting_q;           // for the acknowledgement of its head
  logic was_ready_q;            // and nothing was transferred
  (* hierconn *) wire \u_injector.is_inside_q ;
  (* hierconn *) wire \u_injector.gen_circuit.is_open_q ;
  (* hierconn *) wire [CreditWidth-1:0] \u_injector.u_credit_counter.credits_o ;
  logic [15:0] credits;

  allport_axis_injector #(
    .Config(Config),
    .Bytes(1),
    .TagWidth(1)
  ) u_injector (
    .clk_i,
    .rst_ni,
    .node_i,
    .s_axis_tvalid(tvalid_i),
    .s_axis_tready(tready),
    .s_axis_tdata(tdata_i),
    .s_axis_tkeep(tkeep_i),
    .s_axis_tlast(tlast_i),
    .s_axis_tdest(tdest_i),
    .s_axis_tuser(tuser_i),
    .valid_o(valid),
    .flit_o(flit),
    .credit_i,
    .ack_i
  );

  assign is_transferred = tvalid_i && tready;
  assign credits = 16'(\u_injector.u_credit_counter.credits_o );
  assign kind = tuser_i[2:0];
  assign address = ((kind == 3'd2) || (kind == 3'd4)) ? node_i : tdest_i;
  if (NeedsRoom) begin : gen_length
    assign length = 16'(tuser_i[4 +: 13]);
    assign header = {kind, tuser_i[4 +: 13], tuser_i[3], address};
  end else begin : gen_no_length
    assign length = 16'd1;
    assign header = {kind, tuser_i[3], address};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      away_q <= '0;
      is_inside_q <= 1'b0;
      is_waiting_q <= 1'b0;
      was_ready_q <= 1'b0;
    end else begin
      away_q <= away_q + 16'(valid) - 16'(credit_i);
      if (is_transferred) is_inside_q <= !tlast_i;
      if (is_transferred && !is_inside_q && !tlast_i) is_waiting_q <= Switching == 3;
      else if (ack_i) is_waiting_q <= 1'b0;
      was_ready_q <= !tvalid_i && tready;
    end
  end

  initial assume (!rst_ni);

  always_comb begin
    if (rst_ni) begin
      assume (!credit_i || (away_q != '0));
      assume (!ack_i || is_waiting_q);
      HasNoMoreAwayThanPlaces: assert (away_q <= 16'(Depth));
      WaitsInCircuitModeOnly: assert (!is_waiting_q || (Switching == 3));
      CountsEachCreditOnce: assert (credits + away_q == 16'(Depth));
      KnowsWhereItIs: assert (is_inside_q == \u_injector.is_inside_q );
      KnowsWhetherItIsOpen: assert ((Switching != 3)
          || (is_waiting_q == !\u_injector.gen_circuit.is_open_q ));
      SendsWhatIsTransferred: assert (valid == is_transferred);
      NeverOverflowsTheBuffer: assert (!valid || (away_q < 16'(Depth)));
      MarksHeadAndTail: assert (!valid
          || (flit[FlitWidth-1 -: 3] == {!is_inside_q, tlast_i, 1'b0}));
      OnlyHeadsHaveAHeader: assert (!valid
          || (flit[DataWidth +: RouteWidth + 2] == (is_inside_q ? '0 : header)));
      ChangesNothing: assert (!valid || (flit[DataWidth-1:0]
          == {node_i, tuser_i[RouteWidth], tkeep_i, tdata_i}));
      HeadHasRoom: assert (!valid || is_inside_q || (credits >= length));
      WaitsForTheCircuit: assert (!(valid && is_waiting_q));
      WaitsOnlyForWhatItLacks: assert (tready || is_waiting_q || (credits == '0)
          || (!is_inside_q && (credits < length)));
      ReadyStays: assert (!was_ready_q || tready
          || (NeedsRoom && !is_inside_q && (credits < length)));
    end
  end

endmodule
