// SPDX-License-Identifier: Apache-2.0
// A whole fabric with AXI4-Streams at its nodes: allport_fabric, and a network interface
// (allport_axis_interface) for each node. Stream k of a node is slice node*InternalPorts + k of
// each vector. tdest and tid are addresses of nodes (allport_pkg::node_address). The parameters are
// those of the fabric; there are no lists of destinations.

module allport_axis_fabric #(
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
  /// Streams in each direction at a node, 1 .. external ports of the router.
  parameter int unsigned InternalPorts = 1,
  /// Virtual channels of an external channel, 1 .. 16; on a torus 1 or even.
  parameter int unsigned Vcs = 1,
  /// Flits of each buffer, 1 .. 4096.
  parameter int unsigned Depth = 4,
  /// Registers added to an external channel, in both directions, 0 .. 1024.
  parameter int unsigned LinkDelay = 0,
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
  localparam int unsigned NodeCount = allport_pkg::node_count(Topology, Dimensions, Sides),
  localparam int unsigned Streams = NodeCount * InternalPorts,
  localparam int unsigned AddressWidth = Config.AddressWidth,
  localparam int unsigned UserWidth = Config.HeaderWidth - AddressWidth + TagWidth
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic [Streams-1:0]              s_axis_tvalid,
  output logic [Streams-1:0]              s_axis_tready,
  input  logic [Streams*8*Bytes-1:0]      s_axis_tdata,
  input  logic [Streams*Bytes-1:0]        s_axis_tkeep,
  input  logic [Streams-1:0]              s_axis_tlast,
  input  logic [Streams*AddressWidth-1:0] s_axis_tdest,
  input  logic [Streams*UserWidth-1:0]    s_axis_tuser,
  output logic [Streams-1:0]              m_axis_tvalid,
  input  logic [Streams-1:0]              m_axis_tready,
  output logic [Streams*8*Bytes-1:0]      m_axis_tdata,
  output logic [Streams*Bytes-1:0]        m_axis_tkeep,
  output logic [Streams-1:0]              m_axis_tlast,
  output logic [Streams*AddressWidth-1:0] m_axis_tid,
  output logic [Streams*UserWidth-1:0]    m_axis_tuser
);

  localparam int unsigned FlitWidth = Config.FlitWidth;

  logic [Streams-1:0] injected_valid, ejected_valid, injection_credit, ejection_credit;
  logic [Streams*FlitWidth-1:0] injected_flit, ejected_flit;
  logic [Streams-1:0] injection_ack, ejection_ack;
  logic [NodeCount-1:0] unused_active;

  for (genvar node = 0; node < NodeCount; node++) begin : gen_node
    localparam int unsigned First = node * InternalPorts;
    localparam logic [47:0] Address = allport_pkg::node_address(Topology, Dimensions, Sides, node);

    allport_axis_interface #(
      .Config(Config),
      .Bytes(Bytes),
      .TagWidth(TagWidth)
    ) u_interface (
      .clk_i,
      .rst_ni,
      .node_i(Address[AddressWidth-1:0]),
      .s_axis_tvalid(s_axis_tvalid[First +: InternalPorts]),
      .s_axis_tready(s_axis_tready[First +: InternalPorts]),
      .s_axis_tdata(s_axis_tdata[First * 8 * Bytes +: InternalPorts * 8 * Bytes]),
      .s_axis_tkeep(s_axis_tkeep[First * Bytes +: InternalPorts * Bytes]),
      .s_axis_tlast(s_axis_tlast[First +: InternalPorts]),
      .s_axis_tdest(s_axis_tdest[First * AddressWidth +: InternalPorts * AddressWidth]),
      .s_axis_tuser(s_axis_tuser[First * UserWidth +: InternalPorts * UserWidth]),
      .m_axis_tvalid(m_axis_tvalid[First +: InternalPorts]),
      .m_axis_tready(m_axis_tready[First +: InternalPorts]),
      .m_axis_tdata(m_axis_tdata[First * 8 * Bytes +: InternalPorts * 8 * Bytes]),
      .m_axis_tkeep(m_axis_tkeep[First * Bytes +: InternalPorts * Bytes]),
      .m_axis_tlast(m_axis_tlast[First +: InternalPorts]),
      .m_axis_tid(m_axis_tid[First * AddressWidth +: InternalPorts * AddressWidth]),
      .m_axis_tuser(m_axis_tuser[First * UserWidth +: InternalPorts * UserWidth]),
      .valid_o(injected_valid[First +: InternalPorts]),
      .flit_o(injected_flit[First * FlitWidth +: InternalPorts * FlitWidth]),
      .credit_i(injection_credit[First +: InternalPorts]),
      .ack_i(injection_ack[First +: InternalPorts]),
      .valid_i(ejected_valid[First +: InternalPorts]),
      .flit_i(ejected_flit[First * FlitWidth +: InternalPorts * FlitWidth]),
      .credit_o(ejection_credit[First +: InternalPorts]),
      .ack_o(ejection_ack[First +: InternalPorts])
    );
  end

  allport_fabric #(
    .Config(Config),
    .LinkDelay(LinkDelay)
  ) u_fabric (
    .clk_i,
    .rst_ni,
    .valid_i(injected_valid),
    .flit_i(injected_flit),
    .credit_o(injection_credit),
    .valid_o(ejected_valid),
    .flit_o(ejected_flit),
    .credit_i(ejection_credit),
    .ack_o(injection_ack),
    .ack_i(ejection_ack),
    .active_o(unused_active)
  );

endmodule
