// SPDX-License-Identifier: Apache-2.0
// A Network is a fabric whose clock somebody else drives: a simulator of processors hands it
// messages, lets cycles pass and hears what was received (docs/guide/embed.md). Cycles are those of
// `allport run`, whatever calls cut time into pieces. It is plain C++, without SystemC.
//
// What is wrong with a call is thrown as std::invalid_argument, one sentence, and the network is as
// it was. Any number of networks may be in a process; each is used by one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rtl_model/base/ids.h"
#include "rtl_model/base/range.h"
#include "rtl_model/topology/message_kind.h"
#include "rtl_model/topology/tie_break.h"
#include "testbench/plan/run_request.h"
#include "testbench/results/explanation.h"
#include "testbench/results/results.h"

namespace allport {

/// Bounds of NetworkRequest::queue_limit, in flits.
constexpr Range queue_limits{1, 1'000'000'000'000};
/// Bounds of NetworkRequest::reception_limit, in flits; it is not below B either.
constexpr Range reception_limits{1, 1'000'000'000};

/// Waves of the routers of a network (docs/guide/waves.md): its signals in the cycles before now.
struct NetworkWave {
  std::string path;           ///< file, ends in .vcd or .fst; others go beside it
  std::vector<NodeId> nodes;  ///< nodes whose routers are recorded; empty: all
  Cycle from = 0;             ///< first cycle in the file
  Cycle to = INT64_MAX;       ///< last one; it ends with the cycle before finish_wave() at most
};

/// What a network is made of; fabric and router as in a RunRequest, with the same defaults.
struct NetworkRequest {
  FabricRequest fabric;
  RouterRequest router;
  TieBreak ties;              ///< rule of messages half a ring away
  Model model = Model::worm;  ///< `worm`, or `automatic`, which is the same where worms are exact
  int flit_bytes = 4;         ///< payload of a flit, 1..64 bytes
  /// Flits of a message class that may wait at a node for its injection channels, 1..10^12; none:
  /// any number.
  std::optional<std::int64_t> queue_limit;
  /// Flits of the reception buffer that a node has for each message class at each of its ejection
  /// channels, B..10^9: messages fill it until take(). None: a node takes every message at once.
  std::optional<std::int64_t> reception_limit;
  /// Whether results() is there: everything is kept that it tells of, which grows with each
  /// message.
  bool record = false;
  /// Whether explain() is there, and results() with it: the movement of all flits is kept, too. On
  /// worms messages are unicasts then.
  bool explain = false;
  /// Waves, written as cycles pass; results() is there, too. Routers only: worms have no signals.
  std::optional<NetworkWave> wave{};
};

struct NetworkMessage {
  NodeId source{};
  NodeId destination{};     ///< trees and path worms have none
  std::uint64_t bytes = 0;  ///< its length, 0 for one flit, unless it is given in `flits`
  std::int64_t flits = 0;   ///< its length, 1..10^9; 0: it is given in bytes
  /// Unicast, tree, deposit or path; of the last two every node on its way receives it.
  MessageKind kind = MessageKind::unicast;
  DimensionMask free = 0;  ///< of a tree: the free dimensions of its group; 0: all
  int message_class = 0;   ///< 0..C-1
  std::uint64_t user = 0;  ///< comes back with each delivery
};

/// A message is received by a node: its tail is on an ejection channel.
struct NetworkDelivery {
  std::uint64_t id = 0;  ///< what send() returned
  std::uint64_t user = 0;
  NodeId source{};
  NodeId destination{};  ///< the node that received it
  int port = 0;          ///< its ejection channel
  int message_class = 0;
  Cycle injected = 0;  ///< cycle of the head on the injection channel
  Cycle head = 0;      ///< cycle of the head on the ejection channel
  Cycle tail = 0;      ///< cycle of the tail there
};

/// Messages that wait for one another for ever.
struct NetworkDeadlock {
  struct Wait {
    std::uint64_t message = 0;  ///< the one that waits
    std::uint64_t held_by = 0;  ///< the one that it waits for: the next one of the circle
    std::string words;          ///< `0 -> all waits for channel 2 -> 0 (dimension 1), held by ..`
  };
  Cycle cycle = 0;             ///< as a run dates it
  std::size_t messages = 0;    ///< messages that can never be received
  std::vector<Wait> circle{};  ///< the waits, each held by the message of the next
};

class NetworkState;
struct ShownTrial;  // testbench/observe/explain/explained_trial.h

class Network {
 public:
  /// What next_event() says if nothing can be received.
  static constexpr Cycle never = INT64_MAX;
  using OnSpace = std::function<void(NodeId node, int message_class)>;

  explicit Network(const NetworkRequest& request);
  ~Network();
  Network(Network&& other) noexcept;
  Network& operator=(Network&& other) noexcept;
  /// An independent network in the same state, of which a client may ask what would happen: from
  /// equal calls on both go on alike. Nothing of on_space() is in it, neither its call nor who
  /// waits for room.
  Network copy() const;

  const Topology& topology() const;
  /// What moves its flits: worms, or routers in SystemC.
  Model model() const;
  /// The cycle at which the clock stands: 0 at first.
  Cycle now() const;

  /// Puts a message at the queue of its injection channel in cycle `at`, now or later, up to 10^18:
  /// its head may be on the channel in that cycle. Messages of one source, class and channel keep
  /// the order of (`at`, call). Returns the number of the message: 0, 1, .. With a limit there must
  /// be room.
  std::uint64_t send(const NetworkMessage& message, Cycle at);
  /// The same, but none, and nothing is sent, if there is no room.
  std::optional<std::uint64_t> try_send(const NetworkMessage& message, Cycle at);

  /// Lets the cycles up to `to`, now or later, up to 10^18, pass, so that now is `to` + 1. Returns
  /// what was received in them, by cycle, node and port; it is there until the next call that lets
  /// cycles pass.
  const std::vector<NetworkDelivery>& advance(Cycle to);
  /// Lets cycles pass up to the first one, `limit` at most, in which anything is received, and
  /// returns all that is: now is that cycle, and a message sent `at` now leaves in it. If nothing
  /// is received, it is advance(limit).
  const std::vector<NetworkDelivery>& advance_to_delivery(Cycle limit);
  /// A cycle before which nothing is received unless more is sent; never: nothing ever is.
  Cycle next_event() const;

  /// Cycles from the `at` of a unicast to the reception of its head, if it meets nobody; it takes
  /// no less.
  Cycle lookahead(NodeId source, NodeId destination) const;
  /// Cycles from the `at` of a unicast to its reception, if it meets nobody, nor a credit of
  /// another message that is on its way.
  Cycle expected(NodeId source, NodeId destination, std::uint64_t bytes) const;

  /// Flits of `message_class` that wait at `node`: those that were sent and were not on an
  /// injection channel in a cycle before now, wherever their `at` is.
  std::int64_t queued(NodeId node, int message_class = 0) const;
  /// The most of them, if there is a limit.
  std::optional<std::int64_t> limit() const;
  /// From now on `call` is made within advance() when there is room again at a node for the
  /// shortest message of a class that try_send() refused since the last such call, with now the
  /// first cycle in which there is, after its receptions. It may send and take, and neither let
  /// cycles pass nor set another; what it throws leaves advance(), and the next one goes on from
  /// there.
  void on_space(OnSpace call);

  /// With a reception limit: `node` takes a message, the one that send() numbered `id` and `node`
  /// has received, out of the reception buffer in cycle now.
  void take(std::uint64_t id, NodeId node);
  /// With a reception limit: says that `node` takes nothing of `message_class` before message `id`,
  /// which is under way, has been received by all; of several messages, before each of them has.
  /// It changes nothing but what deadlock() names: the node may still take, and messages may be
  /// sent. When the last of these messages has been received, nothing has been said any more.
  void waits_for(NodeId node, int message_class, std::uint64_t id);

  /// Whether nothing is under way or will be; what is received and not taken is not under way.
  bool is_idle() const;
  /// Who waits for whom, if messages are left and can never move; none otherwise. Unicasts alone
  /// never deadlock, unless clients say what they wait for before they take any. That nothing moves
  /// because nothing is taken is no deadlock: a take may come. One that follows from what clients
  /// say ends where a node takes something all the same.
  std::optional<NetworkDeadlock> deadlock() const;

  /// With `record` or `explain`: what `allport run` tells of the messages sent so far as a schedule
  /// with times, as far as they have come in the cycles before now (docs/guide/embed.md), and their
  /// `traffic` in these cycles.
  Results results() const;
  /// With `explain`: the same with the `explanation` (docs/explain.md) of what `request` asks for,
  /// that of `allport explain`: the latencies of the messages received, those of the messages
  /// under way up to now, and what channels did.
  Results explain(const ExplainRequest& request) const;
  /// With `explain`: calls `show` with what there is to show of the messages so far, of which
  /// write_timeline() (testbench/show/timeline/timeline.h) makes a timeline.
  void show(const std::function<void(const ShownTrial&)>& show) const;
  /// With `wave`: completes the file, in which no later cycles are, and writes those beside it;
  /// done before, it does nothing. A network that is destroyed does so, too, but tells nobody what
  /// went wrong: std::runtime_error, one sentence, if a file could not be written.
  void finish_wave();

 private:
  friend Network flit_network(const NetworkRequest& request);  // flits/network_flits.h
  explicit Network(std::unique_ptr<NetworkState> state);

  std::unique_ptr<NetworkState> state_;
};

}  // namespace allport
