// SPDX-License-Identifier: Apache-2.0
// allport_vc_allocator: an output VC never has two owners; it is given only while free, to a head
// that asks for this output and is of the VC's class and message class, and an adaptive one only
// while it has all of its credits; it is held by that input
// VC until the tail leaves by it, and free after that; no input VC owns two VCs of an output; and
// an owner asks for the switch VcDelay (0 .. 2) cycles after it has won, and goes on asking.
// Demanded: flits leave only by a VC that has an owner.

module vc_allocator_proof #(
  parameter int unsigned Topology = allport_pkg::TopologyTorus,
  parameter int unsigned Dimensions = 1,
  parameter int unsigned InternalPorts = 1,
  parameter int unsigned Vcs = 2,
  parameter int unsigned Adaptive = 0,
  parameter int unsigned Groups = 0,
  parameter int unsigned JoinVcs = 0,
  parameter int unsigned Classes = 1,
  parameter int unsigned VcDelay = 0,
  localparam allport_pkg::router_config_t Config = allport_pkg::router_config(
      Topology, Dimensions, 48'd4, 0, InternalPorts, Vcs, 1, 0, 1, 1, 1, 0, 0, Adaptive, 0, Groups,
      0, JoinVcs, 32, 0, '0, Classes, 0, VcDelay, 0),
  localparam bit VcClasses = Config.VcClasses,
  localparam bit BranchClasses = Config.BranchClasses,
  localparam int unsigned ExternalPorts = Config.ExternalPorts,
  localparam int unsigned ExternalVcs = Config.ExternalVcs,
  localparam int unsigned ClassVcs = Config.ClassVcs,
  localparam int unsigned Ports = Config.Ports,
  localparam int unsigned InputVcs = Config.InputVcs,
  localparam int unsigned OutputVcs = InputVcs
) (
  input logic                      clk_i,
  input logic                      rst_ni,
  input logic [Ports*InputVcs-1:0] pending_i,
  input logic [InputVcs-1:0]       head_i,
  input logic [InputVcs-1:0]       vc_class_i,
  input logic [InputVcs-1:0]       any_class_i,
  input logic [InputVcs*ExternalPorts-1:0] branch_class_i,
  input logic [InputVcs-1:0]       is_join_i,
  input logic [InputVcs-1:0]       is_tree_i,
  input logic [OutputVcs-1:0]      has_all_i,
  input logic [OutputVcs-1:0]      spent_i,
  input logic [InputVcs-1:0]       tail_i
);

  logic is_granting, is_waiting;
  logic [OutputVcs*InputVcs-1:0] owner, sender;
  (* hierconn *) wire [OutputVcs*InputVcs-1:0] \u_vc_allocator.owner_q ;
  logic [OutputVcs-1:0] is_granted, free;
  logic [InputVcs-1:0] is_owner, owns;

  allport_vc_allocator #(
    .Config(Config)
  ) u_vc_allocator (
    .clk_i,
    .rst_ni,
    .pending_i,
    .head_i,
    .vc_class_i,
    .any_class_i,
    .branch_class_i,
    .is_join_i,
    .is_tree_i,
    .has_all_i,
    .free_o(free),
    .is_owner_o(is_owner),
    .is_granting_o(is_granting),
    .is_waiting_o(is_waiting),
    .owner_o(owner),
    .sender_o(sender),
    .spent_i,
    .tail_i
  );

  initial assume (!rst_ni);

  // That of an input or output VC.
  function automatic int unsigned message_class(input int unsigned channel_vc);
    message_class = (Classes == 1) ? 0
        : (channel_vc < ExternalVcs) ? (channel_vc % Vcs) / ClassVcs
        : (channel_vc - ExternalVcs) % Classes;
  endfunction

  // For each output VC, whether the assertions below hold.
  logic [OutputVcs-1:0] is_spent_by_owner, has_one_owner, is_only_vc, has_one_winner;
  logic [OutputVcs-1:0] is_for_asking_head, is_of_class, is_not_taken, is_held, is_freed;
  logic [OutputVcs-1:0] is_told_free, asks_in_time, may_be_given;

  for (genvar ov = 0; ov < OutputVcs; ov++) begin : gen_output_vc
    localparam int unsigned Port =
        (ov < ExternalVcs) ? ov / Vcs : ExternalPorts + (ov - ExternalVcs) / Classes;
    localparam int unsigned PortVcs = (Port < ExternalPorts) ? Vcs : Classes;
    localparam int unsigned First =
        (Port < ExternalPorts) ? Port * Vcs : ExternalVcs + (Port - ExternalPorts) * Classes;
    logic [InputVcs-1:0] held, winner, winner_q, asking, suiting, elsewhere, of_vc_class;
    logic was_out_of_reset_q, was_freed_q, was_granted_q;
    logic [InputVcs-1:0] asks;
    logic [InputVcs-1:0] is_p, is_own, is_of_message_class;

    assign is_own = is_join_i | is_tree_i;
    assign held = \u_vc_allocator.owner_q [ov * InputVcs +: InputVcs];
    assign winner = owner[ov * InputVcs +: InputVcs];  // or the owner
    assign asking = pending_i[Port * InputVcs +: InputVcs] & head_i;
    for (genvar iv = 0; iv < InputVcs; iv++) begin : gen_input_vc
      assign is_of_message_class[iv] = message_class(iv) == message_class(ov);
      assign is_p[iv] = (BranchClasses && (Port < ExternalPorts))
          ? branch_class_i[iv * ExternalPorts + Port % ExternalPorts] : vc_class_i[iv];
    end
    assign suiting = is_of_message_class & of_vc_class;
    assign of_vc_class = (Port >= ExternalPorts) ? {InputVcs{1'b1}}
        : (Adaptive == 1)
            ? (((ov - First) % ClassVcs == 0) ? ~vc_class_i : {InputVcs{1'b1}})
        : (ov - First + JoinVcs >= Vcs)
            ? ((JoinVcs == 1) ? is_own : (ov - First + 1 == Vcs) ? is_tree_i : is_join_i)
        : !VcClasses ? ((JoinVcs > 0) ? ~is_own : {InputVcs{1'b1}})
        : (((2 * ((ov - First) % ClassVcs) < ClassVcs) ? ~is_p : is_p) | any_class_i)
            & ((JoinVcs > 0) ? ~is_own : {InputVcs{1'b1}});

    always_comb begin
      elsewhere = '0;
      for (int unsigned other = First; other < First + PortVcs; other++) begin
        if (other != ov) begin
          elsewhere = elsewhere | \u_vc_allocator.owner_q [other * InputVcs +: InputVcs];
        end
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        winner_q <= '0;
        was_freed_q <= 1'b0;
        was_granted_q <= 1'b0;
        was_out_of_reset_q <= 1'b0;
      end else begin
        winner_q <= winner;
        was_freed_q <= spent_i[ov] && ((winner & tail_i) != '0);
        was_granted_q <= is_granted[ov];
        was_out_of_reset_q <= 1'b1;
      end
    end

    assign asks = sender[ov * InputVcs +: InputVcs];
    assign asks_in_time[ov] = (VcDelay == 0) ? asks == winner
        : (VcDelay == 1) ? asks == held
        : !was_out_of_reset_q || (asks == (was_granted_q ? '0 : held));
    assign may_be_given[ov] = (Adaptive == 0) || (Port >= ExternalPorts)
        || ((ov - First) % ClassVcs == 0) || has_all_i[ov];
    assign is_told_free[ov] = free[ov] == ((held == '0) && may_be_given[ov]);
    assign is_spent_by_owner[ov] = !spent_i[ov] || (winner != '0);
    assign is_granted[ov] = (held == '0) && (winner != '0);
    assign has_one_owner[ov] = (held & (held - InputVcs'(1))) == '0;
    assign is_only_vc[ov] = (held & elsewhere) == '0;
    assign has_one_winner[ov] = (winner & (winner - InputVcs'(1))) == '0;
    assign is_for_asking_head[ov] = (held != '0) || ((winner & ~asking) == '0);
    assign is_of_class[ov] = (held != '0) || ((winner & ~suiting) == '0);
    assign is_not_taken[ov] = (held == '0) || (winner == held);
    assign is_held[ov] = !was_out_of_reset_q || was_freed_q || (held == winner_q);
    assign is_freed[ov] = !was_out_of_reset_q || !was_freed_q || (held == '0);
  end

  always_comb begin
    owns = '0;
    for (int unsigned ov = 0; ov < OutputVcs; ov++) begin
      owns = owns | \u_vc_allocator.owner_q [ov * InputVcs +: InputVcs];
    end
  end

  always_comb begin
    if (rst_ni) begin
      assume (is_spent_by_owner == '1);
      HasOneOwnerAtMost: assert (has_one_owner == '1);
      OwnsOneVcOfAnOutputAtMost: assert (is_only_vc == '1);
      HasOneWinnerAtMost: assert (has_one_winner == '1);
      IsGrantedToAnAskingHead: assert (is_for_asking_head == '1);
      IsGrantedWithinItsClass: assert (is_of_class == '1);
      IsGrantedWhileItMayBe: assert ((is_granted & ~may_be_given) == '0);
      IsNeverTaken: assert (is_not_taken == '1);
      IsHeldUntilTheTailLeaves: assert (is_held == '1);
      IsFreedByTheTail: assert (is_freed == '1);
      TellsWhatIsFree: assert (is_told_free == '1);
      TellsWhoOwns: assert (is_owner == owns);
      TellsOfEachGrant: assert (is_granting == (is_granted != '0));
      AsksForTheSwitchInTime: assert (asks_in_time == '1);
      WaitsForTheDelayOnly: assert ((VcDelay > 1) || !is_waiting);
    end
  end

endmodule
