// SPDX-License-Identifier: Apache-2.0
// The join units of several fabrics' routers side by side, as join_unit_unit_test.cpp counts on it.

module join_units #(
  localparam int unsigned Units = 6,
  localparam int unsigned Stride = 2048
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [Stride-1:0] node_i [Units],
  input  logic [Stride-1:0] push_i [Units],
  input  logic [Stride-1:0] occupied_i [Units],
  input  logic [Stride-1:0] front_i [Units],
  input  logic [Stride-1:0] done_i [Units],
  output logic [Stride-1:0] is_join_o [Units],
  output logic [Stride-1:0] is_ready_o [Units],
  output logic [Stride-1:0] is_lacking_o [Units],
  output logic [Stride-1:0] operands_o [Units],
  output logic [Stride-1:0] combined_o [Units],
  output logic [Stride-1:0] is_waiting_o [Units]
);

  // hypercube:3, hypercube:4 ascending, torus:4x3, mesh:3x4; with route delays hypercube:3,
  // torus:4x3
  localparam int unsigned Topology [Units] = '{0, 0, 1, 2, 0, 1};
  localparam int unsigned Dimensions [Units] = '{3, 4, 2, 2, 3, 2};
  localparam int unsigned Side0 [Units] = '{2, 2, 4, 3, 2, 4};
  localparam int unsigned Side1 [Units] = '{2, 2, 3, 4, 2, 3};
  localparam int unsigned Vcs [Units] = '{1, 2, 2, 3, 2, 2};
  localparam int unsigned Depth [Units] = '{1, 3, 4, 2, 2, 3};
  localparam int unsigned CombineDelay [Units] = '{0, 3, 2, 0, 0, 2};
  localparam int unsigned ReplicationDelay [Units] = '{0, 0, 1, 2, 0, 1};
  localparam int unsigned RouteDelay [Units] = '{0, 0, 0, 0, 1, 3};
  localparam int unsigned Switching [Units] = '{0, 0, 1, 0, 0, 0};
  localparam int unsigned MaxVia [Units] = '{0, 1, 0, 1, 0, 0};
  localparam int unsigned CombineWidth [Units] = '{64, 64, 64, 32, 64, 64};

  for (genvar u = 0; u < Units; u++) begin : gen_unit
    localparam allport_pkg::router_config_t Config = router_configs::router_of(
        .topology(Topology[u]), .dimensions(Dimensions[u]),
        .sides(allport_pkg::side_vector(Side0[u], Side1[u], 0)), .ascending((u == 1) ? 1 : 0),
        .vcs(Vcs[u]), .depth(Depth[u]), .replication_delay(ReplicationDelay[u]), .data_width(96),
        .switching(Switching[u]), .max_via(MaxVia[u]), .groups(allport_pkg::GroupsJoins),
        .combine_delay(CombineDelay[u]), .combine_width(CombineWidth[u]),
        .route_delay(RouteDelay[u]));
    localparam int unsigned ExternalVcs = Config.ExternalVcs;
    localparam int unsigned StoredWidth = Config.StoredWidth;

    allport_join_unit #(
      .Config(Config)
    ) u_join_unit (
      .clk_i,
      .rst_ni,
      .node_i(node_i[u][0 +: Config.AddressWidth]),
      .push_i(push_i[u][ExternalVcs:0]),
      .occupied_i(occupied_i[u][ExternalVcs:0]),
      .front_i(front_i[u][0 +: (ExternalVcs + 1) * StoredWidth]),
      .done_i(done_i[u][ExternalVcs:0]),
      .is_join_o(is_join_o[u][0]),
      .is_ready_o(is_ready_o[u][0]),
      .is_lacking_o(is_lacking_o[u][0]),
      .operands_o(operands_o[u][0 +: ExternalVcs]),
      .combined_o(combined_o[u][0 +: StoredWidth]),
      .is_waiting_o(is_waiting_o[u][0])
    );
  end

endmodule
