// SPDX-License-Identifier: Apache-2.0
// Masters at the nodes 0 and 1 of a mesh of 2 x 2, memories at the nodes 2 and 3. First one master
// works alone, so that no message meets another, then both at the same time.

module testbench;
  import blocks_pkg::*;

  localparam int unsigned Nodes = 4;
  localparam int unsigned Alone = 20;  // transfers, then as many as Together of each master
  localparam int unsigned Together = 200;

  logic clk, rst_n, is_alone;
  int unsigned wanted [2], made [2];
  logic [Nodes-1:0] send_valid, receive_valid;
  message_t [Nodes-1:0] send, receive;

  fabric #(.Nodes(Nodes)) u_fabric (
    .clk_i(clk),
    .rst_ni(rst_n),
    .is_alone_i(is_alone),
    .send_valid_i(send_valid),
    .send_i(send),
    .receive_valid_o(receive_valid),
    .receive_o(receive)
  );

  for (genvar i = 0; i < 2; i++) begin : g_pair
    master #(.Node(i)) u_master (
      .clk_i(clk),
      .rst_ni(rst_n),
      .transfers_i(wanted[i]),
      .transfers_o(made[i]),
      .send_valid_o(send_valid[i]),
      .send_o(send[i]),
      .receive_valid_i(receive_valid[i]),
      .receive_i(receive[i])
    );
    memory u_memory (
      .clk_i(clk),
      .rst_ni(rst_n),
      .send_valid_o(send_valid[2+i]),
      .send_o(send[2+i]),
      .receive_valid_i(receive_valid[2+i]),
      .receive_i(receive[2+i])
    );
  end

  always #5 clk = !clk;

  task automatic transfer(input int unsigned first, input int unsigned second);
    wanted = '{first, second};
    for (int unsigned cycles = 0; (made[0] != first) || (made[1] != second); cycles++) begin
      if (cycles == 100_000) $fatal(1, "%0d and %0d transfers are made", made[0], made[1]);
      @(negedge clk);
    end
  endtask

  initial begin
    clk = 0;
    rst_n = 0;
    is_alone = 1;
    wanted = '{0, 0};
    #12 rst_n = 1;
    transfer(Alone, 0);
    $display("one master: %0d messages, each in the cycles of the timing page", u_fabric.messages);
    is_alone = 0;
    transfer(Alone + Together, Together);
    $display("two masters: %0d messages, %0d late, by %0d cycles at most",
             u_fabric.messages - 2 * Alone, u_fabric.late, u_fabric.longest_wait);
    if (u_fabric.messages != 2 * (Alone + 2 * Together)) $fatal(1, "messages are lost");
    if (u_fabric.late == 0) $fatal(1, "no message has met another");
    if (!u_fabric.network.is_idle()) $fatal(1, "a message is under way");
    u_fabric.network.close();
    $finish;
  end

endmodule
