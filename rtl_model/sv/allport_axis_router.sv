// SPDX-License-Identifier: Apache-2.0
// A router with the network interface of its node: AXI4-Streams (allport_axis_interface) on the
// node's side, and towards the neighbours the channels of allport_router. The parameters are those
// of the router; there are no lists of destinations. Slice p of a vector belongs to external port
// p.

module allport_axis_router #(
  /// 0 hypercube, 1 torus (a ring is a torus of one dimension), 2 mesh.
  parameter int unsigned Topology = 0,
  /// Hypercube 1 .. 10, torus and mesh 1 .. 3.
  parameter int unsigned Dimensions = 3,
  /// Torus, mesh: the sides, 2 .. 65535; 0 for a dimension that does not exist.
  parameter int unsigned Side0 = 0,
  parameter int unsigned Side1 = 0,
  parameter int unsigned Side2 = 0,
  /// The same in one vector, as an alternative: 16 bits per dimension, dimension 0 lowest.
  parameter logic [47:0] Sides = allport_pkg::side_vector(Side0, Side1, Side2),
  /// 1: e-cube of a hypercube is from the lowest dimension.
  parameter int unsigned Ascending = 0,
  /// Streams in each direction, 1 .. external ports of the router.
  parameter int unsigned InternalPorts = 1,
  /// Virtual channels of an external channel, 1 .. 16; on a torus 1 or even.
  parameter int unsigned Vcs = 1,
  /// Flits of each buffer, 1 .. 4096.
  parameter int unsigned Depth = 4,
  /// Cycles that a tree flit is held before it branches, 0 .. 1024.
  parameter int unsigned ReplicationDelay = 0,
  /// 1: tree worms are understood.
  parameter int unsigned Replication = 1,
  /// 1: deposit, path and tree worms leave copies at routers they pass.
  parameter int unsigned IntermediateReception = 1,
  /// 0 wormhole, 1 cut-through, 2 store-and-forward, 3 circuit (unicasts only).
  parameter int unsigned Switching = 0,
  /// 1: hypercube, descending, two VCs at least, unicasts only: adaptive routing.
  parameter int unsigned Adaptive = 0,
  /// Cycles that a head waits at the front of its buffer for its route, 0 .. 4.
  parameter int unsigned RouteDelay = 0,
  /// Cycles between winning a VC and asking for the switch, 0 .. 4.
  parameter int unsigned VcDelay = 0,
  /// Further cycles of a flit from the switch to the output channel, 0 .. 4.
  parameter int unsigned CrossbarDelay = 0,
  /// Bytes of a beat, 1 or more.
  parameter int unsigned Bytes = 8,
  /// Bits of the tag, which is the sender's own, 1 or more.
  parameter int unsigned TagWidth = 8,
  localparam allport_pkg::router_config_t Config = allport_pkg::axis_router_config(
      Topology, Dimensions, Sides, Ascending, InternalPorts, Vcs, Depth, ReplicationDelay,
      Replication, IntermediateReception, Switching, Adaptive, RouteDelay, VcDelay, CrossbarDelay,
      Bytes, TagWidth),
  localparam int unsigned ExternalPorts = Config.ExternalPorts,
  localparam int unsigned VcWidth = Config.VcWidth,
  localparam int unsigned AddressWidth = Config.AddressWidth,
  localparam int unsigned UserWidth = Config.HeaderWidth - AddressWidth + TagWidth,
  localparam int unsigned FlitWidth = Config.FlitWidth
) (
  input  logic                                  clk_i,
  input  logic                                  rst_ni,
  input  logic [AddressWidth-1:0]               node_i,  // constant while out of reset
  input  logic [InternalPorts-1:0]              s_axis_tvalid,
  output logic [InternalPorts-1:0]              s_axis_tready,
  input  logic [InternalPorts*8*Bytes-1:0]      s_axis_tdata,
  input  logic [InternalPorts*Bytes-1:0]        s_axis_tkeep,
  input  logic [InternalPorts-1:0]              s_axis_tlast,
  input  logic [InternalPorts*AddressWidth-1:0] s_axis_tdest,
  input  logic [InternalPorts*UserWidth-1:0]    s_axis_tuser,
  output logic [InternalPorts-1:0]              m_axis_tvalid,
  input  logic [InternalPorts-1:0]              m_axis_tready,
  output logic [InternalPorts*8*Bytes-1:0]      m_axis_tdata,
  output logic [InternalPorts*Bytes-1:0]        m_axis_tkeep,
  output logic [InternalPorts-1:0]              m_axis_tlast,
  output logic [InternalPorts*AddressWidth-1:0] m_axis_tid,
  output logic [InternalPorts*UserWidth-1:0]    m_axis_tuser,
  input  logic [ExternalPorts-1:0]              valid_i,  // channels: as allport_router
  input  logic [ExternalPorts*FlitWidth-1:0]    flit_i,
  output logic [ExternalPorts-1:0]              credit_o,
  output logic [ExternalPorts*VcWidth-1:0]      credit_vc_o,
  output logic [ExternalPorts-1:0]              valid_o,
  output logic [ExternalPorts*FlitWidth-1:0]    flit_o,
  input  logic [ExternalPorts-1:0]              credit_i,
  input  logic [ExternalPorts*VcWidth-1:0]      credit_vc_i,
  output logic [ExternalPorts*Vcs-1:0]          ack_o,
  input  logic [ExternalPorts*Vcs-1:0]          ack_i,
  output logic                                  active_o
);

  logic [InternalPorts-1:0] injected_valid, ejected_valid, injection_credit, ejection_credit;
  logic [InternalPorts*FlitWidth-1:0] injected_flit, ejected_flit;
  logic [InternalPorts*VcWidth-1:0] unused_credit_vc;
  logic [InternalPorts*Vcs-1:0] injection_lines, ejection_lines;
  logic [InternalPorts-1:0] injection_ack, ejection_ack;

  // An internal channel has one VC, the first line of its port.
  for (genvar k = 0; k < InternalPorts; k++) begin : gen_internal_ack
    assign ejection_lines[k * Vcs +: Vcs] = Vcs'(ejection_ack[k]);
    assign injection_ack[k] = injection_lines[k * Vcs +: Vcs] != '0;
  end

  allport_axis_interface #(
    .Config(Config),
    .Bytes(Bytes),
    .TagWidth(TagWidth)
  ) u_interface (
    .clk_i,
    .rst_ni,
    .node_i,
    .s_axis_tvalid,
    .s_axis_tready,
    .s_axis_tdata,
    .s_axis_tkeep,
    .s_axis_tlast,
    .s_axis_tdest,
    .s_axis_tuser,
    .m_axis_tvalid,
    .m_axis_tready,
    .m_axis_tdata,
    .m_axis_tkeep,
    .m_axis_tlast,
    .m_axis_tid,
    .m_axis_tuser,
    .valid_o(injected_valid),
    .flit_o(injected_flit),
    .credit_i(injection_credit),
    .ack_i(injection_ack),
    .valid_i(ejected_valid),
    .flit_i(ejected_flit),
    .credit_o(ejection_credit),
    .ack_o(ejection_ack)
  );

  allport_router #(
    .Config(Config)
  ) u_router (
    .clk_i,
    .rst_ni,
    .node_i,
    .valid_i({injected_valid, valid_i}),
    .flit_i({injected_flit, flit_i}),
    .credit_o({injection_credit, credit_o}),
    .credit_vc_o({unused_credit_vc, credit_vc_o}),
    .valid_o({ejected_valid, valid_o}),
    .flit_o({ejected_flit, flit_o}),
    .credit_i({ejection_credit, credit_i}),
    .credit_vc_i({{(InternalPorts * VcWidth){1'b0}}, credit_vc_i}),
    .ack_o({injection_lines, ack_o}),
    .ack_i({ejection_lines, ack_i}),
    .active_o
  );

endmodule
