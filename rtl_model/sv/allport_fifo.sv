// SPDX-License-Identifier: Apache-2.0
// A fall-through FIFO: a flit pushed in cycle c is at the front in cycle c when the FIFO is empty,
// and may be popped in that cycle. Nothing may be pushed when Depth flits are in it, and nothing
// may be popped when it is empty and nothing is pushed.

module allport_fifo #(
  /// Bits of a flit, 1 or more.
  parameter int unsigned Width = 64,
  /// Flits, 1 .. 4096.
  parameter int unsigned Depth = 4
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             push_i,
  input  logic [Width-1:0] flit_i,
  output logic             occupied_o,
  output logic [Width-1:0] front_o,
  input  logic             pop_i
);

  localparam int unsigned SlotWidth = allport_pkg::idx_width(Depth);
  localparam int unsigned CountWidth = allport_pkg::idx_width(Depth + 1);

  logic [SlotWidth-1:0] head_d, head_q, free_slot;
  logic [CountWidth-1:0] count_d, count_q;
  logic [CountWidth:0] behind_last;
  logic [Width-1:0] flits_q [Depth];

  assign occupied_o = push_i || (count_q != '0);
  assign front_o = (count_q != '0) ? flits_q[head_q] : flit_i;

  assign behind_last = (CountWidth + 1)'(head_q) + (CountWidth + 1)'(count_q);
  assign free_slot = SlotWidth'((behind_last >= (CountWidth + 1)'(Depth))
      ? behind_last - (CountWidth + 1)'(Depth) : behind_last);

  always_comb begin
    head_d = head_q;
    if (pop_i) head_d = (head_q == SlotWidth'(Depth - 1)) ? '0 : head_q + SlotWidth'(1);
    count_d = count_q + CountWidth'(push_i) - CountWidth'(pop_i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q <= '0;
      count_q <= '0;
    end else begin
      head_q <= head_d;
      count_q <= count_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (push_i) flits_q[free_slot] <= flit_i;
  end

endmodule
