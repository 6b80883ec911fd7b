// SPDX-License-Identifier: Apache-2.0
// The routing table of a router: a memory with a row for each layer of VCs by which a head may
// come, or injection, and each destination. A row is, from the top: the layer of the VC for which
// the head asks, and its external output; ExternalPorts in the place of an output says that the
// head is at its destination. Row {t, w} is that of layer t and destination w, and Tables is the t
// of injection. All rows to which heads come are written before the first head does, one in a
// cycle, as a rule while the router is in reset; the memory has none. Rows are looked up without
// regard to whether a head is there.

module allport_routing_table #(
  /// The router.
  parameter allport_pkg::router_config_t Config = allport_pkg::FourPortsTable,
  localparam int unsigned InputVcs = Config.InputVcs,
  localparam int unsigned HeaderWidth = Config.HeaderWidth,
  localparam int unsigned RowWidth = Config.RowWidth,
  localparam int unsigned HopWidth = Config.HopWidth
) (
  input  logic                            clk_i,
  input  logic                            write_i,
  input  logic [RowWidth-1:0]             row_i,
  input  logic [HopWidth-1:0]             hop_i,
  input  logic [InputVcs*HeaderWidth-1:0] header_i,
  output logic [InputVcs*HopWidth-1:0]    hop_o      // for each of the headers
);

  localparam int unsigned AddressWidth = Config.AddressWidth;
  localparam int unsigned Rows = (Config.Tables + 1) << AddressWidth;

  // The layer of an input VC.
  function automatic int unsigned arrival(input int unsigned iv);
    arrival = (iv < Config.ExternalVcs)
        ? ((iv % Config.Vcs) % Config.ClassVcs) / Config.LayerVcs : Config.Tables;
  endfunction

  logic [HopWidth-1:0] hops_q [Rows];

  always_ff @(posedge clk_i) begin
    if (write_i) hops_q[row_i] <= hop_i;
  end

  for (genvar iv = 0; iv < InputVcs; iv++) begin : gen_input_vc
    localparam int unsigned First = arrival(iv) << AddressWidth;
    logic [HeaderWidth-1:0] header;
    logic [AddressWidth-1:0] address;
    logic [HeaderWidth-AddressWidth-1:0] unused_rest;

    assign header = header_i[iv * HeaderWidth +: HeaderWidth];
    assign {unused_rest, address} = header;
    assign hop_o[iv * HopWidth +: HopWidth] = hops_q[RowWidth'(First) | RowWidth'(address)];
  end

endmodule
