// SPDX-License-Identifier: Apache-2.0
// allport_retry_sender and allport_retry_receiver, with the registers of a channel between them:
// the receiver passes on every flit once, unchanged and in order, whatever errs. Flits carry their
// numbers. In every state what is still to come is told cycle by cycle: what is on the channel and
// not discarded, then what comes again, then what waits in the crossbar. It has the numbers from
// the next one that the receiver lacks up to the last one that was decided, one by one. Demanded:
// no flit is decided while the output is busy, and an error flips one bit.

module retry_proof #(
  parameter int unsigned Phits = 1,
  parameter int unsigned LinkDelay = 0,
  parameter int unsigned CrossbarDelay = 0
) (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       sent_i,     // a flit is decided
  input logic       is_error_i,
  input logic [4:0] bit_i       // which flips
);

  localparam int unsigned Width = 4;
  localparam int unsigned WordWidth = Width + 16;
  localparam int unsigned Retry = 2 * Phits + 2 * LinkDelay + CrossbarDelay;
  localparam int unsigned Far = Phits - 1 + LinkDelay;  // registers of the channel
  localparam int unsigned Ahead = 2 * Retry;            // cycles after which nothing is told

  logic valid, is_busy, unused_active, there, accepted, nack, unused_discards, nack_there;
  logic unused_nack_data;
  logic [Width-1:0] flit;
  logic [15:0] checksum, unused_sum;
  logic [WordWidth-1:0] word, there_word;

  logic [CrossbarDelay:0] waits_q;                     // flits that wait, by cycles since then
  logic [(CrossbarDelay+1)*Width-1:0] waiting_q;
  logic [Width-1:0] decided_q, accepted_q;             // how many
  logic [7:0] age_q;                                   // cycles since the last error, 2D at most

  (* hierconn *) wire [Retry-1:0] \u_sender.valid_q ;
  (* hierconn *) wire [Retry*Width-1:0] \u_sender.flit_q ;
  (* hierconn *) wire [allport_pkg::idx_width(Retry+Phits)-1:0] \u_sender.busy_q ;
  (* hierconn *) wire [allport_pkg::idx_width(Retry+Phits)-1:0] \u_sender.speaks_q ;
  (* hierconn *) wire [allport_pkg::idx_width(Retry)-1:0] \u_receiver.left_q ;
  (* hierconn *) wire \u_receiver.nack_q ;
  logic [7:0] busy, speaks, left;

  allport_retry_sender #(
    .Width(Width),
    .Retry(Retry),
    .Phits(Phits),
    .CrossbarDelay(CrossbarDelay)
  ) u_sender (
    .clk_i,
    .rst_ni,
    .valid_i(waits_q[CrossbarDelay]),
    .flit_i(waiting_q[CrossbarDelay * Width +: Width]),
    .nack_i(nack_there),
    .valid_o(valid),
    .flit_o(flit),
    .checksum_o(checksum),
    .is_busy_o(is_busy),
    .is_active_o(unused_active)
  );

  // The channel, as allport_channel has its registers.
  logic [Far:0] far_valid;
  logic [(Far+1)*WordWidth-1:0] far_word;

  assign far_valid[0] = valid;
  assign far_word[0 +: WordWidth] = {checksum, flit};
  assign there = far_valid[Far];
  assign word = far_word[Far * WordWidth +: WordWidth];
  assign there_word = word ^ (WordWidth'(is_error_i) << bit_i);

  for (genvar i = 0; i < Far; i++) begin : gen_channel
    logic valid_q;
    logic [WordWidth-1:0] word_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= 1'b0;
      else valid_q <= far_valid[i];
    end
    always_ff @(posedge clk_i) word_q <= far_word[i * WordWidth +: WordWidth];
    assign far_valid[i + 1] = valid_q;
    assign far_word[(i + 1) * WordWidth +: WordWidth] = word_q;
  end

  allport_retry_receiver #(
    .Width(Width),
    .Retry(Retry)
  ) u_receiver (
    .clk_i,
    .rst_ni,
    .valid_i(there),
    .flit_i(there_word[0 +: Width]),
    .checksum_i(there_word[Width +: 16]),
    .valid_o(accepted),
    .nack_o(nack),
    .is_active_o(unused_discards)
  );

  logic [LinkDelay:0] far_nack;

  assign far_nack[0] = nack;
  assign nack_there = far_nack[LinkDelay];
  for (genvar i = 0; i < LinkDelay; i++) begin : gen_nack_channel
    logic nack_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) nack_q <= 1'b0;
      else nack_q <= far_nack[i];
    end
    assign far_nack[i + 1] = nack_q;
  end

  assign busy = 8'(\u_sender.busy_q );
  assign speaks = 8'(\u_sender.speaks_q );
  assign left = 8'(\u_receiver.left_q );

  // The words by the cycle in which they are on the sender's side of the channel: from Retry cycles
  // ago, which is place 0, to Ahead cycles from now.
  logic [Retry+Ahead-1:0] is_there;
  logic [(Retry+Ahead)*Width-1:0] numbers;
  logic is_one_by_one, meets_a_replay;
  logic [Width-1:0] next;

  always_comb begin
    is_there = '0;
    numbers = '0;
    meets_a_replay = 1'b0;
    for (int unsigned i = 0; i < Retry; i++) begin
      is_there[Retry - 1 - i] = \u_sender.valid_q [i];
      numbers[(Retry - 1 - i) * Width +: Width] = \u_sender.flit_q [i * Width +: Width];
    end
    for (int unsigned j = 0; j < Ahead; j++) begin
      if ((8'(j) < speaks)
          || ((age_q + 8'(j) >= 8'(Retry - Far)) && (age_q + 8'(j) < 8'(2 * Retry - Far)))) begin
        is_there[Retry + j] = is_there[j];
        numbers[(Retry + j) * Width +: Width] = numbers[j * Width +: Width];
        if ((j <= CrossbarDelay) && waits_q[CrossbarDelay - ((j <= CrossbarDelay) ? j : 0)])
          meets_a_replay = 1'b1;
      end else if (j <= CrossbarDelay) begin
        is_there[Retry + j] = waits_q[CrossbarDelay - j];
        numbers[(Retry + j) * Width +: Width] = waiting_q[(CrossbarDelay - j) * Width +: Width];
      end
    end
    // Of these the receiver has yet to see what is Far cycles old or younger, and passes on what it
    // does not discard.
    is_one_by_one = 1'b1;
    next = accepted_q;
    for (int unsigned j = 0; j < Far + Ahead; j++) begin
      if (is_there[Retry - Far + j] && ((age_q >= 8'(Retry)) || (age_q + 8'(j) >= 8'(Retry)))) begin
        if (numbers[(Retry - Far + j) * Width +: Width] != next) is_one_by_one = 1'b0;
        next = next + Width'(1);
      end
    end
  end

  logic is_channel_as_sent;

  always_comb begin
    is_channel_as_sent = 1'b1;
    for (int unsigned i = 1; i <= Far; i++) begin
      if ((far_valid[i] != \u_sender.valid_q [i-1])
          || (far_valid[i] && (far_word[i * WordWidth +: Width]
                               != \u_sender.flit_q [(i - 1) * Width +: Width])))
        is_channel_as_sent = 1'b0;
    end
  end

  // What is on the channel has its own checksum.
  logic [Far:0] has_its_checksum;

  for (genvar i = 0; i <= Far; i++) begin : gen_checksum
    logic [15:0] sum;

    allport_checksum #(
      .Width(Width)
    ) u_checksum (
      .flit_i(far_word[i * WordWidth +: Width]),
      .sum_o(sum)
    );
    assign has_its_checksum[i] =
        !far_valid[i] || (sum == far_word[i * WordWidth + Width +: 16]);
  end

  logic is_hit;

  assign is_hit = there && is_error_i && (age_q >= 8'(Retry));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waits_q <= '0;
      waiting_q <= '0;
      decided_q <= '0;
      accepted_q <= '0;
      age_q <= 8'(2 * Retry);
    end else begin
      waits_q <= (CrossbarDelay + 1)'({waits_q, sent_i});
      waiting_q <= ((CrossbarDelay + 1) * Width)'({waiting_q, decided_q});
      decided_q <= decided_q + Width'(sent_i);
      accepted_q <= accepted_q + Width'(accepted);
      if (is_hit) age_q <= 8'd1;
      else if (age_q != 8'(2 * Retry)) age_q <= age_q + 8'd1;
    end
  end

  initial assume (!rst_ni);

  always_comb begin
    if (rst_ni) begin
      assume (!sent_i || !is_busy);
      assume (bit_i < 5'(WordWidth));
      AgesAreInRange: assert ((age_q >= 8'd1) && (age_q <= 8'(2 * Retry)));
      DiscardsForItsWindow: assert (left == ((age_q < 8'(Retry)) ? 8'(Retry) - age_q : 8'd0));
      AsksOnceForAnError: assert (nack == (age_q == 8'd1));
      NacksAreOnTheirWay: assert (nack_there == (age_q == 8'(1 + LinkDelay)));
      IsBusyForItsWindow: assert ((age_q >= 8'(2 + LinkDelay))
          ? busy == ((age_q < 8'(Retry + Phits + LinkDelay))
                     ? 8'(Retry + Phits + LinkDelay) - age_q : 8'd0)
          : (busy == '0) ? speaks <= 8'(CrossbarDelay + 1)
                         : speaks == busy + 8'(CrossbarDelay + 1));
      SpeaksForItsWindow: assert ((age_q >= 8'(Retry - Far))
          ? speaks == ((age_q < 8'(2 * Retry - Far)) ? 8'(2 * Retry - Far) - age_q : 8'd0)
          : (speaks == '0) || (speaks + age_q <= 8'(Retry - Far)));
      CarriesWhatWasSent: assert (is_channel_as_sent);
      CarriesChecksums: assert (&has_its_checksum);
      NothingMeetsAReplay: assert (!meets_a_replay);
      LosesNothing: assert (next == decided_q);
      IsInOrder: assert (is_one_by_one);
      PassesOnTheNextOne: assert (!accepted || (there_word[0 +: Width] == accepted_q));
      FindsTheError: assert (!accepted || !is_error_i);
    end
  end

endmodule
