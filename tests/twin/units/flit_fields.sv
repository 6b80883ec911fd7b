// SPDX-License-Identifier: Apache-2.0
// allport_pkg's group_unpack and group_pack for the routers of flit_fields_unit_test.cpp, one after
// the other.

module flit_fields #(
  localparam int unsigned Units = 6,
  localparam int unsigned Stride = 352,
  localparam int unsigned FieldStride = 832
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic [Stride-1:0]      bits_i [Units],    // a flit without its data
  output logic [FieldStride-1:0] fields_o [Units],  // unpacked
  output logic [Stride-1:0]      bits_o [Units]     // and packed again
);

  localparam int unsigned Topology [Units] = '{0, 1, 2, 2, 0, 1};
  localparam int unsigned Dimensions [Units] = '{3, 2, 3, 1, 10, 3};
  localparam int unsigned Side0 [Units] = '{0, 4, 3, 70, 0, 4};
  localparam int unsigned Side1 [Units] = '{0, 5, 2000, 0, 0, 3};
  localparam int unsigned Side2 [Units] = '{0, 0, 2, 0, 0, 5};
  localparam int unsigned Vcs [Units] = '{1, 4, 16, 3, 2, 4};
  localparam int unsigned Switching [Units] = '{0, 1, 3, 2, 0, 1};
  localparam int unsigned MaxVia [Units] = '{0, 3, 15, 1, 0, 3};
  localparam int unsigned Groups [Units] = '{0, 0, 0, 0, 1, 2};

  logic unused_clock;
  assign unused_clock = ^{clk_i, rst_ni};

  for (genvar u = 0; u < Units; u++) begin : gen_unit
    localparam logic [47:0] Sides = allport_pkg::side_vector(Side0[u], Side1[u], Side2[u]);
    localparam int unsigned Width = allport_pkg::group_control_width(Topology[u],
        Dimensions[u], Sides, Vcs[u], Switching[u], MaxVia[u], Groups[u]);
    allport_pkg::control_t fields;

    assign fields = allport_pkg::group_unpack(allport_pkg::ControlBits'(bits_i[u][Width-1:0]),
        Topology[u], Dimensions[u], Sides, Vcs[u], Switching[u], MaxVia[u], Groups[u]);
    assign fields_o[u][allport_pkg::ControlBits-1:0] = fields;
    assign bits_o[u] = Stride'(allport_pkg::group_pack(fields, Topology[u], Dimensions[u], Sides,
        Vcs[u], Switching[u], MaxVia[u], Groups[u]));
  end

endmodule
