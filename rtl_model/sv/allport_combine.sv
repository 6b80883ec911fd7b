// SPDX-License-Identifier: Apache-2.0
// What a join computes of two words, lane by lane, the first one first (docs/joins.md): sum, min,
// max, and, or, xor of unsigned integers of 32 or 64 bits, whose sums are modulo the width of the
// lane; sum, min and max of numbers in single precision. Of two such numbers that are equal, min
// and max take the first, and they take the second where one is not a number (NaN); a sum that is
// NaN is 7fc00000. The module is combinational.

module allport_combine #(
  /// 32 or 64.
  parameter int unsigned Width = 64,
  /// 0: there is no unit for numbers in single precision; they are taken for integers.
  parameter bit HasFloats = 1
) (
  input  logic [2:0]       operation_i,
  input  logic [1:0]       type_i,  // 0: u32, 1: u64, 2: float32
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
  localparam logic [1:0] TypeU64 = 2'd1;
  localparam logic [1:0] TypeFloat32 = 2'd2;

  logic [Width-1:0] sum, smaller, larger;
  logic [Lanes-1:0] is_less, takes_first;  // first < second; first is the smaller one
  logic is_wide, carry;                    // carry: out of the lowest lane

  assign is_wide = type_i == TypeU64;
  assign {carry, sum[31:0]} = {1'b0, first_i[31:0]} + {1'b0, second_i[31:0]};

  for (genvar i = 0; i < Lanes; i++) begin : gen_lane
    assign is_less[i] = first_i[32 * i +: 32] < second_i[32 * i +: 32];
    assign smaller[32 * i +: 32] =
        takes_first[i] ? first_i[32 * i +: 32] : second_i[32 * i +: 32];
    assign larger[32 * i +: 32] =
        takes_first[i] ? second_i[32 * i +: 32] : first_i[32 * i +: 32];
  end

  if (Lanes == 2) begin : gen_wide
    logic is_less_as_one;

    assign sum[63:32] = first_i[63:32] + second_i[63:32] + 32'(carry && is_wide);
    assign is_less_as_one = is_less[1] || ((first_i[63:32] == second_i[63:32]) && is_less[0]);
    assign takes_first = is_wide ? {2{is_less_as_one}} : is_less;
  end else begin : gen_narrow
    logic unused_wide;

    assign takes_first = is_less;
    assign unused_wide = carry || is_wide;
  end

  // Numbers in single precision.
  logic [Width-1:0] float_sum, float_smaller, float_larger;

  if (HasFloats) begin : gen_floats
    for (genvar i = 0; i < Lanes; i++) begin : gen_float
      logic [31:0] first, second, other;  // other: what is taken for the second
      logic is_nan, is_second_nan, is_equal, is_below;

      assign first = first_i[32 * i +: 32];
      assign second = second_i[32 * i +: 32];
      assign is_second_nan = (second[30:23] == '1) && (second[22:0] != '0);
      assign other = is_second_nan ? 32'h7fc00000 : second;

      allport_float_sum u_sum (
        .first_i(first),
        .second_i(second),
        .sum_o(float_sum[32 * i +: 32])
      );

      // Magnitudes are ordered as integers; the two zeros are equal.
      assign is_nan = is_second_nan || ((first[30:23] == '1) && (first[22:0] != '0));
      assign is_equal = (first == second) || ((first[30:0] | second[30:0]) == '0);
      always_comb begin
        case ({first[31], second[31]})
          2'b00: is_below = first[30:0] < second[30:0];
          2'b01: is_below = 1'b0;
          2'b10: is_below = 1'b1;
          default: is_below = first[30:0] > second[30:0];
        endcase
      end
      assign float_smaller[32 * i +: 32] = (!is_nan && (is_equal || is_below)) ? first : other;
      assign float_larger[32 * i +: 32] = (!is_nan && (is_equal || !is_below)) ? first : other;
    end
  end else begin : gen_no_floats
    assign float_sum = sum;
    assign float_smaller = smaller;
    assign float_larger = larger;
  end

  always_comb begin
    case (operation_i)
      OperationMin: result_o = (type_i == TypeFloat32) ? float_smaller : smaller;
      OperationMax: result_o = (type_i == TypeFloat32) ? float_larger : larger;
      OperationAnd: result_o = first_i & second_i;
      OperationOr: result_o = first_i | second_i;
      OperationXor: result_o = first_i ^ second_i;
      default: result_o = (type_i == TypeFloat32) ? float_sum : sum;
    endcase
  end

endmodule
