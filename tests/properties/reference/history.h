// SPDX-License-Identifier: Apache-2.0
// A History is what the oracle notes of a run, plainly and cycle by cycle, for the walk behind it:
// who is first in which buffer and what it lacks, what goes out where, when each flit came and
// left. A message is a number, the one it has in the machine.
#pragma once

#include <array>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/properties/reference/fabric.h"
#include "tests/properties/reference/routing.h"

namespace allport::reference {

constexpr Cycle never = std::numeric_limits<Cycle>::max();

/// The FIFO of an input VC.
struct Buffer {
  int node = none, input = none, vc = none;
  auto fields() const { return std::tie(node, input, vc); }
};

/// A flit at a router. A worm that comes twice to a node has passed more external channels there;
/// the copies of a tree worm that have passed equally many are at different nodes.
struct VisitKey {
  int message = none, sequence = 0, hops = 0, node = 0;
  auto fields() const { return std::tie(message, sequence, hops, node); }
};

struct Taking {
  Cycle cycle = never;
  int vc = 0;
};

struct Visit {
  int input = none, vc = none;       // its buffer
  Cycle arrival = never;             // the cycle on the input channel
  Cycle ready = never;               // the first cycle in which no replication delay holds it
  Cycle first = never;               // the first cycle in which nothing is before it there
  Cycle left = never;                // the cycle in which the last branch took it
  std::map<int, Taking> taken = {};  // by output
  Taking taking(int output) const {
    const auto found = taken.find(output);
    return found == taken.end() ? Taking{} : found->second;
  }
};

/// A branch of a front flit in a cycle: after the VCs are given, before a flit moves.
struct BranchNote {
  int output = none;
  int vc = none;             // the VC that it has ..
  Cycle won = 0;             // .. and the cycle in which it won it
  int awaited_vc = none;     // without one: the VC that it asked for or waits for ..
  int holder = none;         // .. and the message that owns this one
  int holder_hops = 0;       // external channels that this message's flits have passed here
  int credits = 0;           // of the VC that it has
  bool is_eligible = false;  // for the switch
  bool is_barred = false;    // it would be, but a flit is still on the channel
  bool is_kept = false;      // its output is busy with a replay
};

struct Front {
  int message = none, sequence = 0, hops = 0, node = none, input = none;
  std::vector<BranchNote> branches = {};  // by output
  VisitKey key() const { return {message, sequence, hops, node}; }
};

/// The message and the VC that an output sends a flit of.
struct Crossing {
  int message = none, vc = none;
};

/// The queue of a message class at an injection port, before the port sends.
struct PortNote {
  int first = none;  // the first message that is not wholly injected
  int credits = 0;
  bool awaits_ack = false;  // whether it awaits the acknowledgement of a circuit
};

struct CycleNotes {
  std::map<Buffer, Front> fronts;
  std::map<std::pair<int, int>, Crossing> crossings;  // by node and output
  std::map<std::pair<int, int>, int> chosen;          // node, input: message of (2a)
  std::map<std::array<int, 3>, PortNote> ports;       // by node, internal port and message class
  std::set<std::array<int, 3>> kept_back;        // node, ejection port and message class: those
                                                 // with credits that stay back
  std::map<std::pair<int, int>, int> injecting;  // node, internal port: message of the flit
};

struct MessageNotes {
  MessageName name;
  int collective = none;
  int port = 0;  // internal port by which it is injected
  int flits = 1;
  Cycle created = 0;   // the sender has what it sends
  Cycle begun = 0;     // the sender begins to prepare it
  Cycle prepared = 0;  // ts later
  Cycle start = 0;     // the jitter is over as well
  int message_class = 0;
};

/// A delivered copy, and the cycles on the ejection channel.
struct Copy {
  int message, node, hops, output;
  Cycle head, tail;
};

/// A router on the way of a message, its buffer, and the output that leads on.
struct Station {
  Buffer buffer;
  int output = none;
};

struct History {
  Config config;
  Shape shape;
  std::vector<CycleNotes> cycles = {};
  std::map<int, MessageNotes> messages = {};
  std::map<std::pair<int, Cycle>, int> preparing = {};  // by node and cycle: message
  std::map<VisitKey, Visit> visits = {};
  std::vector<Copy> copies = {};

  /// A visit of nothing if the flit never came.
  const Visit& visit(const VisitKey& key) const;
  /// The front of `buffer` in `cycle`, or nullptr if the buffer is empty.
  const Front* front(const Buffer& buffer, Cycle cycle) const;
  /// From the source to `output` of `node`, where `hops` external channels are passed: one station
  /// for each number of hops.
  std::vector<Station> way_to(int message, int hops, int node, int output) const;
  const PortNote& port(const MessageNotes& message, Cycle cycle) const;
  Cycle injection(int message, int sequence) const;
  /// The message of which the port of `message` sends a flit in `cycle`; none: it sends none.
  int injecting(const MessageNotes& message, Cycle cycle) const;
  /// Flits of `message` that are on the injection channel in `cycle` or were before.
  int injected(int message, Cycle cycle) const;
  bool is_for_whole_messages() const;

  std::string output_place(int node, int output, int vc) const;
  static std::string injection_place(const MessageNotes& message);
  static std::string processor_place(const MessageNotes& message);
};

}  // namespace allport::reference
