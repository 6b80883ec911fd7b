// SPDX-License-Identifier: Apache-2.0
// The output of a label worm at this node of a mesh (docs/router.md, section 7). A label has the
// layout of an address, with the coordinate of a dimension counted backwards where the sum of the
// later coordinates is odd. One step in a dimension towards the address's side turns the earlier
// coordinates round; of the dimensions whose step does not go beyond the address's label, and does
// not leave the mesh, the last one is taken. At its source the worm may demand a dimension.
// Combinational.

module allport_label_routing #(
  /// The router.
  parameter allport_pkg::router_config_t Config = allport_pkg::Hypercube3,
  localparam int unsigned Dimensions = Config.Dimensions,
  localparam int unsigned AddressWidth = Config.AddressWidth
) (
  input  logic [AddressWidth-1:0] node_i,
  input  logic                    head_i,      // low: no outputs
  input  logic [Dimensions-1:0]   demanded_i,  // 0: none
  input  logic [AddressWidth-1:0] address_i,
  output logic [2*Dimensions-1:0] outputs_o
);

  localparam logic [47:0] Sides = Config.Sides;
  localparam logic [AddressWidth-1:0] AllOnes = '1;

  // The lowest bit of each coordinate after that of `dimension`.
  function automatic logic [AddressWidth-1:0] lowest_bits_after(input int unsigned dimension);
    lowest_bits_after = '0;
    for (int unsigned i = dimension + 1; i < Dimensions; i++) begin
      lowest_bits_after[allport_pkg::coordinate_offset(allport_pkg::TopologyMesh, Sides, i)] = 1'b1;
    end
  endfunction

  logic [AddressWidth-1:0] here, here_back, there;  // labels; here_back: all coordinates reversed
  logic [Dimensions-1:0] is_here_odd, is_there_odd;  // the sum of the later coordinates
  logic [Dimensions-1:0] is_possible, is_allowed, wanted;
  logic goes_up;

  for (genvar i = 0; i < Dimensions; i++) begin : gen_dimension
    localparam int unsigned Side = allport_pkg::side(Sides, i);
    localparam int unsigned Width = allport_pkg::idx_width(Side);
    localparam int unsigned Offset =
        allport_pkg::coordinate_offset(allport_pkg::TopologyMesh, Sides, i);
    localparam logic [Width-1:0] Last = Width'(Side - 1);
    logic [Width-1:0] own, other, digit;
    logic [AddressWidth-1:0] next;

    assign own = node_i[Offset +: Width];
    assign other = address_i[Offset +: Width];
    assign is_here_odd[i] = ^(node_i & lowest_bits_after(i));
    assign is_there_odd[i] = ^(address_i & lowest_bits_after(i));
    assign digit = is_here_odd[i] ? Last - own : own;
    assign here[Offset +: Width] = digit;
    assign here_back[Offset +: Width] = Last - digit;
    assign there[Offset +: Width] = is_there_odd[i] ? Last - other : other;

    always_comb begin
      next = ((here >> Offset) << Offset) | (here_back & ~(AllOnes << Offset));
      next[Offset +: Width] = goes_up ? digit + Width'(1) : digit - Width'(1);
    end
    assign is_possible[i] = goes_up ? (digit != Last) : (digit != '0);
    assign is_allowed[i] = is_possible[i] && (goes_up ? (next <= there) : (next >= there));
  end

  assign goes_up = there > here;

  always_comb begin
    wanted = '0;
    for (int unsigned i = 0; i < Dimensions; i++) begin
      if (is_allowed[i]) begin
        wanted = '0;
        wanted[i] = 1'b1;
      end
    end
    if (demanded_i != '0) wanted = demanded_i;
    outputs_o = '0;
    for (int unsigned i = 0; i < Dimensions; i++) begin
      if (head_i && (address_i != node_i) && wanted[i]) begin
        outputs_o[2 * i] = goes_up != is_here_odd[i];
        outputs_o[2 * i + 1] = goes_up == is_here_odd[i];
      end
    end
  end

endmodule
