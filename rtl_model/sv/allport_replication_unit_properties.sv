// SPDX-License-Identifier: Apache-2.0
// Each flit that leaves its buffer was taken by all of its branches, by each exactly once; the
// number of copies made is therefore the branches of the flits that left and those marked as taken.

module allport_replication_unit_properties #(
  parameter allport_pkg::router_config_t Config = allport_pkg::Hypercube3,
  localparam int unsigned Ports = Config.Ports,
  localparam int unsigned InputVcs = Config.InputVcs
) (
  input logic                      clk_i,
  input logic                      rst_ni,
  input logic [InputVcs*Ports-1:0] outputs_i,
  input logic [InputVcs-1:0]       occupied_i,
  input logic [Ports*InputVcs-1:0] pending_o,
  input logic [Ports*InputVcs-1:0] take_i,
  input logic [InputVcs-1:0]       done_o,
  input logic [InputVcs*Ports-1:0] taken_q
);

  logic [31:0] copies_q, due_q, due;

  for (genvar iv = 0; iv < InputVcs; iv++) begin : gen_input_vc
    logic [Ports-1:0] outputs, taken, takes;

    assign outputs = outputs_i[iv * Ports +: Ports];
    assign taken = taken_q[iv * Ports +: Ports];
    for (genvar p = 0; p < Ports; p++) begin : gen_output
      assign takes[p] = take_i[p * InputVcs + iv];
    end

    TakesAFlitThatIsThere: assert property (@(posedge clk_i) disable iff (!rst_ni)
        (takes != '0) |-> occupied_i[iv]);
    TakesByABranch: assert property (@(posedge clk_i) disable iff (!rst_ni)
        ((takes | taken) & ~outputs) == '0);
    TakesOnce: assert property (@(posedge clk_i) disable iff (!rst_ni)
        (takes & taken) == '0);
    LeavesWhenAllHaveTakenIt: assert property (@(posedge clk_i) disable iff (!rst_ni)
        (takes != '0) |-> (done_o[iv] == ((takes | taken) == outputs)));
    LeavesByBeingTaken: assert property (@(posedge clk_i) disable iff (!rst_ni)
        done_o[iv] |-> (takes != '0));
  end

  always_comb begin
    due = '0;
    for (int unsigned iv = 0; iv < InputVcs; iv++) begin
      if (done_o[iv]) due = due + 32'($countones(outputs_i[iv * Ports +: Ports]));
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      copies_q <= '0;
      due_q <= '0;
    end else begin
      copies_q <= copies_q + 32'($countones(take_i));
      due_q <= due_q + due;
    end
  end

  TakesOnlyWhatIsPending: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (take_i & ~pending_o) == '0);
  CopiesEachFlitOncePerBranch: assert property (@(posedge clk_i) disable iff (!rst_ni)
      copies_q == due_q + 32'($countones(taken_q)));

endmodule

bind allport_replication_unit allport_replication_unit_properties #(
  .Config(Config)
) u_properties (
  .clk_i(clk_i),
  .rst_ni(rst_ni),
  .outputs_i(outputs_i),
  .occupied_i(occupied_i),
  .pending_o(pending_o),
  .take_i(take_i),
  .done_o(done_o),
  .taken_q(taken_q)
);
