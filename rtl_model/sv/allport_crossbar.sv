// SPDX-License-Identifier: Apache-2.0
// The crossbar: in a cycle it connects at most one input to each output and passes one flit over
// each connection, to one or, for a replicated flit, several outputs. In cycle c + 1 an output
// carries what was passed to it in cycle c, with its new vc, and on an external output with the
// header as the stripping unit leaves it. Grants must be one-hot. With CrossbarDelay there is a
// register before the crossbar, and if it is more than 1 there are others behind it: the output
// carries a flit CrossbarDelay cycles later.

module allport_crossbar #(
  /// The router.
  parameter allport_pkg::router_config_t Config = allport_pkg::Hypercube3,
  localparam int unsigned Ports = Config.Ports,
  localparam int unsigned InputVcs = Config.InputVcs,
  localparam int unsigned VcWidth = Config.VcWidth,
  localparam int unsigned AddressWidth = Config.AddressWidth,
  localparam int unsigned StoredWidth = Config.StoredWidth,
  localparam int unsigned FlitWidth = Config.FlitWidth
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic [AddressWidth-1:0]         node_i,
  input  logic [InputVcs*StoredWidth-1:0] front_i,
  input  logic [InputVcs-1:0]             chosen_i,  // at most one VC of an input
  input  logic [Ports*Ports-1:0]          grant_i,   // output p takes from input i: p*Ports + i
  input  logic [Ports*VcWidth-1:0]        vc_i,      // by output
  output logic [Ports-1:0]                valid_o,   // registers
  output logic [Ports*FlitWidth-1:0]      flit_o,
  output logic                            is_crossing_o  // a flit is on its way to an output
);

  localparam int unsigned ExternalPorts = Config.ExternalPorts;
  localparam int unsigned ExternalVcs = Config.ExternalVcs;
  localparam int unsigned Vcs = Config.Vcs;
  localparam int unsigned Classes = Config.Classes;
  localparam int unsigned MaxVia = Config.MaxVia;
  localparam int unsigned CrossbarDelay = Config.CrossbarDelay;

  logic [Ports-1:0] valid_d, valid_q;
  logic [StoredWidth-1:0] front [InputVcs];
  logic [StoredWidth-1:0] offered [Ports];  // by each input, where the crossbar begins, ...
  logic [Ports*Ports-1:0] grant;            // ... with these connections ...
  logic [Ports*VcWidth-1:0] vc;             // ... and these VCs

  if (MaxVia == 0) begin : gen_no_lists
    logic unused_node;
    assign unused_node = ^node_i;
  end

  for (genvar iv = 0; iv < InputVcs; iv++) begin : gen_front
    assign front[iv] = front_i[iv * StoredWidth +: StoredWidth];
  end

  for (genvar i = 0; i < Ports; i++) begin : gen_input
    localparam int unsigned PortVcs = (i < ExternalPorts) ? Vcs : Classes;
    localparam int unsigned First =
        (i < ExternalPorts) ? i * Vcs : ExternalVcs + (i - ExternalPorts) * Classes;
    logic [StoredWidth-1:0] flit;

    if (PortVcs > 1) begin : gen_choice
      always_comb begin
        flit = front[First];
        for (int unsigned v = 1; v < PortVcs; v++) begin
          if (chosen_i[First + v]) flit = front[First + v];
        end
      end
    end else begin : gen_no_choice
      logic unused_chosen;

      assign flit = front[First];
      assign unused_chosen = chosen_i[First];
    end
  end

  if (CrossbarDelay == 0) begin : gen_at_once
    for (genvar i = 0; i < Ports; i++) begin : gen_offer
      assign offered[i] = gen_input[i].flit;
    end
    assign grant = grant_i;
    assign vc = vc_i;
    assign is_crossing_o = 1'b0;
  end else begin : gen_delay
    logic [Ports*StoredWidth-1:0] flits, flits_then;
    logic [CrossbarDelay-1:0] crossing_d, crossing_q;  // by cycles since the decision

    for (genvar i = 0; i < Ports; i++) begin : gen_offer
      assign flits[i * StoredWidth +: StoredWidth] = gen_input[i].flit;
      assign offered[i] = flits_then[i * StoredWidth +: StoredWidth];
    end

    allport_crossing_register #(
      .Config(Config)
    ) u_crossing_register (
      .clk_i,
      .rst_ni,
      .flit_i(flits),
      .grant_i,
      .vc_i,
      .flit_o(flits_then),
      .grant_o(grant),
      .vc_o(vc)
    );

    assign crossing_d = CrossbarDelay'({crossing_q, grant_i != '0});
    assign is_crossing_o = crossing_q != '0;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) crossing_q <= '0;
      else crossing_q <= crossing_d;
    end
  end

  for (genvar p = 0; p < Ports; p++) begin : gen_output
    logic [FlitWidth-1:0] crossed, leaving, flit_q;
    logic [StoredWidth-1:0] passed, onward;
    logic is_passing;

    assign is_passing = grant[p * Ports +: Ports] != '0;

    if ((p < ExternalPorts) && (MaxVia > 0)) begin : gen_stripping
      localparam int unsigned DataWidth = Config.DataWidth;
      localparam int unsigned HeaderWidth = Config.HeaderWidth;
      logic [HeaderWidth-1:0] header;
      logic unused_stripped;

      allport_stripping_unit #(
        .Config(Config)
      ) u_stripping_unit (
        .node_i,
        .header_i(passed[DataWidth +: HeaderWidth]),
        .header_o(header),
        .is_stripped_o(unused_stripped)
      );
      assign onward = {passed[StoredWidth-1 -: 2], header, passed[DataWidth-1:0]};
    end else begin : gen_as_it_came
      assign onward = passed;
    end

    always_comb begin
      passed = '0;
      for (int unsigned i = 0; i < Ports; i++) begin
        if (grant[p * Ports + i]) passed = passed | offered[i];
      end
    end
    assign crossed = {onward[StoredWidth-1 -: 2], vc[p * VcWidth +: VcWidth],
                      onward[StoredWidth-3:0]};

    if (CrossbarDelay > 1) begin : gen_further
      allport_channel #(
        .Width(FlitWidth),
        .Delay(CrossbarDelay - 1)
      ) u_further_registers (
        .clk_i,
        .rst_ni,
        .valid_i(is_passing),
        .data_i(crossed),
        .valid_o(valid_d[p]),
        .data_o(leaving)
      );
    end else begin : gen_no_further
      assign valid_d[p] = is_passing;
      assign leaving = crossed;
    end

    // Without valid it means nothing, so no reset goes to it, and nothing holds it.
    always_ff @(posedge clk_i) flit_q <= leaving;

    assign flit_o[p * FlitWidth +: FlitWidth] = flit_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= valid_d;
  end

  assign valid_o = valid_q;

endmodule
