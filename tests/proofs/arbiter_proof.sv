// SPDX-License-Identifier: Apache-2.0
// allport_round_robin_arbiter: grants exactly one requester if there is any, and passes over a
// steady requester for at most Requesters - 1 winners. Each winner brings the pointer nearer to
// such a requester, which bounds their number. Nothing is demanded of request_i and won_i.

module arbiter_proof #(
  parameter int unsigned Requesters = 4
) (
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic [Requesters-1:0] request_i,
  input logic                  won_i
);

  localparam int unsigned IndexWidth = allport_pkg::idx_width(Requesters);

  logic [Requesters-1:0] grant;
  (* hierconn *) wire [IndexWidth-1:0] \u_arbiter.next_q ;
  (* anyconst *) logic [IndexWidth-1:0] steady;  // any requester
  logic [7:0] next, distance, passed_over_q;

  allport_round_robin_arbiter #(
    .Requesters(Requesters)
  ) u_arbiter (
    .clk_i,
    .rst_ni,
    .request_i,
    .grant_o(grant),
    .won_i
  );

  assign next = 8'(\u_arbiter.next_q );
  assign distance = (8'(steady) >= next) ? 8'(steady) - next : 8'(steady) + 8'(Requesters) - next;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) passed_over_q <= '0;
    else if (!request_i[steady] || (won_i && grant[steady])) passed_over_q <= '0;
    else if (won_i) passed_over_q <= passed_over_q + 8'd1;
  end

  initial assume (!rst_ni);

  always_comb begin
    assume (8'(steady) < 8'(Requesters));
    if (rst_ni) begin
      GrantsAtMostOne: assert ((grant & (grant - Requesters'(1))) == '0);
      GrantsARequester: assert ((grant & ~request_i) == '0);
      GrantsWhenRequested: assert ((request_i == '0) || (grant != '0));
      PointsAtARequester: assert (next < 8'(Requesters));
      ComesNearerWithEachWinner: assert (passed_over_q + distance < 8'(Requesters));
      WinsInItsTurn: assert (passed_over_q < 8'(Requesters));
    end
  end

endmodule
