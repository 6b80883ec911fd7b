// SPDX-License-Identifier: Apache-2.0
// The registers of a link in one direction: a flit or a credit that enters at one end in cycle c is
// at the other end in cycle c + Delay. It is not a FIFO: nothing ever waits in it. Without valid
// the data mean nothing, so no reset goes to them.

module allport_channel #(
  /// Bits that travel beside valid.
  parameter int unsigned Width = 64,
  /// Registers on the way, 0 .. 1024.
  parameter int unsigned Delay = 0
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             valid_i,
  input  logic [Width-1:0] data_i,
  output logic             valid_o,
  output logic [Width-1:0] data_o
);

  if (Delay == 0) begin : gen_wire
    logic unused_clock;

    assign valid_o = valid_i;
    assign data_o = data_i;
    assign unused_clock = ^{clk_i, rst_ni};
  end else begin : gen_registers
    logic [Delay-1:0] valid_d, valid_q;
    logic [Delay*Width-1:0] data_d, data_q;

    assign valid_d = Delay'({valid_q, valid_i});
    assign data_d = (Delay * Width)'({data_q, data_i});

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= '0;
      else valid_q <= valid_d;
    end

    always_ff @(posedge clk_i) data_q <= data_d;

    assign valid_o = valid_q[Delay-1];
    assign data_o = data_q[(Delay - 1) * Width +: Width];
  end

endmodule
