// SPDX-License-Identifier: Apache-2.0
// Route computation and reception of several fabrics' routers side by side, as
// route_computation_unit_test.cpp counts on it.

module route_computations #(
  localparam int unsigned Units = 19,
  localparam int unsigned Stride = 576
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [Stride-1:0] node_i [Units],
  input  logic [Stride-1:0] head_i [Units],
  input  logic [Stride-1:0] header_i [Units],
  input  logic [Stride-1:0] free_i [Units],
  input  logic [Stride-1:0] is_owner_i [Units],
  output logic [Stride-1:0] is_routing_o [Units],
  output logic [Stride-1:0] is_stripped_o [Units],
  output logic [Stride-1:0] external_o [Units],
  output logic [Stride-1:0] copies_o [Units],
  output logic [Stride-1:0] outputs_o [Units],
  output logic [Stride-1:0] vc_class_o [Units],
  output logic [Stride-1:0] any_class_o [Units],
  output logic [Stride-1:0] branch_class_o [Units],
  output logic [Stride-1:0] is_join_o [Units],
  output logic [Stride-1:0] is_tree_o [Units],
  output logic [Stride-1:0] is_replicated_o [Units],
  input  logic [Stride-1:0] clear_i [Units]
);

  // hypercube:4 descending and ascending, torus:4x4, torus:4x3, ring:5, mesh:3x4, hypercube:3
  // adaptive, mesh:3x2x3, torus:5x4 balanced; with groups hypercube:4 descending and ascending,
  // torus:4x3x2, ring:8 balanced, mesh:3x4; with joins hypercube:4, torus:5x4 balanced, mesh:3x3;
  // with two message classes torus:5x4 balanced, hypercube:3 adaptive
  localparam int unsigned Topology [Units] =
      '{0, 0, 1, 1, 1, 2, 0, 2, 1, 0, 0, 1, 1, 2, 0, 1, 2, 1, 0};
  localparam int unsigned Dimensions [Units] =
      '{4, 4, 2, 2, 1, 2, 3, 3, 2, 4, 4, 3, 1, 2, 4, 2, 2, 2, 3};
  localparam int unsigned Side0 [Units] =
      '{2, 2, 4, 4, 5, 3, 2, 3, 5, 2, 2, 4, 8, 3, 2, 5, 3, 5, 2};
  localparam int unsigned Side1 [Units] =
      '{2, 2, 4, 3, 0, 4, 2, 2, 4, 2, 2, 3, 0, 4, 2, 4, 3, 4, 2};
  localparam int unsigned Side2 [Units] =
      '{2, 2, 0, 0, 0, 0, 2, 3, 0, 2, 2, 2, 0, 0, 2, 0, 0, 0, 2};
  localparam int unsigned Internal [Units] =
      '{4, 3, 1, 2, 2, 3, 2, 2, 1, 4, 1, 1, 2, 3, 2, 1, 2, 1, 2};
  localparam int unsigned Vcs [Units] =
      '{1, 1, 2, 2, 2, 1, 3, 1, 2, 1, 2, 2, 4, 1, 1, 4, 2, 8, 4};
  localparam int unsigned MaxVia [Units] =
      '{2, 0, 1, 0, 3, 1, 0, 1, 1, 2, 0, 0, 0, 1, 0, 1, 1, 0, 0};
  localparam int unsigned JoinVcs [Units] =
      '{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0};
  localparam int unsigned KindWidth = allport_pkg::KindWidth;

  for (genvar u = 0; u < Units; u++) begin : gen_unit
    localparam allport_pkg::router_config_t Config = router_configs::router_of(
        .topology(Topology[u]), .dimensions(Dimensions[u]),
        .sides(allport_pkg::side_vector(Side0[u], Side1[u], Side2[u])),
        .ascending(((u == 1) || (u == 10)) ? 1 : 0), .internal_ports(Internal[u]), .vcs(Vcs[u]),
        .max_via(MaxVia[u]), .adaptive(((u == 6) || (u == 18)) ? 1 : 0),
        .balanced(((u == 8) || (u == 12) || (u == 15) || (u == 17)) ? 1 : 0),
        .groups(((u < 9) || (u > 16)) ? 0 : (u < 14) ? 1 : 2), .join_vcs(JoinVcs[u]),
        .classes((u > 16) ? 2 : 1));
    localparam int unsigned External = Config.ExternalPorts;
    localparam int unsigned InputVcs = Config.InputVcs;
    localparam int unsigned AddressWidth = Config.AddressWidth;
    localparam int unsigned HeaderWidth = Config.HeaderWidth;
    logic [InputVcs*KindWidth-1:0] kind;
    logic [InputVcs-1:0] is_routing, is_stripped;
    logic [InputVcs*External-1:0] external;
    logic [InputVcs*Internal[u]-1:0] copies;

    allport_route_computation #(
      .Config(Config)
    ) u_route_computation (
      .clk_i,
      .rst_ni,
      .node_i(node_i[u][0 +: AddressWidth]),
      .head_i(head_i[u][0 +: InputVcs]),
      .header_i(header_i[u][0 +: InputVcs * HeaderWidth]),
      .hop_i('0),
      .free_i(free_i[u][0 +: InputVcs]),
      .is_owner_i(is_owner_i[u][0 +: InputVcs]),
      .is_routing_o(is_routing),
      .is_stripped_o(is_stripped),
      .external_o(external),
      .copies_i(copies),
      .outputs_o(outputs_o[u][0 +: InputVcs * (External + Internal[u])]),
      .vc_class_o(vc_class_o[u][0 +: InputVcs]),
      .any_class_o(any_class_o[u][0 +: InputVcs]),
      .branch_class_o(branch_class_o[u][0 +: InputVcs * External]),
      .is_join_o(is_join_o[u][0 +: InputVcs]),
      .is_tree_o(is_tree_o[u][0 +: InputVcs]),
      .is_replicated_o(is_replicated_o[u][0 +: InputVcs]),
      .clear_i(clear_i[u][0 +: InputVcs])
    );

    for (genvar iv = 0; iv < InputVcs; iv++) begin : gen_kind
      assign kind[iv * KindWidth +: KindWidth] =
          header_i[u][(iv + 1) * HeaderWidth - KindWidth +: KindWidth];
    end

    allport_reception_unit #(
      .Config(Config)
    ) u_reception_unit (
      .is_routing_i(is_routing),
      .kind_i(kind),
      .is_stripped_i(is_stripped),
      .external_i(external),
      .copies_o(copies)
    );

    assign is_stripped_o[u][0 +: InputVcs] = is_stripped;
    assign is_routing_o[u][0 +: InputVcs] = is_routing;
    assign external_o[u][0 +: InputVcs * External] = external;
    assign copies_o[u][0 +: InputVcs * Internal[u]] = copies;
  end

endmodule
