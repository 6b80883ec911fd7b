// SPDX-License-Identifier: Apache-2.0
// The life of an output VC: free -> granted to a head that asks for it -> held by that input VC ->
// freed by the tail, and by nothing else. It has at most one owner, and an input VC owns at most
// one VC of an output. With Adaptive, the first VC of a message class is given to e-cube only, and
// the others only when all of their credits are back. With several message classes a VC is owned by
// input VCs of its own class alone.

module allport_vc_allocator_properties #(
  parameter allport_pkg::router_config_t Config = allport_pkg::Hypercube3,
  localparam int unsigned ExternalPorts = Config.ExternalPorts,
  localparam int unsigned Vcs = Config.Vcs,
  localparam int unsigned Ports = Config.Ports,
  localparam int unsigned InputVcs = Config.InputVcs,
  localparam int unsigned OutputVcs = InputVcs
) (
  input logic                          clk_i,
  input logic                          rst_ni,
  input logic [Ports*InputVcs-1:0]     pending_i,
  input logic [InputVcs-1:0]           head_i,
  input logic [InputVcs-1:0]           vc_class_i,
  input logic [OutputVcs-1:0]          has_all_i,
  input logic [OutputVcs*InputVcs-1:0] owner_o,
  input logic [OutputVcs-1:0]          spent_i,
  input logic [InputVcs-1:0]           tail_i,
  input logic [OutputVcs*InputVcs-1:0] owner_q
);

  localparam int unsigned ExternalVcs = Config.ExternalVcs;
  localparam int unsigned Classes = Config.Classes;

  // That of an input or output VC, where there are several.
  function automatic int unsigned message_class(input int unsigned channel_vc);
    message_class = (channel_vc < ExternalVcs) ? (channel_vc % Vcs) / Config.ClassVcs
        : (channel_vc - ExternalVcs) % Classes;
  endfunction

  for (genvar ov = 0; ov < OutputVcs; ov++) begin : gen_output_vc
    localparam int unsigned Port =
        (ov < ExternalVcs) ? ov / Vcs : ExternalPorts + (ov - ExternalVcs) / Classes;
    localparam int unsigned PortVcs = (Port < ExternalPorts) ? Vcs : Classes;
    localparam int unsigned First =
        (Port < ExternalPorts) ? Port * Vcs : ExternalVcs + (Port - ExternalPorts) * Classes;
    logic [InputVcs-1:0] owner, winner, asking, elsewhere;
    logic frees;

    assign owner = owner_q[ov * InputVcs +: InputVcs];
    assign winner = owner_o[ov * InputVcs +: InputVcs];  // or the owner
    assign asking = pending_i[Port * InputVcs +: InputVcs] & head_i;
    assign frees = spent_i[ov] && ((winner & tail_i) != '0);

    always_comb begin
      elsewhere = '0;
      for (int unsigned other = First; other < First + PortVcs; other++) begin
        if (other != ov) elsewhere = elsewhere | owner_q[other * InputVcs +: InputVcs];
      end
    end

    HasOneOwnerAtMost: assert property (@(posedge clk_i) disable iff (!rst_ni)
        $onehot0(owner));
    OwnsOneVcOfAnOutputAtMost: assert property (@(posedge clk_i) disable iff (!rst_ni)
        (owner & elsewhere) == '0);
    IsGrantedToAnAskingHead: assert property (@(posedge clk_i) disable iff (!rst_ni)
        (owner == '0) |-> ((winner & ~asking) == '0));
    if (Classes > 1) begin : gen_message_class
      logic [InputVcs-1:0] of_other_class;

      for (genvar iv = 0; iv < InputVcs; iv++) begin : gen_input_vc
        assign of_other_class[iv] = message_class(iv) != message_class(ov);
      end
      IsOwnedByItsMessageClass: assert property (@(posedge clk_i) disable iff (!rst_ni)
          (winner & of_other_class) == '0);
    end
    if (Config.Adaptive && (Port < ExternalPorts)
        && ((ov - First) % Config.ClassVcs == 0)) begin : gen_escape
      IsGrantedToEcubeOnly: assert property (@(posedge clk_i) disable iff (!rst_ni)
          (owner == '0) |-> ((winner & vc_class_i) == '0));
    end else if (Config.Adaptive && (Port < ExternalPorts)) begin : gen_adaptive
      IsGrantedWithAllCredits: assert property (@(posedge clk_i) disable iff (!rst_ni)
          (owner == '0) && (winner != '0) |-> has_all_i[ov]);
    end
    IsNeverTaken: assert property (@(posedge clk_i) disable iff (!rst_ni)
        (owner != '0) |-> (winner == owner));
    IsHeldUntilTheTailLeaves: assert property (@(posedge clk_i) disable iff (!rst_ni)
        ((winner != '0) && !frees) |=> ((owner != '0) && (owner == $past(winner))));
    IsFreedByTheTail: assert property (@(posedge clk_i) disable iff (!rst_ni)
        frees |=> (owner == '0));
    IsUsedByItsOwner: assert property (@(posedge clk_i) disable iff (!rst_ni)
        spent_i[ov] |-> (winner != '0));
  end

  logic unused_without_adaptive;
  assign unused_without_adaptive = ^{vc_class_i, has_all_i};

endmodule

bind allport_vc_allocator allport_vc_allocator_properties #(
  .Config(Config)
) u_properties (
  .clk_i(clk_i),
  .rst_ni(rst_ni),
  .pending_i(pending_i),
  .head_i(head_i),
  .vc_class_i(vc_class_i),
  .has_all_i(has_all_i),
  .owner_o(owner_o),
  .spent_i(spent_i),
  .tail_i(tail_i),
  .owner_q(owner_q)
);
