// SPDX-License-Identifier: Apache-2.0
// What an arbiter guarantees: it grants one requester, if there is any, and no other; a requester
// that keeps requesting is passed over by at most Requesters - 1 winners before it wins.

module allport_round_robin_arbiter_properties #(
  parameter int unsigned Requesters = 4,
  localparam int unsigned IndexWidth = allport_pkg::idx_width(Requesters),
  localparam int unsigned CountWidth = $clog2(Requesters + 1)
) (
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic [Requesters-1:0] request_i,
  input logic [Requesters-1:0] grant_o,
  input logic                  won_i,
  input logic [IndexWidth-1:0] next_q
);

  GrantsAtMostOne: assert property (@(posedge clk_i) disable iff (!rst_ni)
      $onehot0(grant_o));
  GrantsARequester: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (grant_o & ~request_i) == '0);
  GrantsWhenRequested: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (request_i != '0) |-> (grant_o != '0));
  PointsAtARequester: assert property (@(posedge clk_i) disable iff (!rst_ni)
      32'(next_q) < Requesters);

  for (genvar i = 0; i < Requesters; i++) begin : gen_requester
    logic [CountWidth-1:0] passed_over_q;  // winners since it began to request

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) passed_over_q <= '0;
      else if (!request_i[i] || (won_i && grant_o[i])) passed_over_q <= '0;
      else if (won_i && !(&passed_over_q)) passed_over_q <= passed_over_q + CountWidth'(1);
    end

    WinsInItsTurn: assert property (@(posedge clk_i) disable iff (!rst_ni)
        32'(passed_over_q) < Requesters);
  end

endmodule

bind allport_round_robin_arbiter allport_round_robin_arbiter_properties #(
  .Requesters(Requesters)
) u_properties (
  .clk_i(clk_i),
  .rst_ni(rst_ni),
  .request_i(request_i),
  .grant_o(grant_o),
  .won_i(won_i),
  .next_q(next_q)
);
