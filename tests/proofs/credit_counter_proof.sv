// SPDX-License-Identifier: Apache-2.0
// allport_credit_counter: credits here and flits that have not come back yet are Depth together, so
// the counter stays within 0 .. Depth. Demanded: a credit is spent only where one is available, and
// comes back only for a flit that was sent.

module credit_counter_proof #(
  parameter int unsigned Depth = 4
) (
  input logic clk_i,
  input logic rst_ni,
  input logic credit_i,
  input logic spent_i
);

  localparam int unsigned CreditWidth = allport_pkg::idx_width(Depth + 1);

  logic is_available;
  logic [CreditWidth-1:0] credits;
  logic [15:0] away_q;  // flits sent whose credit has not come
  (* hierconn *) wire [Depth-1:0] \u_credit_counter.gen_few.left_q ;

  allport_credit_counter #(
    .Depth(Depth)
  ) u_credit_counter (
    .clk_i,
    .rst_ni,
    .credit_i,
    .is_available_o(is_available),
    .spent_i,
    .credits_o(credits)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) away_q <= '0;
    else away_q <= away_q + 16'(spent_i) - 16'(credit_i);
  end

  initial assume (!rst_ni);

  always_comb begin
    if (rst_ni) begin
      assume (!spent_i || is_available);
      assume (!credit_i || (away_q != '0));
      CountsFromTheFirstBit: assert ((Depth > 8) || ((\u_credit_counter.gen_few.left_q
          & (\u_credit_counter.gen_few.left_q + Depth'(1))) == '0));
      StaysWithinTheDepth: assert (16'(credits) <= 16'(Depth));
      CountsEachFlitOnce: assert (16'(credits) + away_q == 16'(Depth));
      IsAvailableWhenThere: assert (is_available == (credit_i || (credits != '0)));
    end
  end

endmodule
