// SPDX-License-Identifier: Apache-2.0
// The registers before route computation in a router with a route delay: a head that is at the
// front of its buffer from cycle c on is shown from cycle c + Stages on, until it leaves. With
// HasJoins the contributions of others to a join are not shown, since they have no route.

module allport_head_register #(
  /// The router.
  parameter allport_pkg::router_config_t Config = allport_pkg::Hypercube3,
  /// Registers, one behind the other, 1 .. 4.
  parameter int unsigned Stages = 1,
  localparam int unsigned InputVcs = Config.InputVcs,
  localparam int unsigned HeaderWidth = Config.HeaderWidth
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic [InputVcs-1:0]             head_i,       // a head is at the front ...
  input  logic [InputVcs*HeaderWidth-1:0] header_i,     // ... with this header
  input  logic [InputVcs-1:0]             left_i,       // the front flit leaves
  output logic [InputVcs-1:0]             head_o,       // registers
  output logic [InputVcs*HeaderWidth-1:0] header_o,     // registers
  output logic                            is_waiting_o  // a head is on its way through them
);

  localparam int unsigned KindWidth = allport_pkg::KindWidth;

  logic [InputVcs-1:0] is_waiting;

  for (genvar iv = 0; iv < InputVcs; iv++) begin : gen_input_vc
    logic [HeaderWidth-1:0] header, entered;
    logic [KindWidth-1:0] kind;
    logic [HeaderWidth-KindWidth-1:0] unused_rest;
    logic unused_kind;  // without joins
    logic has_route, enters;
    logic [Stages-1:0] head_d, head_q;
    logic [Stages*HeaderWidth-1:0] header_d, header_q;

    assign header = header_i[iv * HeaderWidth +: HeaderWidth];
    assign {kind, unused_rest} = header;
    assign unused_kind = ^kind;
    assign has_route = !(Config.HasJoins && (iv < Config.ExternalVcs)
        && allport_pkg::is_join(kind));
    assign enters = head_i[iv] && has_route && (head_q == '0);

    // In the last register it stays.
    always_comb begin
      head_d = Stages'({head_q, enters});
      if (head_q[Stages-1]) head_d[Stages-1] = 1'b1;
      if (left_i[iv]) head_d = '0;
    end
    assign entered = enters ? header : header_q[HeaderWidth-1:0];
    assign header_d = (Stages * HeaderWidth)'({header_q, entered});

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) head_q <= '0;
      else head_q <= head_d;
    end

    always_ff @(posedge clk_i) header_q <= header_d;

    assign head_o[iv] = head_q[Stages-1];
    assign header_o[iv * HeaderWidth +: HeaderWidth] =
        header_q[(Stages - 1) * HeaderWidth +: HeaderWidth];
    assign is_waiting[iv] = enters || ((head_q << 1) != '0);
  end

  assign is_waiting_o = is_waiting != '0;

endmodule
