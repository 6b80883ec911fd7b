// SPDX-License-Identifier: Apache-2.0
// Watches a running fabric from outside: reports progress now and then, ends the run when asked to,
// and notes how many flits had been accepted by given cycles.
#pragma once

#include <atomic>
#include <vector>

#include "rtl_model/systemc/fabric.h"
#include "testbench/simulation.h"

namespace allport {

class Watch final : public CycleObserver {
 public:
  explicit Watch(const Fabric& fabric) : fabric_(fabric) {}

  void on_cycle(Cycle now) override;

  Progress progress;
  const std::atomic<bool>* stop_flag = nullptr;
  bool was_stopped() const { return was_stopped_; }

  /// Fraction done at cycle 0 and what a trial adds to it by its end; its length where it is known.
  void begin_trial(double done, double share, Cycle expected_cycles);
  /// Notes the flits ejected in cycles before each of `ends` (ascending).
  void measure(std::vector<Cycle> ends);
  /// Flits ejected before the i-th of these cycles.
  std::uint64_t ejected_before(std::size_t i) const { return ejected_[i]; }

 private:
  const Fabric& fabric_;
  std::uint32_t calls_ = 0;
  double done_ = 0;
  double share_ = 0;
  Cycle expected_cycles_ = 0;
  std::vector<Cycle> ends_;
  std::vector<std::uint64_t> ejected_;
  bool was_stopped_ = false;
};

}  // namespace allport
