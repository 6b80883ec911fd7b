// SPDX-License-Identifier: Apache-2.0
// As allport_phit_counter, for a channel of which pins say how wide it is: they do not change after
// reset.

module allport_phit_timer (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [7:0] phits_i,   // cycles for which a flit occupies the channel; 0 is 1
  input  logic       sent_i,    // a flit is sent
  output logic       is_busy_o  // an earlier one occupies the channel
);

  logic [7:0] left_d, left_q;

  assign is_busy_o = left_q != '0;

  always_comb begin
    left_d = left_q;
    if (left_q != '0) left_d = left_q - 8'd1;
    if (sent_i && (phits_i != '0)) left_d = phits_i - 8'd1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) left_q <= '0;
    else left_q <= left_d;
  end

endmodule
