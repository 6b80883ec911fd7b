// SPDX-License-Identifier: Apache-2.0
// Each call of allport_network.svh, every member of messages and deliveries, and the errors. It
// ends with an error if anything is not as it should be. +refused=NAME makes a call of that kind
// that is refused, which is fatal; +tail=N expects the first message in another cycle than 24.
`include "allport_network.svh"

`define EQUAL(is, wanted) expect_number(`__LINE__, 64'(is), 64'(wanted))
`define TEXT(is, wanted) expect_text(`__LINE__, is, wanted)

module calls_test;
  import allport_network_pkg::*;

  localparam string Closed = "the handle is of no open network";

  int unsigned faults;

  function automatic void expect_number(input int line, input longint is, input longint wanted);
    if (is != wanted) begin
      $display("line %0d: %0d, not %0d", line, is, wanted);
      faults++;
    end
  endfunction

  function automatic void expect_text(input int line, input string is, input string wanted);
    if (is != wanted) begin
      $display("line %0d: '%s', not '%s'", line, is, wanted);
      faults++;
    end
  endfunction

  task automatic check_calls();
    allport_network network;
    allport_delivery_t delivery;
    longint tail;
    longint unsigned id;
    if ($value$plusargs("tail=%d", tail) == 0) tail = 24;
    network = new("topology=hypercube:3");
    `EQUAL(network.status(), AllportOk);
    `EQUAL(network.nodes(), 8);
    id = network.send(0, 7, 0, 5, .user(64'hfedc_ba98_7654_3210), .flits(16));
    `EQUAL(id, 0);
    `EQUAL(network.queued(0), 16);
    `EQUAL(network.next_event(), 7);
    `EQUAL(network.is_idle(), 0);
    `EQUAL(network.advance_to_delivery(1000), 1);
    `EQUAL(network.deliveries.size(), 1);
    delivery = network.deliveries[0];
    `EQUAL(delivery.id, 0);
    `EQUAL(delivery.user, 64'hfedc_ba98_7654_3210);
    `EQUAL(delivery.source, 0);
    `EQUAL(delivery.destination, 7);
    `EQUAL(delivery.message_class, 0);
    `EQUAL(delivery.injected, 5);
    `EQUAL(delivery.head, 9);
    `EQUAL(delivery.tail, tail);
    `EQUAL(network.now(), 24);
    `EQUAL(network.lookahead(0, 7), 4);
    `EQUAL(network.expected(0, 7, 64), 19);
    `EQUAL(network.is_idle(), 1);
    `EQUAL(network.advance(100), 0);
    `EQUAL(network.deliveries.size(), 0);
    `EQUAL(network.now(), 101);
    `EQUAL(network.next_event() == AllportNever, 1);
    `TEXT(network.error(), "");
    // A tree to the two nodes that dimensions 1 and 0 lead to without the other one, and to both.
    id = network.send_tree(4, 16, 101, .user(9), .free(3));
    `EQUAL(id, 1);
    `EQUAL(network.advance(200), 3);
    for (int unsigned i = 0; i < 3; i++) begin
      delivery = network.deliveries.pop_front();
      `EQUAL(delivery.id, 1);
      `EQUAL(delivery.user, 9);
      `EQUAL(delivery.source, 4);
      `EQUAL(delivery.destination[2], 1);
      `EQUAL(delivery.tail - delivery.head, 3);
    end
    id = network.send_tree(0, 4, 201);
    `EQUAL(network.advance(300), 7);
    network.close();
    `EQUAL(network.status(), AllportOk);
  endtask

  // The example of docs/guide/embed.md, with its port, in the second of two classes.
  task automatic check_classes();
    allport_network network;
    longint unsigned id;
    network = new("topology=torus:4x4 classes=2");
    id = network.send(0, 5, 64, 100, 1, 7);
    `EQUAL(network.queued(0, 1), 16);
    `EQUAL(network.queued(0, 0), 0);
    `EQUAL(network.advance_to_delivery(1000), 1);
    `EQUAL(network.deliveries[0].id, id);
    `EQUAL(network.deliveries[0].user, 7);
    `EQUAL(network.deliveries[0].message_class, 1);
    `EQUAL(network.deliveries[0].port, 3);
    `EQUAL(network.deliveries[0].tail, 118);
    network.close();
  endtask

  task automatic check_room();
    allport_network network;
    longint unsigned id;
    network = new("topology=ring:4 ports=1 queue_limit=8");
    void'(network.send(0, 1, 0, 0, .flits(1)));
    `EQUAL(network.try_send(id, 0, 1, 0, 0, .user(3), .flits(5)), 1);
    `EQUAL(id, 1);
    `EQUAL(network.status(), AllportOk);
    `EQUAL(network.try_send(id, 0, 1, 12, 0), 0);
    `EQUAL(network.status(), AllportNoRoom);
    `EQUAL(network.advance(9), 2);
    `EQUAL(network.deliveries[1].user, 3);
    `EQUAL(network.try_send(id, 0, 1, 12, 10), 1);
    `EQUAL(id, 2);
    network.is_fatal = 0;
    `EQUAL(network.try_send(id, 0, 1, 36, 10), 0);
    `EQUAL(network.status(), AllportWrongUse);
    `TEXT(network.error(), "flits 9: the queue of a node has room for 8");
    network.close();
  endtask

  task automatic check_reception();
    allport_network network;
    longint unsigned id;
    network = new("topology=ring:4 ports=1 reception_limit=20", 0);
    id = network.send(0, 1, 80, 0);
    network.waits_for(1, 0, id);
    `EQUAL(network.status(), AllportOk);
    network.waits_for(1, 0, 7);
    `TEXT(network.error(), "message 7: it was not sent");
    network.take(id, 1);
    `TEXT(network.error(), "message 0: node 1 has not received it, or has taken it");
    void'(network.send(0, 1, 80, 0));
    `EQUAL(network.advance(1000), 1);  // the second one has no room
    `EQUAL(network.next_event() == AllportNever, 1);
    network.take(id, 1);
    `EQUAL(network.status(), AllportOk);
    `EQUAL(network.advance(2000), 1);
    network.close();
  endtask

  task automatic check_deadlock();
    allport_network network;
    string words;
    network = new("topology=hypercube:2 buffer_depth=1");
    `EQUAL(network.deadlock(words), 0);
    `TEXT(words, "");
    void'(network.send_tree(0, 0, 0, .flits(3)));
    void'(network.send_tree(2, 0, 0, .flits(3)));
    void'(network.advance(1000));
    `EQUAL(network.deadlock(words), 1);
    `TEXT(words, {"0 -> all waits for channel 2 -> 3 (dimension 0), held by 2 -> all\n",
                  "2 -> all waits for channel 0 -> 1 (dimension 0), held by 0 -> all\n"});
    network.close();
  endtask

  task automatic check_copy();
    allport_network network, copied;
    network = new("topology=hypercube:3");
    void'(network.send(0, 7, 0, 0, .flits(16)));
    `EQUAL(network.advance(5), 0);
    copied = network.copy();
    `EQUAL(copied.send(1, 7, 0, 6, .flits(3)), 1);
    `EQUAL(copied.advance(100), 2);
    `EQUAL(copied.deliveries[1].tail, 19);
    `EQUAL(network.now(), 6);
    `EQUAL(network.send(5, 7, 0, 6, .flits(1)), 1);
    `EQUAL(network.advance(100), 2);
    `EQUAL(network.deliveries[0].source, 5);
    network.close();
    network = copied.copy();
    `EQUAL(network.deliveries.size(), 0);
    `EQUAL(network.now(), 101);
    copied.close();
    copied.is_fatal = 0;
    `EQUAL(copied.copy() == null, 1);
    `EQUAL(copied.status(), AllportClosed);
    network.close();
  endtask

  task automatic check_results();
    allport_network network;
    string text;
    network = new("topology=hypercube:3 record=true");
    void'(network.send(0, 7, 0, 0, .flits(16)));
    void'(network.advance(99));
    text = network.results();
    `TEXT(text.substr(0, 10), "{\"version\":");
    `TEXT(text.substr(text.len() - 1, text.len() - 1), "}");
    network.close();
    network = new("topology=hypercube:3", 0);
    `TEXT(network.results(), "");
    `TEXT(network.error(),
          "results: the network keeps no record of its messages; it does where record is true");
    network.close();
  endtask

  task automatic check_explanation();
    allport_network network;
    string text;
    network = new("topology=hypercube:3 explain=true", 0);
    void'(network.send(0, 7, 0, 0, .flits(16)));
    void'(network.advance(99));
    text = network.explain();
    `TEXT(text.substr(0, 10), "{\"version\":");
    text = network.explain("message:0>7#0");
    `TEXT(text.substr(text.len() - 2, text.len() - 1), "}}");
    `TEXT(network.explain("message:0>7#1"), "");
    `TEXT(network.error(), "message:0>7#1: no such message was received; the nearest is 0>7#0");
    network.close();
  endtask

  // What is refused changes nothing, returns 0 and says why.
  task automatic check_refusals();
    allport_network network;
    network = new("topology=ring:4", 0);
    `EQUAL(network.send(0, 9, 4, 0), 0);
    `EQUAL(network.status(), AllportWrongUse);
    `TEXT(network.error(), "destination 9 is not a node of ring:4, which has the nodes 0..3");
    void'(network.send(0, 1, 4, 0, .message_class(1)));
    `TEXT(network.error(), "class 1: must be 0");
    void'(network.send(0, 1, 4, 0, .flits(2)));
    `TEXT(network.error(), "bytes 4 and flits 2: a length is one of them, and the other is 0");
    `EQUAL(network.queued(9), 0);
    `TEXT(network.error(), "node 9 is not a node of ring:4, which has the nodes 0..3");
    `EQUAL(network.lookahead(1, 1), 0);
    `TEXT(network.error(),
          "destination 1: it is the source, and a node keeps what is for itself");
    `EQUAL(network.expected(0, 4, 4), 0);
    `TEXT(network.error(), "destination 4 is not a node of ring:4, which has the nodes 0..3");
    network.take(0, 1);
    `TEXT(network.error(),
          "take: the network has no reception limit, and every message is taken at once");
    `EQUAL(network.send(0, 1, 4, 0), 0);
    `EQUAL(network.status(), AllportOk);
    `EQUAL(network.advance(9), 1);
    `EQUAL(network.advance(9), 0);
    `EQUAL(network.deliveries.size(), 1);
    `TEXT(network.error(), "advance to 9: that cycle is past, and now is cycle 10");
    `EQUAL(network.advance_to_delivery(9), 0);
    `EQUAL(network.status(), AllportWrongUse);
    `EQUAL(network.now(), 10);
    network.close();
  endtask

  task automatic check_closed();
    allport_network network, other;
    longint unsigned id;
    string words;
    network = new("topology=ring:4", 0);
    network.close();
    `EQUAL(network.status(), AllportOk);
    other = new("topology=ring:4");
    network.close();
    `EQUAL(network.status(), AllportClosed);
    `TEXT(network.error(), Closed);
    `EQUAL(network.advance(1), 0);
    `EQUAL(network.advance_to_delivery(1), 0);
    `EQUAL(network.now(), 0);
    `EQUAL(network.nodes(), 0);
    `EQUAL(network.send(0, 1, 4, 0), 0);
    `EQUAL(network.send_tree(0, 4, 0), 0);
    `EQUAL(network.try_send(id, 0, 1, 4, 0), 0);
    `EQUAL(network.next_event(), 0);
    `EQUAL(network.lookahead(0, 1), 0);
    `EQUAL(network.expected(0, 1, 4), 0);
    `EQUAL(network.queued(0), 0);
    `EQUAL(network.is_idle(), 0);
    `EQUAL(network.deadlock(words), 0);
    `EQUAL(network.status(), AllportClosed);
    network.take(0, 1);
    `EQUAL(network.status(), AllportClosed);
    network.waits_for(0, 0, 0);
    `EQUAL(network.status(), AllportClosed);
    `EQUAL(other.now(), 0);
    other.close();
  endtask

  task automatic check_options();
    allport_network network;
    network = new("topology=ring:8 vcs=20", 0);
    `EQUAL(network.status(), AllportWrongUse);
    `TEXT(network.error(), "vcs: '20' is not a whole number in 1..16");
    `EQUAL(network.advance(1), 0);
    `EQUAL(network.status(), AllportWrongUse);
    network.close();
    `EQUAL(network.status(), AllportOk);
  endtask

  task automatic be_refused(input string what);
    allport_network network;
    network = new((what == "options") ? "topology=ring:8 vcs=20" : "topology=ring:4");
    if (what == "node") void'(network.send(0, 9, 4, 0));
    network.close();
    if (what == "closed") void'(network.advance(1));
  endtask

  initial begin
    string what, version;
    if ($value$plusargs("refused=%s", what) != 0) be_refused(what);
    version = allport_version();
    `EQUAL(version.len() >= 5, 1);
    check_calls();
    check_classes();
    check_room();
    check_reception();
    check_deadlock();
    check_copy();
    check_results();
    check_explanation();
    check_refusals();
    check_closed();
    check_options();
    if (faults != 0) $fatal(1, "calls_test: %0d faults", faults);
    $display("calls_test: each call is as it should be");
    $finish;
  end

endmodule
