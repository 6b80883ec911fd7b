// SPDX-License-Identifier: Apache-2.0
// allport_from_axi_stream: a beat that is taken in a cycle, and nothing else, is the flit on the
// channel in the next one, with its VC: the first beat of a packet is a head with its tdest and
// tuser, others have zeros there, and tlast is the tail. So nothing is lost, doubled or overtaken.
// A VC never has more flits on the way than Depth, and a beat that has a credit never waits but for
// one of another VC. Demanded: a credit comes back only for a flit that was sent.
module from_axi_stream_proof #(
  parameter int unsigned Vcs = 2,
  parameter int unsigned Depth = 2
) (
  input logic           clk_i,
  input logic           rst_ni,
  input logic [Vcs-1:0] valid_i,
  input logic [Vcs-1:0] data_i,
  input logic [Vcs-1:0] last_i,
  input logic [Vcs-1:0] dest_i,
  input logic [Vcs-1:0] user_i,
  input logic           credit_i,
  input logic           credit_vc_i
);

  localparam int unsigned CreditWidth = allport_pkg::idx_width(Depth + 1);

  logic [Vcs-1:0] ready, taken;
  logic valid;
  logic [5:0] flit;  // head, tail, VC, tuser, tdest, tdata
  (* hierconn *) wire [CreditWidth-1:0] \u_adapter.u_ready_valid.gen_vc[0].u_credits.credits_o ;
  (* hierconn *) wire [Depth-1:0] \u_adapter.u_ready_valid.gen_vc[0].u_credits.gen_few.left_q ;
  (* hierconn *) wire \u_adapter.gen_vc[0].is_inside_q ;

  logic is_inside_q;      // VC 0 is within a packet
  logic [Vcs-1:0] taken_q;
  logic [5:0] expected_q; // what VC 0 offered
  logic [7:0] away_q;     // flits of VC 0 whose credit has not come
  logic comes_back;

  allport_from_axi_stream #(
    .DataWidth(1),
    .AddressWidth(1),
    .UserWidth(1),
    .Vcs(Vcs),
    .Depth(Depth)
  ) u_adapter (
    .clk_i,
    .rst_ni,
    .s_axis_tvalid(valid_i),
    .s_axis_tready(ready),
    .s_axis_tdata(data_i),
    .s_axis_tlast(last_i),
    .s_axis_tdest(dest_i),
    .s_axis_tuser(user_i),
    .valid_o(valid),
    .flit_o(flit),
    .credit_i,
    .credit_vc_i
  );

  assign taken = valid_i & ready;
  assign comes_back = credit_i && ((Vcs == 1) || !credit_vc_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      is_inside_q <= 1'b0;
      taken_q <= '0;
      away_q <= '0;
    end else begin
      if (taken[0]) is_inside_q <= !last_i[0];
      taken_q <= taken;
      away_q <= away_q + 8'(taken[0]) - 8'(comes_back);
    end
  end
  always_ff @(posedge clk_i) begin
    expected_q <= {!is_inside_q, last_i[0], 1'b0, !is_inside_q && user_i[0],
                   !is_inside_q && dest_i[0], data_i[0]};
  end

  initial assume (!rst_ni);

  always_comb begin
    if (rst_ni) begin
      assume (!comes_back || (away_q != '0));
      KnowsItsPlaceInThePacket: assert (\u_adapter.gen_vc[0].is_inside_q == is_inside_q);
      WaitsForNothingElse: assert (!valid_i[0] || (taken != '0)
                                   || (!comes_back && (away_q == 8'(Depth))));
      TakesOneAtATime: assert ((taken & (taken - Vcs'(1))) == '0);
      SendsWhatItTook: assert (valid == (taken_q != '0));
      SpendsWhatItHas:
        assert (8'(\u_adapter.u_ready_valid.gen_vc[0].u_credits.credits_o ) + away_q == 8'(Depth));
      CountsCreditsFromTheFirstBit:
        assert ((\u_adapter.u_ready_valid.gen_vc[0].u_credits.gen_few.left_q
            & (\u_adapter.u_ready_valid.gen_vc[0].u_credits.gen_few.left_q + Depth'(1))) == '0);
      NeverHasMoreOnTheWay: assert (away_q <= 8'(Depth));
      NamesItsVc: assert ((Vcs == 1) || (taken_q == '0) || taken_q[flit[3]]);
      IsTheFlitOfTheBeat: assert (!taken_q[0] || (flit == expected_q));
    end
  end

endmodule
