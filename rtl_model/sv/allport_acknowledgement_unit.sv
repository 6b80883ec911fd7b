// SPDX-License-Identifier: Apache-2.0
// Circuit switching: passes the acknowledgement that a head has been ejected back along the path of
// the head. An acknowledgement that is on the wire of an output VC in cycle c is in cycle c + 1 on
// the wire of the input VC that owns it. The output VC must be owned. Line v of port p is bit p*Vcs
// + v on both sides; an internal port uses the first of its lines, one for each message class.

module allport_acknowledgement_unit #(
  /// The router.
  parameter allport_pkg::router_config_t Config = allport_pkg::Hypercube3,
  localparam int unsigned Ports = Config.Ports,
  localparam int unsigned Vcs = Config.Vcs,
  localparam int unsigned InputVcs = Config.InputVcs,
  localparam int unsigned OutputVcs = InputVcs
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic [Ports*Vcs-1:0]          ack_i,        // by output and VC
  input  logic [OutputVcs*InputVcs-1:0] owner_i,      // by output VC, one-hot
  output logic [Ports*Vcs-1:0]          ack_o,        // by input and VC, registers
  output logic                          is_passing_o  // an acknowledgement leaves in the next cycle
);

  localparam int unsigned ExternalVcs = Config.ExternalVcs;
  localparam int unsigned Classes = Config.Classes;

  logic [OutputVcs-1:0] arriving;
  logic [InputVcs-1:0] ack_d, ack_q;

  // An internal channel has one VC for each message class.
  for (genvar k = 0; k < Config.InternalPorts; k++) begin : gen_internal
    assign arriving[ExternalVcs + k * Classes +: Classes] = ack_i[ExternalVcs + k * Vcs +: Classes];
    assign ack_o[ExternalVcs + k * Vcs +: Vcs] = Vcs'(ack_q[ExternalVcs + k * Classes +: Classes]);

    if (Vcs > Classes) begin : gen_unused
      logic unused_lines;
      assign unused_lines = ^ack_i[ExternalVcs + k * Vcs + Classes +: Vcs - Classes];
    end
  end
  assign arriving[ExternalVcs-1:0] = ack_i[ExternalVcs-1:0];
  assign ack_o[ExternalVcs-1:0] = ack_q[ExternalVcs-1:0];

  always_comb begin
    ack_d = '0;
    for (int unsigned ov = 0; ov < OutputVcs; ov++) begin
      if (arriving[ov]) ack_d = ack_d | owner_i[ov * InputVcs +: InputVcs];
    end
  end

  assign is_passing_o = ack_d != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) ack_q <= '0;
    else ack_q <= ack_d;
  end

endmodule
