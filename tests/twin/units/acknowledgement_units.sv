// SPDX-License-Identifier: Apache-2.0
// The acknowledgement units of several routers side by side, as acknowledgement_unit_unit_test.cpp
// counts on it.

module acknowledgement_units #(
  localparam int unsigned Units = 4,
  localparam int unsigned Stride = 144
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [Stride-1:0] ack_i [Units],
  input  logic [Stride-1:0] owner_i [Units],
  output logic [Stride-1:0] ack_o [Units],
  output logic [Stride-1:0] is_passing_o [Units]
);

  localparam int unsigned Dimensions [Units] = '{3, 4, 2, 2};
  localparam int unsigned Internal [Units] = '{3, 1, 2, 2};
  localparam int unsigned Vcs [Units] = '{1, 2, 4, 4};
  localparam int unsigned Classes [Units] = '{1, 1, 1, 2};

  for (genvar u = 0; u < Units; u++) begin : gen_unit
    localparam allport_pkg::router_config_t Config = router_configs::router_of(
        .dimensions(Dimensions[u]), .internal_ports(Internal[u]), .vcs(Vcs[u]),
        .classes(Classes[u]));
    localparam int unsigned Lines = Config.Ports * Config.Vcs;
    localparam int unsigned InputVcs = Config.InputVcs;

    allport_acknowledgement_unit #(
      .Config(Config)
    ) u_acknowledgement_unit (
      .clk_i,
      .rst_ni,
      .ack_i(ack_i[u][0 +: Lines]),
      .owner_i(owner_i[u][0 +: InputVcs * InputVcs]),
      .ack_o(ack_o[u][0 +: Lines]),
      .is_passing_o(is_passing_o[u][0])
    );
  end

endmodule
