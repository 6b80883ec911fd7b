// SPDX-License-Identifier: Apache-2.0
// The blocks of a system: masters, which write words and read them back, and memories. They have a
// clock and pins, and know of the fabric only what messages are.

package blocks_pkg;

  // What a message says: the 64 bits that the fabric brings along.
  typedef struct packed {
    logic        is_write;
    logic [14:0] address;
    logic [47:0] word;
  } payload_t;

  typedef struct packed {
    int unsigned node;      // to whom it is sent, and, where it is received, by whom it was
    int unsigned bytes;     // 8 say what is wanted; 64 more are a line, for which the word stands
    logic        is_reply;  // replies have a message class of their own
    payload_t    payload;
  } message_t;

endpackage

// Writes a word to one of the memories at the nodes 2 and 3, reads it back, and goes on with the
// next one, until it has made `transfers_i` transfers.
module master
  import blocks_pkg::*;
#(
  parameter int unsigned Node = 0
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  int unsigned transfers_i,
  output int unsigned transfers_o,  // that have been made
  output logic        send_valid_o,
  output message_t    send_o,
  input  logic        receive_valid_i,
  input  message_t    receive_i
);

  logic is_waiting, is_write;
  int unsigned made;
  payload_t request;

  assign transfers_o = made;
  assign is_write = !made[0];

  // Transfers 2 i and 2 i + 1 are of the same word; each master has addresses of its own.
  always_comb begin
    request.is_write = is_write;
    request.address = {8'(Node), made[7:1]};
    request.word = is_write ? {16'(Node), made} : '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      is_waiting <= 0;
      send_valid_o <= 0;
      send_o <= '0;
      made <= 0;
    end else begin
      send_valid_o <= 0;
      if (receive_valid_i) begin
        if (!receive_i.payload.is_write && (receive_i.payload.word != {16'(Node), made - 1})) begin
          $fatal(1, "master %0d: transfer %0d has read %h", Node, made, receive_i.payload.word);
        end
        is_waiting <= 0;
        made <= made + 1;
      end else if (!is_waiting && (made < transfers_i)) begin
        is_waiting <= 1;
        send_valid_o <= 1;
        send_o.node <= 2 + 32'(made[1]);
        send_o.bytes <= is_write ? 72 : 8;
        send_o.is_reply <= 0;
        send_o.payload <= request;
      end
    end
  end

endmodule

// Answers a request in the cycle after the one in which it has it: a written word is acknowledged,
// a word that is read is sent.
module memory
  import blocks_pkg::*;
(
  input  logic     clk_i,
  input  logic     rst_ni,
  output logic     send_valid_o,
  output message_t send_o,
  input  logic     receive_valid_i,
  input  message_t receive_i
);

  logic [47:0] words [2**15];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      send_valid_o <= 0;
      send_o <= '0;
    end else begin
      send_valid_o <= receive_valid_i;
      send_o <= receive_i;
      send_o.is_reply <= 1;
      send_o.bytes <= receive_i.payload.is_write ? 8 : 72;
      if (!receive_i.payload.is_write) send_o.payload.word <= words[receive_i.payload.address];
    end
  end

  always_ff @(posedge clk_i) begin
    if (receive_valid_i && receive_i.payload.is_write) begin
      words[receive_i.payload.address] <= receive_i.payload.word;
    end
  end

endmodule
