// SPDX-License-Identifier: Apache-2.0
// What counting tails requires: no tail leaves that has not come. What it guarantees: each is
// counted, so a message is whole from the cycle in which its tail comes to the one in which it
// leaves.

module allport_message_store_properties #(
  parameter int unsigned InputVcs = 6,
  parameter int unsigned Depth = 4
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic [InputVcs-1:0] push_tail_i,
  input logic [InputVcs-1:0] pop_tail_i,
  input logic [InputVcs-1:0] is_whole_o
);

  for (genvar iv = 0; iv < InputVcs; iv++) begin : gen_input_vc
    logic [31:0] pushes_q, pops_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        pushes_q <= '0;
        pops_q <= '0;
      end else begin
        pushes_q <= pushes_q + 32'(push_tail_i[iv]);
        pops_q <= pops_q + 32'(pop_tail_i[iv]);
      end
    end

    LetsGoWhatCame: assert property (@(posedge clk_i) disable iff (!rst_ni)
        pop_tail_i[iv] |-> is_whole_o[iv]);
    IsWholeWhileATailIsThere: assert property (@(posedge clk_i) disable iff (!rst_ni)
        is_whole_o[iv] == (push_tail_i[iv] || (pushes_q != pops_q)));
    HoldsNoMoreThanTheDepth: assert property (@(posedge clk_i) disable iff (!rst_ni)
        (pushes_q - pops_q) <= Depth);
  end

endmodule

bind allport_message_store allport_message_store_properties #(
  .InputVcs(InputVcs),
  .Depth(Depth)
) u_properties (
  .clk_i(clk_i),
  .rst_ni(rst_ni),
  .push_tail_i(push_tail_i),
  .pop_tail_i(pop_tail_i),
  .is_whole_o(is_whole_o)
);
