// SPDX-License-Identifier: Apache-2.0
// The all-port wormhole router with a routing table, for any fabric. Its contract and its pins are
// those of allport_router, but for these: it need not know at which node it stands; the address of
// a head is the number of its destination, 0 .. Nodes - 1, and its ties mean nothing; and the table
// is written through table_write_i, table_row_i and table_hop_i, a row in each cycle in which
// table_write_i is high, while rst_ni is low (allport_routing_table says what a row is). The table
// outlives a reset. A router with fewer ports than others of its fabric may have as many as these:
// ports to which nothing is connected change nothing, if their inputs are low and no row names
// them; so a switch, a router without a processor, leaves its internal ports alone. Unicasts and
// deposits follow tables; there are no messages of other kinds.

module allport_table_router #(
  /// Layers of the table, 1 .. 16: the VCs of a message class are cut into so many equal parts, and
  /// a head goes by the row of the one by which it came.
  parameter int unsigned Tables = 1,
  /// Destinations, 2 .. 65535; (Tables + 1) times the next power of two are 65536 rows at most.
  parameter int unsigned Nodes = 16,
  /// 1 .. 32.
  parameter int unsigned ExternalPorts = 4,
  /// Injection and ejection channels, 1 .. ExternalPorts.
  parameter int unsigned InternalPorts = 1,
  /// Virtual channels of an external channel, 1 .. 16, a multiple of Tables * Classes.
  parameter int unsigned Vcs = 1,
  /// Flits of each buffer, 1 .. 4096.
  parameter int unsigned Depth = 4,
  /// Bits of a flit's payload, 1 or more.
  parameter int unsigned DataWidth = 64,
  /// 1: deposits leave copies at routers they pass.
  parameter int unsigned IntermediateReception = 1,
  /// 0 wormhole, 1 cut-through, 2 store-and-forward, 3 circuit (unicasts only).
  parameter int unsigned Switching = 0,
  /// Message classes, 1 .. 8, each with Vcs / Classes VCs of an external channel and one of an
  /// internal channel, whose vc it is.
  parameter int unsigned Classes = 1,
  /// Cycles that a head waits at the front of its buffer for its route, 0 .. 4.
  parameter int unsigned RouteDelay = 0,
  /// Cycles between winning a VC and asking for the switch, 0 .. 4.
  parameter int unsigned VcDelay = 0,
  /// Further cycles of a flit from the switch to the output channel, 0 .. 4.
  parameter int unsigned CrossbarDelay = 0,
  localparam allport_pkg::router_config_t Config = allport_pkg::table_router_config(
      Tables, Nodes, ExternalPorts, InternalPorts, Vcs, Depth, DataWidth, IntermediateReception,
      Switching, Classes, RouteDelay, VcDelay, CrossbarDelay),
  localparam int unsigned Ports = Config.Ports,
  localparam int unsigned VcWidth = Config.VcWidth,
  localparam int unsigned FlitWidth = Config.FlitWidth
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic                       table_write_i,
  input  logic [Config.RowWidth-1:0] table_row_i,
  input  logic [Config.HopWidth-1:0] table_hop_i,
  input  logic [8*ExternalPorts-1:0] phits_i,      // cycles of a flit on each output, 0 .. 64
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

  if (!Config.IsValid) begin : gen_invalid
    $error("allport_table_router: a parameter is out of its range");
  end

  allport_router_core #(
    .Config(Config)
  ) u_core (
    .clk_i,
    .rst_ni,
    .node_i({Config.AddressWidth{1'b0}}),
    .table_write_i,
    .table_row_i,
    .table_hop_i,
    .phits_i,
    .repeats_i({ExternalPorts{1'b0}}),
    .valid_i,
    .flit_i,
    .credit_o,
    .credit_vc_o,
    .valid_o,
    .flit_o,
    .credit_i,
    .credit_vc_i,
    .ack_o,
    .ack_i,
    .active_o
  );

endmodule
