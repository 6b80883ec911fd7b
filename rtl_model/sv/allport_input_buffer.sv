// SPDX-License-Identifier: Apache-2.0
// The input buffers of one router: a fall-through FIFO of Depth flits for each virtual channel of
// each input. A flit on the wires of an input in cycle c is in the FIFO that its vc names in cycle
// c, and can leave in cycle c; its credit is then on the wire in cycle c + 1. Only the front flit
// is visible, and with StoresMessages whether all of its message up to the tail has arrived. Every
// flit accepted needs a credit. Flits are kept without their vc.

module allport_input_buffer #(
  /// The router.
  parameter allport_pkg::router_config_t Config = allport_pkg::Hypercube3,
  localparam int unsigned Ports = Config.Ports,
  localparam int unsigned InputVcs = Config.InputVcs,
  localparam int unsigned VcWidth = Config.VcWidth,
  localparam int unsigned HeaderWidth = Config.HeaderWidth,
  localparam int unsigned StoredWidth = Config.StoredWidth,
  localparam int unsigned FlitWidth = Config.FlitWidth
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic [Ports-1:0]                valid_i,
  input  logic [Ports*FlitWidth-1:0]      flit_i,
  output logic [Ports-1:0]                credit_o,     // register
  output logic [Ports*VcWidth-1:0]        credit_vc_o,  // register
  output logic [InputVcs-1:0]             push_o,       // a flit arrives in this cycle
  output logic [InputVcs-1:0]             occupied_o,   // there is a front flit ...
  output logic [InputVcs-1:0]             head_o,       // ... a head
  output logic [InputVcs-1:0]             tail_o,       // ... a tail
  output logic [InputVcs-1:0]             is_whole_o,   // its whole message is here
  output logic [InputVcs*HeaderWidth-1:0] header_o,
  output logic [InputVcs*StoredWidth-1:0] front_o,
  input  logic [InputVcs-1:0]             pop_i
);

  localparam int unsigned ExternalPorts = Config.ExternalPorts;
  localparam int unsigned Vcs = Config.Vcs;
  localparam int unsigned Classes = Config.Classes;
  localparam int unsigned Depth = Config.Depth;
  localparam int unsigned DataWidth = Config.DataWidth;

  logic [Ports-1:0] credit_d, credit_q;
  logic [Ports*VcWidth-1:0] credit_vc_d, credit_vc_q;
  logic [InputVcs-1:0] push_tail;

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    localparam int unsigned PortVcs = (p < ExternalPorts) ? Vcs : Classes;
    localparam int unsigned First = (p < ExternalPorts) ? p * Vcs
        : (p - ExternalPorts) * Classes + ExternalPorts * Vcs;
    logic [FlitWidth-1:0] flit;
    logic [VcWidth-1:0] vc;
    logic [StoredWidth-1:0] stored;

    assign flit = flit_i[p * FlitWidth +: FlitWidth];
    assign vc = flit[HeaderWidth + DataWidth +: VcWidth];
    assign stored = {flit[FlitWidth-1 -: 2], flit[HeaderWidth + DataWidth - 1 : 0]};

    for (genvar v = 0; v < PortVcs; v++) begin : gen_vc
      localparam int unsigned Iv = First + v;
      logic [StoredWidth-1:0] front;
      logic is_named;

      if (PortVcs == 1) begin : gen_only
        assign is_named = 1'b1;
      end else begin : gen_one_of_many
        assign is_named = vc == VcWidth'(v);
      end
      assign push_o[Iv] = valid_i[p] && is_named;
      assign push_tail[Iv] = push_o[Iv] && stored[StoredWidth-2];

      allport_fifo #(
        .Width(StoredWidth),
        .Depth(Depth)
      ) u_fifo (
        .clk_i,
        .rst_ni,
        .push_i(push_o[Iv]),
        .flit_i(stored),
        .occupied_o(occupied_o[Iv]),
        .front_o(front),
        .pop_i(pop_i[Iv])
      );

      assign head_o[Iv] = occupied_o[Iv] && front[StoredWidth-1];
      assign tail_o[Iv] = occupied_o[Iv] && front[StoredWidth-2];
      assign header_o[Iv * HeaderWidth +: HeaderWidth] = front[DataWidth +: HeaderWidth];
      assign front_o[Iv * StoredWidth +: StoredWidth] = front;
    end

    if (PortVcs == 1) begin : gen_only_credit
      assign credit_d[p] = pop_i[First];
      assign credit_vc_d[p * VcWidth +: VcWidth] = '0;
      logic unused_vc;
      assign unused_vc = ^vc;
    end else begin : gen_credit_vc
      logic [VcWidth-1:0] freed;

      always_comb begin
        freed = '0;
        for (int unsigned v = 0; v < PortVcs; v++) begin
          if (pop_i[First + v]) freed = VcWidth'(v);
        end
      end
      assign credit_d[p] = pop_i[First +: PortVcs] != '0;
      assign credit_vc_d[p * VcWidth +: VcWidth] = freed;
    end
  end

  if (Config.Switching == allport_pkg::SwitchingStoreAndForward) begin : gen_message_store
    allport_message_store #(
      .InputVcs(InputVcs),
      .Depth(Depth)
    ) u_message_store (
      .clk_i,
      .rst_ni,
      .push_tail_i(push_tail),
      .pop_tail_i(pop_i & tail_o),
      .is_whole_o
    );
  end else begin : gen_no_message_store
    logic unused_tails;

    assign is_whole_o = '1;
    assign unused_tails = ^push_tail;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      credit_q <= '0;
      credit_vc_q <= '0;
    end else begin
      credit_q <= credit_d;
      credit_vc_q <= credit_vc_d;
    end
  end

  assign credit_o = credit_q;
  assign credit_vc_o = credit_vc_q;

endmodule
