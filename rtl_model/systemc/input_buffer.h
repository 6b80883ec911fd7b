// SPDX-License-Identifier: Apache-2.0
// The input buffers of one router are FIFOs of depth B, one for each virtual channel of each input.
// They fall through: a flit accepted in cycle c can leave in cycle c. Only the front flit is looked
// at; a buffer may hold several messages in a row. Every flit accepted needs a credit. A buffer has
// its places once the first flit comes; of a deep one the first places only lie in the arena, and
// further flits take memory while they are there.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "rtl_model/base/fetch_ahead.h"
#include "rtl_model/systemc/flit.h"
#include "rtl_model/systemc/unit.h"

namespace allport {

class InputBuffer : public Unit {
 public:
  InputBuffer(const char* name, const RouterConfig& config, UnitPlace place = {});

  void reset();
  /// Accepts `flit`, which is on the wires of `input` in cycle `now`. The report is fatal if the
  /// buffer is full.
  void accept(int input, const Flit& flit, Cycle now) {
    const int vc = static_cast<int>(index(flit.vc));
    const int channel_vc = config_.channel_vc(input, vc);
    Fifo& fifo = fifos_q_[channel_vc];
    if (fifo.count_q >= places_) {
      put_behind(input, flit, now);
    } else {
      if (fifo.flits_q == nullptr) set_aside(channel_vc);
      const int place = place_of(fifo, fifo.count_q);
      fifo.flits_q[place] = flit;
      if (keeps_arrivals_) arrivals_q_[channel_vc][place] = now;
    }
    ++fifo.count_q;
    occupied_vcs_q_[input] |= static_cast<std::uint16_t>(1U << vc);
    occupied_inputs_q_ |= PortMask{1} << input;
  }
  /// Removes the front flit.
  void pop(int input, int vc) { pop(input, vc, config_.channel_vc(input, vc)); }
  /// The same, where the number of that VC is known.
  void pop(int input, int vc, int channel_vc) {
    Fifo& fifo = fifos_q_[channel_vc];
    if (++fifo.head_q == places_) fifo.head_q = 0;
    if (--fifo.count_q > 0) {
      if (fifo.count_q >= places_) move_up(channel_vc);
      return;
    }
    fifo.head_q = 0;  // the places used last are used next
    std::uint16_t& occupied = occupied_vcs_q_[input];
    occupied &= static_cast<std::uint16_t>(~(1U << vc));
    if (occupied == 0) occupied_inputs_q_ &= ~(PortMask{1} << input);
  }

  /// Inputs with a flit in any of their buffers, one bit each.
  PortMask occupied_inputs() const { return occupied_inputs_q_; }
  /// Virtual channels of `input` with a flit in their buffer, one bit each.
  std::uint32_t occupied_vcs(int input) const { return occupied_vcs_q_[input]; }
  int count(int channel_vc) const { return fifo(channel_vc).count_q; }
  const Flit& front(int channel_vc) const {
    const Fifo& one = fifo(channel_vc);
    return one.flits_q[one.head_q];
  }
  /// The flit `position` behind the front.
  const Flit& flit(int channel_vc, int position) const {
    const Fifo& one = fifo(channel_vc);
    return position < places_ ? one.flits_q[place_of(one, position)]
                              : flit_behind(channel_vc, position);
  }
  /// Cycle in which the front flit arrived; kept only if RouterConfig::keeps_arrivals().
  Cycle front_arrival(int channel_vc) const {
    return arrivals_q_[channel_vc][fifo(channel_vc).head_q];
  }
  // For the cache, before accept(); of its two steps the second needs what the first fetches:
  void fetch_fifo(int input, int vc) const {
    fetch(&fifos_q_[config_.channel_vc(input, vc)]);
    fetch(&occupied_vcs_q_[input]);
  }
  void fetch_place(int input, int vc) const {
    const Fifo& one = fifo(config_.channel_vc(input, vc));
    if (one.flits_q != nullptr && one.count_q < places_) {
      fetch(&one.flits_q[place_of(one, one.count_q)]);
    }
  }
  /// Where its registers end that all flits need, for the cache.
  const void* end_of_registers() const { return &occupied_vcs_q_[config_.ports()]; }

 private:
  struct Fifo {
    Flit* flits_q = nullptr;  // its places in the arena; null: no flit ever came
    std::uint16_t head_q = 0;
    std::uint16_t count_q = 0;
  };

  const Fifo& fifo(int channel_vc) const { return fifos_q_[channel_vc]; }
  // The place of the flit `position` behind the front.
  int place_of(const Fifo& one, int position) const {
    const int place = one.head_q + position;
    return place < places_ ? place : place - places_;
  }
  void set_aside(int channel_vc);
  /// A flit that has come when all places in the arena were taken.
  struct Late {
    Flit flit;
    Cycle arrival = 0;
  };
  using Queue = std::deque<Late>;
  void put_behind(int input, const Flit& flit, Cycle now);
  void move_up(int channel_vc);
  const Flit& flit_behind(int channel_vc, int position) const;
  void report_overflow(int input, const Flit& flit, Cycle now) const;

  bool keeps_arrivals_;
  const int places_;  // of a buffer in the arena
  PortMask occupied_inputs_q_ = 0;
  Registers<Fifo> fifos_q_;
  Registers<std::uint16_t> occupied_vcs_q_;       // per input
  Registers<Cycle*> arrivals_q_;                  // per channel VC, if they are kept
  std::vector<std::unique_ptr<Queue>> behind_q_;  // by channel VC; empty: no flit ever came late
};

}  // namespace allport
