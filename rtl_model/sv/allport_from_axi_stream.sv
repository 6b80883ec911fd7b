// SPDX-License-Identifier: Apache-2.0
// One output of a router with AXI4-Streams, one for each VC: their beats go on a channel with
// credits. The first beat of a packet is a head with tdest as its address and tuser as the fields
// of its header above the address; the beat with tlast is the tail; tdest and tuser of other beats
// are ignored. It is allport_from_ready_valid, and takes one cycle too. tready depends on tvalid in
// the same cycle, as AXI4-Stream allows, if there are several VCs.
module allport_from_axi_stream #(
  /// Bits of the data of a flit, 1 or more.
  parameter int unsigned DataWidth = 64,
  /// Bits of an address, 1 or more.
  parameter int unsigned AddressWidth = 4,
  /// Bits of the header above the address, 1 or more.
  parameter int unsigned UserWidth = 5,
  /// Virtual channels, 1 .. 16.
  parameter int unsigned Vcs = 1,
  /// Flits of each virtual channel's buffer at the other end, 1 .. 4096.
  parameter int unsigned Depth = 4,

  localparam int unsigned VcWidth = allport_pkg::idx_width(Vcs),
  localparam int unsigned FlitWidth = 2 + VcWidth + UserWidth + AddressWidth + DataWidth
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  input  logic [Vcs-1:0]              s_axis_tvalid,
  output logic [Vcs-1:0]              s_axis_tready,
  input  logic [Vcs*DataWidth-1:0]    s_axis_tdata,
  input  logic [Vcs-1:0]              s_axis_tlast,
  input  logic [Vcs*AddressWidth-1:0] s_axis_tdest,
  input  logic [Vcs*UserWidth-1:0]    s_axis_tuser,

  output logic                        valid_o,  // register
  output logic [FlitWidth-1:0]        flit_o,   // register
  input  logic                        credit_i,
  input  logic [VcWidth-1:0]          credit_vc_i
);

  localparam int unsigned HeaderWidth = UserWidth + AddressWidth;
  localparam int unsigned Width = 2 + HeaderWidth + DataWidth;  // a flit without its VC
  localparam int unsigned CreditWidth = allport_pkg::idx_width(Depth + 1);

  logic [Vcs*Width-1:0] flits;
  logic [VcWidth-1:0] vc;
  logic [Width-1:0] flit;
  logic [Vcs*CreditWidth-1:0] unused_credits;

  // Vcs and Depth are checked by the adapter inside.
  if ((DataWidth < 1) || (AddressWidth < 1) || (UserWidth < 1)) begin : gen_invalid
    $error("allport_from_axi_stream: a parameter is out of its range");
  end

  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    logic is_inside_q;  // a packet has begun, and its last beat has not been taken
    logic [HeaderWidth-1:0] header;

    assign header = {s_axis_tuser[v * UserWidth +: UserWidth],
                     s_axis_tdest[v * AddressWidth +: AddressWidth]};
    assign flits[v * Width +: Width] = {!is_inside_q, s_axis_tlast[v], is_inside_q ? '0 : header,
                                        s_axis_tdata[v * DataWidth +: DataWidth]};

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) is_inside_q <= 1'b0;
      else if (s_axis_tvalid[v] && s_axis_tready[v]) is_inside_q <= !s_axis_tlast[v];
    end
  end

  allport_from_ready_valid #(
    .Width(Width),
    .Vcs(Vcs),
    .Depth(Depth)
  ) u_ready_valid (
    .clk_i,
    .rst_ni,
    .valid_i(s_axis_tvalid),
    .flit_i(flits),
    .ready_o(s_axis_tready),
    .credits_o(unused_credits),
    .valid_o,
    .vc_o(vc),
    .flit_o(flit),
    .credit_i,
    .credit_vc_i
  );

  assign flit_o = {flit[Width-1 -: 2], vc, flit[HeaderWidth+DataWidth-1:0]};

endmodule
