// SPDX-License-Identifier: Apache-2.0
// BaseJump STL's bsg_wormhole_router (github.com/bespoke-silicon-group/basejump_stl) behind the
// pins of docs/bring-your-own-router.md. It has ready and valid, one VC, one local port, and finds
// the end of a message by the length in its head; so it is tried with cut-through, whose heads have
// one. Its links are the two directions of each dimension, downwards first, after the local port.
`include "bsg_defines.sv"
`include "bsg_noc_links.svh"

module bsg_wormhole_top #(
  parameter int unsigned Topology      = 2,
  parameter int unsigned Dimensions    = 2,
  parameter int unsigned Side0         = 3,
  parameter int unsigned Side1         = 3,
  parameter int unsigned InternalPorts = 1,
  parameter int unsigned Vcs           = 1,
  parameter int unsigned Depth         = 4,
  parameter int unsigned DataWidth     = 64,
  parameter int unsigned Switching     = 1,
  // What it declares.
  parameter int unsigned HopCycles        = 2,  // one of its own, one of the adapter
  parameter int unsigned AdapterCycles    = 1,
  parameter int unsigned Kinds            = 1,
  parameter int unsigned Modes            = 2,  // cut-through
  parameter int unsigned Topologies       = 4,  // mesh
  parameter int unsigned MaxInternalPorts = 1,
  parameter int unsigned MaxDimensions    = 2,
  // Derived.
  localparam int unsigned Width0       = $clog2(Side0),
  localparam int unsigned AddressWidth = Width0 + $clog2(Side1),
  localparam int unsigned Ports        = 5,
  localparam int unsigned TieWidth     = 2,
  localparam int unsigned LengthWidth  = 13,
  localparam int unsigned FlitWidth    = 2 + 1 + 3 + LengthWidth + TieWidth + AddressWidth
      + DataWidth
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

  if (Topology != 2 || Dimensions != 2) $error("bsg_wormhole_top: meshes of two dimensions only");
  if (Vcs != 1 || InternalPorts != 1) $error("bsg_wormhole_top: one VC and one internal port");
  if (Switching != 1) $error("bsg_wormhole_top: cut-through only, whose heads have a length");
  if (HopCycles != 2 || AdapterCycles != 1) $error("bsg_wormhole_top: 2 cycles, 1 of the adapter");
  if (Kinds != 1 || Modes != 2 || Topologies != 4 || MaxInternalPorts != 1 || MaxDimensions != 2)
    $error("bsg_wormhole_top: what it declares cannot be set");

  // Its flit: ours, the number of flits that follow the head, and the coordinates, lowest.
  localparam int unsigned RouterWidth = FlitWidth + LengthWidth + AddressWidth;
  localparam int unsigned LengthAt    = DataWidth + AddressWidth + TieWidth;
  localparam int unsigned CreditWidth = $clog2(Depth + 1) > 0 ? $clog2(Depth + 1) : 1;
  `declare_bsg_ready_and_link_sif_s(RouterWidth, link_s);

  link_s [Ports-1:0] link_in, link_out;

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    // Ours is + and - of each dimension, then the internal port.
    localparam int unsigned Link = p == 4 ? 0 : (p % 2 == 0 ? p + 2 : p);
    logic [FlitWidth-1:0] arriving, leaving;
    logic [LengthWidth-1:0] length, leaving_length;
    logic [CreditWidth-1:0] credits;
    logic has_room, ready;

    allport_to_ready_valid #(
      .Width(FlitWidth),
      .Depth(Depth)
    ) u_in (
      .clk_i,
      .rst_ni,
      .valid_i(valid_i[p]),
      .vc_i(1'b0),
      .flit_i(flit_i[p * FlitWidth +: FlitWidth]),
      .credit_o(credit_o[p]),
      .credit_vc_o(credit_vc_o[p]),
      .valid_o(link_in[Link].v),
      .flit_o(arriving),
      .ready_i(link_out[Link].ready_and_rev)
    );
    assign length = arriving[LengthAt +: LengthWidth];
    assign link_in[Link].data = {arriving, LengthWidth'(length - 1'b1),
                                 arriving[DataWidth +: AddressWidth]};

    // A head leaves when there is room for its message, as cut-through demands.
    assign leaving = link_out[Link].data[RouterWidth-1 -: FlitWidth];
    assign leaving_length = leaving[LengthAt +: LengthWidth];
    assign has_room = !leaving[FlitWidth-1] || 32'(credits) >= 32'(leaving_length);
    assign link_in[Link].ready_and_rev = ready && has_room;

    allport_from_ready_valid #(
      .Width(FlitWidth),
      .Depth(Depth)
    ) u_out (
      .clk_i,
      .rst_ni,
      .valid_i(link_out[Link].v && has_room),
      .flit_i(leaving),
      .ready_o(ready),
      .credits_o(credits),
      .valid_o(valid_o[p]),
      .vc_o(),
      .flit_o(flit_o[p * FlitWidth +: FlitWidth]),
      .credit_i(credit_i[p]),
      .credit_vc_i(credit_vc_i[p])
    );
  end

  bsg_wormhole_router #(
    .flit_width_p(RouterWidth),
    .dims_p(2),
    .cord_markers_pos_p('{AddressWidth, Width0, 0}),
    .len_width_p(LengthWidth)
  ) u_router (
    .clk_i,
    .reset_i(!rst_ni),
    .link_i(link_in),
    .link_o(link_out),
    .my_cord_i(node_i)
  );

endmodule
