// SPDX-License-Identifier: Apache-2.0
// allport_axis_ejector: a beat that is offered stays, unchanged, until it is taken; one beat is
// offered for each flit that came, and one credit goes back for each beat that was taken, so flits
// in the buffer, credits on the wire and credits of the router are Depth together. Any flit, which
// is followed on its way, is offered with its own last, source, tag, keep and data behind exactly
// those before it. The route in tuser is that of the head until the frame ends. Demanded: the
// router sends no flit without a credit, and messages one after the other.

module axis_ejector_proof #(
  parameter int unsigned Depth = 4,
  parameter int unsigned Switching = 0,
  localparam allport_pkg::router_config_t Config = allport_pkg::axis_router_config(
      allport_pkg::TopologyHypercube, 1, '0, 0, 1, 1, Depth, 0, 1, 1, Switching, 0, 0, 0, 0, 1, 1),
  localparam int unsigned RouteWidth = 4 + 13 * ((Switching == 1) || (Switching == 2)),
  localparam int unsigned DataWidth = 1 + 1 + 9,
  localparam int unsigned FlitWidth = 2 + 1 + RouteWidth + 1 + DataWidth
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic                 valid_i,
  input logic [FlitWidth-1:0] flit_i,
  input logic                 tready_i,
  input logic                 follow_i  // begin to follow the flit that comes now
);

  localparam int unsigned UserWidth = RouteWidth + 1;
  localparam int unsigned StoredWidth = 2 + RouteWidth + DataWidth;
  localparam int unsigned SlotWidth = allport_pkg::idx_width(Depth);
  localparam int unsigned CountWidth = allport_pkg::idx_width(Depth + 1);

  logic credit, ack, tvalid, tlast;
  logic [7:0] tdata;
  logic tkeep, tid;
  logic [UserWidth-1:0] tuser;
  (* hierconn *) wire [RouteWidth-1:0] \u_ejector.route_q ;
  (* hierconn *) wire [SlotWidth-1:0] \u_ejector.u_fifo.head ;
  (* hierconn *) wire [CountWidth-1:0] \u_ejector.u_fifo.count ;
  (* hierconn *) wire \u_ejector.u_fifo.gen_few.is_filled_q ;
  (* hierconn *) wire [Depth-1:0] \u_ejector.u_fifo.gen_few.place_q ;
  (* hierconn *) wire [Depth-1:0] \u_ejector.u_fifo.gen_few.free_q ;
  (* hierconn *) wire [StoredWidth-1:0] \u_ejector.u_fifo.flits_q[0] ;
  (* hierconn *) wire [StoredWidth-1:0] \u_ejector.u_fifo.flits_q[1] ;
  (* hierconn *) wire [StoredWidth-1:0] \u_ejector.u_fifo.flits_q[2] ;
  logic [3*StoredWidth-1:0] stored;
  logic [StoredWidth-1:0] arriving;
  logic [7:0] count, head, slot;

  logic was_stalled_q;
  logic [UserWidth+10:0] offered, offered_q;  // the payload of the stream
  logic [7:0] credits_q;                      // of the router
  logic is_followed_q;                        // a flit is in the buffer ...
  logic [7:0] ahead_q;                        // ... behind this number of others
  logic [StoredWidth-1:0] flit_q;
  logic is_taken, is_inside_q;                // a frame has been begun on the stream
  logic [RouteWidth-1:0] route_q;             // of its head

  allport_axis_ejector #(
    .Config(Config),
    .Bytes(1),
    .TagWidth(1)
  ) u_ejector (
    .clk_i,
    .rst_ni,
    .valid_i,
    .flit_i,
    .credit_o(credit),
    .ack_o(ack),
    .m_axis_tvalid(tvalid),
    .m_axis_tready(tready_i),
    .m_axis_tdata(tdata),
    .m_axis_tkeep(tkeep),
    .m_axis_tlast(tlast),
    .m_axis_tid(tid),
    .m_axis_tuser(tuser)
  );

  assign stored = {\u_ejector.u_fifo.flits_q[2] , \u_ejector.u_fifo.flits_q[1] ,
                   \u_ejector.u_fifo.flits_q[0] };
  assign count = 8'(\u_ejector.u_fifo.count );
  assign head = 8'(\u_ejector.u_fifo.head );
  assign slot = (head + ahead_q >= 8'(Depth)) ? head + ahead_q - 8'(Depth) : head + ahead_q;
  // Kind, length and ties of the pins as tuser has them.
  assign arriving[StoredWidth-1 -: 2] = flit_i[FlitWidth-1 -: 2];
  assign arriving[DataWidth-1:0] = flit_i[DataWidth-1:0];
  assign arriving[DataWidth +: 3] = flit_i[FlitWidth-4 -: 3];
  assign arriving[DataWidth + 3] = flit_i[DataWidth + 1];
  if (RouteWidth > 4) assign arriving[DataWidth + 4 +: 13] = flit_i[DataWidth + 2 +: 13];

  assign offered = {tuser, tid, tkeep, tlast, tdata};
  assign is_taken = tvalid && tready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      was_stalled_q <= 1'b0;
      offered_q <= '0;
      credits_q <= 8'(Depth);
      is_followed_q <= 1'b0;
      ahead_q <= '0;
      flit_q <= '0;
      is_inside_q <= 1'b0;
      route_q <= '0;
    end else begin
      was_stalled_q <= tvalid && !tready_i;
      offered_q <= offered;
      credits_q <= credits_q - 8'(valid_i) + 8'(credit);
      if (!is_followed_q) begin
        is_followed_q <= valid_i && follow_i && !(is_taken && (count == '0));
        ahead_q <= count - 8'(is_taken);
        flit_q <= arriving;
      end else if (is_taken) begin
        is_followed_q <= ahead_q != '0;
        ahead_q <= ahead_q - 8'd1;
      end
      if (is_taken) begin
        is_inside_q <= !tlast;
        route_q <= tuser[RouteWidth-1:0];
      end
    end
  end

  initial assume (!rst_ni);

  always_comb begin
    if (rst_ni) begin
      assume (!valid_i || (credits_q != '0) || credit);
      HeadIsASlot: assert (head < 8'(Depth));
      KnowsWhetherItHoldsAny: assert (\u_ejector.u_fifo.gen_few.is_filled_q == (count != '0));
      KnowsThePlaceOfTheFirst: assert (8'(\u_ejector.u_fifo.gen_few.place_q )
          == ((count == '0) ? 8'd0 : 8'd1 << head));
      KnowsThePlaceOfTheNext: assert (8'(\u_ejector.u_fifo.gen_few.free_q )
          == 8'd1 << ((head + count >= 8'(Depth)) ? head + count - 8'(Depth) : head + count));
      HasNoMoreCreditsThanPlaces: assert (credits_q <= 8'(Depth));
      NoCreditIsLostOrDoubled: assert (credits_q + count + 8'(credit) == 8'(Depth));
      OffersWhatItHolds: assert (tvalid == (valid_i || (count != '0)));
      if (was_stalled_q) begin
        ValidStays: assert (tvalid);
        PayloadIsStable: assert (offered == offered_q);
      end
      KnowsTheRoute: assert (!is_inside_q || (\u_ejector.route_q == route_q));
      IsStalledWithABeat: assert (!was_stalled_q || (count != '0));
      FallsThrough: assert (!valid_i || (count != '0)
          || ({tlast, tid, tuser[RouteWidth], tkeep, tdata}
              == {arriving[StoredWidth-2], arriving[DataWidth-1:0]}));
      if (is_followed_q) begin
        LosesNothing: assert (ahead_q < count);
        ChangesNothing: assert (stored[StoredWidth * slot +: StoredWidth] == flit_q);
        ComesOutInItsTurn: assert ((ahead_q != '0) || ({tlast, tid, tuser[RouteWidth], tkeep, tdata}
            == {flit_q[StoredWidth-2], flit_q[DataWidth-1:0]}));
        HeadShowsItsRoute: assert ((ahead_q != '0) || !flit_q[StoredWidth-1]
            || (tuser[RouteWidth-1:0] == flit_q[DataWidth +: RouteWidth]));
        BodyKeepsTheRoute: assert ((ahead_q != '0) || flit_q[StoredWidth-1] || !is_inside_q
            || (tuser[RouteWidth-1:0] == route_q));
      end
      HasACircuitToAcknowledge: assert (!ack || (Switching == 3));
    end
  end

endmodule
