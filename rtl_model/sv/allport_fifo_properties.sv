// SPDX-License-Identifier: Apache-2.0
// What a FIFO requires: nothing is pushed into a full one, and nothing is popped from an empty one.
// What it guarantees: it holds as many flits as came and did not go, and what went is what had
// come.

module allport_fifo_properties #(
  parameter int unsigned Width = 64,
  parameter int unsigned Depth = 4,
  localparam int unsigned CountWidth = allport_pkg::idx_width(Depth + 1)
) (
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic                  push_i,
  input logic [Width-1:0]      flit_i,
  input logic                  occupied_o,
  input logic [Width-1:0]      front_o,
  input logic                  pop_i,
  input logic [CountWidth-1:0] count
);

  logic [31:0] pushes_q, pops_q;
  logic [Width-1:0] came_q, went_q;  // sums of all flits

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pushes_q <= '0;
      pops_q <= '0;
      came_q <= '0;
      went_q <= '0;
    end else begin
      pushes_q <= pushes_q + 32'(push_i);
      pops_q <= pops_q + 32'(pop_i);
      if (push_i) came_q <= came_q + flit_i;
      if (pop_i) went_q <= went_q + front_o;
    end
  end

  NeverOverflows: assert property (@(posedge clk_i) disable iff (!rst_ni)
      push_i |-> (32'(count) < Depth));
  PopsWhatIsThere: assert property (@(posedge clk_i) disable iff (!rst_ni)
      pop_i |-> occupied_o);
  HoldsWhatCameAndDidNotGo: assert property (@(posedge clk_i) disable iff (!rst_ni)
      32'(count) == pushes_q - pops_q);
  LosesAndChangesNothing: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (count == '0) |-> (came_q == went_q));

endmodule

bind allport_fifo allport_fifo_properties #(
  .Width(Width),
  .Depth(Depth)
) u_properties (
  .clk_i(clk_i),
  .rst_ni(rst_ni),
  .push_i(push_i),
  .flit_i(flit_i),
  .occupied_o(occupied_o),
  .front_o(front_o),
  .pop_i(pop_i),
  .count(count)
);
