// SPDX-License-Identifier: Apache-2.0
// Channels: how a router reaches its neighbours, and the registers on the way. A flit or credit put
// on a channel in cycle c is at its far end in cycle c + 1 + d.
#pragma once

#include <cstddef>
#include <systemc>
#include <vector>

#include "rtl_model/systemc/flit.h"

namespace allport {

/// A router's way out: what it decides in cycle c goes into the registers of its channels.
class RouterChannels : public virtual sc_core::sc_interface {
 public:
  /// `flit` leaves by `output` (at most one per output and cycle).
  virtual void send(int output, const Flit& flit) = 0;
  /// A flit of VC `vc` has left the buffer of `input` (at most one per input and cycle).
  virtual void return_credit(int input, int vc) = 0;
};

/// The registers of many channels of equal delay, kept by cycle instead of by wire: what is at a
/// far end in each of the coming cycles. An empty wire costs nothing. No allocation once it has
/// grown.
template <class Item>
class DelayLine {
 public:
  /// `reach`: how many cycles ahead an item may be put, >= 1.
  explicit DelayLine(int reach) : slots_(static_cast<std::size_t>(reach) + 1) {}

  /// `item` is at its far end in cycle `arrival`, at most `reach` cycles ahead of the present one.
  void put(Cycle arrival, const Item& item) { at(arrival).push_back(item); }
  /// What is at a far end in cycle `now`.
  const std::vector<Item>& on(Cycle now) const { return slots_[slot(now)]; }
  /// Cycle `now` is over.
  void clear(Cycle now) { at(now).clear(); }
  void clear() {
    for (auto& items : slots_) items.clear();
  }
  std::size_t reach() const { return slots_.size() - 1; }

 private:
  std::size_t slot(Cycle cycle) const { return static_cast<std::size_t>(cycle) % slots_.size(); }
  std::vector<Item>& at(Cycle cycle) { return slots_[slot(cycle)]; }

  std::vector<std::vector<Item>> slots_;
};

}  // namespace allport
