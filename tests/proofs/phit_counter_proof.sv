// SPDX-License-Identifier: Apache-2.0
// allport_phit_counter: the channel is busy in the Phits - 1 cycles behind the one in which a flit
// is sent, and in no other. Demanded: nothing is sent while it is busy.

module phit_counter_proof #(
  parameter int unsigned Phits = 2
) (
  input logic clk_i,
  input logic rst_ni,
  input logic sent_i
);

  logic [allport_pkg::idx_width(Phits)-1:0] left;
  logic [7:0] age_q;  // cycles since the last flit was sent, Phits at most; Phits: it is over

  allport_phit_counter #(
    .Phits(Phits)
  ) u_phit_counter (
    .clk_i,
    .rst_ni,
    .sent_i,
    .left_o(left)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) age_q <= 8'(Phits);
    else if (sent_i) age_q <= 8'd1;
    else if (age_q != 8'(Phits)) age_q <= age_q + 8'd1;
  end

  initial assume (!rst_ni);

  always_comb begin
    if (rst_ni) begin
      assume (!sent_i || (left == '0));
      IsBusyUntilTheLastPhit: assert (8'(left) + age_q == 8'(Phits));
      NeverSendsAPhitTooMany: assert (age_q <= 8'(Phits));
    end
  end

endmodule
