// SPDX-License-Identifier: Apache-2.0
// Route computation: for the head at the front of a buffer, the external outputs its worm takes at
// this router and the class of virtual channel it asks for there. The reception unit adds the copy
// for this node's processor; both are held until the tail has left. Combinational in the head's
// fields and the node's address. A multidestination or label worm at one of its destinations is
// routed to the next. Label worms exist on a mesh with MaxVia of 1 or more. With Adaptive, and for
// unicasts only, the choice also depends on which VCs are free and is made anew in each cycle until
// the head owns one; only those of its message class count, which is that of the VC by which it
// came. With Balanced, on a torus, a head that does not have the wraparound channel of its
// dimension ahead asks for a VC of any class if it turns into the dimension; if it goes straight on
// it keeps the class in which it came, except behind the wraparound channel. With Groups of 1 or
// more tree worms go to the nodes of a group on every topology, and each branch has a class of its
// own, which is that of the head at the front. Branches are kept by input VC: outputs_q[iv*Ports +
// p]; a row of zeros is not routed yet. With Groups of 2 the contribution to a join in injection
// channel 0 takes the way to its root, and there the branches of the tree that a join-tree becomes.
// With Tables output and layer are those of the head's row of the routing table, and the class is
// the layer. With RouteDelay nothing that a head asks for follows from the front of its buffer in
// the same cycle: the branches that are shown are those of the register and, with Adaptive, the
// heads come from one.

module allport_route_computation #(
  /// The router.
  parameter allport_pkg::router_config_t Config = allport_pkg::Hypercube3,
  localparam int unsigned ExternalPorts = Config.ExternalPorts,
  localparam int unsigned InternalPorts = Config.InternalPorts,
  localparam int unsigned Ports = Config.Ports,
  localparam int unsigned InputVcs = Config.InputVcs,
  localparam int unsigned AddressWidth = Config.AddressWidth,
  localparam int unsigned ClassWidth = Config.ClassWidth,
  localparam int unsigned HeaderWidth = Config.HeaderWidth,
  localparam int unsigned HopWidth = Config.HopWidth
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic [AddressWidth-1:0]           node_i,
  input  logic [InputVcs-1:0]               head_i,           // a head is at the front
  input  logic [InputVcs*HeaderWidth-1:0]   header_i,
  input  logic [InputVcs*HopWidth-1:0]      hop_i,            // with Tables: its row
  input  logic [InputVcs-1:0]               free_i,           // output VCs
  input  logic [InputVcs-1:0]               is_owner_i,       // the front flit's worm has a VC
  output logic [InputVcs-1:0]               is_routing_o,     // it is routed in this cycle ...
  output logic [InputVcs-1:0]               is_stripped_o,    // ... on to the next of its list
  output logic [InputVcs*ExternalPorts-1:0] external_o,       // ... by these external outputs
  input  logic [InputVcs*InternalPorts-1:0] copies_i,         // ... and these ejection channels
  output logic [InputVcs*Ports-1:0]         outputs_o,        // the worm at the front takes these
  output logic [InputVcs*ClassWidth-1:0]    vc_class_o,       // 1: p; with Adaptive: no escape VC
  output logic [InputVcs-1:0]               any_class_o,      // either class will do
  output logic [InputVcs*ExternalPorts-1:0] branch_class_o,   // with Groups: 1: p for this branch
  output logic [InputVcs-1:0]               is_join_o,        // JoinVcs: the front head is one of
  output logic [InputVcs-1:0]               is_tree_o,        // ... these, and has VCs of its own
  output logic [InputVcs-1:0]               is_replicated_o,  // a tree worm that goes on
  input  logic [InputVcs-1:0]               clear_i           // its tail leaves
);

  localparam int unsigned Topology = Config.Topology;
  localparam int unsigned Vcs = Config.Vcs;
  localparam int unsigned ExternalVcs = Config.ExternalVcs;
  localparam int unsigned TieWidth = Config.TieWidth;
  localparam int unsigned MaxVia = Config.MaxVia;
  localparam int unsigned Groups = Config.Groups;
  localparam int unsigned JoinVcs = Config.JoinVcs;
  localparam int unsigned Classes = Config.Classes;
  localparam int unsigned ClassVcs = Config.ClassVcs;
  localparam bit Adaptive = Config.Adaptive;
  localparam bit Balanced = Config.Balanced;
  localparam bit HasJoins = Config.HasJoins;
  localparam bit IsRegistered = (Config.RouteDelay > 0) && !Adaptive;

  logic [InputVcs*Ports-1:0] outputs_d, outputs_q;
  logic [InputVcs*ClassWidth-1:0] vc_class_d, vc_class_q;
  logic [InputVcs-1:0] any_class_d, any_class_q;
  logic [InputVcs-1:0] is_replicated_d, is_replicated_q;
  // What the registers hold, or this cycle's routes in its place.
  logic [InputVcs*Ports-1:0] outputs;
  logic [InputVcs*ClassWidth-1:0] vc_classes;
  logic [InputVcs-1:0] any_classes, are_replicated;
  // As the head says.
  logic [InputVcs*ExternalPorts-1:0] branch_class;
  logic [InputVcs-1:0] has_join_vc, has_tree_vc;
  // By message class, of an output: some VC of the class is free; one other than its first.
  logic [Classes*ExternalPorts-1:0] is_free, is_adaptive_free;

  for (genvar c = 0; c < Classes; c++) begin : gen_free
    for (genvar p = 0; p < ExternalPorts; p++) begin : gen_output
      localparam int unsigned First = p * Vcs + c * ClassVcs;

      assign is_free[c * ExternalPorts + p] = free_i[First +: ClassVcs] != '0;
      if (ClassVcs > 1) begin : gen_adaptive
        assign is_adaptive_free[c * ExternalPorts + p] = free_i[First + 1 +: ClassVcs - 1] != '0;
      end else begin : gen_escape_only
        assign is_adaptive_free[c * ExternalPorts + p] = 1'b0;
      end
    end
  end

  for (genvar iv = 0; iv < InputVcs; iv++) begin : gen_input_vc
    logic [HeaderWidth-1:0] header;
    logic [ExternalPorts-1:0] along_route, tree;
    logic [ClassWidth-1:0] vc_class;
    logic any_class, is_replicated, is_undecided, along_is_replicated, is_tree;
    logic is_join, is_at_root;
    logic [InternalPorts-1:0] copies;
    logic [Ports-1:0] kept;
    allport_pkg::kind_e kind;
    logic [HeaderWidth-allport_pkg::KindWidth-1:0] unused_rest;
    logic unused_kind;  // without trees and labels

    assign {kind, unused_rest} = header;
    assign unused_kind = ^kind;

    if (MaxVia > 0) begin : gen_stripping
      logic is_stripped;

      allport_stripping_unit #(
        .Config(Config)
      ) u_stripping_unit (
        .node_i,
        .header_i(header_i[iv * HeaderWidth +: HeaderWidth]),
        .header_o(header),
        .is_stripped_o(is_stripped)
      );
      assign is_stripped_o[iv] = is_routing_o[iv] && is_stripped;
    end else begin : gen_one_address
      assign header = header_i[iv * HeaderWidth +: HeaderWidth];
      assign is_stripped_o[iv] = 1'b0;
    end

    assign is_undecided = Adaptive && !is_owner_i[iv];
    // A contribution that came from elsewhere takes no output: the one of this node speaks for it.
    assign is_routing_o[iv] = head_i[iv] && !(is_join && (iv < ExternalVcs))
        && (is_undecided || (outputs_q[iv * Ports +: Ports] == '0));

    if (Config.Tables > 0) begin : gen_table
      localparam int unsigned PortWidth = HopWidth - ClassWidth;
      logic [PortWidth-1:0] port;
      logic unused_node;

      assign {vc_class, port} = hop_i[iv * HopWidth +: HopWidth];
      for (genvar p = 0; p < ExternalPorts; p++) begin : gen_output
        assign along_route[p] = is_routing_o[iv] && (port == PortWidth'(p));
      end
      assign any_class = 1'b0;
      assign along_is_replicated = 1'b0;
      assign unused_node = ^node_i;
    end else if (Adaptive && (Topology == allport_pkg::TopologyHypercube)) begin : gen_adaptive
      localparam int unsigned MessageClass = (Classes == 1) ? 0
          : (iv < ExternalVcs) ? (iv % Vcs) / ClassVcs : (iv - ExternalVcs) % Classes;

      allport_adaptive_routing #(
        .Dimensions(Config.Dimensions)
      ) u_routing (
        .node_i,
        .head_i(is_routing_o[iv]),
        .address_i(header[AddressWidth-1:0]),
        .is_free_i(is_free[MessageClass * ExternalPorts +: ExternalPorts]),
        .is_adaptive_free_i(is_adaptive_free[MessageClass * ExternalPorts +: ExternalPorts]),
        .outputs_o(along_route),
        .is_detour_o(vc_class)
      );
      assign any_class = 1'b0;
      assign along_is_replicated = 1'b0;
    end else if (Topology == allport_pkg::TopologyHypercube) begin : gen_hypercube
      logic unused_ties;

      allport_hypercube_routing #(
        .Config(Config)
      ) u_routing (
        .node_i,
        .head_i(is_routing_o[iv]),
        .kind_i(kind),
        .address_i(header[AddressWidth-1:0]),
        .outputs_o(along_route),
        .is_replicated_o(along_is_replicated)
      );
      assign vc_class = 1'b0;
      assign any_class = 1'b0;
      assign unused_ties = ^header[AddressWidth +: TieWidth];
    end else begin : gen_grid
      logic [ExternalPorts-1:0] in_order, by_label;  // of dimensions, of labels
      logic is_label, is_ahead, is_at_edge;
      logic [TieWidth-1:0] ties;

      assign ties = is_join ? '0 : header[AddressWidth +: TieWidth];
      allport_grid_routing #(
        .Config(Config)
      ) u_routing (
        .node_i,
        .head_i(is_routing_o[iv]),
        .ties_i(ties),
        .address_i(header[AddressWidth-1:0]),
        .outputs_o(in_order),
        .vc_class_o(is_ahead),
        .is_at_edge_o(is_at_edge)
      );
      if (Balanced && (iv < ExternalVcs)) begin : gen_balanced
        // The output on which a worm from this input goes straight on.
        localparam int unsigned Opposite = (iv / Vcs) ^ 1;
        localparam int unsigned Place = (Classes == 1) ? iv % Vcs : (iv % Vcs) % ClassVcs;
        localparam bit CameByP = 2 * Place >= ClassVcs;
        logic is_straight;

        assign is_straight = in_order[Opposite];
        assign vc_class = !is_tree && (is_ahead || (is_straight && CameByP && !is_at_edge));
        assign any_class =
            !is_tree && !is_join && (in_order != '0) && !is_ahead && !is_straight;
      end else begin : gen_strict
        logic unused_edge;

        assign vc_class = !is_tree && is_ahead;
        assign any_class = !is_tree && !is_join && Balanced && (in_order != '0) && !is_ahead;
        assign unused_edge = is_at_edge;
      end
      if ((Topology == allport_pkg::TopologyMesh) && (MaxVia > 0)) begin : gen_labels
        assign is_label = kind == allport_pkg::KindLabel;

        // The input on which a worm comes says whether this is its source.
        allport_label_routing #(
          .Config(Config)
        ) u_label_routing (
          .node_i,
          .head_i(is_routing_o[iv]),
          .demanded_i((iv < ExternalVcs) ? '0 : header[AddressWidth +: TieWidth]),
          .address_i(header[AddressWidth-1:0]),
          .outputs_o(by_label)
        );
      end else begin : gen_no_labels
        assign is_label = 1'b0;
        assign by_label = '0;
      end
      assign along_route = is_label ? by_label : in_order;
      assign along_is_replicated = 1'b0;
    end

    if (Config.Replication && (Groups > 0) && !Adaptive) begin : gen_groups
      logic [ExternalPorts-1:0] tree_class, unused_join;

      // A branch that waits for its VC needs its class in every cycle, so this looks at every
      // front.
      allport_group_routing #(
        .Config(Config)
      ) u_group_routing (
        .node_i,
        .root_i(header[AddressWidth-1:0]),
        .free_i(header[AddressWidth +: TieWidth]),
        .tree_o(tree),
        .class_o(tree_class),
        .join_o(unused_join)
      );
      if (HasJoins) begin : gen_joins
        assign is_join = head_i[iv] && allport_pkg::is_join(kind);
        assign is_at_root = is_join && (header[AddressWidth-1:0] == node_i);
        assign is_tree = head_i[iv] && ((kind == allport_pkg::KindTree)
            || ((kind == allport_pkg::KindJoinTree) && is_at_root));
      end else begin : gen_no_joins
        assign is_join = 1'b0;
        assign is_at_root = 1'b0;
        assign is_tree = head_i[iv] && (kind == allport_pkg::KindTree);
      end
      assign branch_class[iv * ExternalPorts +: ExternalPorts] =
          is_tree ? tree_class : {ExternalPorts{vc_classes[iv]}};
    end else begin : gen_no_groups
      assign tree = '0;
      assign is_tree = 1'b0;
      assign is_join = 1'b0;
      assign is_at_root = 1'b0;
      assign branch_class[iv * ExternalPorts +: ExternalPorts] =
          (Groups > 0) ? {ExternalPorts{vc_classes[iv]}} : '0;
    end

    always_comb begin
      external_o[iv * ExternalPorts +: ExternalPorts] = along_route;
      is_replicated = along_is_replicated;
      if (is_tree && is_routing_o[iv]) begin
        external_o[iv * ExternalPorts +: ExternalPorts] = tree;
        is_replicated = !is_join && (tree != '0);  // the join unit heeds the delay of its own
      end
    end

    // The result of a join leaves at its root by ejection channel 0.
    always_comb begin
      copies = copies_i[iv * InternalPorts +: InternalPorts];
      if (is_at_root && is_routing_o[iv]) copies[0] = 1'b1;
    end
    assign has_join_vc[iv] = (JoinVcs > 0) && is_join && !is_tree;
    assign has_tree_vc[iv] = (JoinVcs > 0) && is_tree;

    // A route comes late, so it is joined to the branches that are kept, not chosen in their place:
    // a head that is routed has none, or with Adaptive those of an earlier choice.
    assign kept = (Adaptive && is_routing_o[iv]) ? '0 : outputs_q[iv * Ports +: Ports];
    assign outputs[iv * Ports +: Ports] =
        kept | {copies, external_o[iv * ExternalPorts +: ExternalPorts]};

    always_comb begin
      vc_classes[iv * ClassWidth +: ClassWidth] = vc_class_q[iv * ClassWidth +: ClassWidth];
      any_classes[iv] = any_class_q[iv];
      are_replicated[iv] = is_replicated_q[iv];
      if (is_routing_o[iv]) begin
        vc_classes[iv * ClassWidth +: ClassWidth] = vc_class;
        any_classes[iv] = any_class;
        are_replicated[iv] = is_replicated;
      end
    end

    always_comb begin
      outputs_d[iv * Ports +: Ports] = outputs[iv * Ports +: Ports];
      vc_class_d[iv * ClassWidth +: ClassWidth] = vc_classes[iv * ClassWidth +: ClassWidth];
      if (clear_i[iv]) outputs_d[iv * Ports +: Ports] = '0;
      if (clear_i[iv]) vc_class_d[iv * ClassWidth +: ClassWidth] = '0;
    end
  end

  logic unused_without_adaptive;
  assign unused_without_adaptive = ^{free_i, is_owner_i, is_free, is_adaptive_free};

  if (Config.Tables == 0) begin : gen_no_table
    logic unused_hop;
    assign unused_hop = ^hop_i;
  end

  assign any_class_d = any_classes & ~clear_i;
  assign is_replicated_d = are_replicated & ~clear_i;

  if (IsRegistered) begin : gen_registered
    logic [InputVcs*ExternalPorts-1:0] branch_class_q;
    logic [InputVcs-1:0] is_join_q, is_tree_q;

    assign outputs_o = outputs_q;
    assign vc_class_o = vc_class_q;
    assign any_class_o = any_class_q;
    assign is_replicated_o = is_replicated_q;
    assign branch_class_o = branch_class_q;
    assign is_join_o = is_join_q;
    assign is_tree_o = is_tree_q;

    // They are asked for while the head is at the front, and without branches mean nothing.
    always_ff @(posedge clk_i) begin
      branch_class_q <= branch_class;
      is_join_q <= has_join_vc;
      is_tree_q <= has_tree_vc;
    end
  end else begin : gen_as_routed
    assign outputs_o = outputs;
    assign vc_class_o = vc_classes;
    assign any_class_o = any_classes;
    assign is_replicated_o = are_replicated;
    assign branch_class_o = branch_class;
    assign is_join_o = has_join_vc;
    assign is_tree_o = has_tree_vc;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      outputs_q <= '0;
      vc_class_q <= '0;
      any_class_q <= '0;
      is_replicated_q <= '0;
    end else begin
      outputs_q <= outputs_d;
      vc_class_q <= vc_class_d;
      any_class_q <= any_class_d;
      is_replicated_q <= is_replicated_d;
    end
  end

endmodule
