// SPDX-License-Identifier: Apache-2.0
// An acknowledgement comes only for an output VC that has an owner, and goes to that owner alone:
// as many leave as came, one cycle later.

module allport_acknowledgement_unit_properties #(
  parameter allport_pkg::router_config_t Config = allport_pkg::Hypercube3,
  localparam int unsigned InputVcs = Config.InputVcs,
  localparam int unsigned OutputVcs = InputVcs
) (
  input logic                          clk_i,
  input logic                          rst_ni,
  input logic [OutputVcs-1:0]          arriving,
  input logic [OutputVcs*InputVcs-1:0] owner_i,
  input logic [InputVcs-1:0]           ack_q
);

  for (genvar ov = 0; ov < OutputVcs; ov++) begin : gen_output_vc
    IsForAnOwner: assert property (@(posedge clk_i) disable iff (!rst_ni)
        arriving[ov] |-> $onehot(owner_i[ov * InputVcs +: InputVcs]));
    GoesOnToTheOwner: assert property (@(posedge clk_i) disable iff (!rst_ni)
        arriving[ov] |=> ((ack_q & $past(owner_i[ov * InputVcs +: InputVcs])) != '0));
  end

  PassesEachOnOnce: assert property (@(posedge clk_i) disable iff (!rst_ni)
      1'b1 |=> ($countones(ack_q) == $past($countones(arriving))));

endmodule

bind allport_acknowledgement_unit allport_acknowledgement_unit_properties #(
  .Config(Config)
) u_properties (
  .clk_i(clk_i),
  .rst_ni(rst_ni),
  .arriving(arriving),
  .owner_i(owner_i),
  .ack_q(ack_q)
);
