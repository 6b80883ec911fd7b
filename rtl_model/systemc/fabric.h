// SPDX-License-Identifier: Apache-2.0
// A Fabric is the routers and channels of one topology, and the clock. One process runs at the
// clock edges at which there is work to do: what is decided in cycle c executes at the edge that
// begins cycle c + 1; terminals act within the cycle (docs/timing.md). A router is called in a
// cycle only if a flit or a useful credit arrives or its last call asked for it; while no router is
// awake, the clock itself stops until the next terminal acts. Nothing is allocated while it runs,
// once the registers of the channels have grown and the buffers have their places. The routers may
// be split into parts, each with what its routers decide, so that several threads decide a cycle
// together: what they do in a cycle depends on nothing that others do in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <queue>
#include <string>
#include <systemc>
#include <vector>

#include "rtl_model/base/rests.h"
#include "rtl_model/base/stop_flag.h"
#include "rtl_model/base/team.h"
#include "rtl_model/router/reception_buffer.h"
#include "rtl_model/router/router_parts.h"
#include "rtl_model/systemc/border.h"
#include "rtl_model/systemc/channel.h"
#include "rtl_model/systemc/cycle_clock.h"
#include "rtl_model/systemc/erring_links.h"
#include "rtl_model/systemc/observers.h"
#include "rtl_model/systemc/router.h"
#include "rtl_model/systemc/router_model.h"
#include "rtl_model/systemc/terminal.h"

namespace allport {

/// Who lets the cycles of a fabric pass: SystemC's kernel, or calls of deliver_ejected(),
/// call_terminals() and decide(). One that is paced by calls has no processes, so that it needs no
/// kernel that runs, and time in it is no time of SystemC.
enum class FabricPace { kernel, calls };

class Fabric : public sc_core::sc_module, public CycleClock {
 public:
  /// `config`: validated; `clock_period` > 0. Once `stop` is set, no more routers are made, and the
  /// fabric must not be used. Each of the `parts` of its routers is decided by a thread of its own
  /// in cycles in which enough routers are awake; every cycle is the same. A fabric that errs, that
  /// has models in the place of routers or an observer that does not hear in parts is decided by
  /// one thread. There are no threads before a cycle needs them; if the machine gives none then,
  /// one thread decides all.
  Fabric(const sc_core::sc_module_name& name, const RouterConfig& config, const Routing& routing,
         const sc_core::sc_time& clock_period, StopFlag stop = nullptr,
         FabricPace pace = FabricPace::kernel, const RouterParts& parts = {});
  ~Fabric() override;

  const RouterConfig& config() const { return config_; }
  const Routing& routing() const { return routing_; }
  std::size_t router_count() const { return routers_.size(); }
  /// Routers with a processor: they come first.
  std::size_t node_count() const { return routing_.topology().node_count(); }
  /// The state of the router of `node` for observers, whether it is a Router or a model in its
  /// place.
  const RouterState& state(NodeId node) const {
    const RouterModel* model = models_[index(node)];
    return model != nullptr ? model->state() : *routers_[index(node)];
  }
  /// The cycle from which the router of `node`, which has slept since `asleep`, has been as it is.
  Cycle unchanged_since(NodeId node, Cycle asleep) const {
    const RouterModel* model = models_[index(node)];
    return model != nullptr ? model->unchanged_since(asleep) : asleep;
  }

  Cycle cycle() const override { return is_at_edge_ ? edge_ : CycleClock::cycle(); }
  /// Returns to the state after reset; cycle 0 begins now, in trial `trial` of a run.
  void reset(std::uint64_t trial = 0);
  /// Flits put on external channels since reset; a replicated flit counts once per branch.
  std::uint64_t flit_hops() const;
  /// Flits taken by terminals since reset.
  std::uint64_t ejected_flits() const;
  /// The last cycle since reset in which a flit moved.
  Cycle last_movement() const;
  /// Why the run was halted; empty if it was not.
  const std::string& halted() const { return halted_; }
  /// Whether all buffers are empty and all virtual channels free.
  bool is_idle() const;
  /// Reports to the observers of stalls the cycles up to `end` in which sleeping routers were
  /// stalled.
  void settle_stalls(Cycle end);
  /// Tells `observer` alone of these cycles, of which the others hear later.
  void tell_open_stalls(Cycle end, StallObserver& observer) const;

  /// From now on each virtual channel of an ejection channel ends in a reception buffer of `limit`
  /// flits, B at least, which messages fill until take(); to be called before the first cycle.
  void limit_reception(std::int64_t limit);
  /// `node` takes a message of `flits` flits in the present cycle, which it has received by VC `vc`
  /// of ejection channel `port`.
  void take(NodeId node, int port, int vc, std::int64_t flits);

  /// From now on external channels err, as drawn from `seed` where there is a rate; to be called
  /// before the first cycle. Flits err only if the routers have retry.
  void err(const LinkErrors& errors, std::uint64_t seed);
  /// What has erred since reset; null: nothing does.
  const ErringLinks* erring_links() const { return erring_links_.get(); }

  /// How many cycles have been decided since the fabric was made, and how many of them by several
  /// threads.
  struct Decided {
    std::uint64_t cycles = 0;
    std::uint64_t together = 0;
  };
  const Decided& decided() const { return decided_; }
  /// The parts of its routers, which it decides each by a thread of its own.
  const RouterParts& parts() const { return parts_of_routers_; }
  /// Why one thread decides every cycle, as words that follow "one thread:"; empty: enough
  /// routers may be awake for several.
  std::string why_whole() const;

  /// From now on it decides only the parts that are at this side of `border`, which must outlive
  /// it, and only terminals of nodes in them are called and inject; to be called before the first
  /// cycle. Each side has a fabric of all routers in the same parts. Throws std::logic_error if the
  /// fabric errs, whose nacks have no way through a border.
  void share(Border& border);

  void attach(NodeId node, Terminal& terminal);
  /// Puts `model` in the place of the router of `node` from now on; to be called before the first
  /// cycle.
  void substitute(NodeId node, RouterModel& model);
  /// For a model in a router's place: the SystemC router of that node, and the way out.
  Router& router(NodeId node) { return *routers_[index(node)]; }
  RouterChannels& channels(NodeId node);
  /// Ends the run after this cycle because of `reason`; it stays halted until the next reset.
  void halt(const std::string& reason);

  /// From now on `observer` is notified of everything that its type names (observers.h); it must
  /// outlive the run or be dismissed.
  template <class Observer>
  void observe(Observer& observer) {
    observers_.add(observer);
  }
  /// From now on `observer` is notified of nothing.
  template <class Observer>
  void dismiss(Observer& observer) {
    observers_.remove(observer);
  }
  /// From now on nobody is notified of anything.
  void dismiss_observers() { observers_ = {}; }

  // For who paces it by calls. What happens in a cycle comes in this order; a call in which nothing
  // is due may be left out.
  /// The flits that are on ejection channels in cycle `now` are given to the terminals.
  void deliver_ejected(Cycle now);
  /// Terminals hear of credits and put flits on the injection channels for cycle `now`.
  void call_terminals(Cycle now);
  /// The routers decide cycle `now`.
  void decide(Cycle now);
  /// It is cycle `now` for what terminals ask for and for take().
  void turn_to(Cycle now) { edge_ = now; }
  /// The cycle of the next flit on an ejection channel, as far as routers have decided it; the next
  /// one for which a terminal is to be called; the first one, from `now` on, that routers decide,
  /// if those before have been. Fabric::never: there is none.
  static constexpr Cycle never = INT64_MAX;
  Cycle next_ejection() const;
  Cycle next_call() const;
  Cycle next_decision(Cycle now) const { return next_router_cycle(now); }

  // For terminals:
  /// Calls the terminal's inject() in cycle `when`, the present one at the earliest.
  void wake(NodeId node, Cycle when);
  /// Calls the terminal's inject_last() in the present cycle, when all processors have acted.
  void wake_last(NodeId node);
  /// `flit` is on injection channel `port` of `node` in the present cycle.
  void inject(NodeId node, int port, const Flit& flit);
  /// Fetches into the cache what inject() on VC `vc` of `port` needs (Router::steps_of_flit).
  void fetch_for_flit(NodeId node, int port, int vc, int step) const {
    routers_[index(node)]->fetch_for_flit(config_.external_ports + port, vc, step);
  }

 private:
  class NodeChannels;
  struct Part;
  using Arrival = Border::Arrival;
  using Credit = Border::Credit;
  struct TerminalCredit {
    TerminalCredit(std::uint32_t to, int internal, int channel)
        : node(to),
          port(static_cast<std::uint16_t>(internal)),
          vc(static_cast<std::uint16_t>(channel)) {}
    std::uint32_t node;
    std::uint16_t port;
    std::uint16_t vc;
  };
  struct Wake {
    Cycle cycle;
    std::uint32_t node;
    bool operator>(const Wake& other) const {
      return cycle != other.cycle ? cycle > other.cycle : node > other.node;
    }
  };
  struct Take {  // in `cycle`
    Cycle cycle;
    std::size_t place;  // in receptions_
    std::int64_t flits;
  };
  struct FarEnd {  // where an external output leads, or where an external input's credits go
    std::uint32_t node;
    std::uint8_t port;
    std::uint8_t part;  // that of `node`
    std::uint16_t
        hop;  // cycles from the decision that sends a flit, or a credit, until it is there
  };

  void clock_edge();
  void step(Cycle now);
  int threads_for(Cycle now);
  bool has_team();
  void decide_together(int threads, Cycle now);
  void exchange(Cycle last);
  void accept_all(Part& part, Cycle now);
  void decide_all(Part& part, Cycle now);
  void accept_credits_kept(const std::vector<Credit>& credits, Part& to, Cycle now);
  void accept_nacks(Cycle now);
  void accept_what_is_sound(DelayLine<Arrival>& line, Part& to, Cycle now);
  void serve_apart(Part& part, Cycle now);
  template <class Act>
  void walk_ejected(const std::vector<Arrival>& ejected, Act act) const;
  template <class Act>
  void walk_called(const std::vector<std::uint32_t>& called, Act act) const;
  void take_calls(Part& part);
  void tell_of_credits(Part& part, Cycle now);
  void deliver(Part& part, const Arrival& ejected, Cycle now);
  bool tells_terminals(Cycle cycle) const;
  Part& part_of(std::uint32_t node) const { return *parts_[parts_of_routers_.of(node_id(node))]; }
  std::size_t reception_place(std::uint32_t node, int port, int vc) const {
    const auto internal = static_cast<std::size_t>(config_.internal_ports);
    return (node * internal + static_cast<std::size_t>(port)) *
               static_cast<std::size_t>(config_.classes) +
           static_cast<std::size_t>(vc);
  }
  void note_reception(std::size_t place);
  void return_held_credits(Cycle now);
  void call_terminal(std::uint32_t node, Cycle now);
  void call_again(std::uint32_t node, Cycle next);
  void end_cycle();
  void plan(Cycle edge);
  void accept(std::uint32_t node, int input, const Flit& flit, Cycle now);
  bool accept_credit(const Credit& credit);
  void accept_ack(Part& part, const Credit& ack);
  void evaluate(Part& part, std::uint32_t node, Cycle now);
  void tell_of_stall(std::uint32_t node, Cycle first, Cycle cycles) const;
  void tell_of_sleep(std::uint32_t node, Cycle last) const;
  void wake_router(Part& part, std::uint32_t node);
  void schedule_next_edge(Cycle now);
  Cycle next_router_cycle(Cycle now) const;

  const RouterConfig config_;
  const Routing& routing_;
  const bool is_large_;  // whether its routers are more than the second-level cache holds
  const bool is_huge_;   // whether they are more than any cache does
  const FabricPace pace_;

  std::vector<std::unique_ptr<NodeChannels>> channels_;
  std::vector<std::unique_ptr<Router>> routers_;
  std::vector<RouterModel*> models_;  // by node: the model in its router's place, or null
  bool has_models_ = false;
  std::vector<Terminal*> terminals_;
  bool are_apart_ = false;         // all terminals, known since reset()
  std::vector<FarEnd> far_ends_;   // per router and external output
  std::vector<FarEnd> near_ends_;  // per router and external input
  ObserverLists observers_;

  std::unique_ptr<ErringLinks> erring_links_;  // null: nothing errs
  RouterParts parts_of_routers_;
  std::vector<std::unique_ptr<Part>> parts_;
  std::unique_ptr<Team> team_;          // null: no cycle has been decided by several threads
  std::string why_no_team_;             // why there will be none; empty: there may be
  std::size_t recent_ = 0;              // routers and flits of the last cycles
  Border* border_ = nullptr;            // null: all parts are decided here
  Cycle window_ = 0;                    // cycles after which the sides of the border exchange
  Cycle window_end_ = never;            // the last cycle of the present window
  std::vector<Border::Crossing> sent_;  // in an exchange, by the part to which it goes
  Border::Crossing received_;
  Decided decided_;
  Rests rests_;                              // in which one thread decides
  std::int64_t reception_limit_ = 0;         // 0: nodes take every message at once
  std::vector<ReceptionBuffer> receptions_;  // by node, ejection channel and VC
  std::vector<std::size_t> noted_receptions_;
  std::vector<Take> takes_;  // in the order of their cycles
  std::vector<std::uint8_t> is_awake_q_;
  std::vector<Cycle> evaluated_q_;  // last cycle in which each router was called
  std::vector<Cycle> called_q_;     // cycle for which each terminal is on the list
  std::priority_queue<Wake, std::vector<Wake>, std::greater<>> wakes_q_;
  std::vector<std::uint32_t> last_q_;  // terminals to call last in the present cycle
  std::vector<std::uint32_t> last_d_;

  Cycle deciding_ = -1;      // the cycle that step() decides
  Cycle planned_ = never;    // the edge at which clock_edge() does its work next
  bool is_at_edge_ = false;  // always, if it is paced by calls
  Cycle edge_ = 0;           // the cycle that begins with that edge
  std::string halted_;
  sc_core::sc_event wake_event_;
  sc_core::sc_event last_event_;
};

}  // namespace allport
