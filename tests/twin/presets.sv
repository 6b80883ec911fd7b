// SPDX-License-Identifier: Apache-2.0
// A router by a preset, with two message classes if HasClasses is 1, and one by parameters, whose
// pins are the same. With Vcs of more than 1 the first has both, which do not agree.

module presets #(
  parameter int unsigned Vcs = 1,
  parameter bit HasClasses = 1'b0,
  localparam allport_pkg::router_config_t Config =
      HasClasses ? allport_pkg::Torus8x8Classes : allport_pkg::Torus8x8,
  localparam int unsigned PinWidth = Config.Ports * (Config.FlitWidth + Config.VcWidth + 2)
      + Config.Ports * Config.Vcs
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic [Config.AddressWidth-1:0] node_i,
  input  logic [PinWidth-1:0]            pins_i,
  output logic [PinWidth:0]              pins_o [2]
);

  logic [Config.Ports-1:0] valid_in, credit_in;
  logic [Config.Ports*Config.FlitWidth-1:0] flit_in;
  logic [Config.Ports*Config.VcWidth-1:0] credit_vc_in;
  logic [Config.Ports*Config.Vcs-1:0] ack_in;

  assign {valid_in, flit_in, credit_in, credit_vc_in, ack_in} = pins_i;

  for (genvar i = 0; i < 2; i++) begin : gen_router
    logic [Config.Ports-1:0] valid, credit;
    logic [Config.Ports*Config.FlitWidth-1:0] flit;
    logic [Config.Ports*Config.VcWidth-1:0] credit_vc;
    logic [Config.Ports*Config.Vcs-1:0] ack;
    logic active;

    if (i == 0) begin : gen_preset
      allport_router #(
        .Vcs(Vcs),
        .Config(Config)
      ) u_router (
        .clk_i,
        .rst_ni,
        .node_i,
        .valid_i(valid_in),
        .flit_i(flit_in),
        .credit_o(credit),
        .credit_vc_o(credit_vc),
        .valid_o(valid),
        .flit_o(flit),
        .credit_i(credit_in),
        .credit_vc_i(credit_vc_in),
        .ack_o(ack),
        .ack_i(ack_in),
        .active_o(active)
      );
    end else begin : gen_flat
      allport_router #(
        .Topology(allport_pkg::TopologyTorus),
        .Dimensions(2),
        .Side0(8),
        .Side1(8),
        .InternalPorts(4),
        .Vcs(HasClasses ? 4 : 2),
        .Classes(HasClasses ? 2 : 1)
      ) u_router (
        .clk_i,
        .rst_ni,
        .node_i,
        .valid_i(valid_in),
        .flit_i(flit_in),
        .credit_o(credit),
        .credit_vc_o(credit_vc),
        .valid_o(valid),
        .flit_o(flit),
        .credit_i(credit_in),
        .credit_vc_i(credit_vc_in),
        .ack_o(ack),
        .ack_i(ack_in),
        .active_o(active)
      );
    end
    assign pins_o[i] = {valid, flit, credit, credit_vc, ack, active};
  end

endmodule
