// SPDX-License-Identifier: Apache-2.0
// One input of a router with ready and valid: the flits of a channel with credits come in, and go
// on by a handshake for each VC. A flit on the channel in cycle c is offered in cycle c, so it
// takes no time; its credit is on the wire in the cycle after it was taken, one a cycle. valid_o
// and flit_o stay until ready_i comes, which may depend on them in the same cycle. With OneAtATime,
// for a router that has one valid, one flit and a field vc, at most one VC is offered, and only if
// ready_i has it.
module allport_to_ready_valid #(
  /// Bits of a flit, 1 or more.
  parameter int unsigned Width = 64,
  /// Virtual channels, 1 .. 16.
  parameter int unsigned Vcs = 1,
  /// Flits of each virtual channel that the sender may have on the way, 1 .. 4096.
  parameter int unsigned Depth = 4,
  /// 0 or 1: offers the flits of one VC at a time.
  parameter int unsigned OneAtATime = 0,

  localparam int unsigned VcWidth = allport_pkg::idx_width(Vcs)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 valid_i,
  input  logic [VcWidth-1:0]   vc_i,
  input  logic [Width-1:0]     flit_i,
  output logic                 credit_o,     // register
  output logic [VcWidth-1:0]   credit_vc_o,  // register

  output logic [Vcs-1:0]       valid_o,
  output logic [Vcs*Width-1:0] flit_o,
  input  logic [Vcs-1:0]       ready_i
);

  localparam int unsigned CountWidth = allport_pkg::idx_width(Depth + 1);

  logic [Vcs-1:0] occupied, offered, taken, is_owed, paid;
  logic [VcWidth-1:0] paid_vc;
  logic credit_q;
  logic [VcWidth-1:0] credit_vc_q;

  if ((Width < 1) || (Vcs < 1) || (Vcs > 16) || (Depth < 1) || (Depth > 4096)
      || (OneAtATime > 1)) begin : gen_invalid
    $error("allport_to_ready_valid: a parameter is out of its range");
  end

  if (OneAtATime == 1) begin : gen_one
    allport_round_robin_arbiter #(
      .Requesters(Vcs)
    ) u_offer (
      .clk_i,
      .rst_ni,
      .request_i(occupied & ready_i),
      .grant_o(offered),
      .won_i(offered != '0)
    );
  end else begin : gen_all
    assign offered = occupied;
  end

  assign valid_o = offered;
  assign taken = offered & ready_i;

  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    logic [CountWidth-1:0] owed_d, owed_q;  // credits of flits that were taken before
    logic is_named;

    if (Vcs == 1) begin : gen_only
      logic unused_vc;
      assign is_named = 1'b1;
      assign unused_vc = ^vc_i;
    end else begin : gen_one_of_many
      assign is_named = vc_i == VcWidth'(v);
    end

    allport_fifo #(
      .Width(Width),
      .Depth(Depth)
    ) u_fifo (
      .clk_i,
      .rst_ni,
      .push_i(valid_i && is_named),
      .flit_i,
      .occupied_o(occupied[v]),
      .front_o(flit_o[v * Width +: Width]),
      .pop_i(taken[v])
    );

    assign is_owed[v] = taken[v] || (owed_q != '0);
    assign owed_d = owed_q + CountWidth'(taken[v]) - CountWidth'(paid[v]);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) owed_q <= '0;
      else owed_q <= owed_d;
    end
  end

  allport_round_robin_arbiter #(
    .Requesters(Vcs)
  ) u_pay (
    .clk_i,
    .rst_ni,
    .request_i(is_owed),
    .grant_o(paid),
    .won_i(is_owed != '0)
  );

  always_comb begin
    paid_vc = '0;
    for (int unsigned v = 0; v < Vcs; v++) begin
      if (paid[v]) paid_vc = VcWidth'(v);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      credit_q <= 1'b0;
      credit_vc_q <= '0;
    end else begin
      credit_q <= paid != '0;
      credit_vc_q <= paid_vc;
    end
  end

  assign credit_o = credit_q;
  assign credit_vc_o = credit_vc_q;

endmodule
