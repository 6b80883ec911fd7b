// SPDX-License-Identifier: Apache-2.0
// From an AXI4-Stream to an injection channel: a frame becomes a message, a beat becomes a flit, in
// the cycle in which it is transferred. s_axis_tready follows from registers alone, in cut-through
// and store-and-forward also from the length in s_axis_tuser: a head needs credits for its whole
// message. In circuit mode the beats behind the first one wait for the acknowledgement. tdest is a
// node's address; tuser is, from the top: tag, length (in those two modes), ties, kind. Of tuser
// all but the tag matters in the first beat of a frame only. Kinds are unicast, deposit, and on
// hypercubes tree and path, which go from this node to all others: tdest is ignored. A flit's data
// is, from the top: source, tag, keep, payload.

module allport_axis_injector #(
  /// The router.
  parameter allport_pkg::router_config_t Config = allport_pkg::Hypercube3,
  /// Bytes of a beat, 1 or more.
  parameter int unsigned Bytes = 8,
  /// Bits of the tag, which is the sender's own, 1 or more.
  parameter int unsigned TagWidth = 8,
  localparam int unsigned AddressWidth = Config.AddressWidth,
  localparam int unsigned RouteWidth = Config.HeaderWidth - AddressWidth,
  localparam int unsigned UserWidth = RouteWidth + TagWidth,
  localparam int unsigned FlitWidth = Config.FlitWidth
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic [AddressWidth-1:0] node_i,
  input  logic                    s_axis_tvalid,
  output logic                    s_axis_tready,
  input  logic [8*Bytes-1:0]      s_axis_tdata,
  input  logic [Bytes-1:0]        s_axis_tkeep,
  input  logic                    s_axis_tlast,
  input  logic [AddressWidth-1:0] s_axis_tdest,
  input  logic [UserWidth-1:0]    s_axis_tuser,
  output logic                    valid_o,   // the injection channel
  output logic [FlitWidth-1:0]    flit_o,
  input  logic                    credit_i,
  input  logic                    ack_i      // circuit switching: the path of the head is complete
);

  localparam int unsigned KindWidth = allport_pkg::KindWidth;
  localparam int unsigned LengthWidth = allport_pkg::LengthWidth;
  localparam int unsigned TieWidth = Config.TieWidth;
  localparam int unsigned VcWidth = Config.VcWidth;
  localparam int unsigned Depth = Config.Depth;
  localparam int unsigned CreditWidth = allport_pkg::idx_width(Depth + 1);

  allport_pkg::kind_e kind;
  logic [TieWidth-1:0] ties;
  logic [RouteWidth+AddressWidth-1:0] header;
  logic [AddressWidth-1:0] address;
  logic [CreditWidth-1:0] credits;
  logic is_inside_d, is_inside_q;  // of a frame: the next beat is not its first
  logic has_room, is_open, unused_is_available;

  assign {ties, kind} = s_axis_tuser[0 +: TieWidth + KindWidth];
  assign address = ((kind == allport_pkg::KindTree) || (kind == allport_pkg::KindPath))
      ? node_i : s_axis_tdest;

  if (Config.NeedsRoom) begin : gen_length
    logic [LengthWidth-1:0] length;

    assign length = s_axis_tuser[KindWidth + TieWidth +: LengthWidth];
    assign has_room = (credits != '0) && (is_inside_q || (LengthWidth'(credits) >= length));
    assign header = {kind, length, ties, address};
  end else begin : gen_no_length
    assign has_room = credits != '0;
    assign header = {kind, ties, address};
  end

  if (Config.Switching == allport_pkg::SwitchingCircuit) begin : gen_circuit
    logic is_open_d, is_open_q;

    always_comb begin
      is_open_d = is_open_q || ack_i;
      if (valid_o && !is_inside_q) is_open_d = s_axis_tlast;
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) is_open_q <= 1'b1;
      else is_open_q <= is_open_d;
    end

    assign is_open = is_open_q;
  end else begin : gen_no_circuit
    logic unused_ack;

    assign is_open = 1'b1;
    assign unused_ack = ack_i;
  end

  assign s_axis_tready = has_room && is_open;
  assign valid_o = s_axis_tvalid && s_axis_tready;
  assign flit_o = {!is_inside_q, s_axis_tlast, {VcWidth{1'b0}}, is_inside_q ? '0 : header, node_i,
                   s_axis_tuser[RouteWidth +: TagWidth], s_axis_tkeep, s_axis_tdata};

  allport_credit_counter #(
    .Depth(Depth)
  ) u_credit_counter (
    .clk_i,
    .rst_ni,
    .credit_i,
    .is_available_o(unused_is_available),
    .spent_i(valid_o),
    .credits_o(credits)
  );

  assign is_inside_d = valid_o ? !s_axis_tlast : is_inside_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) is_inside_q <= 1'b0;
    else is_inside_q <= is_inside_d;
  end

endmodule
