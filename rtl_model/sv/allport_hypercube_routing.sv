// SPDX-License-Identifier: Apache-2.0
// The outputs of a head at this node of a hypercube (docs/router.md, sections 6 and 7): for a
// unicast, deposit or multidestination worm the highest dimension in which node and address differ
// (Ascending: the lowest); for a tree worm the dimensions below the lowest in which node and root
// differ (Ascending: above the highest), or all at the root; for a path worm the next hop of its
// path. If there is no output, the worm ends here. Combinational.

module allport_hypercube_routing #(
  /// The router.
  parameter allport_pkg::router_config_t Config = allport_pkg::Hypercube3,
  localparam int unsigned Dimensions = Config.Dimensions
) (
  input  logic [Dimensions-1:0] node_i,
  input  logic                  head_i,  // low: no outputs
  input  allport_pkg::kind_e    kind_i,
  input  logic [Dimensions-1:0] address_i,
  output logic [Dimensions-1:0] outputs_o,
  output logic                  is_replicated_o  // a tree worm that goes on
);

  localparam bit Ascending = Config.Ascending;
  // Trees of groups go by allport_group_routing.
  localparam bit Replication = Config.Replication && (Config.Groups == 0);

  logic [Dimensions-1:0] difference, lowest, up_to_highest, along_path;

  allport_path_routing #(
    .Dimensions(Dimensions)
  ) u_path_routing (
    .node_i,
    .source_i(address_i),
    .outputs_o(along_path)
  );

  always_comb begin
    outputs_o = '0;
    is_replicated_o = 1'b0;
    difference = '0;
    lowest = '0;
    up_to_highest = '0;
    if (head_i) begin
      difference = node_i ^ address_i;
      lowest = difference & (~difference + Dimensions'(1));
      up_to_highest = difference;
      for (int unsigned i = 1; i < Dimensions; i = 2 * i) begin
        up_to_highest = up_to_highest | (up_to_highest >> i);
      end
      if (Replication && (kind_i == allport_pkg::KindTree)) begin
        outputs_o = Ascending ? ~up_to_highest : lowest - Dimensions'(1);
        is_replicated_o = outputs_o != '0;
      end else if (kind_i == allport_pkg::KindPath) begin
        outputs_o = along_path;
      end else begin
        outputs_o = Ascending ? lowest : up_to_highest & ~(up_to_highest >> 1);
      end
    end
  end

endmodule
