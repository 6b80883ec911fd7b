// SPDX-License-Identifier: Apache-2.0
// The credits of one output VC: the places known to be free in the buffer at the other end of the
// channel, Depth after reset. A credit can be spent in the cycle in which it comes. No credit may
// be spent while is_available_o is low, and no more may come back than were spent.

module allport_credit_counter #(
  /// Flits of the buffer at the other end, 1 .. 4096.
  parameter int unsigned Depth = 4,
  localparam int unsigned CreditWidth = allport_pkg::idx_width(Depth + 1)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   credit_i,        // a credit is on the wire
  output logic                   is_available_o,  // a flit may be sent in this cycle
  input  logic                   spent_i,         // one is sent
  output logic [CreditWidth-1:0] credits_o        // at the beginning of the cycle
);

  if ((Depth > 0) && (Depth <= 8)) begin : gen_few
    // Few are counted with a bit for each: bit i says that there are more than i. So the last one
    // is seen at once, and one that is spent shifts the others.
    logic [Depth-1:0] left_d, left_q;

    assign is_available_o = credit_i || left_q[0];

    always_comb begin
      left_d = left_q;
      if (credit_i && !spent_i) left_d = Depth'({left_q, 1'b1});
      if (spent_i && !credit_i) left_d = left_q >> 1;
    end

    always_comb begin
      credits_o = '0;
      for (int unsigned i = 0; i < Depth; i++) begin
        if (left_q[i]) credits_o = CreditWidth'(i + 1);
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) left_q <= '1;
      else left_q <= left_d;
    end
  end else begin : gen_many
    logic [CreditWidth-1:0] credits_d, credits_q;

    assign is_available_o = credit_i || (credits_q != '0);
    assign credits_d = credits_q + CreditWidth'(credit_i) - CreditWidth'(spent_i);
    assign credits_o = credits_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) credits_q <= CreditWidth'(Depth);
      else credits_q <= credits_d;
    end
  end

endmodule
