// SPDX-License-Identifier: Apache-2.0
// In a cycle an input sends at most one flit and an output takes at most one; each of them has an
// output VC of its own and a credit for it, which it spends. With NeedsRoom a head moves only if
// there are as many credits as its message has flits; a flit that may not move does not.

module allport_switch_allocator_properties #(
  parameter allport_pkg::router_config_t Config = allport_pkg::Hypercube3,
  localparam int unsigned ExternalPorts = Config.ExternalPorts,
  localparam int unsigned Vcs = Config.Vcs,
  localparam int unsigned Ports = Config.Ports,
  localparam int unsigned InputVcs = Config.InputVcs,
  localparam int unsigned OutputVcs = InputVcs,
  localparam int unsigned VcWidth = Config.VcWidth,
  localparam int unsigned LengthWidth = allport_pkg::LengthWidth,
  localparam int unsigned CreditWidth = allport_pkg::idx_width(Config.Depth + 1)
) (
  input logic                             clk_i,
  input logic                             rst_ni,
  input logic [Ports-1:0]                 credit_i,
  input logic [Ports*VcWidth-1:0]         credit_vc_i,
  input logic [InputVcs-1:0]              head_i,
  input logic [InputVcs*LengthWidth-1:0]  length_i,
  input logic [InputVcs-1:0]              is_whole_i,
  input logic [Ports*InputVcs-1:0]        pending_i,
  input logic [OutputVcs*InputVcs-1:0]    owner_i,
  input logic [InputVcs-1:0]              chosen_o,
  input logic [Ports*Ports-1:0]           grant_o,
  input logic [Ports*InputVcs-1:0]        take_o,
  input logic [OutputVcs-1:0]             spent_o,
  input logic [Ports-1:0]                 is_busy_o,
  input logic [OutputVcs*CreditWidth-1:0] credits_q
);

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    localparam int unsigned PortVcs = (p < ExternalPorts) ? Vcs : Config.Classes;
    localparam int unsigned First = (p < ExternalPorts)
        ? p * Vcs : Config.ExternalVcs + (p - ExternalPorts) * Config.Classes;
    logic [InputVcs-1:0] takes, owners;

    assign takes = take_o[p * InputVcs +: InputVcs];
    always_comb begin
      owners = '0;
      for (int unsigned v = 0; v < PortVcs; v++) begin
        owners = owners | owner_i[(First + v) * InputVcs +: InputVcs];
      end
    end

    InputSendsOneAtMost: assert property (@(posedge clk_i) disable iff (!rst_ni)
        $onehot0(chosen_o[First +: PortVcs]));
    OutputTakesOneAtMost: assert property (@(posedge clk_i) disable iff (!rst_ni)
        $onehot0(grant_o[p * Ports +: Ports]) && $onehot0(takes));
    GrantMovesAFlit: assert property (@(posedge clk_i) disable iff (!rst_ni)
        (grant_o[p * Ports +: Ports] != '0) == (takes != '0));
    TakesFromAnOwner: assert property (@(posedge clk_i) disable iff (!rst_ni)
        (takes & ~(owners & chosen_o & pending_i[p * InputVcs +: InputVcs])) == '0);
    TakesWhatMayMove: assert property (@(posedge clk_i) disable iff (!rst_ni)
        (takes & ~is_whole_i) == '0);
    SendsNothingWhileBusy: assert property (@(posedge clk_i) disable iff (!rst_ni)
        !(is_busy_o[p] && (takes != '0)));
    PaysACredit: assert property (@(posedge clk_i) disable iff (!rst_ni)
        $onehot0(spent_o[First +: PortVcs])
        && ((spent_o[First +: PortVcs] != '0) == (takes != '0)));

    if (Config.NeedsRoom) begin : gen_room
      logic [InputVcs-1:0] lacks_room;  // a head that needs more room than there is

      always_comb begin
        lacks_room = '0;
        for (int unsigned v = 0; v < PortVcs; v++) begin
          for (int unsigned iv = 0; iv < InputVcs; iv++) begin
            if (spent_o[First + v] && takes[iv] && head_i[iv]
                && (32'(length_i[iv * LengthWidth +: LengthWidth])
                    > 32'(credits_q[(First + v) * CreditWidth +: CreditWidth])
                        + 32'(credit_i[p] && ((PortVcs == 1)
                            || (credit_vc_i[p * VcWidth +: VcWidth] == VcWidth'(v)))))) begin
              lacks_room[iv] = 1'b1;
            end
          end
        end
      end

      MovesAHeadOnlyWithRoom: assert property (@(posedge clk_i) disable iff (!rst_ni)
          lacks_room == '0);
    end
  end

  if (!Config.NeedsRoom) begin : gen_any_length
    logic unused_lengths;
    assign unused_lengths = ^{credit_i, credit_vc_i, head_i, length_i, credits_q};
  end

endmodule

bind allport_switch_allocator allport_switch_allocator_properties #(
  .Config(Config)
) u_properties (
  .clk_i(clk_i),
  .rst_ni(rst_ni),
  .credit_i(credit_i),
  .credit_vc_i(credit_vc_i),
  .head_i(head_i),
  .length_i(length_i),
  .is_whole_i(is_whole_i),
  .pending_i(pending_i),
  .owner_i(owner_i),
  .chosen_o(chosen_o),
  .grant_o(grant_o),
  .take_o(take_o),
  .spent_o(spent_o),
  .is_busy_o(is_busy_o),
  .credits_q(credits_q)
);
