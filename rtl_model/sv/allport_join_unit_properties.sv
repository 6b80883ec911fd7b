// SPDX-License-Identifier: Apache-2.0
// The operands of a join that is ready are flits that are there, one for each input that is
// expected, heads beside a head and tails beside a tail; they leave with the local flit, and behind
// the heads they come from the same buffers. No flit of a join on an external input leaves by
// itself, operand or not.

module allport_join_unit_properties #(
  parameter allport_pkg::router_config_t Config = allport_pkg::Hypercube3,
  localparam int unsigned ExternalPorts = Config.ExternalPorts,
  localparam int unsigned Vcs = Config.Vcs,
  localparam int unsigned ExternalVcs = Config.ExternalVcs,
  localparam int unsigned InputVcs = ExternalVcs + 1,
  localparam int unsigned StoredWidth = Config.StoredWidth
) (
  input logic                            clk_i,
  input logic                            rst_ni,
  input logic [InputVcs-1:0]             occupied_i,
  input logic [InputVcs*StoredWidth-1:0] front_i,
  input logic [InputVcs-1:0]             done_i,
  input logic                            is_join_o,
  input logic                            is_ready_o,
  input logic [ExternalVcs-1:0]          operands_o,
  input logic [ExternalPorts-1:0]        inputs,
  input logic [ExternalVcs-1:0]          operands_q
);

  logic [1:0] local_ends;
  logic [ExternalVcs-1:0] has_its_ends;  // head and tail as the local flit

  logic [ExternalVcs-1:0] is_of_join;
  logic [ExternalVcs-1:0] is_open_q;  // open: behind the head of a join, before its tail

  assign local_ends = front_i[InputVcs * StoredWidth - 1 -: 2];
  for (genvar iv = 0; iv < ExternalVcs; iv++) begin : gen_ends
    assign has_its_ends[iv] = front_i[(iv + 1) * StoredWidth - 1 -: 2] == local_ends;
    assign is_of_join[iv] = front_i[(iv + 1) * StoredWidth - 1]
        ? allport_pkg::is_join(front_i[(iv + 1) * StoredWidth - 3 -: allport_pkg::KindWidth])
        : is_open_q[iv];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) is_open_q[iv] <= 1'b0;
      else if (done_i[iv]) is_open_q[iv] <= is_of_join[iv] && !front_i[(iv + 1) * StoredWidth - 2];
    end
  end

  IsReadyAsAJoin: assert property (@(posedge clk_i) disable iff (!rst_ni)
      is_ready_o |-> is_join_o);
  LeavesWhenItIsReady: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (is_join_o && done_i[ExternalVcs]) |-> is_ready_o);
  HasFlitsThatAreThere: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (operands_o & ~occupied_i[ExternalVcs-1:0]) == '0);
  LeavesTogether: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (operands_o & done_i[ExternalVcs-1:0])
          == (done_i[ExternalVcs] ? operands_o : '0));
  NoneLeavesByItself: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (is_of_join & done_i[ExternalVcs-1:0] & ~operands_o) == '0);
  StaysInItsBuffers: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (is_ready_o && !local_ends[1]) |-> (operands_o == operands_q));

  for (genvar p = 0; p < ExternalPorts; p++) begin : gen_port
    HasOneOfEachInput: assert property (@(posedge clk_i) disable iff (!rst_ni)
        is_ready_o |-> ($countones(operands_o[p * Vcs +: Vcs]) == 32'(inputs[p])));
  end
  HasOneLength: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (operands_o & ~has_its_ends) == '0);

endmodule

bind allport_join_unit allport_join_unit_properties #(
  .Config(Config)
) u_properties (
  .clk_i(clk_i),
  .rst_ni(rst_ni),
  .occupied_i(occupied_i),
  .front_i(front_i),
  .done_i(done_i),
  .is_join_o(is_join_o),
  .is_ready_o(is_ready_o),
  .operands_o(operands_o),
  .inputs(inputs),
  .operands_q(operands_q)
);
