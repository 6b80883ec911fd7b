// SPDX-License-Identifier: Apache-2.0
// The sending end of an external channel with retry (docs/router.md), behind the flit register of
// its output. What it puts on the channel goes with its checksum, and for Retry cycles, the cycles
// without a flit included, into a replay line. When a nack comes in cycle n, that line speaks in
// the cycles n + Phits + CrossbarDelay .. n + Phits + CrossbarDelay + Retry - 1: what was on the
// channel Retry cycles earlier is on it once more. No flit may be decided for the output in the
// cycles n .. n + Retry + Phits - 2, so none comes then. Nacks are Retry cycles apart or more.
// Without valid a word means nothing, so no reset goes to it.

module allport_retry_sender #(
  /// Bits of a flit.
  parameter int unsigned Width = 64,
  /// D = 2 Phits + 2 d + CrossbarDelay: the words of the line; d is the delay of the channel.
  parameter int unsigned Retry = 2,
  /// Cycles for which a flit occupies the channel, 1 .. 64.
  parameter int unsigned Phits = 1,
  /// That of the router, 0 .. 4.
  parameter int unsigned CrossbarDelay = 0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             valid_i,     // the register of the output
  input  logic [Width-1:0] flit_i,
  input  logic             nack_i,
  output logic             valid_o,     // the channel
  output logic [Width-1:0] flit_o,
  output logic [15:0]      checksum_o,
  output logic             is_busy_o,   // no flit is decided for it in this cycle
  output logic             is_active_o  // there is something to repeat, or to count
);

  localparam int unsigned CountWidth = allport_pkg::idx_width(Retry + Phits);
  localparam bit SpeaksAtOnce = (Phits + CrossbarDelay) == 1;

  logic [CountWidth-1:0] busy_d, busy_q;      // cycles for which it is still busy
  logic [CountWidth-1:0] speaks_d, speaks_q;  // cycles for which the line still speaks
  logic is_first;                             // it speaks from the next cycle on
  logic [Retry-1:0] valid_d, valid_q;         // the line, by cycles since it was on the channel
  logic [Retry*Width-1:0] flit_d, flit_q;

  assign is_first = SpeaksAtOnce ? nack_i : (busy_q == CountWidth'(Retry - CrossbarDelay));

  always_comb begin
    busy_d = busy_q;
    if (busy_q != '0) busy_d = busy_q - CountWidth'(1);
    if (nack_i) busy_d = CountWidth'(Retry + Phits - 2);
    speaks_d = speaks_q;
    if (speaks_q != '0) speaks_d = speaks_q - CountWidth'(1);
    if (is_first) speaks_d = CountWidth'(Retry);
  end

  assign valid_o = (speaks_q != '0) ? valid_q[Retry-1] : valid_i;
  assign flit_o = (speaks_q != '0) ? flit_q[(Retry - 1) * Width +: Width] : flit_i;
  assign is_busy_o = nack_i || (busy_q != '0);
  assign is_active_o = (valid_q != '0) || (busy_q != '0) || (speaks_q != '0);

  assign valid_d = Retry'({valid_q, valid_o});
  assign flit_d = (Retry * Width)'({flit_q, flit_o});

  allport_checksum #(
    .Width(Width)
  ) u_checksum (
    .flit_i(flit_o),
    .sum_o(checksum_o)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= '0;
      speaks_q <= '0;
      valid_q <= '0;
    end else begin
      busy_q <= busy_d;
      speaks_q <= speaks_d;
      valid_q <= valid_d;
    end
  end

  always_ff @(posedge clk_i) flit_q <= flit_d;

endmodule
