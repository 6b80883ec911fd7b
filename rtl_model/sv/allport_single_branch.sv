// SPDX-License-Identifier: Apache-2.0
// Replaces allport_replication_unit in a router whose worms never have more than one branch: the
// flit at the front of a buffer leaves it when its branch takes it. It has no state. Combinational.

module allport_single_branch #(
  /// The router.
  parameter allport_pkg::router_config_t Config = allport_pkg::Hypercube3,
  localparam int unsigned Ports = Config.Ports,
  localparam int unsigned InputVcs = Config.InputVcs
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic [InputVcs-1:0]       push_i,
  input  logic [InputVcs*Ports-1:0] outputs_i,        // the branch of the worm at the front
  input  logic [InputVcs-1:0]       occupied_i,       // there is a front flit
  input  logic [InputVcs-1:0]       is_replicated_i,
  input  logic [InputVcs-1:0]       asks_i,           // with RouteDelay: it may ask for VCs ...
  output logic [Ports*InputVcs-1:0] asking_o,         // ... by this branch
  output logic [Ports*InputVcs-1:0] pending_o,        // the branch may take the front flit
  input  logic [Ports*InputVcs-1:0] take_i,           // it takes it in this cycle
  output logic [InputVcs-1:0]       done_o,           // it leaves
  output logic                      is_waiting_o      // never: there is no delay
);

  logic unused_inputs;

  always_comb begin
    pending_o = '0;
    for (int unsigned iv = 0; iv < InputVcs; iv++) begin
      if (occupied_i[iv]) begin
        for (int unsigned p = 0; p < Ports; p++) begin
          if (outputs_i[iv * Ports + p]) pending_o[p * InputVcs + iv] = 1'b1;
        end
      end
    end
  end

  if (Config.RouteDelay == 0) begin : gen_as_pending
    logic unused_asks;

    assign asking_o = pending_o;
    assign unused_asks = ^asks_i;
  end else begin : gen_registered
    for (genvar p = 0; p < Ports; p++) begin : gen_output
      for (genvar iv = 0; iv < InputVcs; iv++) begin : gen_input_vc
        assign asking_o[p * InputVcs + iv] = asks_i[iv] && outputs_i[iv * Ports + p];
      end
    end
  end

  always_comb begin
    done_o = '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      done_o = done_o | take_i[p * InputVcs +: InputVcs];
    end
  end

  assign is_waiting_o = 1'b0;
  assign unused_inputs = ^{clk_i, rst_ni, push_i, is_replicated_i};

endmodule
