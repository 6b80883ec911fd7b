// SPDX-License-Identifier: Apache-2.0
// Channels are the way from a router to its neighbours, with the registers on it. A flit or credit
// that is put on a channel in cycle c is at its far end in cycle c + 1 + d.
#pragma once

#include <cstddef>
#include <systemc>
#include <vector>

#include "rtl_model/systemc/flit.h"

namespace allport {

/// The way out of a router: what it decides in cycle c goes into the registers of its channels.
class RouterChannels : public virtual sc_core::sc_interface {
 public:
  /// `flit`, as it lies in its buffer, leaves by `output` on its VC `vc` (at most one per output
  /// and cycle).
  virtual void send(int output, int vc, const Flit& flit) = 0;
  /// With a crossbar delay: `flit`, as it will leave, has won VC `vc` of `output` and spent its
  /// credit; send() follows x cycles later.
  virtual void win(int /*output*/, int /*vc*/, const Flit& /*flit*/) {}
  /// A flit of VC `vc` has left the buffer of `input` (at most one per input and cycle).
  virtual void return_credit(int input, int vc) = 0;
  /// The circuit that came in on VC `vc` of `input` is complete (circuit switching only).
  virtual void return_ack(int input, int vc) = 0;
};

/// The registers of many channels of equal delay, kept by cycle instead of by wire: the items that
/// are at a far end in each of the coming cycles. An empty wire costs nothing. Nothing is allocated
/// once the registers have grown.
template <class Item>
class DelayLine {
 public:
  /// `reach`: the number of cycles ahead for which an item may be put, >= 1.
  explicit DelayLine(int reach) : reach_(static_cast<std::size_t>(reach)) {
    while (last_slot_ < reach_) last_slot_ = 2 * last_slot_ + 1;
    slots_.resize(last_slot_ + 1);
  }

  /// Puts an item made from `parts` at its far end in cycle `arrival`, at most `reach` cycles ahead
  /// of the present one. Returns the register that holds it, valid until the next item is put.
  template <class... Parts>
  Item& put(Cycle arrival, const Parts&... parts) {
    return at(arrival).emplace_back(parts...);
  }
  /// The items at a far end in cycle `now`.
  const std::vector<Item>& on(Cycle now) const { return slots_[slot(now)]; }
  /// Ends cycle `now`.
  void clear(Cycle now) { at(now).clear(); }
  void clear() {
    for (auto& items : slots_) items.clear();
  }
  std::size_t reach() const { return reach_; }

 private:
  std::size_t slot(Cycle cycle) const { return static_cast<std::size_t>(cycle) & last_slot_; }
  std::vector<Item>& at(Cycle cycle) { return slots_[slot(cycle)]; }

  std::size_t reach_;
  std::size_t last_slot_ = 1;  // a power of two minus one
  std::vector<std::vector<Item>> slots_;
};

}  // namespace allport
