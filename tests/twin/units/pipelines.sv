// SPDX-License-Identifier: Apache-2.0
// The registers of routers with a pipeline, side by side, as pipeline_unit_test.cpp counts on it:
// those before route computation, one behind the other in unit u + 1 of them, of a router with
// joins; and crossbars, with a crossbar delay of u.

module pipelines #(
  localparam int unsigned HeadUnits = 4,
  localparam int unsigned Crossbars = 5,
  localparam int unsigned Stride = 192
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  // registers of heads
  input  logic [Stride-1:0] head_i,
  input  logic [Stride-1:0] header_i,
  input  logic [Stride-1:0] left_i,
  output logic [Stride-1:0] head_o [HeadUnits],
  output logic [Stride-1:0] header_o [HeadUnits],
  output logic [Stride-1:0] is_arriving_o [HeadUnits],
  // crossbars
  input  logic [Stride-1:0] front_i,
  input  logic [Stride-1:0] chosen_i,
  input  logic [Stride-1:0] grant_i,
  input  logic [Stride-1:0] vc_i,
  output logic [Stride-1:0] valid_o [Crossbars],
  output logic [Stride-1:0] flit_o [Crossbars],
  output logic [Stride-1:0] is_crossing_o [Crossbars]
);

  // hypercube:3 with joins
  localparam allport_pkg::router_config_t Heads = router_configs::router_of(
      .internal_ports(2), .data_width(32), .groups(allport_pkg::GroupsJoins),
      .combine_width(32));

  for (genvar u = 0; u < HeadUnits; u++) begin : gen_head_register
    allport_head_register #(
      .Config(Heads),
      .Stages(u + 1)
    ) u_head_register (
      .clk_i,
      .rst_ni,
      .head_i(head_i[0 +: Heads.InputVcs]),
      .header_i(header_i[0 +: Heads.InputVcs * Heads.HeaderWidth]),
      .left_i(left_i[0 +: Heads.InputVcs]),
      .head_o(head_o[u][0 +: Heads.InputVcs]),
      .header_o(header_o[u][0 +: Heads.InputVcs * Heads.HeaderWidth]),
      .is_waiting_o(is_arriving_o[u][0])
    );
  end

  // hypercube:2, two VCs
  for (genvar u = 0; u < Crossbars; u++) begin : gen_crossbar
    localparam allport_pkg::router_config_t Config = router_configs::router_of(
        .dimensions(2), .internal_ports(1), .vcs(2), .data_width(8), .crossbar_delay(u));

    allport_crossbar #(
      .Config(Config)
    ) u_crossbar (
      .clk_i,
      .rst_ni,
      .node_i('0),
      .front_i(front_i[0 +: Config.InputVcs * Config.StoredWidth]),
      .chosen_i(chosen_i[0 +: Config.InputVcs]),
      .grant_i(grant_i[0 +: Config.Ports * Config.Ports]),
      .vc_i(vc_i[0 +: Config.Ports * Config.VcWidth]),
      .valid_o(valid_o[u][0 +: Config.Ports]),
      .flit_o(flit_o[u][0 +: Config.Ports * Config.FlitWidth]),
      .is_crossing_o(is_crossing_o[u][0])
    );
  end

endmodule
