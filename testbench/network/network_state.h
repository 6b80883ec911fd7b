// SPDX-License-Identifier: Apache-2.0
// A NetworkState is what is behind a Network: the fabric, the messages that are under way or sent
// for a later cycle, and the nodes at which somebody waits for room.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "testbench/network/network.h"
#include "testbench/network/network_fabric.h"
#include "testbench/network/network_movement.h"
#include "testbench/network/network_record.h"
#include "testbench/plan/plan_run.h"
#include "tlm/worm/listeners.h"
#include "traffic/schedule/schedule.h"

namespace allport {

/// What a network is made for, and what it knows of its messages: all that a copy of it has, too,
/// but the fabric.
class NetworkBooks {
 protected:
  /// `model`: what the fabric is, worms or routers.
  NetworkBooks(const NetworkRequest& request, Model model);

  /// A message from its call to its last reception; its place is its number in the fabric.
  struct Sent {
    std::uint64_t id = 0;
    std::uint64_t order = 0;  // among those of its source
    std::uint64_t user = 0;
    Cycle at = 0;
    NodeId source{};
    NodeId destination{};
    std::int32_t flits = 0;
    std::uint32_t receivers = 0;  // those that have not received it; 0: the place is free
    DimensionMask free = 0;
    TieMask ties = 0;
    MessageKind kind = MessageKind::unicast;
    std::uint8_t message_class = 0;
  };
  struct Later {
    Cycle at;
    std::uint64_t id;
    std::uint32_t place;
    bool operator>(const Later& other) const {
      return at != other.at ? at > other.at : id > other.id;
    }
  };
  /// A node and a message class.
  struct Queue {
    std::uint32_t node = 0;
    int message_class = 0;
    bool operator<(const Queue& other) const {
      return node != other.node ? node < other.node : message_class < other.message_class;
    }
  };
  /// What a node has received and not taken.
  struct Untaken {
    std::int32_t flits = 0;
    std::int16_t port = 0;
    std::uint8_t message_class = 0;
  };

  const RunPlan plan_;
  const std::optional<std::int64_t> limit_;
  const std::optional<std::int64_t> reception_limit_;
  const Range lengths_;
  const Cycle least_reception_;  // cycles from `at` to the first reception of any message
  Cycle now_ = 0;
  std::uint64_t count_ = 0;  // messages sent so far
  std::vector<Sent> sent_;
  std::vector<std::uint32_t> free_places_;
  std::vector<std::uint64_t> orders_;      // by node: messages sent so far
  std::vector<std::int64_t> later_flits_;  // by node and class: those of `later_`
  std::priority_queue<Later, std::vector<Later>, std::greater<>> later_;
  std::vector<NetworkDelivery> deliveries_;
  bool is_reported_ = true;  // whether the client has had the deliveries

  // With a reception limit only:
  std::unordered_map<std::uint64_t, std::uint32_t> places_;  // of the messages under way, by number
  std::map<std::pair<std::uint64_t, std::uint32_t>, Untaken> untaken_;  // by number and node
  std::map<Queue, std::vector<std::uint64_t>> awaited_;  // before anything is taken of the class
};

class NetworkState final : private NetworkBooks, private WormListener {
 public:
  /// A network of worms, or one of routers, whose fabric `make` makes.
  explicit NetworkState(const NetworkRequest& request);
  NetworkState(const NetworkRequest& request, Model model, const NetworkFabricMaker& make);
  /// A copy, whose clients wait for no room: neither calls nor waits are copied. Throws
  /// std::invalid_argument within a call-back of `other`.
  NetworkState(const NetworkState& other);
  ~NetworkState() override;

  const Topology& topology() const { return plan_.routing.topology(); }
  Model model() const { return plan_.request.model; }
  Cycle now() const { return now_; }
  std::uint64_t send(const NetworkMessage& message, Cycle at);
  std::optional<std::uint64_t> try_send(const NetworkMessage& message, Cycle at);
  const std::vector<NetworkDelivery>& advance(Cycle to, bool stops_at_delivery);
  Cycle next_event() const;
  Cycle expected(NodeId source, NodeId destination, std::int64_t flits) const;
  /// The flits of a message of `bytes` bytes.
  std::int64_t flits_of(std::uint64_t bytes) const;
  std::int64_t queued(NodeId node, int message_class) const;
  std::optional<std::int64_t> limit() const { return limit_; }
  void on_space(Network::OnSpace call);
  void take(std::uint64_t id, NodeId node);
  void waits_for(NodeId node, int message_class, std::uint64_t id);
  bool is_idle() const { return fabric_->is_idle() && later_.empty(); }
  std::optional<NetworkDeadlock> deadlock() const;
  Results results() const;
  Results explain(const ExplainRequest& request) const;
  void show(const std::function<void(const ShownTrial&)>& show) const;
  void finish_wave();

  /// Says, where assertions are on, that one thread at a time is in the network.
  class Visit {
   public:
    explicit Visit(NetworkState& state);
    ~Visit();
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;

   private:
    NetworkState& state_;
    bool is_outermost_ = false;
  };

 private:
  /// Somebody waits for room in a queue.
  struct Waiting {
    std::int64_t flits = 0;  // of the shortest message that was refused
    Cycle check = 0;         // no earlier there is room; never: not before something is sent
  };

  void on_sent(NodeId, MessageId, Cycle) override {}
  void on_received(const WormReception& reception) override;

  std::int64_t admit(const NetworkMessage& message, Cycle at) const;
  void require_destination(const NetworkMessage& message) const;
  std::int64_t length_of(const NetworkMessage& message) const;
  static Unicast as_sent(const NetworkMessage& message);
  std::uint32_t receivers_of(const NetworkMessage& message) const;
  TieMask ties_of(const NetworkMessage& message) const;
  void require_links(const NetworkMessage& message) const;
  void require_time(const char* what, Cycle cycle) const;
  std::int64_t room(const NetworkMessage& message) const {
    return *limit_ - flits_at(queue_of(message));
  }
  static Queue queue_of(const NetworkMessage& message) {
    return {static_cast<std::uint32_t>(index(message.source)), message.message_class};
  }
  std::int64_t flits_at(const Queue& queue) const;
  std::int64_t& later_flits(const Sent& sent) {
    return later_flits_[index(sent.source) * static_cast<std::size_t>(plan_.router.classes) +
                        sent.message_class];
  }
  void require_class(int message_class) const;
  void require_reception_limit(const char* call) const;
  bool is_deadlocked() const { return is_stuck() && (!reception_limit_ || deadlock().has_value()); }
  /// Whether it is deadlocked whatever nodes take: what clients have said of that may turn out
  /// otherwise, and then messages move again.
  bool is_deadlocked_for_ever() const;
  NetworkDeadlock name_deadlock(bool believes) const;
  /// `believes`: nodes take nothing before what waits_for() says.
  Deadlock find_among(const MessageLog& log, ContentionMonitor& contention, bool believes) const;
  std::uint64_t accept(const NetworkMessage& message, std::int64_t flits, Cycle at);
  std::uint32_t free_place();
  void give(std::uint32_t place);
  void give_due();

  void run(Cycle to, bool stops_at_delivery);
  void wait_for_room(const NetworkMessage& message, std::int64_t flits);
  void look_for_room();
  Cycle next_check(const Queue& queue, std::int64_t lacking) const;
  void find_first_check();

  bool is_stuck() const {
    return later_.empty() && !fabric_->is_idle() && fabric_->next_moment() == WormCalendar::never;
  }
  std::vector<std::uint32_t> places_by_id() const;

  std::unique_ptr<NetworkFabric> fabric_;
  const bool has_wave_ = false;
  bool is_wave_finished_ = false;
  std::unique_ptr<NetworkRecord> record_;      // null: nobody asked for one
  std::unique_ptr<NetworkMovement> movement_;  // null: nobody asked for one; else there is a record

  Network::OnSpace on_space_;
  std::map<Queue, Waiting> waiting_;
  Cycle first_check_ = Network::never;
  bool is_calling_ = false;  // whether on_space_ runs

  std::atomic<std::thread::id> visitor_{};
};

}  // namespace allport
