// SPDX-License-Identifier: Apache-2.0
// In a cycle an input sends at most one flit and an output takes at most one; each of them has an
// output VC of its own and a credit for it, and pays with it.

module allport_switch_allocator_properties #(
  parameter int unsigned ExternalPorts = 3,
  parameter int unsigned InternalPorts = 3,
  parameter int unsigned Vcs = 1,
  localparam int unsigned Ports = ExternalPorts + InternalPorts,
  localparam int unsigned InputVcs = ExternalPorts * Vcs + InternalPorts,
  localparam int unsigned OutputVcs = InputVcs
) (
  input logic                          clk_i,
  input logic                          rst_ni,
  input logic [Ports*InputVcs-1:0]     pending_i,
  input logic [OutputVcs*InputVcs-1:0] owner_i,
  input logic [InputVcs-1:0]           chosen_o,
  input logic [Ports*Ports-1:0]        grant_o,
  input logic [Ports*InputVcs-1:0]     take_o,
  input logic [OutputVcs-1:0]          spent_o
);

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    localparam int unsigned PortVcs = (p < ExternalPorts) ? Vcs : 1;
    localparam int unsigned First =
        (p < ExternalPorts) ? p * Vcs : ExternalPorts * (Vcs - 1) + p;
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
    PaysACredit: assert property (@(posedge clk_i) disable iff (!rst_ni)
        $onehot0(spent_o[First +: PortVcs])
        && ((spent_o[First +: PortVcs] != '0) == (takes != '0)));
  end

endmodule

bind allport_switch_allocator allport_switch_allocator_properties #(
  .ExternalPorts(ExternalPorts),
  .InternalPorts(InternalPorts),
  .Vcs(Vcs)
) u_properties (
  .clk_i(clk_i),
  .rst_ni(rst_ni),
  .pending_i(pending_i),
  .owner_i(owner_i),
  .chosen_o(chosen_o),
  .grant_o(grant_o),
  .take_o(take_o),
  .spent_o(spent_o)
);
