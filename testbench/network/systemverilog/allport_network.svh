// SPDX-License-Identifier: Apache-2.0
// A network that a testbench in SystemVerilog drives, over DPI-C: the package allport_network_pkg,
// for every simulator that follows clause 35 of IEEE 1800-2017, and the library liballport.so.1.
// docs/guide/embed.md says what each call does.
//
//   import allport_network_pkg::*;
//   allport_network network = new("topology=mesh:2x2 classes=2");
//   void'(network.send(0, 3, 64, network.now(), .message_class(1)));
//   void'(network.advance(network.now()));
//   while (network.deliveries.size() != 0) handle(network.deliveries.pop_front());
//
// The file is compiled once, before what imports the package; that it is included besides does no
// harm. Of the functions of allport.h, which are imported under their names, all but the call that
// is told of room are behind the class.
//
// A call that is refused ends the simulation by $fatal, with the call and its sentence. Where
// is_fatal is 0 it returns 0, and status() and error() say what it met; the network is as it was.
`ifndef ALLPORT_NETWORK_SVH
`define ALLPORT_NETWORK_SVH

/* verilator lint_off DECLFILENAME */
/* verilator lint_off UNUSEDPARAM */

package allport_network_pkg;

  typedef enum int {
    AllportOk       = 0,
    AllportNoRoom   = 1,  // of try_send: nothing was sent, for want of room
    AllportWrongUse = 2,  // the caller asked for what cannot be
    AllportClosed   = 3,  // the network was closed
    AllportFailed   = 4   // the machine has no memory left, or the library found itself wrong
  } allport_status_e;

  // What next_event() says if nothing will be received.
  localparam longint AllportNever = 64'sh7fff_ffff_ffff_ffff;

  // A message is received by a node.
  typedef struct packed {
    longint unsigned id;    // what send() gave
    longint unsigned user;  // what its sender gave
    int unsigned     source;
    int unsigned     destination;  // the node that received it
    int unsigned     port;         // its ejection channel
    int unsigned     message_class;
    longint          injected;  // cycle of the head on the injection channel
    longint          head;      // cycle of the head on the ejection channel
    longint          tail;      // cycle of the tail there: it is received
  } allport_delivery_t;

  // The functions of allport.h. Its structures go as the words of 64 bits that they are in the
  // memory of a 64-bit little-endian machine, their size first: so nothing in C has to be compiled.
  // What a function writes is inout, because one that is refused writes nothing.
  localparam int unsigned AllportMessageWords = 7;
  localparam int unsigned AllportDeliveryWords = 8;
  localparam int unsigned AllportUnicast = 0;  // an allport_kind
  localparam int unsigned AllportTree = 1;

  import "DPI-C" function string allport_version();
  import "DPI-C" function chandle allport_open(input string options);
  import "DPI-C" function int allport_opened(input chandle network);
  import "DPI-C" function int allport_copy(input chandle network, inout chandle copied);
  import "DPI-C" function int allport_close(input chandle network);
  import "DPI-C" function string allport_error(input chandle network);
  import "DPI-C" function int allport_nodes(input chandle network, inout int unsigned nodes);
  import "DPI-C" function int allport_now(input chandle network, inout longint now);
  import "DPI-C" function int allport_send(
    input chandle network, input longint unsigned message [AllportMessageWords], input longint at,
    inout longint unsigned id);
  import "DPI-C" function int allport_try_send(
    input chandle network, input longint unsigned message [AllportMessageWords], input longint at,
    inout longint unsigned id);
  import "DPI-C" function int allport_advance(
    input chandle network, input longint to, inout longint unsigned count);
  import "DPI-C" function int allport_advance_to_delivery(
    input chandle network, input longint limit, inout longint unsigned count);
  import "DPI-C" function int allport_get_delivery(
    input chandle network, input longint unsigned number,
    inout longint unsigned delivery [AllportDeliveryWords]);
  import "DPI-C" function int allport_next_event(input chandle network, inout longint cycle);
  import "DPI-C" function int allport_lookahead(
    input chandle network, input int unsigned source, input int unsigned destination,
    inout longint cycles);
  import "DPI-C" function int allport_expected(
    input chandle network, input int unsigned source, input int unsigned destination,
    input longint unsigned bytes, inout longint cycles);
  import "DPI-C" function int allport_queued(
    input chandle network, input int unsigned node, input int unsigned message_class,
    inout longint flits);
  import "DPI-C" function int allport_take(
    input chandle network, input longint unsigned id, input int unsigned node);
  import "DPI-C" function int allport_waits_for(
    input chandle network, input int unsigned node, input int unsigned message_class,
    input longint unsigned id);
  import "DPI-C" function int allport_is_idle(input chandle network, inout int is_idle);
  import "DPI-C" function int allport_deadlock(
    input chandle network, inout int is_deadlocked, inout string words);
  import "DPI-C" function int allport_results(input chandle network, inout string text);
  import "DPI-C" function int allport_explain(
    input chandle network, input string messages, inout string text);

  class allport_network;

    // Whether a call that is refused ends the simulation.
    bit is_fatal;
    // What the last advance() or advance_to_delivery() that was not refused has received, by cycle,
    // node and port; the caller may take from it.
    allport_delivery_t deliveries [$];

    protected chandle handle;
    protected allport_status_e last;

    // Opens a network: `options` are KEY=VALUE, separated by blanks, a VALUE with blanks in
    // double quotes; `stops` becomes is_fatal. If they are wrong and that is not fatal, the network
    // is good for status(), error() and close() only.
    function new(input string options, input int stops = 1);
      is_fatal = stops != 0;
      handle = allport_open(options);
      check("new", (handle == null) ? AllportFailed : allport_opened(handle));
    endfunction

    // An independent network in the same state, of which a testbench may ask what would happen:
    // from equal calls on both go on alike. It has no deliveries, and is closed by itself. Null
    // if it is refused.
    function allport_network copy();
      allport_network self, other;
      chandle copied;
      copied = null;
      check("copy", allport_copy(handle, copied));
      if (last != AllportOk) return null;
      self = this;
      other = new self;  // a copy of the object; Verilator 5.006 takes no `this` there
      other.handle = copied;
      other.deliveries.delete();
      return other;
    endfunction

    // Closes it: every later call is refused with AllportClosed.
    function void close();
      check("close", allport_close(handle));
    endfunction

    // What the last call met, but status() and error() themselves.
    function allport_status_e status();
      return last;
    endfunction

    // The sentence of the last call that was refused; "" if none was.
    function string error();
      if (handle == null) return "there is no memory left, or 2^20 networks are open";
      return allport_error(handle);
    endfunction

    function int unsigned nodes();
      int unsigned number;
      number = 0;
      check("nodes", allport_nodes(handle, number));
      return number;
    endfunction

    // The cycle at which the clock stands.
    function longint now();
      longint cycle;
      cycle = 0;
      check("now", allport_now(handle, cycle));
      return cycle;
    endfunction

    // Sends `bytes`, or `flits` in place of 0 bytes, in cycle `at`, now or later. Returns the
    // number of the message.
    function longint unsigned send(
        input int unsigned source, input int unsigned destination, input longint unsigned bytes,
        input longint at, input int unsigned message_class = 0, input longint unsigned user = 0,
        input longint flits = 0);
      return send_words("send", AllportUnicast, source, destination, bytes, at, message_class, user,
                        flits, 0);
    endfunction

    // The same to all nodes of a group: a bit of `free` for each free dimension, 0 for all.
    function longint unsigned send_tree(
        input int unsigned source, input longint unsigned bytes, input longint at,
        input int unsigned message_class = 0, input longint unsigned user = 0,
        input longint flits = 0, input int unsigned free = 0);
      return send_words("send_tree", AllportTree, source, 0, bytes, at, message_class, user, flits,
                        free);
    endfunction

    // As send(), but says whether there is room; if not, nothing is sent, and `id` is 0.
    function bit try_send(
        output longint unsigned id, input int unsigned source, input int unsigned destination,
        input longint unsigned bytes, input longint at, input int unsigned message_class = 0,
        input longint unsigned user = 0, input longint flits = 0);
      longint unsigned message [AllportMessageWords];
      fill(message, AllportUnicast, source, destination, bytes, message_class, user, flits, 0);
      id = 0;
      check("try_send", allport_try_send(handle, message, at, id));
      return last == AllportOk;
    endfunction

    // Lets the cycles up to `to` pass; now is `to` + 1 then. Returns how many messages were
    // received.
    function int unsigned advance(input longint to);
      longint unsigned count;
      count = 0;
      check("advance", allport_advance(handle, to, count));
      if (last != AllportOk) return 0;
      return collect(count);
    endfunction

    // Lets cycles pass up to the first one, `limit` at most, in which anything is received; now is
    // that cycle. If nothing is, it is advance().
    function int unsigned advance_to_delivery(input longint limit);
      longint unsigned count;
      count = 0;
      check("advance_to_delivery", allport_advance_to_delivery(handle, limit, count));
      if (last != AllportOk) return 0;
      return collect(count);
    endfunction

    // A cycle before which nothing is received unless more is sent, or AllportNever.
    function longint next_event();
      longint cycle;
      cycle = 0;
      check("next_event", allport_next_event(handle, cycle));
      return cycle;
    endfunction

    // Cycles from `at` to the reception of a unicast's head, if it meets nobody.
    function longint lookahead(input int unsigned source, input int unsigned destination);
      longint cycles;
      cycles = 0;
      check("lookahead", allport_lookahead(handle, source, destination, cycles));
      return cycles;
    endfunction

    // Cycles from `at` to the reception of all of it, if it meets nobody.
    function longint expected(input int unsigned source, input int unsigned destination,
                              input longint unsigned bytes);
      longint cycles;
      cycles = 0;
      check("expected", allport_expected(handle, source, destination, bytes, cycles));
      return cycles;
    endfunction

    // Flits of a message class that wait at a node.
    function longint queued(input int unsigned node, input int unsigned message_class = 0);
      longint flits;
      flits = 0;
      check("queued", allport_queued(handle, node, message_class, flits));
      return flits;
    endfunction

    // With reception_limit: `node` takes message `id` out of its reception buffer in cycle now.
    function void take(input longint unsigned id, input int unsigned node);
      check("take", allport_take(handle, id, node));
    endfunction

    // With reception_limit: `node` takes nothing of `message_class` before message `id` has been
    // received; for deadlock().
    function void waits_for(input int unsigned node, input int unsigned message_class,
                            input longint unsigned id);
      check("waits_for", allport_waits_for(handle, node, message_class, id));
    endfunction

    // Whether nothing is under way.
    function bit is_idle();
      int flag;
      flag = 0;
      check("is_idle", allport_is_idle(handle, flag));
      return flag != 0;
    endfunction

    // Whether messages are left that can never move, and who waits for whom, a line for each wait.
    function bit deadlock(output string words);
      int flag;
      string lines;
      flag = 0;
      lines = "";
      check("deadlock", allport_deadlock(handle, flag, lines));
      words = (last == AllportOk) ? lines : "";
      return (last == AllportOk) && (flag != 0);
    endfunction

    // With record or explain: what `allport run --json` tells of the messages so far, in one line.
    function string results();
      string text;
      text = "";
      check("results", allport_results(handle, text));
      return (last == AllportOk) ? text : "";
    endfunction

    // With explain: the same with the `explanation` of `allport explain --json`, which lists
    // "all" messages, "slowest:10" or "message:5>9#0".
    function string explain(input string messages = "all");
      string text;
      text = "";
      check("explain", allport_explain(handle, messages, text));
      return (last == AllportOk) ? text : "";
    endfunction

    protected function void check(input string call, input int met);
      last = allport_status_e'(met);
      if (is_fatal && (last != AllportOk) && (last != AllportNoRoom)) begin
        $fatal(1, "allport_network: %s: %s", call, error());
      end
    endfunction

    protected function longint unsigned send_words(
        input string call, input int unsigned kind, input int unsigned source,
        input int unsigned destination, input longint unsigned bytes, input longint at,
        input int unsigned message_class, input longint unsigned user, input longint flits,
        input int unsigned free);
      longint unsigned message [AllportMessageWords];
      longint unsigned id;
      fill(message, kind, source, destination, bytes, message_class, user, flits, free);
      id = 0;
      check(call, allport_send(handle, message, at, id));
      return id;
    endfunction

    // The words of an allport_message.
    protected function void fill(
        output longint unsigned message [AllportMessageWords], input int unsigned kind,
        input int unsigned source, input int unsigned destination, input longint unsigned bytes,
        input int unsigned message_class, input longint unsigned user, input longint flits,
        input int unsigned free);
      message[0] = 64'(8 * AllportMessageWords);
      message[1] = {destination, source};
      message[2] = bytes;
      message[3] = flits;
      message[4] = user;
      message[5] = {free, kind};
      message[6] = {32'd0, message_class};
    endfunction

    protected function int unsigned collect(input longint unsigned count);
      longint unsigned words [AllportDeliveryWords];
      allport_delivery_t delivery;
      deliveries.delete();
      for (longint unsigned i = 0; i < count; i++) begin
        words[0] = 64'(8 * AllportDeliveryWords);
        check("advance", allport_get_delivery(handle, i, words));
        delivery.id = words[1];
        delivery.user = words[2];
        {delivery.destination, delivery.source} = words[3];
        {delivery.message_class, delivery.port} = words[4];
        delivery.injected = words[5];
        delivery.head = words[6];
        delivery.tail = words[7];
        deliveries.push_back(delivery);
      end
      return deliveries.size();
    endfunction

  endclass

endpackage

/* verilator lint_on DECLFILENAME */
/* verilator lint_on UNUSEDPARAM */

`endif
