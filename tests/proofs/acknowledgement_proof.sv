// SPDX-License-Identifier: Apache-2.0
// allport_acknowledgement_unit: an acknowledgement for an output VC is a cycle later on the wire of
// the input VC that owns it, and on no other. Demanded: an output VC has one owner at most.

module acknowledgement_proof #(
  parameter int unsigned Dimensions = 2,
  parameter int unsigned InternalPorts = 1,
  parameter int unsigned Vcs = 2,
  parameter int unsigned Classes = 1,
  localparam allport_pkg::router_config_t Config = allport_pkg::router_config(
      allport_pkg::TopologyHypercube, Dimensions, '0, 0, InternalPorts, Vcs, 1, 0, 1, 1, 1,
      allport_pkg::SwitchingCircuit, 0, 0, 0, 0, 0, 0, 32, 0, '0, Classes, 0, 0, 0),
  localparam int unsigned ExternalPorts = Config.ExternalPorts,
  localparam int unsigned Ports = Config.Ports,
  localparam int unsigned InputVcs = Config.InputVcs,
  localparam int unsigned OutputVcs = InputVcs
) (
  input logic                          clk_i,
  input logic                          rst_ni,
  input logic [Ports*Vcs-1:0]          ack_i,
  input logic [OutputVcs*InputVcs-1:0] owner_i
);

  logic [Ports*Vcs-1:0] ack, due_q, due;
  logic [OutputVcs-1:0] has_one_owner;
  logic is_passing;

  allport_acknowledgement_unit #(
    .Config(Config)
  ) u_acknowledgement_unit (
    .clk_i,
    .rst_ni,
    .ack_i,
    .owner_i,
    .ack_o(ack),
    .is_passing_o(is_passing)
  );

  initial assume (!rst_ni);

  // Line of a channel VC.
  function automatic int unsigned line(input int unsigned channel_vc);
    line = (channel_vc < ExternalPorts * Vcs) ? channel_vc
        : ExternalPorts * Vcs + ((channel_vc - ExternalPorts * Vcs) / Classes) * Vcs
            + (channel_vc - ExternalPorts * Vcs) % Classes;
  endfunction

  for (genvar ov = 0; ov < OutputVcs; ov++) begin : gen_output_vc
    logic [InputVcs-1:0] owner;

    assign owner = owner_i[ov * InputVcs +: InputVcs];
    assign has_one_owner[ov] = (owner & (owner - InputVcs'(1))) == '0;
  end

  always_comb begin
    due = '0;
    for (int unsigned ov = 0; ov < OutputVcs; ov++) begin
      for (int unsigned iv = 0; iv < InputVcs; iv++) begin
        if (ack_i[line(ov)] && owner_i[ov * InputVcs + iv]) due[line(iv)] = 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) due_q <= '0;
    else due_q <= due;
  end

  always_comb begin
    if (rst_ni) begin
      assume (has_one_owner == '1);
      PassesEachOnToTheOwner: assert (ack == due_q);
      TellsWhenItPassesOne: assert (is_passing == (due != '0));
    end
  end

endmodule
