// SPDX-License-Identifier: Apache-2.0
// The register between the switch allocator and the crossbar, in a router with a crossbar delay:
// what is decided in cycle c passes the crossbar in cycle c + 1. The flits leave their buffers when
// they win, so it holds the flit of each input. Without a grant they mean nothing, so no reset goes
// to them.

module allport_crossing_register #(
  /// The router.
  parameter allport_pkg::router_config_t Config = allport_pkg::Hypercube3,
  localparam int unsigned Ports = Config.Ports,
  localparam int unsigned VcWidth = Config.VcWidth,
  localparam int unsigned StoredWidth = Config.StoredWidth
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic [Ports*StoredWidth-1:0] flit_i,   // by input, the one that it offers
  input  logic [Ports*Ports-1:0]       grant_i,  // output p takes from input i: p*Ports + i
  input  logic [Ports*VcWidth-1:0]     vc_i,     // by output
  output logic [Ports*StoredWidth-1:0] flit_o,
  output logic [Ports*Ports-1:0]       grant_o,
  output logic [Ports*VcWidth-1:0]     vc_o
);

  logic [Ports*StoredWidth-1:0] flit_q;
  logic [Ports*Ports-1:0] grant_q;
  logic [Ports*VcWidth-1:0] vc_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) grant_q <= '0;
    else grant_q <= grant_i;
  end

  always_ff @(posedge clk_i) begin
    flit_q <= flit_i;
    vc_q <= vc_i;
  end

  assign flit_o = flit_q;
  assign grant_o = grant_q;
  assign vc_o = vc_q;

endmodule
