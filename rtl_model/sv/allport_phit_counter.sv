// SPDX-License-Identifier: Apache-2.0
// The cycles for which a flit still occupies a channel that is narrower than a flit, behind the
// cycle in which it is sent: one for each phit but the first. Nothing may be sent while there are
// any.

module allport_phit_counter #(
  /// Cycles for which a flit occupies the channel, 2 .. 255.
  parameter int unsigned Phits = 2,
  localparam int unsigned CountWidth = allport_pkg::idx_width(Phits)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  sent_i,  // a flit is sent
  output logic [CountWidth-1:0] left_o   // cycles for which an earlier one occupies the channel
);

  logic [CountWidth-1:0] left_d, left_q;

  assign left_o = left_q;

  always_comb begin
    left_d = left_q;
    if (left_q != '0) left_d = left_q - CountWidth'(1);
    if (sent_i) left_d = CountWidth'(Phits - 1);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) left_q <= '0;
    else left_q <= left_d;
  end

endmodule
