// SPDX-License-Identifier: Apache-2.0
// The fabric between the blocks: a network of allport behind pins. What a block has on its pins in
// a cycle is sent in this cycle; what is received in a cycle, tail and all, is on the pins in the
// next one. A node has one ejection channel (ports=1), so at most one message ends there in a
// cycle. Every message is checked: it takes at least the cycles of a message that meets nobody, and
// exactly these while `is_alone_i` says that it cannot meet any.

module fabric
  import allport_network_pkg::*;
  import blocks_pkg::*;
#(
  parameter int unsigned Nodes = 4
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 is_alone_i,
  input  logic     [Nodes-1:0] send_valid_i,
  input  message_t [Nodes-1:0] send_i,
  output logic     [Nodes-1:0] receive_valid_o,
  output message_t [Nodes-1:0] receive_o
);

  allport_network network;
  // By the number of a message: the cycle in which it was sent, and the cycles that it takes alone.
  longint sent_at [$];
  longint alone [$];
  int unsigned messages, late;  // received; of these, that took longer than alone
  longint longest_wait;  // in cycles

  // The formula of docs/timing.md, section 2, for a mesh of 2 x 2 without link delay, whose nodes
  // are as many hops apart as their numbers have different bits, and flits of 4 bytes.
  function automatic longint theory(input int unsigned source, input int unsigned destination,
                                    input int unsigned bytes);
    theory = 64'($countones(source ^ destination)) + ((64'(bytes) + 3) / 4);
  endfunction

  task automatic send(input int unsigned node, input message_t message);
    longint unsigned id;
    longint cycles;
    id = network.send(node, message.node, 64'(message.bytes), network.now(),
                      .message_class(32'(message.is_reply)), .user(message.payload));
    if (id != 64'(sent_at.size())) $fatal(1, "message %0d has the number %0d", sent_at.size(), id);
    sent_at.push_back(network.now());
    cycles = network.expected(node, message.node, 64'(message.bytes));
    alone.push_back(cycles);
    if (cycles != theory(node, message.node, message.bytes)) begin
      $fatal(1, "%0d bytes from node %0d to node %0d take %0d cycles, not %0d", message.bytes, node,
             message.node, cycles, theory(node, message.node, message.bytes));
    end
  endtask

  task automatic receive(input allport_delivery_t delivery);
    int unsigned number;
    longint wait_cycles;
    message_t message;
    number = 32'(delivery.id);
    wait_cycles = delivery.tail - sent_at[number] - alone[number];
    if ((wait_cycles < 0) || (is_alone_i && (wait_cycles > 0))) begin
      $fatal(1, "message %0d took %0d cycles more than alone", number, wait_cycles);
    end
    messages++;
    if (wait_cycles > 0) late++;
    if (wait_cycles > longest_wait) longest_wait = wait_cycles;
    message.node = delivery.source;
    message.bytes = 0;
    message.is_reply = delivery.message_class == 1;
    message.payload = delivery.user;
    receive_valid_o[delivery.destination] <= 1;
    receive_o[delivery.destination] <= message;
  endtask

  always @(posedge clk_i) begin
    receive_valid_o <= '0;
    if (rst_ni) begin
      for (int unsigned node = 0; node < Nodes; node++) begin
        if (send_valid_i[node]) send(node, send_i[node]);
      end
      void'(network.advance(network.now()));
      while (network.deliveries.size() != 0) receive(network.deliveries.pop_front());
    end
  end

  initial begin
    string options;
    if ($value$plusargs("network=%s", options) == 0) options = "topology=mesh:2x2";
    network = new({options, " ports=1 classes=2"});
    if (network.nodes() != Nodes) $fatal(1, "the network has %0d nodes", network.nodes());
  end

endmodule
