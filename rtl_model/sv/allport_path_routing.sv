// SPDX-License-Identifier: Apache-2.0
// The output of a path worm at this node of a hypercube (docs/router.md, section 7): along the
// Hamiltonian path that starts at its source and crosses in its i-th step the dimension in which
// the (i - 1)-th and i-th words of the binary-reflected Gray code differ. The node's place on the
// path is the number whose Gray word is its difference from the source; the dimension to cross is
// the number of trailing ones of that place. If there is no output, the path ends here.
// Combinational.

module allport_path_routing #(
  /// Dimensions, 1 .. 10.
  parameter int unsigned Dimensions = 3
) (
  input  logic [Dimensions-1:0] node_i,
  input  logic [Dimensions-1:0] source_i,
  output logic [Dimensions-1:0] outputs_o
);

  logic [Dimensions-1:0] place;  // on the path, 0 at the source

  always_comb begin
    place = node_i ^ source_i;
    for (int unsigned i = 1; i < Dimensions; i = 2 * i) place = place ^ (place >> i);
  end

  assign outputs_o = ~place & (place + Dimensions'(1));

endmodule
