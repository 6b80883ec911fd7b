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

  // For proofs to read: the place of the front flit, and how many there are.
  // verilator lint_off UNUSEDSIGNAL
  logic [SlotWidth-1:0] head;
  logic [CountWidth-1:0] count;
  // verilator lint_on UNUSEDSIGNAL
  logic [Width-1:0] flits_q [Depth];

  // All that a pop may lead to is there before it is known whether there is one: it comes last.
  if ((Depth > 0) && (Depth <= 8)) begin : gen_few
    // One bit for each place, so nothing is decoded.
    logic [Depth-1:0] place_d, place_q;  // of the front flit; 0: there is none
    logic [Depth-1:0] free_d, free_q;    // of the flit that is pushed next
    logic [Depth-1:0] behind;            // the place behind the front one
    logic is_filled_d, is_filled_q;      // place_q is not 0
    logic stays_filled;                  // with a pop
    logic [Width-1:0] front;
    logic [2*Depth-1:0] free_twice;

    assign occupied_o = push_i || is_filled_q;

    always_comb begin
      front = '0;
      for (int unsigned i = 0; i < Depth; i++) begin
        if (place_q[i]) front = front | flits_q[i];
      end
    end
    assign front_o = is_filled_q ? front : flit_i;

    for (genvar i = 0; i < Depth; i++) begin : gen_behind
      assign behind[i] = place_q[(i + Depth - 1) % Depth];
      assign free_d[i] = push_i ? free_q[(i + Depth - 1) % Depth] : free_q[i];
    end
    assign stays_filled = is_filled_q && (push_i || ((behind & free_q) == '0));

    always_comb begin
      place_d = place_q | ((push_i && !is_filled_q) ? free_q : '0);
      if (pop_i) place_d = stays_filled ? behind : '0;
      is_filled_d = pop_i ? stays_filled : occupied_o;
    end

    assign free_twice = {free_q, free_q};
    always_comb begin
      head = '0;
      count = '0;
      for (int unsigned i = 0; i < Depth; i++) begin
        if (is_filled_q ? place_q[i] : free_q[i]) head = SlotWidth'(i);
      end
      for (int unsigned i = Depth; i > 0; i--) begin
        if (is_filled_q && free_twice[32'(head) + i]) count = CountWidth'(i);
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        place_q <= '0;
        free_q <= Depth'(1);
        is_filled_q <= 1'b0;
      end else begin
        place_q <= place_d;
        free_q <= free_d;
        is_filled_q <= is_filled_d;
      end
    end

    always_ff @(posedge clk_i) begin
      for (int unsigned i = 0; i < Depth; i++) begin
        if (push_i && free_q[i]) flits_q[i] <= flit_i;
      end
    end
  end else begin : gen_many
    logic [SlotWidth-1:0] head_d, head_q, free_slot;
    logic [CountWidth-1:0] count_d, count_q;
    logic [CountWidth:0] behind_last;

    assign occupied_o = push_i || (count_q != '0);
    assign front_o = (count_q != '0) ? flits_q[head_q] : flit_i;
    assign head = head_q;
    assign count = count_q;

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
  end

endmodule
