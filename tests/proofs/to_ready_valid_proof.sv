// SPDX-License-Identifier: Apache-2.0
// allport_to_ready_valid: any flit that comes in on a VC is offered on that VC, in the cycle in
// which it comes if no other of the VC is before it; it is taken once, unchanged, and after exactly
// those of its VC that were before it; it stays offered, unchanged, until it is taken; with
// OneAtATime one VC is offered whenever one has a flit and is ready; credits, flits inside and
// credits owed are together what the sender has spent, so each flit has one credit. Demanded: the
// sender keeps the rule of credits. One flit of one VC, which may be any, is followed on its way.
module to_ready_valid_proof #(
  parameter int unsigned Vcs = 2,
  parameter int unsigned Depth = 2,
  parameter int unsigned OneAtATime = 0
) (
  input logic           clk_i,
  input logic           rst_ni,
  input logic           valid_i,
  input logic           vc_i,
  input logic [2:0]     flit_i,
  input logic [Vcs-1:0] ready_i,
  input logic           follow_i  // begin to follow the flit that comes now
);

  localparam int unsigned SlotWidth = allport_pkg::idx_width(Depth);
  localparam int unsigned CountWidth = allport_pkg::idx_width(Depth + 1);

  logic credit, credit_vc;
  logic [Vcs-1:0] valid;
  logic [3*Vcs-1:0] flit;

  (* hierconn *) wire [Vcs-1:0] \u_adapter.occupied ;
  (* hierconn *) wire [SlotWidth-1:0] \u_adapter.gen_vc[0].u_fifo.head ;
  (* hierconn *) wire [CountWidth-1:0] \u_adapter.gen_vc[0].u_fifo.count ;
  (* hierconn *) wire \u_adapter.gen_vc[0].u_fifo.gen_few.is_filled_q ;
  (* hierconn *) wire [Depth-1:0] \u_adapter.gen_vc[0].u_fifo.gen_few.place_q ;
  (* hierconn *) wire [Depth-1:0] \u_adapter.gen_vc[0].u_fifo.gen_few.free_q ;
  (* hierconn *) wire [CountWidth-1:0] \u_adapter.gen_vc[0].owed_q ;
  (* hierconn *) wire [2:0] \u_adapter.gen_vc[0].u_fifo.flits_q[0] ;
  (* hierconn *) wire [2:0] \u_adapter.gen_vc[0].u_fifo.flits_q[1] ;
  (* hierconn *) wire [2:0] \u_adapter.gen_vc[0].u_fifo.flits_q[2] ;

  logic [8:0] stored;
  logic [7:0] count, head, slot, owed;
  logic arrives, takes, is_paid;

  logic is_followed_q;   // it is inside ...
  logic [7:0] ahead_q;   // ... behind this number of others of its VC
  logic [2:0] flit_q;    // its value when it came
  logic [7:0] spent_q;   // credits that the sender of VC 0 has spent and not got back
  logic was_offered_q;   // VC 0 was offered and not taken
  logic [2:0] offered_q;

  allport_to_ready_valid #(
    .Width(3),
    .Vcs(Vcs),
    .Depth(Depth),
    .OneAtATime(OneAtATime)
  ) u_adapter (
    .clk_i,
    .rst_ni,
    .valid_i,
    .vc_i,
    .flit_i,
    .credit_o(credit),
    .credit_vc_o(credit_vc),
    .valid_o(valid),
    .flit_o(flit),
    .ready_i
  );

  assign stored = {\u_adapter.gen_vc[0].u_fifo.flits_q[2] ,
                   \u_adapter.gen_vc[0].u_fifo.flits_q[1] ,
                   \u_adapter.gen_vc[0].u_fifo.flits_q[0] };
  assign count = 8'(\u_adapter.gen_vc[0].u_fifo.count );
  assign head = 8'(\u_adapter.gen_vc[0].u_fifo.head );
  assign owed = 8'(\u_adapter.gen_vc[0].owed_q );
  assign slot = (head + ahead_q >= 8'(Depth)) ? head + ahead_q - 8'(Depth) : head + ahead_q;
  assign arrives = valid_i && ((Vcs == 1) || !vc_i);
  assign takes = valid[0] && ready_i[0];
  assign is_paid = credit && ((Vcs == 1) || !credit_vc);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      is_followed_q <= 1'b0;
      ahead_q <= '0;
      flit_q <= '0;
      spent_q <= '0;
      was_offered_q <= 1'b0;
      offered_q <= '0;
    end else begin
      spent_q <= spent_q + 8'(arrives) - 8'(is_paid);
      was_offered_q <= valid[0] && !ready_i[0];
      offered_q <= flit[2:0];
      if (!is_followed_q) begin
        is_followed_q <= arrives && follow_i && !(takes && (count == '0));
        ahead_q <= count - 8'(takes);
        flit_q <= flit_i;
      end else if (takes) begin
        is_followed_q <= ahead_q != '0;
        ahead_q <= ahead_q - 8'd1;
      end
    end
  end

  initial assume (!rst_ni);

  always_comb begin
    if (rst_ni) begin
      // Of VC 0; the other one keeps the same rule.
      assume (!arrives || (spent_q - 8'(is_paid) < 8'(Depth)));
      EachFlitHasOneCredit: assert (spent_q == count + owed + 8'(is_paid));
      NeverLeavesItsDepth: assert (count + owed + 8'(is_paid) <= 8'(Depth));
      HeadIsASlot: assert (head < 8'(Depth));
      KnowsWhetherItHoldsAny: assert (\u_adapter.gen_vc[0].u_fifo.gen_few.is_filled_q
          == (count != '0));
      KnowsThePlaceOfTheFirst: assert (8'(\u_adapter.gen_vc[0].u_fifo.gen_few.place_q )
          == ((count == '0) ? 8'd0 : 8'd1 << head));
      KnowsThePlaceOfTheNext: assert (8'(\u_adapter.gen_vc[0].u_fifo.gen_few.free_q )
          == 8'd1 << ((head + count >= 8'(Depth)) ? head + count - 8'(Depth) : head + count));
      OffersWhatItHolds: assert (OneAtATime || (valid[0] == (arrives || (count != '0))));
      OffersNothingElse: assert (!valid[0] || arrives || (count != '0));
      OccupiedIsWhatHoldsAFlit: assert (\u_adapter.occupied [0] == (arrives || (count != '0)));
      OffersOneOfTheReady: assert (((\u_adapter.occupied & ready_i) == '0) || (valid != '0));
      PassesOnWhatComes: assert (!arrives || (count != '0) || !valid[0] || (flit[2:0] == flit_i));
      OffersOneAtATime: assert (!OneAtATime || ((valid & (valid - Vcs'(1))) == '0));
      OffersWhatIsReady: assert (!OneAtATime || ((valid & ~ready_i) == '0));
      if (is_followed_q) begin
        LosesNothing: assert (ahead_q < count);
        ChangesNothing: assert (stored[3 * slot +: 3] == flit_q);
        ComesOutInItsTurn: assert ((ahead_q != '0) || (flit[2:0] == flit_q));
      end
      if (was_offered_q) begin
        StaysOffered: assert (valid[0]);
        StaysTheSame: assert (flit[2:0] == offered_q);
      end
    end
  end

endmodule
