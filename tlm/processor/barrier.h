// SPDX-License-Identifier: Apache-2.0
// A Barrier keeps collectives apart: the next one starts `cost` cycles after every processor has
// the message of the previous one. Two replication worms at once can deadlock; with a barrier
// between them they cannot.
#pragma once

#include <cstddef>
#include <functional>
#include <systemc>
#include <vector>

#include "rtl_model/systemc/cycle_clock.h"

namespace allport {

class Barrier : public sc_core::sc_module {
 public:
  /// `cost`: cycles from the last reception to the next start, >= 0.
  Barrier(const sc_core::sc_module_name& name, const CycleClock& clock, Cycle cost);

  /// Arms it for a run: `receivers[j]` processors receive the message of collective j; `start(j)`
  /// starts collective j. The caller starts collective 0.
  void arm(std::vector<std::size_t> receivers, std::function<void(int)> start);
  /// Notes that a processor has the message of `collective` for the first time.
  void arrive(int collective);

 private:
  void release();

  const CycleClock& clock_;
  Cycle cost_;
  std::vector<std::size_t> missing_;  // receptions still missing, per collective
  std::function<void(int)> start_;
  int running_ = 0;
  sc_core::sc_event complete_;
};

}  // namespace allport
