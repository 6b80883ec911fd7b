// SPDX-License-Identifier: Apache-2.0
// Credits stay within 0 .. Depth: no credit is spent that does not exist, and none comes back that
// was not spent.

module allport_credit_counter_properties #(
  parameter int unsigned Depth = 4,
  localparam int unsigned CreditWidth = allport_pkg::idx_width(Depth + 1)
) (
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic                   credit_i,
  input logic                   spent_i,
  input logic [CreditWidth-1:0] credits_o
);

  NeverUnderflows: assert property (@(posedge clk_i) disable iff (!rst_ni)
      spent_i |-> ((credits_o != '0) || credit_i));
  NeverOverflows: assert property (@(posedge clk_i) disable iff (!rst_ni)
      credit_i |-> (32'(credits_o) < Depth));
  CountsEachCredit: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (credit_i == spent_i) |=> $stable(credits_o));
  StaysWithinTheDepth: assert property (@(posedge clk_i) disable iff (!rst_ni)
      32'(credits_o) <= Depth);

endmodule

bind allport_credit_counter allport_credit_counter_properties #(
  .Depth(Depth)
) u_properties (
  .clk_i(clk_i),
  .rst_ni(rst_ni),
  .credit_i(credit_i),
  .spent_i(spent_i),
  .credits_o(credits_o)
);
