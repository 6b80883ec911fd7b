// SPDX-License-Identifier: Apache-2.0
// What a join computes, of 64 bits, of 32 bits, and without numbers in single precision, as
// combine_unit_test.cpp counts on it.

module combines (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [2:0]  operation_i,
  input  logic [1:0]  type_i,
  input  logic [63:0] first_i,
  input  logic [63:0] second_i,
  output logic [63:0] wide_o,
  output logic [31:0] narrow_o,
  output logic [63:0] integers_o
);

  logic unused_clock;
  assign unused_clock = ^{clk_i, rst_ni};

  allport_combine #(
    .Width(64)
  ) u_wide (
    .operation_i,
    .type_i,
    .first_i,
    .second_i,
    .result_o(wide_o)
  );

  allport_combine #(
    .Width(32)
  ) u_narrow (
    .operation_i,
    .type_i,
    .first_i(first_i[31:0]),
    .second_i(second_i[31:0]),
    .result_o(narrow_o)
  );

  allport_combine #(
    .Width(64),
    .HasFloats(0)
  ) u_integers (
    .operation_i,
    .type_i,
    .first_i,
    .second_i,
    .result_o(integers_o)
  );

endmodule
