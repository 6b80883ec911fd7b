// SPDX-License-Identifier: Apache-2.0
// The VC allocators, switch allocators and replication units of several routers side by side, each
// with pins of its own, as the tests of these units count on it (router_shapes.h).

module allocators #(
  localparam int unsigned Units = 8,
  localparam int unsigned Stride = 160
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  // VC allocators
  input  logic [Stride-1:0] va_pending_i [Units],
  input  logic [Stride-1:0] va_head_i [Units],
  input  logic [Stride-1:0] va_vc_class_i [Units],
  input  logic [Stride-1:0] va_any_class_i [Units],
  input  logic [Stride-1:0] va_branch_class_i [Units],
  input  logic [Stride-1:0] va_is_join_i [Units],
  input  logic [Stride-1:0] va_is_tree_i [Units],
  input  logic [Stride-1:0] va_has_all_i [Units],
  output logic [Stride-1:0] va_free_o [Units],
  output logic [Stride-1:0] va_is_owner_o [Units],
  output logic [Stride-1:0] va_is_granting_o [Units],
  output logic [Stride-1:0] va_is_waiting_o [Units],
  output logic [Stride-1:0] va_owner_o [Units],
  output logic [Stride-1:0] va_sender_o [Units],
  input  logic [Stride-1:0] va_spent_i [Units],
  input  logic [Stride-1:0] va_tail_i [Units],
  // switch allocators
  input  logic [Stride-1:0] sa_repeats_i [Units],
  input  logic [Stride-1:0] sa_credit_i [Units],
  input  logic [Stride-1:0] sa_credit_vc_i [Units],
  input  logic [Stride-1:0] sa_head_i [Units],
  input  logic [Stride-1:0] sa_length_i [Units],
  input  logic [Stride-1:0] sa_is_whole_i [Units],
  input  logic [Stride-1:0] sa_pending_i [Units],
  input  logic [Stride-1:0] sa_owner_i [Units],
  input  logic [Stride-1:0] sa_operands_i [Units],
  output logic [Stride-1:0] sa_chosen_o [Units],
  output logic [Stride-1:0] sa_grant_o [Units],
  output logic [Stride-1:0] sa_vc_o [Units],
  output logic [Stride-1:0] sa_take_o [Units],
  output logic [Stride-1:0] sa_spent_o [Units],
  output logic [Stride-1:0] sa_has_all_o [Units],
  output logic [Stride-1:0] sa_is_busy_o [Units],
  output logic [Stride-1:0] sa_credits_o [Units],  // of all their credit counters
  // replication units
  input  logic [Stride-1:0] ru_push_i [Units],
  input  logic [Stride-1:0] ru_outputs_i [Units],
  input  logic [Stride-1:0] ru_occupied_i [Units],
  input  logic [Stride-1:0] ru_is_replicated_i [Units],
  input  logic [Stride-1:0] ru_asks_i [Units],
  output logic [Stride-1:0] ru_asking_o [Units],
  output logic [Stride-1:0] ru_pending_o [Units],
  input  logic [Stride-1:0] ru_take_i [Units],
  output logic [Stride-1:0] ru_done_o [Units],
  output logic [Stride-1:0] ru_is_waiting_o [Units]
);

  // hypercube:3, torus:4x4, ring:4 with groups, hypercube:2, hypercube:3 adaptive,
  // ring:4 with joins, ring:4 and hypercube:2 adaptive with two message classes
  localparam int unsigned Topology [Units] = '{0, 1, 1, 0, 0, 1, 1, 0};
  localparam int unsigned Dimensions [Units] = '{3, 2, 1, 2, 3, 1, 1, 2};
  localparam int unsigned Internal [Units] = '{3, 1, 2, 1, 2, 1, 2, 1};
  localparam int unsigned Vcs [Units] = '{1, 2, 4, 3, 2, 4, 4, 4};
  localparam int unsigned Switching [Units] = '{0, 0, 0, 1, 2, 0, 0, 1};
  localparam int unsigned Groups [Units] = '{0, 0, 1, 0, 0, 2, 0, 0};
  localparam int unsigned Depth [Units] = '{1, 2, 3, 5, 4, 2, 3, 4};
  localparam int unsigned ReplicationDelay [Units] = '{0, 1, 2, 7, 3, 0, 1, 0};
  localparam int unsigned JoinVcs [Units] = '{0, 0, 0, 0, 0, 2, 0, 0};
  localparam int unsigned Classes [Units] = '{1, 1, 1, 1, 1, 1, 2, 2};
  localparam int unsigned RouteDelay [Units] = '{0, 1, 0, 2, 1, 0, 0, 4};
  localparam int unsigned VcDelay [Units] = '{0, 1, 0, 2, 0, 1, 3, 4};
  localparam logic [159:0] Phits [Units] =
      '{0, 160'h02_01_03_02, 0, 160'h07_00, 0, 160'h02_40, 0, 0};
  localparam int unsigned LengthWidth = allport_pkg::LengthWidth;

  // Each port has phits of its own here.
  function automatic allport_pkg::router_config_t config_of(input int unsigned u);
    config_of = router_configs::router_of(.topology(Topology[u]), .dimensions(Dimensions[u]),
        .sides({16'd0, 16'd4, 16'd4}), .internal_ports(Internal[u]), .vcs(Vcs[u]),
        .depth(Depth[u]), .replication_delay(ReplicationDelay[u]), .switching(Switching[u]),
        .adaptive(((u == 4) || (u == 7)) ? 1 : 0), .groups(Groups[u]), .join_vcs(JoinVcs[u]),
        .classes(Classes[u]), .route_delay(RouteDelay[u]), .vc_delay(VcDelay[u]));
    config_of.PortPhits = Phits[u];
  endfunction

  for (genvar u = 0; u < Units; u++) begin : gen_unit
    localparam allport_pkg::router_config_t Config = config_of(u);
    localparam int unsigned Ports = Config.Ports;
    localparam int unsigned InputVcs = Config.InputVcs;
    localparam int unsigned VcWidth = Config.VcWidth;
    localparam int unsigned CreditWidth = allport_pkg::idx_width(Depth[u] + 1);

    allport_vc_allocator #(
      .Config(Config)
    ) u_vc_allocator (
      .clk_i,
      .rst_ni,
      .pending_i(va_pending_i[u][0 +: Ports * InputVcs]),
      .head_i(va_head_i[u][0 +: InputVcs]),
      .vc_class_i(va_vc_class_i[u][0 +: InputVcs]),
      .any_class_i(va_any_class_i[u][0 +: InputVcs]),
      .branch_class_i(va_branch_class_i[u][0 +: InputVcs * Config.ExternalPorts]),
      .is_join_i(va_is_join_i[u][0 +: InputVcs]),
      .is_tree_i(va_is_tree_i[u][0 +: InputVcs]),
      .has_all_i(va_has_all_i[u][0 +: InputVcs]),
      .free_o(va_free_o[u][0 +: InputVcs]),
      .is_owner_o(va_is_owner_o[u][0 +: InputVcs]),
      .is_granting_o(va_is_granting_o[u][0]),
      .is_waiting_o(va_is_waiting_o[u][0]),
      .owner_o(va_owner_o[u][0 +: InputVcs * InputVcs]),
      .sender_o(va_sender_o[u][0 +: InputVcs * InputVcs]),
      .spent_i(va_spent_i[u][0 +: InputVcs]),
      .tail_i(va_tail_i[u][0 +: InputVcs])
    );

    allport_switch_allocator #(
      .Config(Config)
    ) u_switch_allocator (
      .clk_i,
      .rst_ni,
      .phits_i('0),
      .repeats_i(sa_repeats_i[u][0 +: Config.ExternalPorts]),
      .credit_i(sa_credit_i[u][0 +: Ports]),
      .credit_vc_i(sa_credit_vc_i[u][0 +: Ports * VcWidth]),
      .head_i(sa_head_i[u][0 +: InputVcs]),
      .length_i(sa_length_i[u][0 +: InputVcs * LengthWidth]),
      .is_whole_i(sa_is_whole_i[u][0 +: InputVcs]),
      .pending_i(sa_pending_i[u][0 +: Ports * InputVcs]),
      .owner_i(sa_owner_i[u][0 +: InputVcs * InputVcs]),
      .operands_i(sa_operands_i[u][0 +: Config.ExternalVcs]),
      .chosen_o(sa_chosen_o[u][0 +: InputVcs]),
      .grant_o(sa_grant_o[u][0 +: Ports * Ports]),
      .vc_o(sa_vc_o[u][0 +: Ports * VcWidth]),
      .take_o(sa_take_o[u][0 +: Ports * InputVcs]),
      .spent_o(sa_spent_o[u][0 +: InputVcs]),
      .has_all_o(sa_has_all_o[u][0 +: InputVcs]),
      .is_busy_o(sa_is_busy_o[u][0 +: Ports])
    );
    assign sa_credits_o[u][0 +: InputVcs * CreditWidth] = u_switch_allocator.credits_q;

    allport_replication_unit #(
      .Config(Config)
    ) u_replication_unit (
      .clk_i,
      .rst_ni,
      .push_i(ru_push_i[u][0 +: InputVcs]),
      .outputs_i(ru_outputs_i[u][0 +: InputVcs * Ports]),
      .occupied_i(ru_occupied_i[u][0 +: InputVcs]),
      .is_replicated_i(ru_is_replicated_i[u][0 +: InputVcs]),
      .asks_i(ru_asks_i[u][0 +: InputVcs]),
      .asking_o(ru_asking_o[u][0 +: Ports * InputVcs]),
      .pending_o(ru_pending_o[u][0 +: Ports * InputVcs]),
      .take_i(ru_take_i[u][0 +: Ports * InputVcs]),
      .done_o(ru_done_o[u][0 +: InputVcs]),
      .left_i(ru_done_o[u][0 +: InputVcs]),
      .is_waiting_o(ru_is_waiting_o[u][0])
    );
  end

endmodule
