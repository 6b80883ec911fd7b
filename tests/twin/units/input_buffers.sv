// SPDX-License-Identifier: Apache-2.0
// Input buffers of several routers side by side, as input_buffer_unit_test.cpp counts on it.

module input_buffers #(
  localparam int unsigned Units = 4,
  localparam int unsigned Stride = 576
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [Stride-1:0] valid_i [Units],
  input  logic [Stride-1:0] flit_i [Units],
  output logic [Stride-1:0] credit_o [Units],
  output logic [Stride-1:0] credit_vc_o [Units],
  output logic [Stride-1:0] push_o [Units],
  output logic [Stride-1:0] occupied_o [Units],
  output logic [Stride-1:0] head_o [Units],
  output logic [Stride-1:0] tail_o [Units],
  output logic [Stride-1:0] is_whole_o [Units],
  output logic [Stride-1:0] header_o [Units],
  output logic [Stride-1:0] front_o [Units],
  input  logic [Stride-1:0] pop_i [Units]
);

  localparam int unsigned External [Units] = '{3, 2, 2, 1};
  localparam int unsigned Internal [Units] = '{3, 1, 2, 1};
  localparam int unsigned Vcs [Units] = '{1, 2, 4, 3};
  localparam int unsigned Depth [Units] = '{1, 2, 3, 5};
  localparam int unsigned HeaderWidth [Units] = '{7, 7, 7, 5};
  localparam int unsigned DataWidth = 40;

  for (genvar u = 0; u < Units; u++) begin : gen_unit
    localparam int unsigned Ports = External[u] + Internal[u];
    localparam int unsigned InputVcs = External[u] * Vcs[u] + Internal[u];
    localparam int unsigned VcWidth = allport_pkg::idx_width(Vcs[u]);
    localparam int unsigned StoredWidth = 2 + HeaderWidth[u] + DataWidth;
    localparam int unsigned FlitWidth = VcWidth + StoredWidth;

    allport_input_buffer #(
      .ExternalPorts(External[u]),
      .InternalPorts(Internal[u]),
      .Vcs(Vcs[u]),
      .Depth(Depth[u]),
      .HeaderWidth(HeaderWidth[u]),
      .DataWidth(DataWidth),
      .StoresMessages(1)
    ) u_input_buffer (
      .clk_i,
      .rst_ni,
      .valid_i(valid_i[u][0 +: Ports]),
      .flit_i(flit_i[u][0 +: Ports * FlitWidth]),
      .credit_o(credit_o[u][0 +: Ports]),
      .credit_vc_o(credit_vc_o[u][0 +: Ports * VcWidth]),
      .push_o(push_o[u][0 +: InputVcs]),
      .occupied_o(occupied_o[u][0 +: InputVcs]),
      .head_o(head_o[u][0 +: InputVcs]),
      .tail_o(tail_o[u][0 +: InputVcs]),
      .is_whole_o(is_whole_o[u][0 +: InputVcs]),
      .header_o(header_o[u][0 +: InputVcs * HeaderWidth[u]]),
      .front_o(front_o[u][0 +: InputVcs * StoredWidth]),
      .pop_i(pop_i[u][0 +: InputVcs])
    );
  end

endmodule
