// SPDX-License-Identifier: Apache-2.0
// What a join computes of two words, lane by lane, the first one first (docs/joins.md): sum, min, max,
// and, or, xor of unsigned integers of 32 or 64 bits; sums are modulo the width of the lane. Of lanes
// of another type it computes what it does of 32 bits. Combinational.

module allport_combine #(
  /// 32 or 64.
  parameter int unsigned Width = 64
) (
  input  logic [2:0]       operation_i,
  input  logic             is_wide_i,  // lanes of 64 bits
  input  logic [Width-1:0] first_i,
  input  logic [Width-1:0] second_i,
  output logic [Width-1:0] result_o
);

  localparam int unsigned Lanes = Width / 32;
  localparam logic [2:0] OperationMin = 3'd1;
  localparam logic [2:0] OperationMax = 3'd2;
  localparam logic [2:0] OperationAnd = 3'd3;
  localparam logic [2:0] OperationOr = 3'd4;
  localparam logic [2:0] OperationXor = 3'd5;

  logic [Width-1:0] sum, smaller, larger;
  logic [Lanes-1:0] is_less, takes_second;  // first < second; it is the smaller one, or equal
  logic carry;                              // out of the lowest lane

  assign {carry, sum[31:0]} = {1'b0, first_i[31:0]} + {1'b0, second_i[31:0]};

  for (genvar i = 0; i < Lanes; i++) begin : gen_lane
    logic [31:0] first, second;

    assign first = first_i[32 * i +: 32];
    assign second = second_i[32 * i +: 32];
    assign is_less[i] = first < second;
    assign smaller[32 * i +: 32] = takes_second[i] ? second : first;
    assign larger[32 * i +: 32] = takes_second[i] ? first : second;
  end

  if (Lanes == 2) begin : gen_wide
    logic is_less_as_one;

    assign sum[63:32] = first_i[63:32] + second_i[63:32] + 32'(carry && is_wide_i);
    assign is_less_as_one = is_less[1] || ((first_i[63:32] == second_i[63:32]) && is_less[0]);
    assign takes_second = is_wide_i ? {2{!is_less_as_one}} : ~is_less;
  end else begin : gen_narrow
    logic unused_wide;

    assign takes_second = ~is_less;
    assign unused_wide = carry || is_wide_i;
  end

  always_comb begin
    case (operation_i)
      OperationMin: result_o = smaller;
      OperationMax: result_o = larger;
      OperationAnd: result_o = first_i & second_i;
      OperationOr: result_o = first_i | second_i;
      OperationXor: result_o = first_i ^ second_i;
      default: result_o = sum;
    endcase
  end

endmodule
