// SPDX-License-Identifier: Apache-2.0
// From an ejection channel to an AXI4-Stream: a message becomes a frame, a flit becomes a beat, in
// the cycle in which it is on the channel if none is before it; a buffer of Depth flits takes what
// m_axis_tready leaves waiting. No output follows from m_axis_tready within a cycle. tid is the
// source; tuser is, from the top: tag, length (in cut-through and store-and-forward), ties, kind,
// and all but the tag stays that of the head until the frame ends. A flit is as
// allport_axis_injector makes it.

module allport_axis_ejector #(
  /// The router.
  parameter allport_pkg::router_config_t Config = allport_pkg::Hypercube3,
  /// Bytes of a beat, 1 or more.
  parameter int unsigned Bytes = 8,
  /// Bits of the tag, 1 or more.
  parameter int unsigned TagWidth = 8,
  localparam int unsigned AddressWidth = Config.AddressWidth,
  localparam int unsigned RouteWidth = Config.HeaderWidth - AddressWidth,
  localparam int unsigned UserWidth = RouteWidth + TagWidth,
  localparam int unsigned FlitWidth = Config.FlitWidth
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    valid_i,   // the ejection channel
  input  logic [FlitWidth-1:0]    flit_i,
  output logic                    credit_o,  // register
  output logic                    ack_o,     // register; circuit switching: a head has come
  output logic                    m_axis_tvalid,
  input  logic                    m_axis_tready,
  output logic [8*Bytes-1:0]      m_axis_tdata,
  output logic [Bytes-1:0]        m_axis_tkeep,
  output logic                    m_axis_tlast,
  output logic [AddressWidth-1:0] m_axis_tid,
  output logic [UserWidth-1:0]    m_axis_tuser
);

  localparam int unsigned KindWidth = allport_pkg::KindWidth;
  localparam int unsigned TieWidth = Config.TieWidth;
  localparam int unsigned VcWidth = Config.VcWidth;
  localparam int unsigned DataWidth = Config.DataWidth;
  localparam int unsigned StoredWidth = 2 + RouteWidth + DataWidth;

  logic [RouteWidth-1:0] arriving, route, route_d, route_q;  // as in tuser: [length,] ties, kind
  logic [StoredWidth-1:0] front;
  logic [TagWidth-1:0] tag;
  logic head, tail, is_front_head, is_taken, credit_q;
  logic unused_bits;

  assign {head, tail} = flit_i[FlitWidth-1 -: 2];
  assign arriving[0 +: KindWidth] = flit_i[FlitWidth-3-VcWidth -: KindWidth];
  assign arriving[KindWidth +: TieWidth] = flit_i[DataWidth + AddressWidth +: TieWidth];
  if (Config.NeedsRoom) begin : gen_length
    assign arriving[RouteWidth-1 -: allport_pkg::LengthWidth] =
        flit_i[DataWidth + AddressWidth + TieWidth +: allport_pkg::LengthWidth];
  end
  assign unused_bits = ^{flit_i[FlitWidth-3 -: VcWidth], flit_i[DataWidth +: AddressWidth]};

  allport_fifo #(
    .Width(StoredWidth),
    .Depth(Config.Depth)
  ) u_fifo (
    .clk_i,
    .rst_ni,
    .push_i(valid_i),
    .flit_i({head, tail, arriving, flit_i[DataWidth-1:0]}),
    .occupied_o(m_axis_tvalid),
    .front_o(front),
    .pop_i(is_taken)
  );

  assign {is_front_head, m_axis_tlast} = front[StoredWidth-1 -: 2];
  assign route = is_front_head ? front[DataWidth +: RouteWidth] : route_q;
  assign {m_axis_tid, tag, m_axis_tkeep, m_axis_tdata} = front[DataWidth-1:0];
  assign m_axis_tuser = {tag, route};

  assign is_taken = m_axis_tvalid && m_axis_tready;
  assign route_d = is_taken ? route : route_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) credit_q <= 1'b0;
    else credit_q <= is_taken;
  end

  // A frame begins with a head, so no reset goes to it.
  always_ff @(posedge clk_i) route_q <= route_d;

  assign credit_o = credit_q;

  if (Config.Switching == allport_pkg::SwitchingCircuit) begin : gen_acknowledgement
    logic ack_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) ack_q <= 1'b0;
      else ack_q <= valid_i && head && !tail;
    end

    assign ack_o = ack_q;
  end else begin : gen_no_acknowledgement
    assign ack_o = 1'b0;
  end

endmodule
