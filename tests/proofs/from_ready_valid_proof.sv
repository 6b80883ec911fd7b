// SPDX-License-Identifier: Apache-2.0
// allport_from_ready_valid: of the flits that are offered and have a credit exactly one is taken a
// cycle; what is taken in a cycle, and nothing else, is on the channel in the next one, unchanged,
// with its VC, so nothing is lost, doubled or overtaken; a VC never has more flits on the way than
// Depth. Demanded: a credit comes back only for a flit that was sent and, with OneAtATime, the
// router offers one flit at a time.
module from_ready_valid_proof #(
  parameter int unsigned Vcs = 2,
  parameter int unsigned Depth = 2,
  parameter int unsigned OneAtATime = 0
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic [Vcs-1:0]   valid_i,
  input logic [3*Vcs-1:0] flit_i,
  input logic             credit_i,
  input logic             credit_vc_i
);

  localparam int unsigned CreditWidth = allport_pkg::idx_width(Depth + 1);

  logic [Vcs-1:0] ready, taken;
  logic valid, vc;
  logic [2:0] flit;
  (* hierconn *) wire [Vcs-1:0] \u_adapter.has_credit ;
  (* hierconn *) wire [CreditWidth-1:0] \u_adapter.gen_vc[0].u_credits.credits_o ;
  (* hierconn *) wire [Depth-1:0] \u_adapter.gen_vc[0].u_credits.gen_few.left_q ;

  logic [Vcs-1:0] taken_q;
  logic [3*Vcs-1:0] flits_q;
  logic [7:0] away_q;  // flits of VC 0 whose credit has not come
  logic comes_back, sent_vc;

  allport_from_ready_valid #(
    .Width(3),
    .Vcs(Vcs),
    .Depth(Depth),
    .OneAtATime(OneAtATime)
  ) u_adapter (
    .clk_i,
    .rst_ni,
    .valid_i,
    .flit_i,
    .ready_o(ready),
    .credits_o(),
    .valid_o(valid),
    .vc_o(vc),
    .flit_o(flit),
    .credit_i,
    .credit_vc_i
  );

  assign taken = valid_i & ready;
  assign sent_vc = (Vcs == 1) ? 1'b0 : vc;
  assign comes_back = credit_i && ((Vcs == 1) || !credit_vc_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      taken_q <= '0;
      away_q <= '0;
    end else begin
      taken_q <= taken;
      away_q <= away_q + 8'(taken[0]) - 8'(comes_back);
    end
  end
  always_ff @(posedge clk_i) flits_q <= flit_i;

  initial assume (!rst_ni);

  always_comb begin
    if (rst_ni) begin
      assume (!comes_back || (away_q != '0));
      assume (!OneAtATime || ((valid_i & (valid_i - Vcs'(1))) == '0));
      HasACreditUnlessAllAreAway:
        assert (\u_adapter.has_credit [0] == (comes_back || (away_q != 8'(Depth))));
      TakesWhatHasACredit: assert (((valid_i & \u_adapter.has_credit ) == '0) || (taken != '0));
      TakesOneAtATime: assert ((taken & (taken - Vcs'(1))) == '0);
      SendsWhatItTook: assert (valid == (taken_q != '0));
      SpendsWhatItHas: assert (8'(\u_adapter.gen_vc[0].u_credits.credits_o ) + away_q == 8'(Depth));
      CountsCreditsFromTheFirstBit:
        assert ((\u_adapter.gen_vc[0].u_credits.gen_few.left_q
            & (\u_adapter.gen_vc[0].u_credits.gen_few.left_q + Depth'(1))) == '0);
      NeverHasMoreOnTheWay: assert (away_q <= 8'(Depth));
      NamesItsVc: assert ((Vcs == 1) || (taken_q == '0) || taken_q[vc]);
      ChangesNothing: assert ((taken_q == '0) || (flit == flits_q[3 * sent_vc +: 3]));
    end
  end

endmodule
