// SPDX-License-Identifier: Apache-2.0
// An explanation says why the messages of a run took as long as they did (docs/explain.md), as
// plain data: the explainer writes it, and the reports read it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "testbench/results/cause.h"
#include "testbench/results/message_name.h"
#include "testbench/results/way_to_bound.h"

namespace allport {

/// A place in the machine: an output of a router, an injection port, or a processor.
struct Resource {
  enum class Kind : std::uint8_t { channel, injection, ejection, processor };
  Kind kind = Kind::channel;
  NodeId node{};
  int port = 0;  ///< external port, or internal port 0 .. K - 1; 0 of a processor
  int vc = 0;    ///< of an external channel
};

/// `external`, as JSON and tables say.
const char* to_string(Resource::Kind kind);

/// Cycles by cause.
struct CauseSum {
  std::array<Cycle, cause_count> cycles{};
  Cycle contended = 0;  ///< those of them that blame another message

  Cycle& operator[](Cause cause) { return cycles[static_cast<std::size_t>(cause)]; }
  Cycle operator[](Cause cause) const { return cycles[static_cast<std::size_t>(cause)]; }
  Cycle total() const;
  void add(Cause cause, Cycle count, bool is_blaming);
  void add(const CauseSum& other);
};

/// Cycles of a message in which another one is in the way. In the queue of a port or a processor
/// all messages before it are one blame, which names the last of them.
struct Blame {
  Cause cause = Cause::hop;
  MessageName blamed;
  Cycle cycles = 0;
  std::size_t messages = 1;  ///< those that are blamed
};

/// A message received by one node, and the causes of its latency.
struct MessageAccount {
  int trial = 0;
  NodeId source{};       ///< of a join its root
  NodeId destination{};  ///< the receiver
  /// Of a join: the node whose contribution was waited for everywhere, from whose creation on the
  /// cycles count.
  std::optional<NodeId> contributor{};
  int order = 0;
  int collective = 0;
  int flits = 0;
  int hops = 0;  ///< external channels on the way
  // Cycles from the trial's start:
  Cycle created = 0;
  Cycle prepared = 0;
  Cycle injected = 0;  ///< of the head, on the injection channel
  Cycle head = 0;      ///< on the ejection channel
  Cycle tail = 0;
  Cycle has = 0;
  CauseSum causes;
  std::vector<Blame> blames;  ///< of the messages that are listed: the longest first

  bool has_contributor() const { return contributor.has_value(); }
};

/// Successive cycles of a message with one cause.
struct PathStretch {
  Cause cause = Cause::hop;
  Cycle first = 0;
  Cycle cycles = 0;
  Resource resource;
  std::optional<MessageName> blamed;
};

/// A message under way when its trial ended, in a deadlock or by an interrupt: one branch of it.
struct UnfinishedMessage {
  int trial = 0;
  MessageName name;
  int flits = 0;
  Cycle created = 0;
  Cycle until = 0;    ///< the end of the trial; its cycles up to there have causes
  Resource resource;  ///< the channel on which it got farthest, or which its branch lacks there
  CauseSum causes;
  std::vector<Blame> blames;  ///< the longest first
};

/// A message of a critical path.
struct PathMessage {
  MessageAccount account;
  std::vector<PathStretch> stretches;
};

/// The cycles of a channel in a stretch of the run: used + lost + no_credit + empty + idle.
struct ChannelUse {
  int trial = 0;
  Resource resource;  ///< without its VC: a physical channel
  Cycle from = 0;
  Cycle cycles = 0;
  Cycle used = 0;       ///< a flit goes out on it
  Cycle lost = 0;       ///< a flit could go, but its input or this output chose another one
  Cycle no_credit = 0;  ///< a flit is there, and has no credit
  Cycle empty = 0;      ///< a message owns it, and its next flit is not there
  Cycle idle = 0;
  Cycle flits = 0;
  std::size_t messages = 0;      ///< whose head goes out on it
  std::size_t most_waiting = 0;  ///< most messages whose heads waited for it at once
};

/// Cycles in which messages waited for a channel.
struct ChannelWaits {
  Resource resource;  ///< without its VC
  CauseSum causes;
};

/// The causes of all messages of one source.
struct SourceWaits {
  NodeId source{};
  std::size_t receipts = 0;
  CauseSum causes;
};

/// Messages with something in common.
struct GroupWaits {
  std::size_t receipts = 0;
  CauseSum causes;
};

/// Blamed cycles with one root.
struct RootShare {
  Cause cause = Cause::hop;
  Resource resource;
  Cycle cycles = 0;
};

/// What is to be explained.
struct ExplainRequest {
  static constexpr std::size_t all = ~std::size_t{0};
  bool causes = false;     ///< the causes of every latency
  bool channels = false;   ///< what every channel does
  bool movement = false;   ///< nothing here; the movement is kept, to be shown
  Cycle every = 0;         ///< length of a stretch of `channels`; 0: one, see Explainer
  std::size_t listed = 0;  ///< how many messages to list, the slowest of the run; `all`: in the
                           ///< order of their receptions
  std::optional<MessageName> message{};  ///< the only message to list; none: the slowest
  bool is_any() const { return causes || channels || movement; }
};

struct Explanation {
  std::size_t receipts = 0;  ///< messages received, once for each receiver
  CauseSum causes;           ///< over them
  /// The received message whose name is nearest to the one asked for; none: nothing was received.
  std::optional<MessageName> nearest;
  std::vector<MessageAccount> messages;  ///< those asked for
  /// Those that were under way when a trial ended, by trial, name and place.
  std::vector<UnfinishedMessage> unfinished;
  /// Received messages without an account, because an interrupt cut the explanation short.
  std::size_t unexplained = 0;
  std::size_t tied = 0;  ///< received messages that go exactly half a ring in some dimension
  /// The critical path of the collective whose latency is largest, in the order of time; empty for
  /// a pattern. Its cycles are causes of that latency.
  std::vector<PathMessage> path;
  /// What the largest latency takes beyond the lower bound of the run; none: `no_bound` says why.
  std::optional<WayToBound> to_bound{};
  std::string no_bound{};
  std::vector<RootShare> roots;          ///< the largest first
  std::vector<ChannelWaits> by_channel;  ///< those that were waited for, the longest waits first
  std::vector<SourceWaits> by_source;    ///< by node
  std::vector<GroupWaits> by_hops;       ///< by the number of external channels on the way, from 0
  GroupWaits slowest;                    ///< the slowest 1 % of the messages, at least one
  std::vector<ChannelUse> channels;      ///< by trial, stretch of the trial, then channel
  /// Rows of `channels` that a trial would have had and that are too many; 0: they are there.
  std::size_t missing_uses = 0;
};

/// Why `explanation` lists no message where `request` names one; empty if it does, or an interrupt
/// may have left it out.
std::string missing_message(const ExplainRequest& request, const Explanation& explanation,
                            const Topology& topology);

}  // namespace allport
