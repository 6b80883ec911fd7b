// SPDX-License-Identifier: Apache-2.0
// Whether all of the message at the front of each buffer has arrived, including the flit that
// arrives in this cycle, as store-and-forward requires before the head moves: it counts the tails
// in each buffer, the first of which is that of the front message.

module allport_message_store #(
  /// Input VCs of the router.
  parameter int unsigned InputVcs = 6,
  /// Flits of each buffer, 1 .. 4096.
  parameter int unsigned Depth = 4
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [InputVcs-1:0] push_tail_i,  // a tail arrives
  input  logic [InputVcs-1:0] pop_tail_i,   // a tail leaves
  output logic [InputVcs-1:0] is_whole_o
);

  localparam int unsigned CountWidth = allport_pkg::idx_width(Depth + 1);

  for (genvar iv = 0; iv < InputVcs; iv++) begin : gen_input_vc
    logic [CountWidth-1:0] tails_d, tails_q;

    assign is_whole_o[iv] = push_tail_i[iv] || (tails_q != '0);
    assign tails_d = tails_q + CountWidth'(push_tail_i[iv]) - CountWidth'(pop_tail_i[iv]);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) tails_q <= '0;
      else tails_q <= tails_d;
    end
  end

endmodule
