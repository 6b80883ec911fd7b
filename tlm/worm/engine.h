// SPDX-License-Identifier: Apache-2.0
// A WormEngine is the fabric of docs/router.md moved worm by worm instead of flit by flit:
// unicasts, trees and joins in wormhole mode on any topology, with any V, B, d and k. Every head
// and tail is on its ejection channel in exactly the cycle of the flit-level model, because every
// decision of a router is made by the same rule in the same cycle; but a flit that follows another
// one costs nothing. Time is driven from outside, moment by moment (calendar.h). The engine is
// plain C++, without a kernel or nodes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "rtl_model/router/router_config.h"
#include "tlm/worm/calendar.h"
#include "tlm/worm/convoy.h"
#include "tlm/worm/junctions.h"
#include "tlm/worm/listeners.h"
#include "tlm/worm/lone_worms.h"
#include "tlm/worm/reception.h"
#include "tlm/worm/request.h"
#include "tlm/worm/store.h"
#include "tlm/worm/switch_allocation.h"
#include "tlm/worm/trees.h"
#include "tlm/worm/vc_allocation.h"

namespace allport {

class WormEngine final : private WormStore, private WormMover {
 public:
  /// `given`: validated; `given` and `routes` must outlive the engine. `reception_limit`: flits of
  /// the reception buffer of each class on an ejection channel, B at least; 0: nodes take every
  /// message at once, and take() is not called.
  WormEngine(const RouterConfig& given, const Routing& routes, WormListener& listener,
             std::int64_t reception_limit = 0);

  WormEngine(const WormEngine&) = delete;
  ~WormEngine() override = default;

  void reset();
  /// Takes over the state of `other`, which was made of an equal configuration and an equal limit,
  /// between two moments: from then on both go on alike. Who hears of them stays.
  void take_over(const WormEngine& other) { *this = other; }
  /// From now on `listener` is notified of contention; it must outlive the engine.
  void observe(WormContentionListener& listener) { contention.push_back(&listener); }
  /// From now on `listener` is notified of the flits that move; it must outlive the engine or be
  /// dismissed. One that may not hear late must be there before the first message is sent.
  void observe(WormMovementListener& listener) { movement.push_back(&listener); }
  /// From now on `listener` is notified of nothing.
  void dismiss(const WormMovementListener& listener) {
    movement.erase(std::remove(movement.begin(), movement.end(), &listener), movement.end());
  }
  /// Sets whether the listener is told of the messages sent.
  void tell_of_sent(bool wanted) { tells_of_sent_ = wanted; }
  bool tells_of_sent() const { return tells_of_sent_; }

  /// Queues a message on its injection channel, behind those of its class already there; one that
  /// is to start in a cycle that has passed is a std::invalid_argument, and is not queued.
  void send(const WormRequest& request);
  /// Throws std::invalid_argument, one sentence, if no message of `source` can start in cycle
  /// `start` any more, because worms have been moved past it.
  void require_open(NodeId source, Cycle start) const;
  /// `node` takes a message of `flits` flits, which it has received by ejection channel `port`. The
  /// moments of cycle `now` but those of switching may have been passed, and no later ones.
  void take(NodeId node, int port, int message_class, std::int64_t flits, Cycle now);
  /// The first moment at which anything happens; WormCalendar::never if there is none.
  Cycle next_moment() const { return calendar->next_moment(); }
  /// Handles the events of `moment`. The moments of reception call the listener; those of injection
  /// do if it is told of the messages sent.
  void pass(Cycle moment) override;

  /// The number of the injection channel that a message takes.
  int injection_port(NodeId source, NodeId destination, TieMask ties) const;
  /// Flits that have left by external channels, once nothing moves.
  std::uint64_t flit_hops() const;
  /// Whether no message is under way or queued.
  bool is_idle() const { return messages_ == 0 && coming_.empty(); }
  /// The flits of the messages of a class at injection channel `port` of `node` that were not on it
  /// in a cycle before `now`. The moments before the phase of injection of cycle `now` have been
  /// passed, and no others.
  std::int64_t unsent(NodeId node, int port, int message_class, Cycle now) const;
  /// Whether one of these flits may go without a further event: one does in every cycle, or in
  /// cycles that repeat themselves.
  bool is_sending(NodeId node, int port, int message_class) const;
  /// Adds the flits of the messages under way that left by each external channel in cycles before
  /// `now` to `flits`, by node, then port. Moments as for unsent().
  void add_crossings(Cycle now, std::vector<std::uint64_t>& flits) const;
  /// Tells `listener`, which has heard of all that moves, of the flits that have left in cycles
  /// before `now` and that it would hear of later, since their passages are asleep: as if these
  /// stopped in cycle `now`. Moments as for unsent().
  void tell_of_sleep(Cycle now, WormMovementListener& listener) const {
    convoys_.tell_of_sleep(now, listener);
  }
  /// The same of worms that nobody meets, for a listener that may hear late.
  void tell_of_lone(Cycle now, WormMovementListener& listener) const {
    lone_.tell_of_moves(now, listener);
  }
  /// Calls `visit` with each WormContention, as far as it was in cycles before `now`, of which
  /// listeners have not heard because it is not over. Moments as for unsent().
  template <class Visit>
  void visit_open_contention(Cycle now, Visit visit) const {
    for (const Passage& passage : passages) {
      if (passage.held_by == no_message || passage.is_asleep) continue;
      const Cycle since = passage.waiting_since;
      if (since >= now) continue;
      visit(WormContention{node_id(passage.node), passage.output, passage.message, passage.held_by,
                           since, now - since});
    }
    convoys_.visit_losses(now, visit);
  }
  /// Passages and junctions decided upon since the start: the measure of the work.
  std::uint64_t decisions() const { return decisions_ + junctions_.decisions(); }

  // Once it has nothing left to do:
  /// What stands where, if anything does.
  const WormStore& store() const { return *this; }
  /// The messages at injection channel `port` of `node` whose tails are not on it, in their order.
  std::vector<WormQueued> queued(NodeId node, int port, int message_class = 0) const;

 private:
  using What = WormEvent::What;
  static constexpr std::uint32_t no_worm = UINT32_MAX;
  WormEngine& operator=(const WormEngine& other) = default;

  struct Queued {  // a message on its way to the injection channel
    WormRequest request;
    std::uint32_t next = 0;
  };
  struct Injection {  // the messages of one class at an injection channel
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    WormIndex passage = 0;     // the passage that is sending
    Cycle start = 0;           // from which it may
    std::int64_t waiting = 0;  // flits of the messages behind it
  };
  struct Turn {                // of the classes on an injection channel
    std::uint8_t ready = 0;    // classes that may send, one bit each
    std::uint8_t pointer = 0;  // round robin over them
    bool is_noted = false;
    Cycle left = 0;  // one more than the last cycle in which one was told to send
  };
  // The place in injections_, and that of its virtual channel behind first_injection.
  std::uint32_t injection_of(NodeId node, int port, int message_class) {
    const std::uint32_t channel = injection_channel(static_cast<std::uint32_t>(index(node)), port);
    return first_vc(channel) - first_injection + static_cast<std::uint32_t>(message_class);
  }
  // The state there; of a channel that no message has taken, that after reset.
  Injection injection_at(NodeId node, int port, int message_class) const;
  // The flits that have left by passage `id` in cycles before `now`.
  Cycle sent_before(WormIndex id, Cycle now) const;
  // engine.cpp: starts and ends worms
  void start_message(std::uint32_t injection, Cycle now);
  WormIndex make_worm(const WormRequest& request, std::uint32_t injection, Cycle now);
  void begin_lone(std::uint32_t worm);
  void go_on(std::uint32_t worm, Cycle now);
  bool is_followed(std::uint32_t injection, Cycle end) const;
  void tell_of_lone_tail(std::uint32_t worm, Cycle now);
  void leave_injection(std::uint32_t worm, Cycle now);
  void receive_lone(std::uint32_t worm, Cycle now);
  WormIndex make_tree(const WormRequest& request, std::uint32_t injection);
  void begin(WormIndex first, int flits, std::uint32_t injection);
  void free_worm(std::uint32_t worm);
  void lay_passages(const WormRequest& request, WormIndex first, std::uint32_t count);
  void receive(WormIndex id, Cycle now) override;
  void receive_later(WormReception reception, std::uint32_t ended);
  void receive_due(Cycle now);
  void receive_all(Cycle now);

  // flow.cpp: moves flits
  void happen_all(const std::vector<WormEvent>& events, std::size_t& done, WormPhase phase,
                  Cycle now);
  void happen(WormEvent event, WormPhase phase, Cycle now);
  void change_arrivals(WormIndex id, What what, Cycle now);
  void note_arrival(const Passage& passage, Cycle cycle);
  void change_credits(WormIndex id, What what, Cycle now);
  void run_timer(WormIndex id, WormPhase phase, Cycle now);
  void wake(WormIndex id, Cycle now) override;
  void come_to_front(WormIndex id, Cycle now) override;
  // Notes a passage to be decided upon in this cycle, before anything is decided in it.
  void disturb_and_note(WormIndex id, Cycle now) {
    if (convoys_.is_any()) convoys_.disturb(id, now);
    note(id);
  }
  bool has_route(WormIndex id, Cycle now);
  void decide_routers(Cycle now);
  void decide(WormIndex id, Cycle now);
  void run_alone_or_compete(WormIndex id, Cycle now);
  void note_competitors(std::uint32_t node, Cycle now);
  void note_owners(std::uint32_t channel, Cycle now);
  void compete(std::uint32_t node, Cycle now);
  void lose(WormIndex loser, const std::vector<WormIndex>& winners, Cycle now);
  void move_one(WormIndex id, Cycle now);
  // Whether there is nothing to foresee: to begin and end a stream of one flit takes more events
  // than the flit. Of an injection channel it is told when the tail is on it.
  static bool is_one_flit(const Passage& passage) {
    return passage.length == 1 && !passage.is_first;
  }
  void move_one_alone(WormIndex id, Cycle now);
  void keep_moving(WormIndex id, Cycle now);
  bool can_move(WormIndex id, Cycle now) {
    const Passage& passage = passages[id];
    if (!passage.has_channel || passage.arrived <= passage.sent) return false;
    if (is_held(passage, now) || passage.awaits_ack) return false;
    if (has_credits(passage, now) && has_flits(passage, passage)) return true;
    await_demands(id, passage, now);
    return false;
  }
  void look_at_head(WormIndex id, Cycle now);
  // Whether more flits follow its head, which leads out of a node, on a circuit.
  bool opens_circuit(const Passage& passage) const {
    return config.switching == Switching::circuit && passage.is_first && passage.sent <= 1 &&
           passage.length > 1;
  }
  void await_ack(Passage& first);
  void acknowledge(WormIndex last, Cycle now);
  void start(WormIndex id, Cycle now);
  void stop(WormIndex id, Cycle now);
  void set_timer(WormIndex id, Cycle now) override;
  // The phase of its timer: in that of reception a tail may have come.
  static WormPhase phase_of(const Passage& passage) {
    if (passage.is_first) return WormPhase::injection;
    return passage.is_last ? WormPhase::reception : WormPhase::switching;
  }
  void leave_with_head(WormIndex id, Cycle now);
  void finish(WormIndex id, Cycle now);
  void tell_arrival(WormIndex id, What what, Cycle now);

  // injection.cpp: puts flits on injection channels
  void decide_injections(Cycle now);
  void tell_of_tail(WormIndex id, Cycle now);
  void note_turn(WormIndex id, bool may_send);
  void note_classes(std::uint32_t channel, Cycle now);
  void take_turn(std::uint32_t channel, bool is_again, Cycle now);
  void end_turns(std::uint32_t injection);

  void count_decision(const Passage& passage) {
    ++decisions_;
    Worm& worm = worms[passage.worm];
    if (++worm.decisions == worm.next_watch) convoys_.add_restless(passage.worm);
  }

  WormVcAllocation allocation_;
  WormSwitchAllocation competition_;
  WormConvoys convoys_;
  WormJunctions junctions_;
  WormTrees trees_;
  WormReceptionBuffers reception_buffers_;
  LoneWorms lone_;
  ZeroedArray<Injection> injections_;  // by injection channel and class
  ZeroedArray<Turn> turns_;            // by injection channel, C > 1 only
  std::vector<std::uint32_t> noted_turns_;
  Cycle last_injection_ = -1;     // the last cycle in which injections were decided upon
  std::vector<Queued> queue_{1};  // entry 0 is unused
  std::uint32_t free_queued_ = 0;

  std::vector<WormIndex> competitors_;  // competitors at the present router
  std::vector<WormReception> receptions_;
  struct Coming {
    WormReception reception;
    std::uint32_t ended = no_worm;  // the worm of which it is the last one
  };
  std::deque<Coming> coming_;  // whose tails are in a crossbar, x > 0 only, by their cycles
  std::vector<std::uint32_t> finished_worms_;
  bool tells_of_sent_ = false;
  std::uint64_t flit_hops_ = 0;  // of all unicasts that have started, to the end of their ways
  std::uint64_t messages_ = 0;   // messages under way or queued
  std::uint64_t decisions_ = 0;
};

}  // namespace allport
