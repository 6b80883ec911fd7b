// SPDX-License-Identifier: Apache-2.0
// allport_fifo: any flit that goes in comes out, once, unchanged, and after exactly those that were
// before it; the count is that of the flits that came and did not go, and never leaves 0 .. Depth.
// Demanded: no push into a full FIFO, no pop from an empty one. One flit, which may be any, is
// followed on its way.

module fifo_proof #(
  parameter int unsigned Depth = 4
) (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       push_i,
  input logic [3:0] flit_i,
  input logic       pop_i,
  input logic       follow_i  // begin to follow the flit that is pushed now
);

  localparam int unsigned SlotWidth = allport_pkg::idx_width(Depth);
  localparam int unsigned CountWidth = allport_pkg::idx_width(Depth + 1);

  logic occupied;
  logic [3:0] front;
  (* hierconn *) wire [SlotWidth-1:0] \u_fifo.head ;
  (* hierconn *) wire [CountWidth-1:0] \u_fifo.count ;
  (* hierconn *) wire \u_fifo.gen_few.is_filled_q ;
  (* hierconn *) wire [Depth-1:0] \u_fifo.gen_few.place_q ;
  (* hierconn *) wire [Depth-1:0] \u_fifo.gen_few.free_q ;
  (* hierconn *) wire [3:0] \u_fifo.flits_q[0] ;
  (* hierconn *) wire [3:0] \u_fifo.flits_q[1] ;
  (* hierconn *) wire [3:0] \u_fifo.flits_q[2] ;
  (* hierconn *) wire [3:0] \u_fifo.flits_q[3] ;
  (* hierconn *) wire [3:0] \u_fifo.flits_q[4] ;
  logic [19:0] stored;
  logic [7:0] count, head, slot;

  logic is_followed_q;      // it is in the FIFO ...
  logic [7:0] ahead_q;      // ... behind this number of others
  logic [3:0] flit_q;       // its value when it was pushed
  logic [7:0] pushes_q, pops_q;

  allport_fifo #(
    .Width(4),
    .Depth(Depth)
  ) u_fifo (
    .clk_i,
    .rst_ni,
    .push_i,
    .flit_i,
    .occupied_o(occupied),
    .front_o(front),
    .pop_i
  );

  assign stored = {\u_fifo.flits_q[4] , \u_fifo.flits_q[3] , \u_fifo.flits_q[2] ,
                   \u_fifo.flits_q[1] , \u_fifo.flits_q[0] };
  assign count = 8'(\u_fifo.count );
  assign head = 8'(\u_fifo.head );
  assign slot = (head + ahead_q >= 8'(Depth)) ? head + ahead_q - 8'(Depth) : head + ahead_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      is_followed_q <= 1'b0;
      ahead_q <= '0;
      flit_q <= '0;
      pushes_q <= '0;
      pops_q <= '0;
    end else begin
      pushes_q <= pushes_q + 8'(push_i);
      pops_q <= pops_q + 8'(pop_i);
      if (!is_followed_q) begin
        is_followed_q <= push_i && follow_i && !(pop_i && (count == '0));
        ahead_q <= count - 8'(pop_i);
        flit_q <= flit_i;
      end else if (pop_i) begin
        is_followed_q <= ahead_q != '0;
        ahead_q <= ahead_q - 8'd1;
      end
    end
  end

  initial assume (!rst_ni);

  always_comb begin
    if (rst_ni) begin
      assume (!push_i || (count < 8'(Depth)));
      assume (!pop_i || push_i || (count != '0));
      NeverLeavesItsDepth: assert (count <= 8'(Depth));
      HoldsWhatCameAndDidNotGo: assert (count == pushes_q - pops_q);
      HeadIsASlot: assert (head < 8'(Depth));
      KnowsWhetherItHoldsAny: assert (\u_fifo.gen_few.is_filled_q == (count != '0));
      KnowsThePlaceOfTheFirst: assert (8'(\u_fifo.gen_few.place_q )
          == ((count == '0) ? 8'd0 : 8'd1 << head));
      KnowsThePlaceOfTheNext: assert (8'(\u_fifo.gen_few.free_q )
          == 8'd1 << ((head + count >= 8'(Depth)) ? head + count - 8'(Depth) : head + count));
      IsOccupiedByWhatItHolds: assert (occupied == (push_i || (count != '0)));
      FallsThrough: assert ((count != '0) || (front == flit_i));
      if (is_followed_q) begin
        LosesNothing: assert (ahead_q < count);
        ChangesNothing: assert (stored[4 * slot +: 4] == flit_q);
        ComesOutInItsTurn: assert ((ahead_q != '0) || (front == flit_q));
      end
    end
  end

endmodule
