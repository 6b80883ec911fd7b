// SPDX-License-Identifier: Apache-2.0
// allport_message_store: the message at the front of a buffer is whole exactly while a tail is in
// that buffer. Demanded: no tail comes into a full buffer, none leaves that has not come.

module message_store_proof #(
  parameter int unsigned Depth = 3
) (
  input logic clk_i,
  input logic rst_ni,
  input logic push_tail_i,
  input logic pop_tail_i
);

  localparam int unsigned CountWidth = allport_pkg::idx_width(Depth + 1);

  logic is_whole;
  (* hierconn *) wire [CountWidth-1:0] \u_message_store.gen_input_vc[0].tails_q ;
  logic [Depth-1:0] tails_q;  // one bit for each tail in the buffer, from the lowest on
  logic [Depth:0] with_arrival;
  logic [CountWidth-1:0] count;

  allport_message_store #(
    .InputVcs(1),
    .Depth(Depth)
  ) u_message_store (
    .clk_i,
    .rst_ni,
    .push_tail_i,
    .pop_tail_i,
    .is_whole_o(is_whole)
  );

  initial assume (!rst_ni);

  assign with_arrival = push_tail_i ? {tails_q, 1'b1} : {1'b0, tails_q};

  always_comb begin
    count = '0;
    for (int unsigned i = 0; i < Depth; i++) count = count + CountWidth'(tails_q[i]);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) tails_q <= '0;
    else tails_q <= Depth'(pop_tail_i ? with_arrival >> 1 : with_arrival);
  end

  always_comb begin
    if (rst_ni) begin
      assume (!push_tail_i || !tails_q[Depth-1]);
      assume (!pop_tail_i || (with_arrival != '0));
      KeepsThemTogether: assert ((tails_q & (tails_q + Depth'(1))) == '0);
      CountsEach: assert (\u_message_store.gen_input_vc[0].tails_q == count);
      IsWholeWhileATailIsThere: assert (is_whole == (with_arrival != '0));
    end
  end

endmodule
