// SPDX-License-Identifier: Apache-2.0
// The edges of a group's trees at this node, in closed form (docs/joins.md): the external outputs
// by which a tree worm of the root goes on, those of them whose VC is of class p, and the external
// inputs on which contributions to a join at the root are expected. The node belongs to the group:
// it agrees with the root in all dimensions that are not free. A free mask of 0 is all dimensions.
// Combinational.

module allport_group_routing #(
  /// The router.
  parameter allport_pkg::router_config_t Config = allport_pkg::Hypercube3,
  localparam int unsigned Dimensions = Config.Dimensions,
  localparam int unsigned ExternalPorts = Config.ExternalPorts,
  localparam int unsigned AddressWidth = Config.AddressWidth
) (
  input  logic [AddressWidth-1:0]  node_i,
  input  logic [AddressWidth-1:0]  root_i,
  input  logic [Dimensions-1:0]    free_i,
  output logic [ExternalPorts-1:0] tree_o,   // outputs of a tree worm
  output logic [ExternalPorts-1:0] class_o,  // of such an output: 1 for class p
  output logic [ExternalPorts-1:0] join_o    // inputs of a join
);

  localparam int unsigned Topology = Config.Topology;
  localparam logic [47:0] Sides = Config.Sides;
  localparam bit Ascending = Config.Ascending;

  logic [Dimensions-1:0] free;

  assign free = (free_i == '0) ? '1 : free_i;

  if (Topology == allport_pkg::TopologyHypercube) begin : gen_hypercube
    logic [Dimensions-1:0] differing, below_lowest, above_highest, up_to_highest;

    always_comb begin
      differing = node_i ^ root_i;
      up_to_highest = differing;
      for (int unsigned i = 1; i < Dimensions; i = 2 * i) begin
        up_to_highest = up_to_highest | (up_to_highest >> i);
      end
      below_lowest = ~differing & (differing - Dimensions'(1));
      above_highest = ~up_to_highest;
    end
    assign tree_o = free & (Ascending ? above_highest : below_lowest);
    assign join_o = free & (Ascending ? below_lowest : above_highest);
    assign class_o = '0;
  end else begin : gen_grid
    logic [Dimensions-1:0] differs;

    for (genvar i = 0; i < Dimensions; i++) begin : gen_dimension
      localparam int unsigned Side = allport_pkg::side(Sides, i);
      localparam int unsigned Width = allport_pkg::idx_width(Side);
      localparam int unsigned Offset = allport_pkg::coordinate_offset(Topology, Sides, i);
      logic [Width-1:0] here, there;
      // Whether the tree, and the join, reach this dimension here, and along it the nodes beyond on
      // either side.
      logic is_in_tree, is_in_join, tree_up, tree_down, from_above, from_below;

      assign here = node_i[Offset +: Width];
      assign there = root_i[Offset +: Width];
      assign differs[i] = here != there;
      assign is_in_join = free[i] && ((differs & Dimensions'((1 << i) - 1)) == '0);
      assign is_in_tree = free[i] && ((differs >> (i + 1)) == '0);
      assign tree_o[2 * i +: 2] = {2{is_in_tree}} & {tree_down, tree_up};
      assign join_o[2 * i +: 2] = {2{is_in_join}} & {from_below, from_above};

      if (Topology == allport_pkg::TopologyTorus) begin : gen_wraps
        // Hops from the root to the farthest node on either side; an exact tie goes +.
        localparam int unsigned FarUp = Side / 2;
        localparam int unsigned FarDown = (Side - 1) / 2;
        logic [Width:0] up, down;  // hops from here to the root going +, and going -
        logic [Width:0] up_and_one, down_and_one, last_up, last_down;

        assign up = {1'b0, there} - {1'b0, here}
            + ((there < here) ? (Width + 1)'(Side) : '0);
        assign down = {1'b0, here} - {1'b0, there}
            + ((here < there) ? (Width + 1)'(Side) : '0);
        assign up_and_one = up + (Width + 1)'(1);
        assign down_and_one = down + (Width + 1)'(1);
        assign tree_up = down_and_one <= (Width + 1)'(FarUp);
        assign tree_down = up_and_one <= (Width + 1)'(FarDown);
        assign from_below = up_and_one <= (Width + 1)'(FarUp);
        assign from_above = down_and_one <= (Width + 1)'(FarDown);
        // The last nodes of the branches: on the way there the wraparound channel lies ahead, or
        // not.
        assign last_up = {1'b0, there}
            + (({1'b0, there} >= (Width + 1)'(Side - FarUp))
                ? (Width + 1)'(FarUp) - (Width + 1)'(Side)
                : (Width + 1)'(FarUp));
        assign last_down = {1'b0, there}
            + (({1'b0, there} + (Width + 1)'(1) <= (Width + 1)'(FarDown))
                ? (Width + 1)'(Side - FarDown)
                : -(Width + 1)'(FarDown));
        assign class_o[2 * i] = tree_o[2 * i] && (last_up < {1'b0, here});
        assign class_o[2 * i + 1] = tree_o[2 * i + 1] && (last_down > {1'b0, here});
      end else begin : gen_open
        assign tree_up = (here >= there) && (here != Width'(Side - 1));
        assign tree_down = (here <= there) && (here != '0);
        assign from_above = tree_up;
        assign from_below = tree_down;
        assign class_o[2 * i +: 2] = '0;
      end
    end
  end

endmodule
