// SPDX-License-Identifier: Apache-2.0
// Replication: which branches have taken the flit at the front of each buffer. A flit goes to each
// branch as soon as that branch has the virtual channel and a credit, never twice, and leaves the
// buffer when every branch has taken it, so the branches of a worm are never at different flits. A
// tree flit at a router with external branches is held ReplicationDelay cycles, pipelined, before
// any branch may take it. State is kept by input VC, taken_q[iv*Ports + p]; what goes to and comes
// from the allocators is by output, pending_o[p*InputVcs + iv]. With RouteDelay the branches that
// may ask for VCs do not depend on what arrives.

module allport_replication_unit #(
  /// The router.
  parameter allport_pkg::router_config_t Config = allport_pkg::Hypercube3,
  localparam int unsigned Ports = Config.Ports,
  localparam int unsigned InputVcs = Config.InputVcs
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic [InputVcs-1:0]       push_i,           // a flit arrives
  input  logic [InputVcs*Ports-1:0] outputs_i,        // all branches of the worm at the front
  input  logic [InputVcs-1:0]       occupied_i,       // there is a front flit ...
  input  logic [InputVcs-1:0]       is_replicated_i,  // ... of a tree worm that goes on
  input  logic [InputVcs-1:0]       asks_i,           // with RouteDelay: it may ask for VCs ...
  output logic [Ports*InputVcs-1:0] asking_o,         // ... by these branches
  output logic [Ports*InputVcs-1:0] pending_o,        // branches that may take the front flit
  input  logic [Ports*InputVcs-1:0] take_i,           // branches that take it in this cycle
  output logic [InputVcs-1:0]       done_o,           // all have taken it: it leaves
  input  logic [InputVcs-1:0]       left_i,           // it leaves, or as an operand of another one
  output logic                      is_waiting_o      // some flit is still under the delay
);

  localparam int unsigned ReplicationDelay = Config.Replication ? Config.ReplicationDelay : 0;

  logic [InputVcs*Ports-1:0] taken_d, taken_q;
  logic [InputVcs-1:0] is_held, moves, remains;

  if (ReplicationDelay > 0) begin : gen_delay
    allport_replication_delay #(
      .InputVcs(InputVcs),
      .Depth(Config.Depth),
      .ReplicationDelay(ReplicationDelay)
    ) u_replication_delay (
      .clk_i,
      .rst_ni,
      .push_i,
      .is_replicated_i,
      .done_i(left_i),
      .is_held_o(is_held),
      .is_waiting_o
    );
  end else begin : gen_no_delay
    logic unused_delay;

    assign is_held = '0;
    assign is_waiting_o = 1'b0;
    assign unused_delay = ^{push_i, is_replicated_i, left_i};
  end

  always_comb begin
    pending_o = '0;
    for (int unsigned iv = 0; iv < InputVcs; iv++) begin
      if (occupied_i[iv] && !is_held[iv]) begin
        for (int unsigned p = 0; p < Ports; p++) begin
          if (outputs_i[iv * Ports + p] && !taken_q[iv * Ports + p]) begin
            pending_o[p * InputVcs + iv] = 1'b1;
          end
        end
      end
    end
  end

  if (Config.RouteDelay == 0) begin : gen_as_pending
    logic unused_asks;

    assign asking_o = pending_o;
    assign unused_asks = ^asks_i;
  end else begin : gen_registered
    for (genvar p = 0; p < Ports; p++) begin : gen_output
      for (genvar iv = 0; iv < InputVcs; iv++) begin : gen_input_vc
        assign asking_o[p * InputVcs + iv] = asks_i[iv] && !is_held[iv]
            && outputs_i[iv * Ports + p] && !taken_q[iv * Ports + p];
      end
    end
  end

  always_comb begin
    moves = '0;
    remains = '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      moves = moves | take_i[p * InputVcs +: InputVcs];
      remains = remains
          | (pending_o[p * InputVcs +: InputVcs] & ~take_i[p * InputVcs +: InputVcs]);
    end
  end

  assign done_o = moves & ~remains;

  always_comb begin
    taken_d = taken_q;
    for (int unsigned iv = 0; iv < InputVcs; iv++) begin
      if (done_o[iv]) begin
        taken_d[iv * Ports +: Ports] = '0;
      end else if (moves[iv]) begin
        for (int unsigned p = 0; p < Ports; p++) begin
          if (take_i[p * InputVcs + iv]) taken_d[iv * Ports + p] = 1'b1;
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) taken_q <= '0;
    else taken_q <= taken_d;
  end

endmodule
