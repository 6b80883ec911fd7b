// SPDX-License-Identifier: Apache-2.0
// The router of rtl_model/sv as a user's own router that declares everything that can be declared.

module every_claim_router #(
  parameter int unsigned Topology = 0,
  parameter int unsigned Dimensions = 3,
  parameter logic [47:0] Sides = 48'd0,
  parameter bit Ascending = 0,
  parameter int unsigned InternalPorts = 3,
  parameter int unsigned Vcs = 1,
  parameter int unsigned Depth = 4,
  parameter int unsigned ReplicationDelay = 0,
  parameter int unsigned DataWidth = 64,
  parameter int unsigned Switching = 0,
  parameter int unsigned MaxVia = 0,
  parameter bit Adaptive = 0,
  parameter int unsigned Kinds = 63,
  parameter int unsigned Modes = 15,
  parameter int unsigned Routings = 3,
  parameter int unsigned MaxInternalPorts = 10,
  localparam int unsigned Ports = allport_pkg::external_ports(Topology, Dimensions) + InternalPorts,
  localparam int unsigned VcWidth = allport_pkg::idx_width(Vcs),
  localparam int unsigned AddressWidth =
      allport_pkg::coordinate_offset(Topology, Sides, Dimensions),
  localparam int unsigned FlitWidth = 2 + VcWidth
      + allport_pkg::header_width(Topology, Dimensions, Sides, Switching, MaxVia) + DataWidth
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic [AddressWidth-1:0]    node_i,
  input  logic [Ports-1:0]           valid_i,
  input  logic [Ports*FlitWidth-1:0] flit_i,
  output logic [Ports-1:0]           credit_o,
  output logic [Ports*VcWidth-1:0]   credit_vc_o,
  output logic [Ports-1:0]           valid_o,
  output logic [Ports*FlitWidth-1:0] flit_o,
  input  logic [Ports-1:0]           credit_i,
  input  logic [Ports*VcWidth-1:0]   credit_vc_i,
  output logic [Ports*Vcs-1:0]       ack_o,
  input  logic [Ports*Vcs-1:0]       ack_i,
  output logic                       active_o
);

  localparam bit Reception = 1'b1;
  localparam int unsigned Mode = Switching;
  logic [Ports*Vcs-1:0] ack;

  allport_router #(
    .Topology(Topology),
    .Dimensions(Dimensions),
    .Sides(Sides),
    .Ascending(Ascending),
    .InternalPorts(InternalPorts),
    .Vcs(Vcs),
    .Depth(Depth),
    .ReplicationDelay(ReplicationDelay),
    .DataWidth(DataWidth),
    .IntermediateReception(Reception),
    .Switching(Mode),
    .MaxVia(MaxVia),
    .Adaptive(Adaptive)
  ) u_router (
    .ack_o(ack),
    .*
  );

  assign ack_o = ack;

endmodule
