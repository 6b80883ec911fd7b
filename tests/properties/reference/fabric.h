// SPDX-License-Identifier: Apache-2.0
//
// The test oracle is a second, deliberately simple simulator of the router's contract, written from
// the contract alone. In each cycle it loops over all nodes, inputs, VCs and outputs. A wrong
// Config or Line is a std::invalid_argument (a cyclic channel dependency graph is not); a lost,
// disordered or overflowing flit is a std::logic_error. Where the contract leaves room, the oracle
// chooses: a processor prepares the messages of its programs first come, first served, receptions
// of one cycle by ejection port; an input VC has one pointer for the VCs that all its branches ask
// for; a head that finds no free VC waits for the owner of the first VC of its class at or after
// that pointer; a missing credit or a replication delay is no contention, nor is a head that a
// pipeline holds. Deadlock is quiescence: flits in buffers, nothing changed in this cycle, no timer
// runs. So a run goes on after a part of it is dead, and the lost cycles are counted up to the
// quiescence; the date of the deadlock counts from the last movement.
#ifndef ALLPORT_TESTS_SUPPORT_REFERENCE_FABRIC_H
#define ALLPORT_TESTS_SUPPORT_REFERENCE_FABRIC_H

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace allport::reference {

using Cycle = std::int64_t;

/// The v of a tree or path worm, which has no single destination.
constexpr int no_node = -1;

enum class Kind { unicast, deposit, tree, multidestination, path, label, join, join_tree };

enum class Mode { wormhole, cut_through, store_and_forward, circuit };

/// Which way messages of a pattern go that are half a ring away.
enum class Ties { positive, negative, alternate, random };

struct Config {
  std::string topology = "hypercube:4";  // hypercube:N, torus:KxK.., mesh:KxK.., ring:K, graph
  std::string edges = {};                // graph: a list of edges in CSV ..
  std::string nodes = {};                // .. and its file of nodes; empty: there is none
  bool is_directed = false;              // graph: an edge is one channel
  int flit_bytes = 4;                    // graph: of a flit
  std::string link_attributes = {};      // u,v,delay,width,from_port in CSV; empty: there are none
  int link_width = 0;          // graph: bytes, of edges that have none; 0: those of a flit
  std::string table = {};      // rows of a routing table in CSV; empty: there is none
  std::string tree = {};       // by a table: the root of the tree of trees and joins, by its name;
                               // empty: there are neither
  bool is_ascending = false;   // hypercube: lowest dimension first
  bool is_adaptive = false;    // hypercube: another useful dimension when one is busy
  Mode mode = Mode::wormhole;  // of switching
  Ties ties = Ties::positive;  // of patterns
  std::uint64_t tie_seed = 0;  // of Ties::random
  bool is_balanced = false;    // ring, torus: messages that never wrap use both classes of VCs
  int classes = 1;             // message classes, which the VCs are shared out to
  int vcs = 0;  // per external channel; 0: for each class one for each layer of a table, 2 on
                // torus, ring and where adaptive, else 1
  int buffer_depth = 4;  // flits
  int ports = 0;         // internal ports; 0: as many as external ones
  int link_delay = 0;    // cycles; where they differ, the most; of a graph of edges that have none
  std::vector<int> link_delays = {};  // by dimension; empty: link_delay everywhere
  std::vector<int> phits = {};  // cycles of a flit on a channel, by dimension; empty: 1 everywhere
  int replication_delay = 0;    // cycles
  int combine_delay = 0;        // cycles
  // Of routers with a pipeline, 0 .. 4 cycles each:
  int route_delay = 0;     // a: from a head's coming to the front until it asks for VCs
  int vc_delay = 0;        // v: from a branch's winning its VC until it takes part in the switch
  int crossbar_delay = 0;  // x: further cycles of each flit on its way out
  // Of channels that err:
  bool has_retry = false;  // whether they repeat what comes in error
  double error_rate = 0;   // share of the flits on external channels, 0 .. 0.5
  /// Node, port and cycle of further ones: the sender's output, the cycle at the far end.
  std::vector<std::tuple<int, int, Cycle>> errors = {};
  int join_vcs = 0;  // 1: joins and trees have one more VC, 2: joins have one and trees another
  int flits = 16;    // per message, without its list
  int ts = 0;        // cycles
  int tr = 0;        // cycles
  /// Places, in flits, of each ejection channel and message class. A flit has one from its cycle on
  /// the channel until its message is taken; the credit for it stays back while flits and credits
  /// out there fill all places. 0: a message is taken at once, and no credit stays back.
  int reception_limit = 0;
  int jitter = 0;            // largest extra delay, cycles
  int skew = 0;              // latest start of a processor, cycles; not of a pattern
  bool has_barrier = false;  // collectives one after another
  int barrier = 0;           // cycles
  std::uint64_t seed = 1;
  std::uint64_t trial = 0;         // enters the seeds of jitter and skew only
  bool explains = false;           // whether Results has accounts; neither of graphs nor of tables
  bool counts_from_begin = false;  // in accounts a message is created when it is begun, as of tasks
  bool lists_flits = false;        // whether Results has the flits on all channels
};

/// One message of u's program.
struct Line {
  int u = 0;
  int v = 0;  // that of a tree or path worm is ignored
  int order = 0;
  Kind kind = Kind::unicast;
  std::vector<int> displacement = {};  // signed, per dimension; empty: minimal, + on a tie
  std::vector<int> via = {};           // multidestination, label: the destinations before v
  int first_dimension = -1;            // label: that of the first hop; -1: as labels have it
  int free = 0;           // tree, join, join-tree: free dimensions of its group, a bit each; 0: all
  int tag = 0;            // join, join-tree: which one of its group; v is the root, u contributes
  int list = 0;           // unicast: flits of the list of destinations in its header
  int flits = 0;          // 0: those of Config
  int message_class = 0;  // 0 .. classes - 1
  Cycle at = 0;           // before which its processor does not prepare it, nor those behind it
  /// Cycles from the tail on the ejection channel until the message is taken, at each receiver; of
  /// a join that of its root's line. Needs a reception limit.
  Cycle take_after = 0;
};

struct Collective {
  std::vector<int> sources;
  std::vector<Line> lines;
};

/// Uniform traffic: messages start in cycles 0 .. cycles - 1, then the fabric drains.
struct UniformPattern {
  double rate = 0.0;  // flits per node and cycle
  Cycle cycles = 0;
};

/// Each node keeps `outstanding` requests to uniform destinations under way, until `cycles`. With a
/// reception limit it takes a reply when it has it, and a request when the reply to it has been
/// prepared, jitter left out.
struct ClosedLoop {
  int outstanding = 1;
  int reply_flits = 1;  // those of a request are Config's
  Cycle service = 0;    // from having a request until its reply is ready
  Cycle cycles = 0;
};

/// One received copy; head and tail are the cycles on the ejection channel.
struct Delivery {
  int source = 0, destination = 0, message = 0;
  Cycle head = 0, tail = 0;
  auto fields() const { return std::tie(source, destination, message, head, tail); }
};

/// A flit on an internal channel of `node`; `message` is the order of one of `source`.
struct InternalFlit {
  int node = 0, port = 0, message_class = 0, source = 0, message = 0, sequence = 0;
  Cycle cycle = 0;
  auto fields() const {
    return std::tie(node, port, message_class, source, message, sequence, cycle);
  }
};

/// A flit on the channel of external output `port` of `node`, when all of it is at the far end.
struct ExternalFlit {
  int node = 0, port = 0, vc = 0, source = 0, message = 0, sequence = 0;
  Cycle cycle = 0;
  auto fields() const { return std::tie(cycle, node, port, vc, source, message, sequence); }
};

/// A credit on the wire of an ejection channel of `node`.
struct ReceptionCredit {
  int node = 0, port = 0, message_class = 0;
  Cycle cycle = 0;
  auto fields() const { return std::tie(node, port, message_class, cycle); }
};

struct MessageName {
  int u = 0, v = 0, order = 0;
  auto fields() const { return std::tie(u, v, order); }
};

/// Output `port` of `node` (reception: internal port); first cycle lost and number of cycles lost.
struct ContentionEvent {
  Cycle cycle = 0, cycles = 0;
  int node = 0, port = 0;
  MessageName waiting, holding;
  auto fields() const { return std::tie(cycle, node, port, waiting, holding, cycles); }
};

template <class Record>
auto operator<(const Record& a, const Record& b) -> decltype(a.fields() < b.fields()) {
  return a.fields() < b.fields();
}

template <class Record>
auto operator==(const Record& a, const Record& b) -> decltype(a.fields() == b.fields()) {
  return a.fields() == b.fields();
}

/// Where the cycles from `created` to `has` of one delivery went: each has one cause. A place is
/// `node:outP.v` (an external output and its VC), `node:ejK`, `node:injK` or `node:proc`.
struct Account {
  int source = 0, destination = 0, message = 0;
  int collective = 0;   // -1: the message of a pattern
  int flits = 0;        // those of its list included
  int hops = 0;         // external channels on the way
  Cycle created = 0;    // when the sender has what it sends
  Cycle has = 0;        // when the receiver has it
  Cycle contended = 0;  // cycles for which somebody is blamed
  std::map<std::string, Cycle> by_cause;
  std::map<std::pair<std::string, MessageName>, Cycle> by_blame;  // cause, message blamed
  std::map<std::pair<std::string, std::string>, Cycle> by_root;   // last cause, its place
  auto fields() const { return std::tie(source, destination, message, collective, has); }
};

struct Results {
  std::vector<Delivery> deliveries;         // sorted as numbers
  std::vector<ContentionEvent> contention;  // sorted by cycle, channel, waiting, holding
  std::vector<ContentionEvent> reception;   // the same, for ejection channels
  /// Per collective: node to cycles since its start, tr included. Empty for a pattern.
  std::vector<std::map<int, Cycle>> latency;
  std::int64_t flit_hops = 0;  // flits put on external channels
  Cycle done = 0;              // last cycle in which a processor got a message
  bool is_deadlocked = false;
  Cycle deadlock_cycle = 0;        // of a deadlock: its date
  std::vector<MessageName> stuck;  // messages with a flit in a buffer or queue, by u, v, order
  std::vector<std::pair<Cycle, Cycle>> round_trips;  // of a loop: made, replied; in no order
  std::string digest;                                // of this trial's deliveries
  std::vector<Account> accounts;                     // of all deliveries, sorted as numbers
  // With a reception limit, each by cycle, node, port and class; flits also with
  // Config::lists_flits:
  std::vector<InternalFlit> injected, ejected;
  std::vector<ReceptionCredit> returned;
  std::vector<ExternalFlit> crossed;  // with Config::lists_flits, sorted
};

/// One trial of the collectives, from reset to the end (or to quiescence, in a deadlock).
Results simulate(const Config& config, const std::vector<Collective>& collectives);

/// One run of uniform traffic.
Results simulate(const Config& config, const UniformPattern& pattern);

/// One run of a closed loop.
Results simulate(const Config& config, const ClosedLoop& loop);

/// The digest of several trials, one after another.
std::string digest_of_trials(const std::vector<Results>& trials);

}  // namespace allport::reference

#endif  // ALLPORT_TESTS_SUPPORT_REFERENCE_FABRIC_H
