// SPDX-License-Identifier: Apache-2.0
// The output of a head at this node of a torus, ring or mesh (docs/router.md, section 6): along the
// lowest dimension in which node and address differ, on a torus the shorter way round, and by its
// tie bit if both ways are equally long. If there is no output, the worm ends here. The VC class is
// 1 (p) while the wraparound channel of this dimension lies ahead, otherwise 0 (h or l)
// [DallySeitz87]. is_at_edge_o says that this node is the first one behind that channel.
// Combinational.

module allport_grid_routing #(
  /// The router.
  parameter allport_pkg::router_config_t Config = allport_pkg::Hypercube3,
  localparam int unsigned Dimensions = Config.Dimensions,
  localparam int unsigned AddressWidth = Config.AddressWidth
) (
  input  logic [AddressWidth-1:0] node_i,
  input  logic                    head_i,  // low: no outputs
  input  logic [Dimensions-1:0]   ties_i,
  input  logic [AddressWidth-1:0] address_i,
  output logic [2*Dimensions-1:0] outputs_o,
  output logic                    vc_class_o,
  output logic                    is_at_edge_o
);

  localparam int unsigned Topology = Config.Topology;
  localparam logic [47:0] Sides = Config.Sides;

  logic [Dimensions-1:0] differs, is_up, is_ahead;  // is_ahead: the wraparound channel
  logic [Dimensions-1:0] is_at_edge;

  for (genvar i = 0; i < Dimensions; i++) begin : gen_dimension
    localparam int unsigned Side = allport_pkg::side(Sides, i);
    localparam int unsigned Width = allport_pkg::idx_width(Side);
    localparam int unsigned Offset = allport_pkg::coordinate_offset(Topology, Sides, i);
    logic [Width-1:0] here, there;
    logic is_behind, is_beyond;

    assign here = node_i[Offset +: Width];
    assign there = address_i[Offset +: Width];
    assign differs[i] = here != there;
    assign is_behind = there < here;
    assign is_beyond = there > here;
    assign is_ahead[i] = is_up[i] ? is_behind : is_beyond;
    assign is_at_edge[i] = here == (is_up[i] ? '0 : Width'(Side - 1));

    if (Topology == allport_pkg::TopologyTorus) begin : gen_wraps
      logic [Width+1:0] twice_up;  // twice the hops going +

      assign twice_up = {1'b0, there, 1'b0} - {1'b0, here, 1'b0}
          + (is_behind ? (Width + 2)'(2 * Side) : '0);
      assign is_up[i] = (twice_up < (Width + 2)'(Side))
          || ((twice_up == (Width + 2)'(Side)) && !ties_i[i]);
    end else begin : gen_open
      logic unused_tie;

      assign is_up[i] = is_beyond;
      assign unused_tie = ties_i[i];
    end
  end

  always_comb begin
    outputs_o = '0;
    vc_class_o = 1'b0;
    is_at_edge_o = 1'b0;
    for (int i = Dimensions - 1; i >= 0; i--) begin
      if (head_i && differs[i]) begin
        outputs_o = '0;
        outputs_o[2 * i] = is_up[i];
        outputs_o[2 * i + 1] = !is_up[i];
        vc_class_o = is_ahead[i];
        is_at_edge_o = is_at_edge[i];
      end
    end
  end

endmodule
