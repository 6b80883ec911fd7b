// SPDX-License-Identifier: Apache-2.0
// xy_router behind the pins of docs/bring-your-own-router.md, by the two adapters that come with
// allport. Each input has a buffer with credits before its handshake, each output a register behind
// it; the register is the one cycle that AdapterCycles names.
module ready_valid_router #(
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
  localparam int unsigned FlitWidth    = 2 + 1 + 3 + 2 + AddressWidth + DataWidth
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

  if (Topology != 2 || Dimensions != 2) $error("ready_valid_router: meshes of two dimensions only");
  if (InternalPorts != 1 || Vcs != 1) $error("ready_valid_router: one internal port and one VC");
  if (HopCycles != 2 || AdapterCycles != 1)
    $error("ready_valid_router: 2 cycles, 1 of the adapter");
  if (Kinds != 1 || Topologies != 4 || MaxInternalPorts != 1 || MaxDimensions != 2)
    $error("ready_valid_router: what it declares cannot be set");

  logic [4:0] in_valid, in_ready, last, out_valid, out_ready;
  logic [4:0][XWidth-1:0] to_x;
  logic [4:0][YWidth-1:0] to_y;
  logic [4:0][FlitWidth-1:0] in_flit, out_flit;

  for (genvar p = 0; p < 5; p++) begin : gen_port
    logic [AddressWidth-1:0] address, address_q;

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
      .valid_o(in_valid[p]),
      .flit_o(in_flit[p]),
      .ready_i(in_ready[p])
    );

    // Only heads have an address here, but all flits there.
    assign address = in_flit[p][FlitWidth-1] ? in_flit[p][DataWidth +: AddressWidth] : address_q;
    assign last[p] = in_flit[p][FlitWidth-2];
    assign to_x[p] = address[XWidth-1:0];
    assign to_y[p] = address[AddressWidth-1:XWidth];
    always_ff @(posedge clk_i) begin
      if (in_valid[p] && in_ready[p]) address_q <= address;
    end

    allport_from_ready_valid #(
      .Width(FlitWidth),
      .Depth(Depth)
    ) u_out (
      .clk_i,
      .rst_ni,
      .valid_i(out_valid[p]),
      .flit_i(out_flit[p]),
      .ready_o(out_ready[p]),
      .credits_o(),
      .valid_o(valid_o[p]),
      .vc_o(),
      .flit_o(flit_o[p * FlitWidth +: FlitWidth]),
      .credit_i(credit_i[p]),
      .credit_vc_i(credit_vc_i[p])
    );
  end

  xy_router #(
    .XWidth(XWidth),
    .YWidth(YWidth),
    .Width(FlitWidth)
  ) u_router (
    .clk_i,
    .rst_ni,
    .x_i(node_i[XWidth-1:0]),
    .y_i(node_i[AddressWidth-1:XWidth]),
    .valid_i(in_valid),
    .ready_o(in_ready),
    .last_i(last),
    .to_x_i(to_x),
    .to_y_i(to_y),
    .data_i(in_flit),
    .valid_o(out_valid),
    .ready_i(out_ready),
    .data_o(out_flit)
  );

endmodule
