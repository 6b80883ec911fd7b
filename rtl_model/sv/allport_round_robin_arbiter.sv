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
  logic [Requesters-1:0] not_before;  // the pointer

  assign not_before = {Requesters{1'b1}} << next_q;

  if (Requesters <= 8) begin : gen_pairs
    // Who comes before whom follows from the pointer, so it is there before the requests are.
    for (genvar i = 0; i < Requesters; i++) begin : gen_requester
      localparam logic [Requesters-1:0] Lower = ~({Requesters{1'b1}} << i);
      logic [Requesters-1:0] ahead;

      assign ahead = not_before[i] ? not_before & Lower : not_before | Lower;
      assign grant_o[i] = request_i[i] && ((request_i & ahead) == '0);
    end
  end else begin : gen_prefix
    // All requesters twice, so that none comes before the pointer: those at or behind it, then all.
    logic [2*Requesters-1:0] in_turn, is_passed, first;

    assign in_turn = {request_i, request_i & not_before};

    // Whether any one stands before, as a parallel prefix.
    always_comb begin
      is_passed = in_turn << 1;
      for (int unsigned i = 1; i < 2 * Requesters; i = 2 * i) begin
        is_passed = is_passed | (is_passed << i);
      end
    end

    assign first = in_turn & ~is_passed;
    assign grant_o = first[Requesters-1:0] | first[2*Requesters-1:Requesters];
  end

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
