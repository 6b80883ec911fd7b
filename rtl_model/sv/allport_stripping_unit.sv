// SPDX-License-Identifier: Apache-2.0
// The header with which a multidestination or label worm leaves one of its destinations. The next
// destination of the list replaces the address, and the list gets shorter by one; the last
// destination keeps the header as it is, and so does every node in between. Combinational.

module allport_stripping_unit #(
  /// The router.
  parameter allport_pkg::router_config_t Config = allport_pkg::Hypercube3Lists,
  localparam int unsigned AddressWidth = Config.AddressWidth,
  localparam int unsigned HeaderWidth = Config.HeaderWidth
) (
  input  logic [AddressWidth-1:0] node_i,
  input  logic [HeaderWidth-1:0]  header_i,
  output logic [HeaderWidth-1:0]  header_o,
  output logic                    is_stripped_o  // this is a destination, and there are more
);

  localparam int unsigned KindWidth = allport_pkg::KindWidth;
  localparam int unsigned MaxVia = Config.MaxVia;
  localparam int unsigned ListOffset = AddressWidth + Config.TieWidth;
  localparam int unsigned ListWidth = MaxVia * AddressWidth;
  localparam int unsigned CountOffset = ListOffset + ListWidth;
  localparam int unsigned CountWidth = allport_pkg::idx_width(MaxVia + 1);

  allport_pkg::kind_e kind;
  logic [HeaderWidth-KindWidth-1:0] unused_rest;
  logic [AddressWidth-1:0] address;
  logic [ListWidth-1:0] list;
  logic [CountWidth-1:0] count;
  logic has_list;

  assign {kind, unused_rest} = header_i;
  assign address = header_i[AddressWidth-1:0];
  assign list = header_i[ListOffset +: ListWidth];
  assign count = header_i[CountOffset +: CountWidth];

  assign has_list = (kind == allport_pkg::KindMultidestination)
      || (kind == allport_pkg::KindLabel);
  assign is_stripped_o = has_list && (address == node_i) && (count != '0);

  always_comb begin
    header_o = header_i;
    if (is_stripped_o) begin
      header_o[AddressWidth-1:0] = list[AddressWidth-1:0];
      header_o[ListOffset +: ListWidth] = list >> AddressWidth;
      header_o[CountOffset +: CountWidth] = count - CountWidth'(1);
    end
  end

endmodule
