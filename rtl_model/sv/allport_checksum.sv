// SPDX-License-Identifier: Apache-2.0
// The checksum of a flit, CRC-16 of x^16 + x^15 + x^2 + 1: the flit is a polynomial with its first
// coefficient at the top, the sum the remainder of it times x^16. In flits of up to 32751 bits any
// one, two or three flipped bits of flit and sum together are found, and so are any odd number of
// them and any within 16 neighbours; of errors drawn at random one in 65536 is not.

module allport_checksum #(
  /// Bits of a flit.
  parameter int unsigned Width = 64
) (
  input  logic [Width-1:0] flit_i,
  output logic [15:0]      sum_o
);

  localparam logic [15:0] Polynomial = 16'h8005;

  // Bits k*Width and up: those of the flit that bit k of the sum is the parity of.
  function automatic logic [16*Width-1:0] masks(input logic [15:0] first);
    logic [15:0] remainder;  // of x^16 times bit i
    masks = '0;
    remainder = first;
    for (int unsigned i = 0; i < Width; i++) begin
      for (int unsigned k = 0; k < 16; k++) masks[k * Width + i] = remainder[k];
      remainder = {remainder[14:0], 1'b0} ^ (remainder[15] ? first : 16'd0);
    end
  endfunction

  localparam logic [16*Width-1:0] Masks = masks(Polynomial);

  for (genvar k = 0; k < 16; k++) begin : gen_bit
    assign sum_o[k] = ^(flit_i & Masks[k * Width +: Width]);
  end

endmodule
