// SPDX-License-Identifier: Apache-2.0
// Arbiters of several sizes side by side, as round_robin_arbiter_unit_test.cpp counts on it.

module round_robin_arbiters #(
  localparam int unsigned Units = 5,
  localparam int unsigned Stride = 128
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [Stride-1:0] request_i [Units],
  output logic [Stride-1:0] grant_o [Units],
  input  logic [Stride-1:0] won_i [Units]
);

  localparam int unsigned Requesters [Units] = '{1, 2, 5, 12, 33};

  for (genvar u = 0; u < Units; u++) begin : gen_unit
    localparam int unsigned N = Requesters[u];

    allport_round_robin_arbiter #(
      .Requesters(N)
    ) u_arbiter (
      .clk_i,
      .rst_ni,
      .request_i(request_i[u][0 +: N]),
      .grant_o(grant_o[u][0 +: N]),
      .won_i(won_i[u][0])
    );
  end

endmodule
