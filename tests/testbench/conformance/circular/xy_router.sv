// SPDX-License-Identifier: Apache-2.0
// The router of docs/examples/ready_valid_router/xy_router.sv in another style: blocks hand structs
// to one another, and one process works on both directions of a handshake. No bit depends on
// itself, but for Verilator the logic is circular (UNOPTFLAT). With GAPS_FAULT a gap inside a
// packet releases its output, so that another one gets in.
package circular_pkg;
  typedef struct packed {
    logic         valid;
    logic         last;
    logic [2:0]   way;
    logic [255:0] data;
  } request_t;
  typedef struct packed {
    logic ready;
  } response_t;
endpackage

module circular_buffer import circular_pkg::*; (
  input  logic      clk_i,
  input  logic      rst_ni,
  input  request_t  request_i,
  output response_t response_o,
  output request_t  request_o,
  input  response_t response_i
);
  request_t   slot_q [2];
  logic [1:0] count_q;
  logic       read_q, write_q, push, pop;

  always_comb begin
    request_o = slot_q[read_q];
    request_o.valid = count_q != 2'd0;
    response_o.ready = count_q != 2'd2;
    push = request_i.valid && response_o.ready;
    pop = request_o.valid && response_i.ready;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= 2'd0;
      read_q  <= 1'b0;
      write_q <= 1'b0;
    end else begin
      count_q <= count_q + 2'(push) - 2'(pop);
      read_q  <= read_q ^ pop;
      write_q <= write_q ^ push;
    end
  end
  always_ff @(posedge clk_i) if (push) slot_q[write_q] <= request_i;
endmodule

module circular_input import circular_pkg::*; (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  request_t        request_i,
  output response_t       response_o,
  output request_t  [4:0] request_o,
  input  response_t [4:0] response_i
);
  request_t  front;
  response_t back;

  circular_buffer u_buffer (
    .request_o(front),
    .response_i(back),
    .*
  );
  always_comb begin
    request_o = '0;
    back = '0;
    for (int unsigned o = 0; o < 5; o++) begin
      request_o[o] = front;
      request_o[o].valid = front.valid && 32'(front.way) == o;
      if (32'(front.way) == o) back.ready = response_i[o].ready;
    end
  end
endmodule

module circular_output import circular_pkg::*; (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  request_t  [4:0] request_i,
  output response_t [4:0] response_o,
  output request_t        request_o,
  input  response_t       response_i
);
  logic       is_held_q, found;
  logic [2:0] from_q, from;

  always_comb begin
    response_o = '0;
    request_o = '0;
    from = from_q;
    found = is_held_q && request_i[from_q].valid;
    for (int unsigned n = 1; n <= 5; n++) begin
      if (!is_held_q && !found && request_i[(32'(from_q) + n) % 5].valid) begin
        from = 3'((32'(from_q) + n) % 5);
        found = 1'b1;
      end
    end
    if (found) begin
      request_o = request_i[from];
      response_o[from].ready = response_i.ready;
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      is_held_q <= 1'b0;
      from_q    <= 3'd4;
    end else if (request_o.valid && response_i.ready) begin
      is_held_q <= !request_o.last;
      from_q    <= from;
`ifdef GAPS_FAULT
    end else if (!request_i[from_q].valid) begin
      is_held_q <= 1'b0;
`endif
    end
  end
endmodule

module xy_router import circular_pkg::*; #(
  parameter int unsigned XWidth = 2,
  parameter int unsigned YWidth = 2,
  parameter int unsigned Width  = 64
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic [XWidth-1:0]      x_i,
  input  logic [YWidth-1:0]      y_i,
  input  logic [4:0]             valid_i,
  output logic [4:0]             ready_o,
  input  logic [4:0]             last_i,
  input  logic [4:0][XWidth-1:0] to_x_i,
  input  logic [4:0][YWidth-1:0] to_y_i,
  input  logic [4:0][Width-1:0]  data_i,
  output logic [4:0]             valid_o,
  input  logic [4:0]             ready_i,
  output logic [4:0][Width-1:0]  data_o
);
  request_t  [4:0]      in_request, out_request;
  response_t [4:0]      in_response, out_response;
  request_t  [4:0][4:0] from_input, to_output;
  response_t [4:0][4:0] to_input, from_output;

  always_comb begin
    for (int unsigned i = 0; i < 5; i++) begin
      in_request[i].valid = valid_i[i];
      in_request[i].last = last_i[i];
      in_request[i].data = 256'(data_i[i]);
      if (to_x_i[i] > x_i) in_request[i].way = 3'd0;
      else if (to_x_i[i] < x_i) in_request[i].way = 3'd1;
      else if (to_y_i[i] > y_i) in_request[i].way = 3'd2;
      else if (to_y_i[i] < y_i) in_request[i].way = 3'd3;
      else in_request[i].way = 3'd4;
      ready_o[i] = in_response[i].ready;
      valid_o[i] = out_request[i].valid;
      data_o[i] = out_request[i].data[Width-1:0];
      out_response[i].ready = ready_i[i];
      for (int unsigned o = 0; o < 5; o++) begin
        to_output[o][i] = from_input[i][o];
        to_input[i][o] = from_output[o][i];
      end
    end
  end

  for (genvar i = 0; i < 5; i++) begin : gen_port
    circular_input u_input (
      .clk_i,
      .rst_ni,
      .request_i(in_request[i]),
      .response_o(in_response[i]),
      .request_o(from_input[i]),
      .response_i(to_input[i])
    );
    circular_output u_output (
      .clk_i,
      .rst_ni,
      .request_i(to_output[i]),
      .response_o(from_output[i]),
      .request_o(out_request[i]),
      .response_i(out_response[i])
    );
  end

endmodule
