// SPDX-License-Identifier: Apache-2.0
// The output of a unicast at this node of a hypercube with adaptive routing (docs/router.md,
// section 6), as long as it has no virtual channel: the highest dimension in which node and address
// differ, if that output has a free VC; otherwise the next lower dimension in which they differ and
// whose output has a free VC other than the first, which is for e-cube alone; otherwise it waits
// for the highest. VCs are those of the message class. If there is no output, the message ends
// here. Combinational.

module allport_adaptive_routing #(
  /// Dimensions, 1 .. 10.
  parameter int unsigned Dimensions = 3
) (
  input  logic [Dimensions-1:0] node_i,
  input  logic                  head_i,              // low: no output
  input  logic [Dimensions-1:0] address_i,
  input  logic [Dimensions-1:0] is_free_i,           // by output: a VC is free ...
  input  logic [Dimensions-1:0] is_adaptive_free_i,  // ... other than the first
  output logic [Dimensions-1:0] outputs_o,
  output logic                  is_detour_o          // not e-cube: not on the first VC
);

  logic [Dimensions-1:0] difference, up_to_highest, highest, detours, up_to_detour;

  always_comb begin
    difference = head_i ? node_i ^ address_i : '0;
    up_to_highest = difference;
    for (int unsigned i = 1; i < Dimensions; i = 2 * i) begin
      up_to_highest = up_to_highest | (up_to_highest >> i);
    end
    highest = up_to_highest & ~(up_to_highest >> 1);
    detours = difference & ~highest & is_adaptive_free_i;
    up_to_detour = detours;
    for (int unsigned i = 1; i < Dimensions; i = 2 * i) begin
      up_to_detour = up_to_detour | (up_to_detour >> i);
    end
    is_detour_o = ((highest & is_free_i) == '0) && (detours != '0);
    outputs_o = is_detour_o ? up_to_detour & ~(up_to_detour >> 1) : highest;
  end

endmodule
