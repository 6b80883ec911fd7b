// SPDX-License-Identifier: Apache-2.0
// The router alone in a testbench of one's own: the two routers of a 1-cube, wired pin to pin, and
// a message of four flits from node 0 to node 1. It prints what is on the three channels in each
// cycle; with Depth = 1 this is the second table of section 3 of docs/router.md. It ends with an
// error unless each flit comes in the cycle of that table, or, with Depth of 2 or more, one cycle
// after the other.

module two_routers_testbench #(
  parameter int unsigned Depth = 1
);

  localparam int unsigned DataWidth = 16;
  localparam int unsigned ControlWidth = allport_pkg::control_width(0, 1, '0, 1, 0, 0);
  localparam int unsigned FlitWidth = ControlWidth + DataWidth;
  localparam int unsigned Flits = 4;
  localparam int unsigned Cycles = 10;

  logic clk, rst_n;
  int unsigned cycle;

  // Port 0 leads to the other router, port 1 is the processor's.
  logic [1:0] valid_in [2], valid_out [2], credit_in [2], credit_out [2];
  logic [2*FlitWidth-1:0] flit_in [2], flit_out [2];
  logic injected_valid, ejected_credit;
  logic [FlitWidth-1:0] injected_flit, injection, ejection;
  int unsigned sent, received, credits;

  always #5 clk = !clk;

  // Here a flit leaves its pins: control fields apart from the data.
  function automatic allport_pkg::control_t control(input logic [FlitWidth-1:0] flit);
    control = allport_pkg::unpack(allport_pkg::ControlBits'(flit[FlitWidth-1:DataWidth]), 0, 1, '0,
                                  1, 0, 0);
  endfunction

  // Flit `index` of the message as it goes to the pins.
  function automatic logic [FlitWidth-1:0] flit_of_message(input int unsigned index);
    allport_pkg::control_t fields;
    fields = '0;
    fields.head = index == 0;
    fields.tail = index == Flits - 1;
    if (fields.head) begin
      fields.kind = allport_pkg::KindUnicast;
      fields.address = allport_pkg::node_address(0, 1, '0, 1);
    end
    flit_of_message = {ControlWidth'(allport_pkg::pack(fields, 0, 1, '0, 1, 0, 0)),
                       DataWidth'(index)};
  endfunction

  function automatic string shown(input logic is_valid, input logic [FlitWidth-1:0] flit);
    shown = is_valid ? $sformatf("A%0d", flit[DataWidth-1:0]) : "  ";
  endfunction

  for (genvar node = 0; node < 2; node++) begin : gen_node
    logic [1:0] unused_credit_vc, unused_ack;
    logic unused_active;

    assign valid_in[node] = {(node == 0) && injected_valid, valid_out[1 - node][0]};
    assign flit_in[node] = {injected_flit, flit_out[1 - node][0 +: FlitWidth]};
    assign credit_in[node] = {(node == 1) && ejected_credit, credit_out[1 - node][0]};

    allport_router #(
      .Topology(allport_pkg::TopologyHypercube),
      .Dimensions(1),
      .InternalPorts(1),
      .Vcs(1),
      .Depth(Depth),
      .DataWidth(DataWidth)
    ) u_router (
      .clk_i(clk),
      .rst_ni(rst_n),
      .node_i(1'(node)),
      .valid_i(valid_in[node]),
      .flit_i(flit_in[node]),
      .credit_o(credit_out[node]),
      .credit_vc_o(unused_credit_vc),
      .valid_o(valid_out[node]),
      .flit_o(flit_out[node]),
      .credit_i(credit_in[node]),
      .credit_vc_i('0),
      .ack_o(unused_ack),
      .ack_i('0),
      .active_o(unused_active)
    );
  end

  // The sending processor decides in the cycle in which its flit is on the channel, by the credits
  // that came before.
  assign injected_valid = rst_n && (sent < Flits) && (credits != 0);
  assign injected_flit = flit_of_message(sent);
  assign injection = injected_flit;
  assign ejection = flit_out[1][FlitWidth +: FlitWidth];

  always @(posedge clk) begin
    if (rst_n) begin
      $display("%5d   %s   %s   %s", cycle, shown(injected_valid, injection),
               shown(valid_out[0][0], flit_out[0][0 +: FlitWidth]),
               shown(valid_out[1][1], ejection));
      sent <= sent + 32'(injected_valid);
      credits <= credits - 32'(injected_valid) + 32'(credit_out[0][1]);
      ejected_credit <= valid_out[1][1];  // the receiving processor takes each flit at once
      if (valid_out[1][1]) begin
        check_flit();
        received <= received + 1;
      end
      cycle <= cycle + 1;
      if (cycle == Cycles - 1) finish();
    end
  end

  task automatic check_flit();
    allport_pkg::control_t fields;
    fields = control(ejection);
    if (32'(ejection[DataWidth-1:0]) != received || fields.head != (received == 0)
        || fields.tail != (received == Flits - 1) || fields.address != 48'(fields.head)) begin
      $fatal(1, "cycle %0d: not the flit that was sent: %p", cycle, fields);
    end
    if (cycle != 2 + ((Depth == 1) ? 2 * received : received)) begin
      $fatal(1, "flit %0d came in cycle %0d", received, cycle);
    end
  endtask

  task automatic finish();
    if (received != Flits) $fatal(1, "%0d flits of %0d came", received, Flits);
    $display("two_routers: %0d flits came, each in its cycle", received);
    $finish;
  endtask

  initial begin
    clk = 0;
    rst_n = 0;
    {sent, received, cycle, credits} = {32'd0, 32'd0, 32'd0, Depth};
    ejected_credit = 0;
    $display("cycle inject 0->1 eject");
    #12 rst_n = 1;
  end

endmodule
