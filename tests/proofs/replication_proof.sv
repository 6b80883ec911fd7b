// SPDX-License-Identifier: Apache-2.0
// allport_replication_unit: a flit leaves its buffer when each of its branches has taken it, not
// before and not later, and no branch takes it twice; what asks for VCs are branches that lack it,
// and of a flit that is there and may ask, those that may take it. Demanded: only branches that may
// take a flit do, and a worm's branches stay the same until its front flit leaves.

module replication_proof #(
  parameter int unsigned ReplicationDelay = 0,
  parameter int unsigned RouteDelay = 0,
  localparam allport_pkg::router_config_t Config = allport_pkg::router_config(
      allport_pkg::TopologyHypercube, 2, '0, 0, 1, 1, 2, ReplicationDelay, 1, 1, 1, 0, 0, 0, 0, 0,
      0, 0, 32, 0, '0, 1, RouteDelay, 0, 0),
  localparam int unsigned Ports = Config.Ports,
  localparam int unsigned InputVcs = Config.InputVcs
) (
  input logic                      clk_i,
  input logic                      rst_ni,
  input logic [InputVcs-1:0]       push_i,
  input logic [InputVcs*Ports-1:0] outputs_i,
  input logic [InputVcs-1:0]       occupied_i,
  input logic [InputVcs-1:0]       is_replicated_i,
  input logic [InputVcs-1:0]       asks_i,
  input logic [Ports*InputVcs-1:0] take_i
);

  logic [Ports*InputVcs-1:0] asking, pending;
  logic [InputVcs-1:0] done;
  logic is_waiting;
  (* hierconn *) wire [InputVcs*Ports-1:0] \u_replication_unit.taken_q ;

  allport_replication_unit #(
    .Config(Config)
  ) u_replication_unit (
    .clk_i,
    .rst_ni,
    .push_i,
    .outputs_i,
    .occupied_i,
    .is_replicated_i,
    .asks_i,
    .asking_o(asking),
    .pending_o(pending),
    .take_i,
    .done_o(done),
    .left_i(done),
    .is_waiting_o(is_waiting)
  );

  // For each input VC, whether the assertions below hold.
  logic [InputVcs-1:0] keeps_branches, marks_taken, offers_branches, offers_once, marks_branches;
  logic [InputVcs-1:0] leaves_in_time, asks_for_branches;

  for (genvar iv = 0; iv < InputVcs; iv++) begin : gen_input_vc
    logic [Ports-1:0] outputs, taken, takes, may_take, asks, has_taken_q, outputs_q;

    assign outputs = outputs_i[iv * Ports +: Ports];
    assign taken = \u_replication_unit.taken_q [iv * Ports +: Ports];

    for (genvar p = 0; p < Ports; p++) begin : gen_output
      assign takes[p] = take_i[p * InputVcs + iv];
      assign may_take[p] = pending[p * InputVcs + iv];
      assign asks[p] = asking[p * InputVcs + iv];
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        has_taken_q <= '0;
        outputs_q <= '0;
      end else begin
        has_taken_q <= done[iv] ? '0 : has_taken_q | takes;
        outputs_q <= outputs;
      end
    end

    assign keeps_branches[iv] = (has_taken_q == '0) || (outputs == outputs_q);
    assign marks_taken[iv] = taken == has_taken_q;
    assign offers_branches[iv] = (may_take & ~outputs) == '0;
    assign offers_once[iv] = (may_take & has_taken_q) == '0;
    assign marks_branches[iv] = (has_taken_q & ~outputs_q) == '0;
    assign leaves_in_time[iv] =
        done[iv] == ((takes != '0) && ((has_taken_q | takes) == outputs));
    assign asks_for_branches[iv] = ((asks & ~(outputs & ~has_taken_q)) == '0)
        && (!occupied_i[iv] || !asks_i[iv] || (asks == may_take));
  end

  initial assume (!rst_ni);

  always_comb begin
    if (rst_ni) begin
      assume ((take_i & ~pending) == '0);
      assume (keeps_branches == '1);
      MarksWhatWasTaken: assert (marks_taken == '1);
      OffersBranchesOnly: assert (offers_branches == '1);
      OffersOnce: assert (offers_once == '1);
      MarksBranchesOnly: assert (marks_branches == '1);
      LeavesWhenAllHaveTakenIt: assert (leaves_in_time == '1);
      AsksForBranchesThatLackIt: assert (asks_for_branches == '1);
    end
  end

endmodule
