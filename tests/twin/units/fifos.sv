// SPDX-License-Identifier: Apache-2.0
// FIFOs of depth 1 .. 5 side by side, as input_buffer_unit_test.cpp counts on it.

module fifos #(
  localparam int unsigned Units = 5,
  localparam int unsigned Stride = 128
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [Stride-1:0] push_i [Units],
  input  logic [Stride-1:0] flit_i [Units],
  output logic [Stride-1:0] occupied_o [Units],
  output logic [Stride-1:0] front_o [Units],
  input  logic [Stride-1:0] pop_i [Units]
);

  for (genvar u = 0; u < Units; u++) begin : gen_unit
    allport_fifo #(
      .Width(64),
      .Depth(u + 1)
    ) u_fifo (
      .clk_i,
      .rst_ni,
      .push_i(push_i[u][0]),
      .flit_i(flit_i[u][0 +: 64]),
      .occupied_o(occupied_o[u][0]),
      .front_o(front_o[u][0 +: 64]),
      .pop_i(pop_i[u][0])
    );
  end

endmodule
