// SPDX-License-Identifier: Apache-2.0
// The receiving end of an external channel with retry (docs/router.md). A flit whose checksum is
// wrong is in error: it is discarded with all that comes in the next Retry - 1 cycles, and in the
// next one the nack is on the wire back. What is being discarded is not in error.

module allport_retry_receiver #(
  /// Bits of a flit.
  parameter int unsigned Width = 64,
  /// D: that of the sender.
  parameter int unsigned Retry = 2
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             valid_i,     // the channel
  input  logic [Width-1:0] flit_i,
  input  logic [15:0]      checksum_i,
  output logic             valid_o,     // flit_i goes on to the router
  output logic             nack_o,
  output logic             is_active_o  // it discards
);

  localparam int unsigned CountWidth = allport_pkg::idx_width(Retry);

  logic [15:0] checksum;
  logic is_wrong, nack_d, nack_q;
  logic [CountWidth-1:0] left_d, left_q;  // cycles for which it discards, with this one

  allport_checksum #(
    .Width(Width)
  ) u_checksum (
    .flit_i,
    .sum_o(checksum)
  );

  assign is_wrong = checksum != checksum_i;
  assign nack_d = valid_i && (left_q == '0) && is_wrong;

  always_comb begin
    left_d = left_q;
    if (left_q != '0) left_d = left_q - CountWidth'(1);
    if (nack_d) left_d = CountWidth'(Retry - 1);
  end

  assign valid_o = valid_i && (left_q == '0) && !is_wrong;
  assign nack_o = nack_q;
  assign is_active_o = left_q != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      nack_q <= 1'b0;
      left_q <= '0;
    end else begin
      nack_q <= nack_d;
      left_q <= left_d;
    end
  end

endmodule
