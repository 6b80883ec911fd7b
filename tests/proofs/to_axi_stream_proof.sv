// SPDX-License-Identifier: Apache-2.0
// allport_to_axi_stream: a beat that is offered stays, unchanged in all of its signals, until it is
// taken; any flit that comes in on a VC becomes one beat of that VC's stream, after exactly those
// that were before it, with its own tdata and tlast, and with tdest and tuser of the head of its
// message. Demanded: the sender keeps the rule of credits, and heads begin messages that tails end.
// One flit of one VC, which may be any, is followed on its way.
module to_axi_stream_proof #(
  parameter int unsigned Vcs = 2,
  parameter int unsigned Depth = 2
) (
  input logic           clk_i,
  input logic           rst_ni,
  input logic           valid_i,
  input logic [5:0]     flit_i,  // head, tail, VC, tuser, tdest, tdata
  input logic [Vcs-1:0] ready_i,
  input logic           follow_i  // begin to follow the flit that comes now
);

  localparam int unsigned SlotWidth = allport_pkg::idx_width(Depth);
  localparam int unsigned CountWidth = allport_pkg::idx_width(Depth + 1);

  logic credit, credit_vc;
  logic [Vcs-1:0] valid, data, last, dest, user;

  (* hierconn *) wire [SlotWidth-1:0] \u_adapter.u_ready_valid.gen_vc[0].u_fifo.head ;
  (* hierconn *) wire [CountWidth-1:0] \u_adapter.u_ready_valid.gen_vc[0].u_fifo.count ;
  (* hierconn *) wire \u_adapter.u_ready_valid.gen_vc[0].u_fifo.gen_few.is_filled_q ;
  (* hierconn *) wire [Depth-1:0] \u_adapter.u_ready_valid.gen_vc[0].u_fifo.gen_few.place_q ;
  (* hierconn *) wire [Depth-1:0] \u_adapter.u_ready_valid.gen_vc[0].u_fifo.gen_few.free_q ;
  (* hierconn *) wire [CountWidth-1:0] \u_adapter.u_ready_valid.gen_vc[0].owed_q ;
  (* hierconn *) wire [4:0] \u_adapter.u_ready_valid.gen_vc[0].u_fifo.flits_q[0] ;
  (* hierconn *) wire [4:0] \u_adapter.u_ready_valid.gen_vc[0].u_fifo.flits_q[1] ;
  (* hierconn *) wire [4:0] \u_adapter.u_ready_valid.gen_vc[0].u_fifo.flits_q[2] ;
  (* hierconn *) wire [1:0] \u_adapter.gen_vc[0].header_q ;

  logic [14:0] stored;
  logic [7:0] count, head, place, free, owed;
  logic is_filled;
  logic arrives, takes, is_paid;
  logic [1:0] header_in, header_ahead, header_last;

  logic is_inside_q;       // the sender is within a message of VC 0 ...
  logic [1:0] header_in_q; // ... and this was in its head
  logic is_followed_q;     // it is inside ...
  logic [7:0] ahead_q;     // ... behind this number of others of its VC
  logic [1:0] last_data_q; // its tail and data when it came ...
  logic [1:0] header_q;    // ... and what was in the head of its message
  logic [7:0] spent_q;     // credits that the sender of VC 0 has spent and not got back
  logic was_offered_q;     // VC 0 was offered and not taken
  logic [3:0] offered_q;

  allport_to_axi_stream #(
    .DataWidth(1),
    .AddressWidth(1),
    .UserWidth(1),
    .Vcs(Vcs),
    .Depth(Depth)
  ) u_adapter (
    .clk_i,
    .rst_ni,
    .valid_i,
    .flit_i,
    .credit_o(credit),
    .credit_vc_o(credit_vc),
    .m_axis_tvalid(valid),
    .m_axis_tready(ready_i),
    .m_axis_tdata(data),
    .m_axis_tlast(last),
    .m_axis_tdest(dest),
    .m_axis_tuser(user)
  );

  assign stored = {\u_adapter.u_ready_valid.gen_vc[0].u_fifo.flits_q[2] ,
                   \u_adapter.u_ready_valid.gen_vc[0].u_fifo.flits_q[1] ,
                   \u_adapter.u_ready_valid.gen_vc[0].u_fifo.flits_q[0] };
  assign count = 8'(\u_adapter.u_ready_valid.gen_vc[0].u_fifo.count );
  assign head = 8'(\u_adapter.u_ready_valid.gen_vc[0].u_fifo.head );
  assign is_filled = \u_adapter.u_ready_valid.gen_vc[0].u_fifo.gen_few.is_filled_q ;
  assign place = 8'(\u_adapter.u_ready_valid.gen_vc[0].u_fifo.gen_few.place_q );
  assign free = 8'(\u_adapter.u_ready_valid.gen_vc[0].u_fifo.gen_few.free_q );
  assign owed = 8'(\u_adapter.u_ready_valid.gen_vc[0].owed_q );
  assign arrives = valid_i && ((Vcs == 1) || !flit_i[3]);
  assign takes = valid[0] && ready_i[0];
  assign is_paid = credit && ((Vcs == 1) || !credit_vc);
  assign header_in = flit_i[5] ? flit_i[2:1] : header_in_q;

  function automatic logic [7:0] slot(input logic [7:0] i);
    slot = (head + i >= 8'(Depth)) ? head + i - 8'(Depth) : head + i;
  endfunction

  // What was in the head of the message of the flit that is followed, and of the last one inside: a
  // head among those inside, or what the adapter holds.
  always_comb begin
    header_ahead = \u_adapter.gen_vc[0].header_q ;
    header_last = \u_adapter.gen_vc[0].header_q ;
    for (int unsigned i = 0; i < Depth; i++) begin
      if (stored[5 * slot(8'(i)) + 4] && (8'(i) < count)) begin
        header_last = stored[5 * slot(8'(i)) + 1 +: 2];
        if (8'(i) <= ahead_q) header_ahead = stored[5 * slot(8'(i)) + 1 +: 2];
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      is_inside_q <= 1'b0;
      is_followed_q <= 1'b0;
      ahead_q <= '0;
      last_data_q <= '0;
      header_q <= '0;
      spent_q <= '0;
      was_offered_q <= 1'b0;
      offered_q <= '0;
    end else begin
      spent_q <= spent_q + 8'(arrives) - 8'(is_paid);
      was_offered_q <= valid[0] && !ready_i[0];
      offered_q <= {last[0], user[0], dest[0], data[0]};
      if (arrives) is_inside_q <= !flit_i[4];
      if (!is_followed_q) begin
        is_followed_q <= arrives && follow_i && !(takes && (count == '0));
        ahead_q <= count - 8'(takes);
        last_data_q <= {flit_i[4], flit_i[0]};
        header_q <= header_in;
      end else if (takes) begin
        is_followed_q <= ahead_q != '0;
        ahead_q <= ahead_q - 8'd1;
      end
    end
  end
  always_ff @(posedge clk_i) if (arrives) header_in_q <= header_in;

  initial assume (!rst_ni);

  always_comb begin
    if (rst_ni) begin
      // Of VC 0; the other one keeps the same rules.
      assume (!arrives || (spent_q - 8'(is_paid) < 8'(Depth)));
      assume (!arrives || (flit_i[5] == !is_inside_q));
      EachFlitHasOneCredit: assert (spent_q == count + owed + 8'(is_paid));
      NeverLeavesItsDepth: assert (count + owed + 8'(is_paid) <= 8'(Depth));
      HeadIsASlot: assert (head < 8'(Depth));
      KnowsWhetherItHoldsAny: assert (is_filled == (count != '0));
      KnowsThePlaceOfTheFirst: assert (place == ((count == '0) ? 8'd0 : 8'd1 << head));
      KnowsThePlaceOfTheNext: assert (free == 8'd1 << slot(count));
      OffersWhatItHolds: assert (valid[0] == (arrives || (count != '0)));
      PassesOnWhatComes: assert (!arrives || (count != '0)
                                 || ({last[0], user[0], dest[0], data[0]}
                                     == {flit_i[4], header_in, flit_i[0]}));
      KnowsTheMessage: assert (!is_inside_q || (header_last == header_in_q));
      if (is_followed_q) begin
        LosesNothing: assert (ahead_q < count);
        ChangesNothing: assert ({stored[5 * slot(ahead_q) + 3], stored[5 * slot(ahead_q)]}
                                == last_data_q);
        HoldsTheHeader: assert (header_ahead == header_q);
        ComesOutInItsTurn: assert ((ahead_q != '0)
                                   || ({last[0], user[0], dest[0], data[0]}
                                       == {last_data_q[1], header_q, last_data_q[0]}));
      end
      if (was_offered_q) begin
        StaysOffered: assert (valid[0]);
        StaysTheSame: assert ({last[0], user[0], dest[0], data[0]} == offered_q);
      end
    end
  end

endmodule
