// SPDX-License-Identifier: Apache-2.0
// Chooses one of several requesters, starting after the last winner; after reset requester 0 has
// priority. The choice is combinational, with one register. The caller says when a choice counts as
// won: only then does the pointer move past it.

module allport_round_robin_arbiter #(
  /// Number of requesters, 1 or more.
  parameter int unsigned Requesters = 4
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic [Requesters-1:0] request_i,
  output logic [Requesters-1:0] grant_o,    // one-hot; zero if there is no request
  input  logic                  won_i
);

  localparam int unsigned IndexWidth = allport_pkg::idx_width(Requesters);

  // The requesters whose successor's index has bit `b` set.
  function automatic logic [Requesters-1:0] before_bit(input int unsigned b);
    before_bit = '0;
    for (int unsigned i = 0; i < Requesters; i++) begin
      before_bit[i] = ((((i + 1) % Requesters) >> b) & 1) != 0;
    end
  endfunction

  logic [IndexWidth-1:0] next_d, next_q, behind_winner;
  logic [Requesters-1:0] not_before, candidates;

  assign not_before = request_i & ({Requesters{1'b1}} << next_q);
  assign candidates = (not_before != '0) ? not_before : request_i;
  assign grant_o = candidates & (~candidates + Requesters'(1));

  for (genvar b = 0; b < IndexWidth; b++) begin : gen_behind_winner
    localparam logic [Requesters-1:0] Before = before_bit(b);
    assign behind_winner[b] = (grant_o & Before) != '0;
  end

  always_comb begin
    next_d = next_q;
    if (won_i) next_d = behind_winner;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) next_q <= '0;
    else next_q <= next_d;
  end

endmodule
