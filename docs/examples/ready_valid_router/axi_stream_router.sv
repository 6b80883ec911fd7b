// SPDX-License-Identifier: Apache-2.0
// axis_xy_router behind the pins of docs/bring-your-own-router.md, by the two adapters for
// AXI4-Streams that come with allport. AdapterCycles names the register behind each output.
module axi_stream_router #(
  parameter int unsigned Topology      = 2,
  parameter int unsigned Dimensions    = 2,
  parameter int unsigned Side0         = 4,
  parameter int unsigned Side1         = 4,
  parameter int unsigned InternalPorts = 1,
  parameter int unsigned Vcs           = 1,
  parameter int unsigned Depth         = 4,
  parameter int unsigned DataWidth     = 64,
  // What it declares.
  parameter int unsigned HopCycles        = 2,
  parameter int unsigned AdapterCycles    = 1,
  parameter int unsigned Kinds            = 1,  // unicast
  parameter int unsigned Topologies       = 4,  // mesh
  parameter int unsigned MaxInternalPorts = 1,
  parameter int unsigned MaxDimensions    = 2,
  // Derived.
  localparam int unsigned XWidth       = $clog2(Side0),
  localparam int unsigned YWidth       = $clog2(Side1),
  localparam int unsigned AddressWidth = XWidth + YWidth,
  localparam int unsigned UserWidth    = 3 + 2,  // kind, ties
  localparam int unsigned FlitWidth    = 2 + 1 + UserWidth + AddressWidth + DataWidth
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic [AddressWidth-1:0] node_i,
  input  logic [4:0]              valid_i,
  input  logic [5*FlitWidth-1:0]  flit_i,
  output logic [4:0]              credit_o,
  output logic [4:0]              credit_vc_o,
  output logic [4:0]              valid_o,
  output logic [5*FlitWidth-1:0]  flit_o,
  input  logic [4:0]              credit_i,
  input  logic [4:0]              credit_vc_i
);

  if (Topology != 2 || Dimensions != 2) $error("axi_stream_router: meshes of two dimensions only");
  if (InternalPorts != 1 || Vcs != 1) $error("axi_stream_router: one internal port and one VC");
  if (HopCycles != 2 || AdapterCycles != 1) $error("axi_stream_router: 2 cycles, 1 of the adapter");
  if (Kinds != 1 || Topologies != 4 || MaxInternalPorts != 1 || MaxDimensions != 2)
    $error("axi_stream_router: what it declares cannot be set");

  logic [4:0] in_tvalid, in_tready, in_tlast, out_tvalid, out_tready, out_tlast;
  logic [4:0][DataWidth-1:0] in_tdata, out_tdata;
  logic [4:0][AddressWidth-1:0] in_tdest, out_tdest;
  logic [4:0][UserWidth-1:0] in_tuser, out_tuser;

  for (genvar p = 0; p < 5; p++) begin : gen_port
    allport_to_axi_stream #(
      .DataWidth(DataWidth),
      .AddressWidth(AddressWidth),
      .UserWidth(UserWidth),
      .Depth(Depth)
    ) u_in (
      .clk_i,
      .rst_ni,
      .valid_i(valid_i[p]),
      .flit_i(flit_i[p * FlitWidth +: FlitWidth]),
      .credit_o(credit_o[p]),
      .credit_vc_o(credit_vc_o[p]),
      .m_axis_tvalid(in_tvalid[p]),
      .m_axis_tready(in_tready[p]),
      .m_axis_tdata(in_tdata[p]),
      .m_axis_tlast(in_tlast[p]),
      .m_axis_tdest(in_tdest[p]),
      .m_axis_tuser(in_tuser[p])
    );

    allport_from_axi_stream #(
      .DataWidth(DataWidth),
      .AddressWidth(AddressWidth),
      .UserWidth(UserWidth),
      .Depth(Depth)
    ) u_out (
      .clk_i,
      .rst_ni,
      .s_axis_tvalid(out_tvalid[p]),
      .s_axis_tready(out_tready[p]),
      .s_axis_tdata(out_tdata[p]),
      .s_axis_tlast(out_tlast[p]),
      .s_axis_tdest(out_tdest[p]),
      .s_axis_tuser(out_tuser[p]),
      .valid_o(valid_o[p]),
      .flit_o(flit_o[p * FlitWidth +: FlitWidth]),
      .credit_i(credit_i[p]),
      .credit_vc_i(credit_vc_i[p])
    );
  end

  axis_xy_router #(
    .XWidth(XWidth),
    .YWidth(YWidth),
    .DataWidth(DataWidth),
    .UserWidth(UserWidth)
  ) u_router (
    .aclk(clk_i),
    .aresetn(rst_ni),
    .node(node_i),
    .s_axis_tvalid(in_tvalid),
    .s_axis_tready(in_tready),
    .s_axis_tdata(in_tdata),
    .s_axis_tlast(in_tlast),
    .s_axis_tdest(in_tdest),
    .s_axis_tuser(in_tuser),
    .m_axis_tvalid(out_tvalid),
    .m_axis_tready(out_tready),
    .m_axis_tdata(out_tdata),
    .m_axis_tlast(out_tlast),
    .m_axis_tdest(out_tdest),
    .m_axis_tuser(out_tuser)
  );

endmodule
