// SPDX-License-Identifier: Apache-2.0
// The sum of two numbers in single precision, as IEEE 754 has it: rounded to the nearest, a tie to
// the even one, with subnormal numbers and infinities. What is no number is 7fc00000.
// Combinational.

module allport_float_sum (
  input  logic [31:0] first_i,
  input  logic [31:0] second_i,
  output logic [31:0] sum_o
);

  localparam logic [31:0] NoNumber = 32'h7fc00000;
  localparam logic [7:0] AllOnes = 8'hff;
  localparam int unsigned Guards = 3;  // bits behind the last: guard, round, sticky
  localparam int unsigned SumWidth = 25 + Guards;

  logic [31:0] larger, smaller;  // by magnitude
  logic [7:0] exponent, distance, leading, shift;
  logic [SumWidth-1:0] augend, addend, shifted, sum;
  logic [SumWidth-2:0] normal;
  logic [8:0] raised;    // the exponent before it is rounded
  logic [24:0] rounded;  // the significand, with a carry
  logic is_lost, is_difference, is_no_number, rounds_up;

  // The exponent of a subnormal number is that of the smallest normal ones.
  function automatic logic [7:0] exponent_of(input logic [7:0] field);
    exponent_of = (field == '0) ? 8'd1 : field;
  endfunction

  function automatic logic [SumWidth-1:0] significand(input logic [30:0] number);
    significand = {1'b0, number[30:23] != '0, number[22:0], 3'b000};
  endfunction

  function automatic logic is_nan(input logic [30:0] number);
    is_nan = (number[30:23] == AllOnes) && (number[22:0] != '0);
  endfunction

  // Align: what is shifted out of the smaller one sticks to its lowest bit.
  always_comb begin
    {larger, smaller} = (first_i[30:0] < second_i[30:0]) ? {second_i, first_i}
                                                         : {first_i, second_i};
    exponent = exponent_of(larger[30:23]);
    distance = exponent - exponent_of(smaller[30:23]);
    augend = significand(larger[30:0]);
    addend = significand(smaller[30:0]);
    shifted = addend >> distance;
    is_lost = (shifted << distance) != addend;
    is_difference = larger[31] != smaller[31];
    shifted[0] = shifted[0] || is_lost;
    sum = is_difference ? augend - shifted : augend + shifted;
  end

  // Normalize: left until the first bit is a one or the number is subnormal, or right by a carry.
  always_comb begin
    leading = '0;
    for (int unsigned i = 0; i < SumWidth - 1; i++) begin
      if (sum[i]) leading = 8'(SumWidth - 2 - i);
    end
    shift = (leading < exponent) ? leading : exponent - 8'd1;
    normal = sum[SumWidth-2:0] << shift;
    raised = 9'(exponent) - 9'(shift);
    if (sum[SumWidth-1]) begin
      normal = {sum[SumWidth-1:2], sum[1] || sum[0]};
      raised = 9'(exponent) + 9'd1;
    end
  end

  // Round; a carry leaves a significand of zeros behind a one.
  always_comb begin
    rounds_up = normal[2] && (normal[3] || (normal[1:0] != '0));
    rounded = 25'(normal[SumWidth-2:Guards]) + 25'(rounds_up);
    is_no_number = is_nan(first_i[30:0]) || is_nan(second_i[30:0])
        || ((smaller[30:23] == AllOnes) && is_difference);
    sum_o = {larger[31], 8'(raised), rounded[22:0]};
    if (rounded[24]) sum_o = {larger[31], 8'(raised + 9'd1), rounded[23:1]};
    else if (!rounded[23]) sum_o[30:23] = '0;
    if ((raised >= 9'd255) || (sum_o[30:23] == AllOnes)) sum_o[30:0] = {AllOnes, 23'd0};
    if (sum == '0) sum_o = {larger[31] && smaller[31], 31'd0};
    if (larger[30:23] == AllOnes) sum_o = larger;
    if (is_no_number) sum_o = NoNumber;
  end

endmodule
