// SPDX-License-Identifier: Apache-2.0
// An example of a router that somebody has: xy_router with an AXI4-Stream on each side of each
// link. tdest is the node, x in its lower bits; it and tuser are those of the packet in all of its
// beats. It knows nothing of allport; axi_stream_router.sv beside it wraps it.
module axis_xy_router #(
  parameter int unsigned XWidth    = 2,
  parameter int unsigned YWidth    = 2,
  parameter int unsigned DataWidth = 64,
  parameter int unsigned UserWidth = 5
) (
  input  logic                          aclk,
  input  logic                          aresetn,
  input  logic [YWidth+XWidth-1:0]      node,  // where this router is
  // Links: 0 east, 1 west, 2 north, 3 south, 4 local.
  input  logic [4:0]                    s_axis_tvalid,
  output logic [4:0]                    s_axis_tready,
  input  logic [4:0][DataWidth-1:0]     s_axis_tdata,
  input  logic [4:0]                    s_axis_tlast,
  input  logic [4:0][YWidth+XWidth-1:0] s_axis_tdest,
  input  logic [4:0][UserWidth-1:0]     s_axis_tuser,
  output logic [4:0]                    m_axis_tvalid,
  input  logic [4:0]                    m_axis_tready,
  output logic [4:0][DataWidth-1:0]     m_axis_tdata,
  output logic [4:0]                    m_axis_tlast,
  output logic [4:0][YWidth+XWidth-1:0] m_axis_tdest,
  output logic [4:0][UserWidth-1:0]     m_axis_tuser
);

  localparam int unsigned Width = 1 + YWidth + XWidth + UserWidth + DataWidth;

  logic [4:0][XWidth-1:0] to_x;
  logic [4:0][YWidth-1:0] to_y;
  logic [4:0][Width-1:0] in, out;

  for (genvar p = 0; p < 5; p++) begin : gen_link
    assign {to_y[p], to_x[p]} = s_axis_tdest[p];
    assign in[p] = {s_axis_tlast[p], s_axis_tdest[p], s_axis_tuser[p], s_axis_tdata[p]};
    assign {m_axis_tlast[p], m_axis_tdest[p], m_axis_tuser[p], m_axis_tdata[p]} = out[p];
  end

  xy_router #(
    .XWidth(XWidth),
    .YWidth(YWidth),
    .Width(Width)
  ) u_router (
    .clk_i(aclk),
    .rst_ni(aresetn),
    .x_i(node[XWidth-1:0]),
    .y_i(node[YWidth+XWidth-1:XWidth]),
    .valid_i(s_axis_tvalid),
    .ready_o(s_axis_tready),
    .last_i(s_axis_tlast),
    .to_x_i(to_x),
    .to_y_i(to_y),
    .data_i(in),
    .valid_o(m_axis_tvalid),
    .ready_i(m_axis_tready),
    .data_o(out)
  );

endmodule
