// SPDX-License-Identifier: Apache-2.0
// The network interface of a node with AXI4-Streams: an allport_axis_injector and an
// allport_axis_ejector for each internal port of its router. Stream k of either direction is slice
// k of each vector. Whoever sends chooses the stream; a frame that came in on external input p
// leaves by stream p mod InternalPorts. The parameters are those of the router.

module allport_axis_interface #(
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
  /// Streams in each direction, 1 .. external ports of the router.
  parameter int unsigned InternalPorts = 1,
  /// Virtual channels of an external channel, 1 .. 16; on a torus 1 or even.
  parameter int unsigned Vcs = 1,
  /// Flits of each buffer, 1 .. 4096.
  parameter int unsigned Depth = 4,
  /// 0 wormhole, 1 cut-through, 2 store-and-forward, 3 circuit (unicasts only).
  parameter int unsigned Switching = 0,
  /// Bytes of a beat, 1 or more.
  parameter int unsigned Bytes = 8,
  /// Bits of the tag, which is the sender's own, 1 or more.
  parameter int unsigned TagWidth = 8,
  /// All of them in one structure, as axis_router_config makes it, in place of all but Bytes and
  /// TagWidth.
  parameter allport_pkg::router_config_t Config = allport_pkg::axis_router_config(
      Topology, Dimensions, Sides, 0, InternalPorts, Vcs, Depth, 0, 1, 1, Switching, 0, 0, 0, 0,
      Bytes, TagWidth),
  localparam int unsigned Streams = Config.InternalPorts,
  localparam int unsigned AddressWidth = Config.AddressWidth,
  localparam int unsigned UserWidth = Config.HeaderWidth - AddressWidth + TagWidth,
  localparam int unsigned FlitWidth = Config.FlitWidth
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic [AddressWidth-1:0]         node_i,  // as the router has it
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
  output logic [Streams*UserWidth-1:0]    m_axis_tuser,
  output logic [Streams-1:0]              valid_o,  // to the router's injection channels
  output logic [Streams*FlitWidth-1:0]    flit_o,
  input  logic [Streams-1:0]              credit_i,
  input  logic [Streams-1:0]              ack_i,
  input  logic [Streams-1:0]              valid_i,  // from its ejection channels
  input  logic [Streams*FlitWidth-1:0]    flit_i,
  output logic [Streams-1:0]              credit_o,
  output logic [Streams-1:0]              ack_o
);

  if ((Bytes < 1) || (TagWidth < 1)) begin : gen_invalid
    $error("allport_axis_interface: Bytes and TagWidth must be 1 or more");
  end
  if (Config.DataWidth != AddressWidth + TagWidth + 9 * Bytes) begin : gen_two_configs
    $error("allport_axis_interface: Config is not made for these Bytes and TagWidth");
  end
  if (Config.Classes != 1) begin : gen_classes
    $error("allport_axis_interface: its channels have one VC, so there is one message class");
  end

  for (genvar k = 0; k < Streams; k++) begin : gen_stream
    allport_axis_injector #(
      .Config(Config),
      .Bytes(Bytes),
      .TagWidth(TagWidth)
    ) u_injector (
      .clk_i,
      .rst_ni,
      .node_i,
      .s_axis_tvalid(s_axis_tvalid[k]),
      .s_axis_tready(s_axis_tready[k]),
      .s_axis_tdata(s_axis_tdata[k * 8 * Bytes +: 8 * Bytes]),
      .s_axis_tkeep(s_axis_tkeep[k * Bytes +: Bytes]),
      .s_axis_tlast(s_axis_tlast[k]),
      .s_axis_tdest(s_axis_tdest[k * AddressWidth +: AddressWidth]),
      .s_axis_tuser(s_axis_tuser[k * UserWidth +: UserWidth]),
      .valid_o(valid_o[k]),
      .flit_o(flit_o[k * FlitWidth +: FlitWidth]),
      .credit_i(credit_i[k]),
      .ack_i(ack_i[k])
    );

    allport_axis_ejector #(
      .Config(Config),
      .Bytes(Bytes),
      .TagWidth(TagWidth)
    ) u_ejector (
      .clk_i,
      .rst_ni,
      .valid_i(valid_i[k]),
      .flit_i(flit_i[k * FlitWidth +: FlitWidth]),
      .credit_o(credit_o[k]),
      .ack_o(ack_o[k]),
      .m_axis_tvalid(m_axis_tvalid[k]),
      .m_axis_tready(m_axis_tready[k]),
      .m_axis_tdata(m_axis_tdata[k * 8 * Bytes +: 8 * Bytes]),
      .m_axis_tkeep(m_axis_tkeep[k * Bytes +: Bytes]),
      .m_axis_tlast(m_axis_tlast[k]),
      .m_axis_tid(m_axis_tid[k * AddressWidth +: AddressWidth]),
      .m_axis_tuser(m_axis_tuser[k * UserWidth +: UserWidth])
    );
  end

endmodule
