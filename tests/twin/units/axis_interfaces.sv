// SPDX-License-Identifier: Apache-2.0
// The AXI4-Stream network interfaces of several fabrics side by side, with one stream in each
// direction, as axis_interface_unit_test.cpp counts on it.

module axis_interfaces #(
  localparam int unsigned Units = 4,
  localparam int unsigned Stride = 160
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [Stride-1:0] node_i [Units],
  input  logic [Stride-1:0] s_valid_i [Units],
  output logic [Stride-1:0] s_ready_o [Units],
  input  logic [Stride-1:0] s_data_i [Units],
  input  logic [Stride-1:0] s_keep_i [Units],
  input  logic [Stride-1:0] s_last_i [Units],
  input  logic [Stride-1:0] s_dest_i [Units],
  input  logic [Stride-1:0] s_user_i [Units],
  output logic [Stride-1:0] m_valid_o [Units],
  input  logic [Stride-1:0] m_ready_i [Units],
  output logic [Stride-1:0] m_data_o [Units],
  output logic [Stride-1:0] m_keep_o [Units],
  output logic [Stride-1:0] m_last_o [Units],
  output logic [Stride-1:0] m_id_o [Units],
  output logic [Stride-1:0] m_user_o [Units],
  output logic [Stride-1:0] valid_o [Units],
  output logic [Stride-1:0] flit_o [Units],
  input  logic [Stride-1:0] credit_i [Units],
  input  logic [Stride-1:0] ack_i [Units],
  input  logic [Stride-1:0] valid_i [Units],
  input  logic [Stride-1:0] flit_i [Units],
  output logic [Stride-1:0] credit_o [Units],
  output logic [Stride-1:0] ack_o [Units]
);

  localparam int unsigned Topology [Units] = '{0, 1, 2, 0};
  localparam int unsigned Dimensions [Units] = '{3, 2, 2, 4};
  localparam int unsigned Side0 [Units] = '{0, 4, 3, 0};
  localparam int unsigned Side1 [Units] = '{0, 5, 4, 0};
  localparam int unsigned Vcs [Units] = '{2, 2, 1, 4};
  localparam int unsigned Depth [Units] = '{4, 1, 5, 6};
  localparam int unsigned Bytes [Units] = '{8, 5, 4, 1};
  localparam int unsigned Switching [Units] = '{0, 3, 1, 2};
  localparam int unsigned TagWidth = 32;

  for (genvar u = 0; u < Units; u++) begin : gen_unit
    localparam logic [47:0] Sides = allport_pkg::side_vector(Side0[u], Side1[u], 0);
    localparam int unsigned AddressWidth =
        allport_pkg::coordinate_offset(Topology[u], Sides, Dimensions[u]);
    localparam int unsigned UserWidth = allport_pkg::KindWidth
        + allport_pkg::tie_width(Topology[u], Dimensions[u])
        + (allport_pkg::needs_room(Switching[u]) ? allport_pkg::LengthWidth : 0) + TagWidth;
    localparam int unsigned FlitWidth =
        allport_pkg::control_width(Topology[u], Dimensions[u], Sides, Vcs[u], Switching[u], 0)
        + AddressWidth + TagWidth + 9 * Bytes[u];

    allport_axis_interface #(
      .Topology(Topology[u]),
      .Dimensions(Dimensions[u]),
      .Side0(Side0[u]),
      .Side1(Side1[u]),
      .InternalPorts(1),
      .Vcs(Vcs[u]),
      .Depth(Depth[u]),
      .Switching(Switching[u]),
      .Bytes(Bytes[u]),
      .TagWidth(TagWidth)
    ) u_interface (
      .clk_i,
      .rst_ni,
      .node_i(node_i[u][0 +: AddressWidth]),
      .s_axis_tvalid(s_valid_i[u][0]),
      .s_axis_tready(s_ready_o[u][0]),
      .s_axis_tdata(s_data_i[u][0 +: 8 * Bytes[u]]),
      .s_axis_tkeep(s_keep_i[u][0 +: Bytes[u]]),
      .s_axis_tlast(s_last_i[u][0]),
      .s_axis_tdest(s_dest_i[u][0 +: AddressWidth]),
      .s_axis_tuser(s_user_i[u][0 +: UserWidth]),
      .m_axis_tvalid(m_valid_o[u][0]),
      .m_axis_tready(m_ready_i[u][0]),
      .m_axis_tdata(m_data_o[u][0 +: 8 * Bytes[u]]),
      .m_axis_tkeep(m_keep_o[u][0 +: Bytes[u]]),
      .m_axis_tlast(m_last_o[u][0]),
      .m_axis_tid(m_id_o[u][0 +: AddressWidth]),
      .m_axis_tuser(m_user_o[u][0 +: UserWidth]),
      .valid_o(valid_o[u][0]),
      .flit_o(flit_o[u][0 +: FlitWidth]),
      .credit_i(credit_i[u][0]),
      .ack_i(ack_i[u][0]),
      .valid_i(valid_i[u][0]),
      .flit_i(flit_i[u][0 +: FlitWidth]),
      .credit_o(credit_o[u][0]),
      .ack_o(ack_o[u][0])
    );
  end

endmodule
