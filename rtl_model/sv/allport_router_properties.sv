// SPDX-License-Identifier: Apache-2.0
// On each VC of a channel a head comes first and the flits of its worm follow until the tail, with
// no flit of another worm between them: the inputs must keep this rule, and the outputs keep it.
// The router sleeps only when nothing would change.

module allport_router_properties #(
  parameter allport_pkg::router_config_t Config = allport_pkg::Hypercube3,
  localparam int unsigned ExternalPorts = Config.ExternalPorts,
  localparam int unsigned Vcs = Config.Vcs,
  localparam int unsigned Ports = Config.Ports,
  localparam int unsigned VcWidth = Config.VcWidth,
  localparam int unsigned FlitWidth = Config.FlitWidth
) (
  input logic                       clk_i,
  input logic                       rst_ni,
  input logic [ExternalPorts-1:0]   repeats_i,
  input logic [Ports-1:0]           valid_i,
  input logic [Ports*FlitWidth-1:0] flit_i,
  input logic [Ports-1:0]           credit_o,
  input logic [Ports-1:0]           valid_o,
  input logic [Ports*FlitWidth-1:0] flit_o,
  input logic [Ports-1:0]           credit_i,
  input logic [Ports*Vcs-1:0]       ack_o,
  input logic [Ports*Vcs-1:0]       ack_i,
  input logic                       active_o
);

  localparam int unsigned VcOffset = Config.HeaderWidth + Config.DataWidth;

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    localparam int unsigned PortVcs = (p < ExternalPorts) ? Vcs : Config.Classes;
    logic [VcWidth-1:0] vc_in, vc_out;
    logic head_in, tail_in, head_out, tail_out;

    assign vc_in = flit_i[p * FlitWidth + VcOffset +: VcWidth];
    assign vc_out = flit_o[p * FlitWidth + VcOffset +: VcWidth];
    assign {head_in, tail_in} = flit_i[(p + 1) * FlitWidth - 2 +: 2];
    assign {head_out, tail_out} = flit_o[(p + 1) * FlitWidth - 2 +: 2];

    for (genvar v = 0; v < PortVcs; v++) begin : gen_vc
      logic arrives, leaves, is_open_in_q, is_open_out_q;  // open: behind a head, before its tail

      assign arrives = valid_i[p] && (vc_in == VcWidth'(v));
      assign leaves = valid_o[p] && (vc_out == VcWidth'(v));

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          is_open_in_q <= 1'b0;
          is_open_out_q <= 1'b0;
        end else begin
          if (arrives) is_open_in_q <= !tail_in;
          if (leaves) is_open_out_q <= !tail_out;
        end
      end

      ArrivesInOrder: assert property (@(posedge clk_i) disable iff (!rst_ni)
          arrives |-> (head_in != is_open_in_q));
      LeavesInOrder: assert property (@(posedge clk_i) disable iff (!rst_ni)
          leaves |-> (head_out != is_open_out_q));
    end

    ArrivesOnAVc: assert property (@(posedge clk_i) disable iff (!rst_ni)
        valid_i[p] |-> (32'(vc_in) < PortVcs));
    LeavesOnAVc: assert property (@(posedge clk_i) disable iff (!rst_ni)
        valid_o[p] |-> (32'(vc_out) < PortVcs));
  end

  AsleepMeansQuiet: assert property (@(posedge clk_i) disable iff (!rst_ni)
      !active_o |-> ((valid_o == '0) && (credit_o == '0) && (ack_o == '0)));
  WakesByItsInputsOnly: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (!active_o && (valid_i == '0) && (credit_i == '0) && (ack_i == '0) && (repeats_i == '0))
      |=> !active_o);

endmodule

bind allport_router_core allport_router_properties #(
  .Config(Config)
) u_properties (
  .clk_i(clk_i),
  .rst_ni(rst_ni),
  .repeats_i(repeats_i),
  .valid_i(valid_i),
  .flit_i(flit_i),
  .credit_o(credit_o),
  .valid_o(valid_o),
  .flit_o(flit_o),
  .credit_i(credit_i),
  .ack_o(ack_o),
  .ack_i(ack_i),
  .active_o(active_o)
);
