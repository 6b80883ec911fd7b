// SPDX-License-Identifier: Apache-2.0
// An example of a router that somebody has: XY routing on a mesh, a handshake of ready and valid on
// each link, one local port, one register per input, packets that end with `last`. A flit that is
// taken in a cycle is offered on its output in the next one. It knows nothing of allport;
// ready_valid_router.sv beside it wraps it.
module xy_router #(
  parameter int unsigned XWidth = 2,
  parameter int unsigned YWidth = 2,
  parameter int unsigned Width  = 64
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic [XWidth-1:0]      x_i,        // where this router is
  input  logic [YWidth-1:0]      y_i,
  // Links: 0 east, 1 west, 2 north, 3 south, 4 local.
  input  logic [4:0]             valid_i,
  output logic [4:0]             ready_o,
  input  logic [4:0]             last_i,
  input  logic [4:0][XWidth-1:0] to_x_i,     // of all flits of a packet
  input  logic [4:0][YWidth-1:0] to_y_i,
  input  logic [4:0][Width-1:0]  data_i,
  output logic [4:0]             valid_o,
  input  logic [4:0]             ready_i,
  output logic [4:0][Width-1:0]  data_o
);

  typedef struct packed {
    logic              last;
    logic [XWidth-1:0] x;
    logic [YWidth-1:0] y;
    logic [Width-1:0]  data;
  } slot_t;

  slot_t      slot_q [5];
  logic [4:0] full_q, goes;
  logic [2:0] way [5];             // per input: the output that its flit asks for
  logic [4:0] is_held_q, is_held_d;  // per output: it is in the middle of a packet ..
  logic [2:0] from_q [5], from_d [5];  // .. of this input, the last one that it served

  for (genvar i = 0; i < 5; i++) begin : gen_input
    assign ready_o[i] = !full_q[i] || goes[i];
    always_comb begin
      if (slot_q[i].x > x_i) way[i] = 3'd0;
      else if (slot_q[i].x < x_i) way[i] = 3'd1;
      else if (slot_q[i].y > y_i) way[i] = 3'd2;
      else if (slot_q[i].y < y_i) way[i] = 3'd3;
      else way[i] = 3'd4;
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) full_q[i] <= 1'b0;
      else if (ready_o[i]) full_q[i] <= valid_i[i];
    end
    always_ff @(posedge clk_i) begin
      if (ready_o[i]) slot_q[i] <= '{last: last_i[i], x: to_x_i[i], y: to_y_i[i], data: data_i[i]};
    end
  end

  always_comb begin
    goes = '0;
    is_held_d = is_held_q;
    from_d = from_q;
    for (int unsigned o = 0; o < 5; o++) begin
      logic [2:0] in;
      logic found;
      in = from_q[o];
      found = full_q[in] && 32'(way[in]) == o;
      if (!is_held_q[o]) begin  // the next one after the last one served
        found = 1'b0;
        for (int unsigned n = 1; n <= 5; n++) begin
          if (!found) begin
            in = 3'((32'(from_q[o]) + n) % 5);
            found = full_q[in] && 32'(way[in]) == o;
          end
        end
      end
      valid_o[o] = found;
      data_o[o] = slot_q[in].data;
      if (found && ready_i[o]) begin
        goes[in] = 1'b1;
        from_d[o] = in;
        is_held_d[o] = !slot_q[in].last;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      is_held_q <= '0;
      for (int unsigned o = 0; o < 5; o++) from_q[o] <= 3'd4;
    end else begin
      is_held_q <= is_held_d;
      from_q <= from_d;
    end
  end

endmodule
