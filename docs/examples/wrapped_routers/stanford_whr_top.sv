// SPDX-License-Identifier: Apache-2.0
// Stanford's wormhole router whr_top (github.com/anan-cn/Open-Source-Network-on-Chip-Router-RTL)
// behind the pins of docs/bring-your-own-router.md. It has credits and registers of its own, so the
// adapter adds no cycle. A head carries the port by which it leaves this router (the router looks
// ahead, for the next one), then its destination; here the adapter finds the port, and the router's
// own choice for the next router is not used. Bit 0 of its vectors is the highest.
`include "c_constants.v"
`include "rtr_constants.v"

module stanford_whr_top #(
  parameter int unsigned Topology      = 2,
  parameter int unsigned Dimensions    = 2,
  parameter int unsigned Side0         = 4,
  parameter int unsigned Side1         = 4,
  parameter int unsigned InternalPorts = 1,
  parameter int unsigned Vcs           = 1,
  parameter int unsigned Depth         = 8,
  parameter int unsigned DataWidth     = 64,
  parameter int unsigned Switching     = 0,
  // What it declares.
  parameter int unsigned HopCycles        = 3,
  parameter int unsigned Kinds            = 1,
  parameter int unsigned Topologies       = 4,  // mesh
  parameter int unsigned Square           = 1,
  parameter int unsigned ResetCycles      = 2,  // until it sees that its links are active
  parameter int unsigned MaxInternalPorts = 1,
  parameter int unsigned MaxDimensions    = 2,
  // Derived.
  localparam int unsigned Width        = $clog2(Side0),
  localparam int unsigned AddressWidth = 2 * Width,
  localparam int unsigned Ports        = 5,
  localparam int unsigned FlitWidth    = 2 + 1 + 3 + 2 + AddressWidth + DataWidth
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic [AddressWidth-1:0]    node_i,
  input  logic [Ports-1:0]           valid_i,
  input  logic [Ports*FlitWidth-1:0] flit_i,
  output logic [Ports-1:0]           credit_o,
  output logic [Ports-1:0]           credit_vc_o,
  output logic [Ports-1:0]           valid_o,
  output logic [Ports*FlitWidth-1:0] flit_o,
  input  logic [Ports-1:0]           credit_i,
  input  logic [Ports-1:0]           credit_vc_i
);

  if (Topology != 2 || Dimensions != 2 || Side0 != Side1)
    $error("stanford_whr_top: square meshes of two dimensions only");
  if (Vcs != 1 || InternalPorts != 1) $error("stanford_whr_top: one VC and one internal port");
  if (Switching != 0) $error("stanford_whr_top: wormhole switching only");
  if (Kinds != 1 || Topologies != 4 || Square != 1 || MaxInternalPorts != 1 || MaxDimensions != 2)
    $error("stanford_whr_top: what it declares cannot be set");

  // Its data: the port, the destination (dimension 0 highest), our flit.
  localparam int unsigned DataBits     = 3 + AddressWidth + FlitWidth;
  localparam int unsigned ChannelWidth = 4 + DataBits;  // active, valid, head, tail

  logic [0:Ports*ChannelWidth-1] channel_in, channel_out;
  logic [0:Ports-1] credit_back, credit_in;
  logic unused_error;

  function automatic logic [AddressWidth-1:0] turned(logic [AddressWidth-1:0] address);
    return {address[Width-1:0], address[AddressWidth-1:Width]};
  endfunction

  // Its ports: down and up in each dimension, then the local one.
  function automatic logic [2:0] port_to(logic [AddressWidth-1:0] address);
    if (address[Width-1:0] != node_i[Width-1:0])
      return address[Width-1:0] < node_i[Width-1:0] ? 3'd0 : 3'd1;
    if (address[AddressWidth-1:Width] != node_i[AddressWidth-1:Width])
      return address[AddressWidth-1:Width] < node_i[AddressWidth-1:Width] ? 3'd2 : 3'd3;
    return 3'd4;
  endfunction

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    // Ours is + and - of each dimension.
    localparam int unsigned Theirs = p == 4 ? 4 : (p % 2 == 0 ? p + 1 : p - 1);
    logic [FlitWidth-1:0] flit;
    logic [AddressWidth-1:0] address;
    logic [ChannelWidth-1:0] leaving;
    assign flit = flit_i[p * FlitWidth +: FlitWidth];
    assign address = flit[DataWidth +: AddressWidth];
    assign channel_in[Theirs * ChannelWidth +: ChannelWidth] = {
        1'b1, valid_i[p], flit[FlitWidth-1], flit[FlitWidth-2], port_to(address),
        turned(address), flit};
    assign leaving = channel_out[Theirs * ChannelWidth +: ChannelWidth];
    assign valid_o[p] = leaving[ChannelWidth-2];
    assign flit_o[p * FlitWidth +: FlitWidth] = leaving[FlitWidth-1:0];
    assign credit_o[p] = credit_back[Theirs];
    assign credit_vc_o[p] = 1'b0;
    assign credit_in[Theirs] = credit_i[p];
  end

  whr_top #(
    .buffer_size(Depth),
    .num_routers_per_dim(Side0),
    .num_dimensions(2),
    .num_nodes_per_router(1),
    .connectivity(`CONNECTIVITY_LINE),
    .packet_format(`PACKET_FORMAT_HEAD_TAIL),
    .enable_link_pm(1),
    .flit_data_width(DataBits)
  ) u_router (
    .clk(clk_i),
    .reset(!rst_ni),
    .router_address(turned(node_i)),
    .channel_in_ip(channel_in),
    .flow_ctrl_out_ip(credit_back),
    .channel_out_op(channel_out),
    .flow_ctrl_in_op(credit_in),
    .error(unused_error)
  );

endmodule
