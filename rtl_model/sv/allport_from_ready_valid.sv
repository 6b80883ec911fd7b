// SPDX-License-Identifier: Apache-2.0
// One output of a router with ready and valid: the flits of its VCs go on a channel with credits. A
// flit that is taken in cycle c is on the channel in cycle c + 1, so it takes one cycle. A VC is
// taken from when it has a credit, which may come in the same cycle. Of several VCs that offer a
// flit one is taken a cycle, so ready_o depends on valid_i in the same cycle; with OneAtATime, for
// a router that never offers two, it does not.
module allport_from_ready_valid #(
  /// Bits of a flit, 1 or more.
  parameter int unsigned Width = 64,
  /// Virtual channels, 1 .. 16.
  parameter int unsigned Vcs = 1,
  /// Flits of each virtual channel's buffer at the other end, 1 .. 4096.
  parameter int unsigned Depth = 4,
  /// 0 or 1: at most one VC offers a flit at a time.
  parameter int unsigned OneAtATime = 0,

  localparam int unsigned VcWidth = allport_pkg::idx_width(Vcs),
  localparam int unsigned CreditWidth = allport_pkg::idx_width(Depth + 1)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic [Vcs-1:0]       valid_i,
  input  logic [Vcs*Width-1:0] flit_i,
  output logic [Vcs-1:0]       ready_o,
  /// Register: places known to be free, for a router that wants room for a whole message.
  output logic [Vcs*CreditWidth-1:0] credits_o,

  output logic                 valid_o,  // register
  output logic [VcWidth-1:0]   vc_o,     // register
  output logic [Width-1:0]     flit_o,   // register
  input  logic                 credit_i,
  input  logic [VcWidth-1:0]   credit_vc_i
);

  logic [Vcs-1:0] has_credit, taken;
  logic valid_q;
  logic [VcWidth-1:0] vc_d, vc_q;
  logic [Width-1:0] flit_d, flit_q;

  if ((Width < 1) || (Vcs < 1) || (Vcs > 16) || (Depth < 1) || (Depth > 4096)
      || (OneAtATime > 1)) begin : gen_invalid
    $error("allport_from_ready_valid: a parameter is out of its range");
  end

  if ((OneAtATime == 1) || (Vcs == 1)) begin : gen_one
    assign ready_o = has_credit;
    assign taken = valid_i & has_credit;
  end else begin : gen_choice
    allport_round_robin_arbiter #(
      .Requesters(Vcs)
    ) u_arbiter (
      .clk_i,
      .rst_ni,
      .request_i(valid_i & has_credit),
      .grant_o(taken),
      .won_i(taken != '0)
    );
    assign ready_o = taken;
  end

  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    logic is_named;

    if (Vcs == 1) begin : gen_only
      logic unused_vc;
      assign is_named = 1'b1;
      assign unused_vc = ^credit_vc_i;
    end else begin : gen_one_of_many
      assign is_named = credit_vc_i == VcWidth'(v);
    end

    allport_credit_counter #(
      .Depth(Depth)
    ) u_credits (
      .clk_i,
      .rst_ni,
      .credit_i(credit_i && is_named),
      .is_available_o(has_credit[v]),
      .spent_i(taken[v]),
      .credits_o(credits_o[v * CreditWidth +: CreditWidth])
    );
  end

  always_comb begin
    vc_d = '0;
    flit_d = flit_i[Width-1:0];
    for (int unsigned v = 0; v < Vcs; v++) begin
      if (taken[v]) begin
        vc_d = VcWidth'(v);
        flit_d = flit_i[v * Width +: Width];
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= 1'b0;
    else valid_q <= taken != '0;
  end

  always_ff @(posedge clk_i) begin
    vc_q <= vc_d;
    flit_q <= flit_d;
  end

  assign valid_o = valid_q;
  assign vc_o = vc_q;
  assign flit_o = flit_q;

endmodule
