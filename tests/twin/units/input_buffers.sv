// SPDX-License-Identifier: Apache-2.0
// Input buffers of several routers side by side, as input_buffer_unit_test.cpp counts on it.

module input_buffers #(
  localparam int unsigned Units = 5,
  localparam int unsigned Stride = 576
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [Stride-1:0] valid_i [Units],
  input  logic [Stride-1:0] flit_i [Units],
  output logic [Stride-1:0] credit_o [Units],
  output logic [Stride-1:0] credit_vc_o [Units],
  output logic [Stride-1:0] push_o [Units],
  output logic [Stride-1:0] occupied_o [Units],
  output logic [Stride-1:0] head_o [Units],
  output logic [Stride-1:0] tail_o [Units],
  output logic [Stride-1:0] is_whole_o [Units],
  output logic [Stride-1:0] header_o [Units],
  output logic [Stride-1:0] front_o [Units],
  input  logic [Stride-1:0] pop_i [Units]
);

  // hypercube:3, ring:5, ring:5, hypercube:1, hypercube:1 with three message classes
  localparam int unsigned Topology [Units] = '{0, 1, 1, 0, 0};
  localparam int unsigned Dimensions [Units] = '{3, 1, 1, 1, 1};
  localparam int unsigned Internal [Units] = '{3, 1, 2, 1, 1};
  localparam int unsigned Vcs [Units] = '{1, 2, 4, 3, 3};
  localparam int unsigned Depth [Units] = '{1, 2, 3, 5, 2};

  // They watch for whole messages, though no head has a length.
  function automatic allport_pkg::router_config_t config_of(input int unsigned u);
    config_of = router_configs::router_of(.topology(Topology[u]), .dimensions(Dimensions[u]),
        .sides(48'd5), .internal_ports(Internal[u]), .vcs(Vcs[u]), .depth(Depth[u]),
        .data_width(40), .classes((u == 4) ? 3 : 1));
    config_of.Switching = allport_pkg::SwitchingStoreAndForward;
  endfunction

  for (genvar u = 0; u < Units; u++) begin : gen_unit
    localparam allport_pkg::router_config_t Config = config_of(u);
    localparam int unsigned Ports = Config.Ports;
    localparam int unsigned InputVcs = Config.InputVcs;

    allport_input_buffer #(
      .Config(Config)
    ) u_input_buffer (
      .clk_i,
      .rst_ni,
      .valid_i(valid_i[u][0 +: Ports]),
      .flit_i(flit_i[u][0 +: Ports * Config.FlitWidth]),
      .credit_o(credit_o[u][0 +: Ports]),
      .credit_vc_o(credit_vc_o[u][0 +: Ports * Config.VcWidth]),
      .push_o(push_o[u][0 +: InputVcs]),
      .occupied_o(occupied_o[u][0 +: InputVcs]),
      .head_o(head_o[u][0 +: InputVcs]),
      .tail_o(tail_o[u][0 +: InputVcs]),
      .is_whole_o(is_whole_o[u][0 +: InputVcs]),
      .header_o(header_o[u][0 +: InputVcs * Config.HeaderWidth]),
      .front_o(front_o[u][0 +: InputVcs * Config.StoredWidth]),
      .pop_i(pop_i[u][0 +: InputVcs])
    );
  end

endmodule
