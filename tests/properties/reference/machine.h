// SPDX-License-Identifier: Apache-2.0
// This header has the oracle's state, and what it does in a cycle. Processors, routers and the run
// are in a file each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/properties/reference/fabric.h"
#include "tests/properties/reference/history.h"
#include "tests/properties/reference/routing.h"
#include "tests/properties/reference/tables.h"
#include "tests/properties/reference/trees.h"

namespace allport::reference {

struct SplitMix64 {
  std::uint64_t state = 0;
  std::uint64_t next() {
    std::uint64_t z = (state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
};

struct Message {
  MessageName name;
  Kind kind = Kind::unicast;
  int collective = none;
  int flits = 1;
  int message_class = 0;
  std::vector<Hop> path;  // empty for a tree; adaptive: only its first hop is used
  std::set<int> stops;  // multidestination, label: the numbers of hops after which there is a copy
  std::vector<Hop> gone = {};  // adaptive: the hops that the head has taken
  Cycle jitter = 0;
  Cycle at = 0;           // before which it is not prepared
  bool is_reply = false;  // of a loop
  int request = none;     // of a reply: what it answers
  Cycle made = 0;         // of a loop: when the request was made, its own or the one it answers
  Cycle earliest = 0;     // earliest cycle of the head on the injection channel
  int free = 0;           // tree, join: free dimensions of its group
  Cycle take_after = 0;   // with a reception limit: from the tail until it is taken
  int root = none;        // of a join, and of the tree that it becomes
  int flies_as = none;    // the message of its flits; of a contribution that of the join
  int returns_as = none;  // join-tree: the tree that its root sends back
  int named_as = none;    // the message whose name it has
};

struct Flit {
  int message;
  int sequence;  // 0: head
  int hops;      // external channels it has passed
  Cycle arrival;
};

/// One branch of the message at the front of an input VC.
struct Branch {
  int output;
  VcClass vc_class;
  int vc = none;
  int requested_vc = none;   // VC that it requests in this cycle
  int awaited_vc = none;     // the same; if it requests none, the VC that it waits for
  bool is_taken = false;     // whether the flit at the front has taken it
  bool is_eligible = false;  // in this cycle: it is not taken, and has its VC and a credit
  bool is_barred = false;    // in this cycle: the same, but a flit is still on its channel
  bool is_kept = false;      // in this cycle: its output is busy with a replay
  int layer = none;          // by a table: of the VCs that it may have
  Cycle won = 0;             // the cycle in which it won its VC
};

struct InputVc {
  std::deque<Flit> buffer;
  std::vector<Branch> branches;  // branches of the message at the front, until its tail leaves
  int request_pointer = 0;
  Cycle first_from = 0;     // the cycle from which the flit at the front is first
  bool is_at_join = false;  // in this cycle: whether it speaks for a join that is ready
};

/// The contributions to a join that are together in a router, from head to tail.
struct Meeting {
  int input = 0;  // of the one that speaks, and its VC
  int vc = 0;
  std::map<int, int> operands = {};  // by input: VC of each other one
  bool is_ready = false;             // in this cycle: whether all are there, and not held
};

struct OutputVc {
  int owner = none;    // the message that owns it
  int owner_hops = 0;  // external channels that the owner's flits have passed here
  int credits = 0;
  int grant_pointer = 0;
};

struct Router {
  std::vector<InputVc> input_vcs;
  std::vector<OutputVc> output_vcs;
  std::vector<int> input_pointers;   // (2a): a VC
  std::vector<int> output_pointers;  // (2b): an input
  std::vector<Meeting> meetings = {};
  std::vector<Cycle> free_from;  // by output: when all of its last flit has gone
  std::vector<int> last_sent;    // by output: the message of this flit
};

struct FlitOnWire {
  Cycle arrival;
  int vc;
  Flit flit;
};

/// An external channel that repeats what comes in error.
struct ErringLink {
  int node = none, port = none;  // its sender's output
  Cycle length = 0;              // D
  std::vector<Cycle> hits = {};  // the cycles of its errors
  /// What was on it in the last D cycles, at its far end.
  std::deque<std::optional<FlitOnWire>> replay_line = {};
};

struct CreditOnWire {
  Cycle arrival;
  int vc;
};

/// The messages of one class at an injection port.
struct InjectionQueue {
  std::deque<int> queue;  // messages, in program order
  int sent = 0;           // flits sent of the first message
  int credits = 0;
  std::deque<Cycle> returning = {};  // for each other credit, the cycle in which it may be used
  bool awaits_ack = false;           // whether it awaits the acknowledgement of a circuit
  Cycle acknowledged = none;         // cycle from which the flits behind the head may follow
};

struct InjectionPort {
  std::vector<InjectionQueue> classes;
  int pointer = 0;  // the class that may send first
};

/// A message of a reception buffer that has come wholly.
struct Untaken {
  Cycle due = none;  // when it is taken; none: not known yet
  int message = none;
};

/// What comes of one class at an ejection port.
struct EjectionQueue {
  Cycle head = 0;
  int message = none;  // the message whose tail has not come yet
  int expected = 0;    // sequence number of the next flit
  int owed = 0;        // credits that are not returned yet
  int flits = 0;       // with a reception limit: those in the buffer
  std::vector<Untaken> untaken = {};
};

struct Reception {
  Cycle cycle;  // cycle in which tr is over
  int collective;
  int message;
};

/// A message of a loop that is not ready yet.
struct Pending {
  Cycle ready;
  int message;
};

struct Processor {
  std::vector<InjectionPort> injection;
  std::vector<std::vector<EjectionQueue>> ejection;  // by port and class
  std::deque<Reception> receptions;
  std::vector<std::vector<int>> programs;  // messages, per collective
  std::vector<bool> has_collective;
  Cycle start = 0;  // before which it prepares nothing
  Cycle prepared_until = 0;
  SplitMix64 jitter_source;
  SplitMix64 pattern_source;
  Cycle silence = none;          // cycles of it to come before the next start; none: not drawn yet
  int started = 0;               // messages of the pattern that have started
  std::vector<Pending> pending;  // of a loop, in the order in which they became known
};

struct LostCycles {
  Cycle first = 0;
  Cycle count = 0;
};

/// Inputs and outputs of a router are numbered alike: external ports, then internal ones. So are
/// its input and output VCs: port by port; an internal channel has a VC for each message class.
class Fabric {
 public:
  explicit Fabric(const Config& config);
  void load(const std::vector<Collective>& collectives);
  void load(const UniformPattern& pattern);
  void load(const ClosedLoop& loop);
  Results run();

 private:
  int add_message(const Line& line, int collective);
  void add_to_join(const Line& line, Message& contribution);
  void load_program(const Collective& collective, int index);

  // A cycle of the processors.
  void eject(int node);
  void receive(int node, int port, int message_class, const Flit& flit);
  void take_request(int node, int request, Cycle cycle);
  void make_room(int node);
  void take_messages(EjectionQueue& ejection);
  void return_credit(int node, int port, int message_class);
  void obtain(int node, int collective);
  void start_collectives();
  Cycle draw_silence(int node);
  void generate(int node);
  void answer(int node, int message);
  void make_request(int node);
  void send_pending(int node);
  void enqueue(int node, int message);
  void inject(int node);
  bool may_inject(const InjectionQueue& queue) const;
  void inject(int node, int port, int message_class);

  // A cycle of the routers.
  void accept(int node);
  std::optional<FlitOnWire> word_on(int node, int port);
  std::optional<FlitOnWire> checked(ErringLink& link, const std::optional<FlitOnWire>& word);
  bool hits(const ErringLink& link) const;
  bool is_replaying(int node, int output) const;
  Cycle longest_replay() const;
  void store(int node, int port, int vc, Flit flit);
  void pass_ack(int node, int output, int vc);
  void route(int node);
  void look_for_operands(int node);
  std::vector<int> inputs_of_join(int node, const Message& join) const;
  bool speaks(int node, int input, const InputVc& input_vc) const;
  void begin_meeting(int node, int input, int vc);
  bool is_complete(Router& router, const Meeting& meeting) const;
  void release_operands(int node, int input, int vc, bool is_tail);
  void drop_front(int node, InputVc& input_vc);
  void give_credit(int node, int input, int vc);
  void allocate_vcs(int node);
  void request_vcs(int node, InputVc& input_vc);
  void request_any_vc(int node, InputVc& input_vc);
  void grant(Router& router, int output, int vc);
  void allocate_switch(int node);
  std::vector<int> choose_vcs(int node);
  void let_join_agree(Router& router, const Meeting& meeting, std::vector<int>& chosen) const;
  void move(int node, int input, int vc, Branch& branch);
  void release(int node);

  // What a cycle leaves in the history.
  void record_message(int message, int port, Cycle begun);
  void record_arrival(int node, int port, int vc, const Flit& flit);
  void record_first(int node, const Flit& flit, Cycle cycle);
  void record_fronts(int node, const std::vector<int>& chosen);
  Front front_of(int node, int input, const InputVc& input_vc) const;

  int width() const { return shape_.ports + ports_; }
  int vcs_of(int port) const { return port < shape_.ports ? vcs_ : config_.classes; }
  int index_of(int port, int vc) const {
    return std::min(port, shape_.ports) * vcs_ +
           std::max(port - shape_.ports, 0) * config_.classes + vc;
  }
  int wire(int node, int port) const { return node * width() + port; }
  bool is_tail(const Flit& flit) const {
    return flit.sequence == messages_[flit.message].flits - 1;
  }
  /// Whether `vc` of an external channel is one of those that `message` may have, whatever its way.
  bool is_of_its_class(const Message& message, int vc) const {
    return vc / class_vcs_ == message.message_class;
  }
  /// The internal ports of `node`: its own or, in a graph, fewer where there are fewer external
  /// ones.
  int ports_of(int node) const {
    if (!shape_.is_graph) return ports_;
    const auto place = static_cast<std::size_t>(node);
    const int own = shape_.internal_ports_of[place];
    const int usual = config_.ports > 0 ? config_.ports : shape_.ports;
    return own > 0 ? own : std::min(usual, shape_.ports_of[place]);
  }
  bool lists_internal_flits() const { return config_.reception_limit > 0 || config_.lists_flits; }
  bool is_in_class(const Message& message, const Branch& branch, int vc) const;
  /// Whether the route delay holds the head at the front.
  bool is_being_routed(const InputVc& input_vc) const {
    return input_vc.buffer.front().sequence == 0 &&
           now_ < input_vc.first_from + config_.route_delay;
  }
  bool is_ready(const InputVc& input_vc) const;
  bool is_of_join(const InputVc& input_vc) const;
  bool is_for_whole_messages() const {
    return config_.mode == Mode::cut_through || config_.mode == Mode::store_and_forward;
  }
  bool can_move(const InputVc& input_vc, int credits) const;
  std::vector<Hop> route_between(const Line& line) const;
  std::vector<Hop> tree_hops_at(int node, const Message& message) const;
  std::vector<Branch> branches_of(int node, int input, int vc, const Flit& head) const;

  void expect_change(Cycle cycle) { latest_timer_ = std::max(latest_timer_, cycle); }
  void lose_cycle(int node, int output, int waiting, int holding);
  std::vector<std::pair<int, int>> way_to(int node, int output, const Message& message) const;
  Cycle longest_round() const;
  void check_conservation() const;
  Results collect();

  const Config config_;
  const Shape shape_;
  const Table table_;
  const BreadthFirstTree tree_;  // of trees and joins by the table
  const int own_vcs_;            // those that serve all messages
  const int class_vcs_;          // those of them that serve one message class
  const int layer_vcs_;          // by a table: those of these that are a layer
  const int vcs_;
  const int ports_;  // internal ports
  History history_;  // empty unless it is asked for

  Cycle now_ = 0;
  Cycle latest_timer_ = 0;  // after it nothing changes without a cause in the previous cycle
  bool has_changed_ = false;
  Cycle last_movement_ = 0;  // in which a flit crossed a router or entered an injection channel
  std::vector<Message> messages_;
  std::vector<Router> routers_;
  std::vector<Processor> processors_;
  std::vector<std::deque<FlitOnWire>> flit_wires_;      // by the input or ejection port at the end
  std::vector<ErringLink> links_;                       // the same of external inputs
  std::vector<std::deque<CreditOnWire>> credit_wires_;  // by the output at the end
  std::vector<std::deque<CreditOnWire>> ack_wires_;     // by the output at the end
  std::vector<Collective> collectives_;
  std::vector<Cycle> starts_;           // per collective; none: not yet known
  std::vector<std::set<int>> missing_;  // per collective: nodes that do not have it yet
  UniformPattern pattern_;
  ClosedLoop loop_;
  std::map<std::tuple<int, int, int, Kind>, int> joins_;  // by root, group, tag
  std::map<std::tuple<bool, int, int, int, int>, LostCycles> lost_cycles_;
  Results results_;
};

}  // namespace allport::reference
