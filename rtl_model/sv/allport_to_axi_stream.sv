// SPDX-License-Identifier: Apache-2.0
// One input of a router with AXI4-Streams: the flits of a channel with credits come in, and go on
// by a stream for each VC. A message is a packet and a flit is a beat: tlast is the tail, tdest the
// address of the head and tuser the fields of its header above the address (from the top: kind, ..,
// ties), both held through the packet. It is allport_to_ready_valid, and takes no time either.
module allport_to_axi_stream #(
  /// Bits of the data of a flit, 1 or more.
  parameter int unsigned DataWidth = 64,
  /// Bits of an address, 1 or more.
  parameter int unsigned AddressWidth = 4,
  /// Bits of the header above the address, 1 or more.
  parameter int unsigned UserWidth = 5,
  /// Virtual channels, 1 .. 16.
  parameter int unsigned Vcs = 1,
  /// Flits of each virtual channel that the sender may have on the way, 1 .. 4096.
  parameter int unsigned Depth = 4,

  localparam int unsigned VcWidth = allport_pkg::idx_width(Vcs),
  localparam int unsigned FlitWidth = 2 + VcWidth + UserWidth + AddressWidth + DataWidth
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  input  logic                        valid_i,
  input  logic [FlitWidth-1:0]        flit_i,
  output logic                        credit_o,     // register
  output logic [VcWidth-1:0]          credit_vc_o,  // register

  output logic [Vcs-1:0]              m_axis_tvalid,
  input  logic [Vcs-1:0]              m_axis_tready,
  output logic [Vcs*DataWidth-1:0]    m_axis_tdata,
  output logic [Vcs-1:0]              m_axis_tlast,
  output logic [Vcs*AddressWidth-1:0] m_axis_tdest,
  output logic [Vcs*UserWidth-1:0]    m_axis_tuser
);

  localparam int unsigned HeaderWidth = UserWidth + AddressWidth;
  localparam int unsigned Width = 2 + HeaderWidth + DataWidth;  // a flit without its VC

  logic [Vcs*Width-1:0] flits;

  // Vcs and Depth are checked by the adapter inside.
  if ((DataWidth < 1) || (AddressWidth < 1) || (UserWidth < 1)) begin : gen_invalid
    $error("allport_to_axi_stream: a parameter is out of its range");
  end

  allport_to_ready_valid #(
    .Width(Width),
    .Vcs(Vcs),
    .Depth(Depth)
  ) u_ready_valid (
    .clk_i,
    .rst_ni,
    .valid_i,
    .vc_i(flit_i[HeaderWidth + DataWidth +: VcWidth]),
    .flit_i({flit_i[FlitWidth-1 -: 2], flit_i[HeaderWidth+DataWidth-1:0]}),
    .credit_o,
    .credit_vc_o,
    .valid_o(m_axis_tvalid),
    .flit_o(flits),
    .ready_i(m_axis_tready)
  );

  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    logic is_head;
    logic [HeaderWidth-1:0] header, header_q;

    assign {is_head, m_axis_tlast[v]} = flits[v * Width + Width - 1 -: 2];
    assign header = is_head ? flits[v * Width + DataWidth +: HeaderWidth] : header_q;
    assign {m_axis_tuser[v * UserWidth +: UserWidth],
            m_axis_tdest[v * AddressWidth +: AddressWidth]} = header;
    assign m_axis_tdata[v * DataWidth +: DataWidth] = flits[v * Width +: DataWidth];

    always_ff @(posedge clk_i) begin
      if (m_axis_tvalid[v] && m_axis_tready[v]) header_q <= header;
    end
  end

endmodule
