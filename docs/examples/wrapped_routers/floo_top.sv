// SPDX-License-Identifier: Apache-2.0
// FlooNoC's floo_router (github.com/pulp-platform/FlooNoC) behind the pins of
// docs/bring-your-own-router.md: XY routing on meshes, one VC, one local port, ready and valid. All
// of its flits carry the header, so the adapter repeats the address of the head for those behind
// it. Its ports are north, east, south, west, then the local one.
module floo_top
  import floo_pkg::*;
#(
  parameter int unsigned Topology      = 2,
  parameter int unsigned Dimensions    = 2,
  parameter int unsigned Side0         = 3,
  parameter int unsigned Side1         = 3,
  parameter int unsigned InternalPorts = 1,
  parameter int unsigned Vcs           = 1,
  parameter int unsigned Depth         = 4,
  parameter int unsigned DataWidth     = 64,
  parameter int unsigned Switching     = 0,
  // What it declares.
  parameter int unsigned HopCycles        = 2,  // one of its own, one of the adapter
  parameter int unsigned AdapterCycles    = 1,
  parameter int unsigned Kinds            = 1,
  parameter int unsigned Topologies       = 4,  // mesh
  parameter int unsigned MaxInternalPorts = 1,
  parameter int unsigned MaxDimensions    = 2,
  // Derived.
  localparam int unsigned Width0       = $clog2(Side0),
  localparam int unsigned Width1       = $clog2(Side1),
  localparam int unsigned AddressWidth = Width0 + Width1,
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

  if (Topology != 2 || Dimensions != 2) $error("floo_top: meshes of two dimensions only");
  if (Vcs != 1 || InternalPorts != 1) $error("floo_top: one VC and one internal port");
  if (Switching != 0) $error("floo_top: wormhole switching only");
  if (HopCycles != 2 || AdapterCycles != 1) $error("floo_top: 2 cycles, 1 of the adapter");
  if (Kinds != 1 || Topologies != 4 || MaxInternalPorts != 1 || MaxDimensions != 2)
    $error("floo_top: what it declares cannot be set");

  typedef struct packed {
    logic [Width0-1:0] x;
    logic [Width1-1:0] y;
    logic [1:0]        port_id;
  } id_t;
  typedef struct packed {
    id_t  dst_id;
    id_t  src_id;
    collect_op_e collective_op;
    logic last;
  } hdr_t;
  typedef struct packed {
    hdr_t                 hdr;
    logic [FlitWidth-1:0] flit;
  } flit_t;

  flit_t [4:0][0:0] data_in, data_out;
  logic  [4:0][0:0] valid_in, ready_in, valid_out, ready_out;

  function automatic id_t id_of(logic [AddressWidth-1:0] address);
    return '{x: address[Width0-1:0], y: address[AddressWidth-1:Width0], port_id: '0};
  endfunction

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    // Ours is + and - of dimension 0, of dimension 1, then the internal port.
    localparam int unsigned Link = p == 0 ? 32'(East) : p == 1 ? 32'(West) : p == 2 ? 32'(North)
        : p == 3 ? 32'(South) : 32'(Eject);
    logic [FlitWidth-1:0] arriving;
    logic [AddressWidth-1:0] address_q, address;

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
      .valid_o(valid_in[Link]),
      .flit_o(arriving),
      .ready_i(ready_in[Link])
    );

    assign address = arriving[FlitWidth-1] ? arriving[DataWidth +: AddressWidth] : address_q;
    always_ff @(posedge clk_i) begin
      if (valid_in[Link] && ready_in[Link]) address_q <= address;
    end
    assign data_in[Link][0].hdr = '{dst_id: id_of(address), src_id: '0,
                                    collective_op: Unicast, last: arriving[FlitWidth-2]};
    assign data_in[Link][0].flit = arriving;

    allport_from_ready_valid #(
      .Width(FlitWidth),
      .Depth(Depth)
    ) u_out (
      .clk_i,
      .rst_ni,
      .valid_i(valid_out[Link]),
      .flit_i(data_out[Link][0].flit),
      .ready_o(ready_out[Link]),
      .credits_o(),
      .valid_o(valid_o[p]),
      .vc_o(),
      .flit_o(flit_o[p * FlitWidth +: FlitWidth]),
      .credit_i(credit_i[p]),
      .credit_vc_i(credit_vc_i[p])
    );
  end

  floo_router #(
    .NumRoutes(5),
    .NumVirtChannels(1),
    .InFifoDepth(2),
    .OutFifoDepth(0),
    .RouteAlgo(XYRouting),
    .id_t(id_t),
    .flit_t(flit_t),
    .hdr_t(hdr_t)
  ) u_router (
    .clk_i,
    .rst_ni,
    .test_enable_i(1'b0),
    .xy_id_i(id_of(node_i)),
    .id_route_map_i('0),
    .valid_i(valid_in),
    .ready_o(ready_in),
    .data_i(data_in),
    .credit_o(),
    .valid_o(valid_out),
    .ready_i(ready_out),
    .data_o(data_out),
    .credit_i('0),
    .offload_req_o(),
    .offload_rsp_i('0)
  );

endmodule
