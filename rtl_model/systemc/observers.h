// SPDX-License-Identifier: Apache-2.0
// These classes hear the events of a fabric that can be observed. Observers are attached from
// outside (Fabric::observe): with none and with all attached, every cycle is the same. An observer
// derives from the classes of the events that it wants to hear of.
#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

#include "rtl_model/base/ids.h"
#include "rtl_model/router/flit.h"

namespace allport {

class RouterState;

/// Hears of the flits that took part in a cycle and did not leave.
class StallObserver {
 public:
  virtual ~StallObserver() = default;
  /// router.stalled() holds for `cycles` cycles from `first` on. The router has already decided the
  /// first one: a virtual channel whose tail left in it is free, and the message of that tail is
  /// the driver of its output.
  virtual void on_stalled(const RouterState& router, Cycle first, Cycle cycles) = 0;
};

/// Hears of the flits put on channels, and of the acknowledgements of circuits.
class FlitObserver {
 public:
  virtual ~FlitObserver() = default;
  /// `flit` is on the injection channel `port` of `node` in cycle `on_channel`.
  virtual void on_injected(NodeId /*node*/, int /*port*/, const Flit& /*flit*/,
                           Cycle /*on_channel*/) {}
  /// `flit` is in the register of `output` of `node`'s router in cycle `on_channel`.
  virtual void on_sent(NodeId /*node*/, int /*output*/, const Flit& /*flit*/,
                       Cycle /*on_channel*/) {}
  /// With a crossbar delay: `flit`, as it will leave, has won its VC of `output` in cycle
  /// `decided`; on_sent() follows.
  virtual void on_won(NodeId /*node*/, int /*output*/, const Flit& /*flit*/, Cycle /*decided*/) {}
  /// An acknowledgement is in the register of VC `vc` of `input` of `node`'s router in cycle
  /// `on_wire`.
  virtual void on_acknowledged(NodeId /*node*/, int /*input*/, int /*vc*/, Cycle /*on_wire*/) {}
};

/// Hears of what goes wrong on external channels, which are those of their senders' outputs
/// (docs/router.md, link-level retry).
class LinkObserver {
 public:
  virtual ~LinkObserver() = default;
  /// `flit`, which is on `channel`, at its far end, in cycle `now`, is in error; its sender sees
  /// the nack in cycle `nack`. on_discarded() follows.
  virtual void on_error(Channel /*channel*/, const Flit& /*flit*/, Cycle /*now*/, Cycle /*nack*/) {}
  /// `flit` is discarded in cycle `now`, in which it is on `channel`, and is there again in cycle
  /// `again`.
  virtual void on_discarded(Channel /*channel*/, const Flit& /*flit*/, Cycle /*now*/,
                            Cycle /*again*/) {}
  /// The credit for VC `vc` of `channel` that is on the wire in cycle `now` is lost.
  virtual void on_credit_lost(Channel /*channel*/, int /*vc*/, Cycle /*now*/) {}
};

/// Hears of every cycle in which anything can change, after everything that arrives in it has
/// arrived and before anything has been decided.
class CycleObserver {
 public:
  virtual ~CycleObserver() = default;
  virtual void on_cycle(Cycle now) = 0;
};

/// An observer that derives from this, too, may hear of routers of different parts of a fabric at
/// once, in several threads, and of a cycle before anything has arrived in it: what it keeps of
/// them is apart (Fabric::parts). Where one does not, one thread decides every cycle.
struct HearsInParts {};

/// The observers of a fabric by the events that they hear of; each list is in the order of
/// attachment.
struct ObserverLists {
  template <class Observer>
  void add(Observer& observer) {
    change_lists(observer, [](auto& list, auto* one) { list.push_back(one); });
    if constexpr (!std::is_base_of_v<HearsInParts, Observer>) whole.push_back(&observer);
  }
  template <class Observer>
  void remove(Observer& observer) {
    change_lists(observer, [](auto& list, auto* one) {
      list.erase(std::remove(list.begin(), list.end(), one), list.end());
    });
    whole.erase(std::remove(whole.begin(), whole.end(), &observer), whole.end());
  }

  std::vector<StallObserver*> stalls;
  std::vector<FlitObserver*> flits;
  std::vector<LinkObserver*> links;
  std::vector<CycleObserver*> cycles;
  std::vector<const void*> whole;  // those that do not hear in parts

 private:
  template <class Observer, class Change>
  void change_lists(Observer& observer, const Change& change) {
    constexpr bool hears_of_stalls = std::is_base_of_v<StallObserver, Observer>;
    constexpr bool hears_of_flits = std::is_base_of_v<FlitObserver, Observer>;
    constexpr bool hears_of_links = std::is_base_of_v<LinkObserver, Observer>;
    constexpr bool hears_of_cycles = std::is_base_of_v<CycleObserver, Observer>;
    static_assert(hears_of_stalls || hears_of_flits || hears_of_links || hears_of_cycles,
                  "observes no fabric");
    if constexpr (hears_of_stalls) change(stalls, static_cast<StallObserver*>(&observer));
    if constexpr (hears_of_flits) change(flits, static_cast<FlitObserver*>(&observer));
    if constexpr (hears_of_links) change(links, static_cast<LinkObserver*>(&observer));
    if constexpr (hears_of_cycles) change(cycles, static_cast<CycleObserver*>(&observer));
  }
};

}  // namespace allport
