// SPDX-License-Identifier: Apache-2.0
// An OutputProbe finds out whether the outputs of a router in RTL are registers: between two edges
// of the clock all inputs get other values, and no output may change.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rtl_model/base/split_mix.h"
#include "rtl_model/router/router_config.h"
#include "rtl_model/verilated/pin_layout.h"
#include "rtl_model/verilated/pin_model.h"

namespace allport {

class OutputProbe {
 public:
  /// Probes `model`, which must outlive it.
  OutputProbe(PinModel& model, const RouterConfig& config, const PinLayout& layout,
              std::uint64_t seed);

  /// Drives other inputs without an edge, and puts the inputs back as they were. Says in words what
  /// changed, and with which input; empty: nothing did.
  std::string find_path();

 private:
  struct Input {
    const char* name;
    std::uint32_t* words;
    int bits;
    std::vector<std::uint32_t> driven;  // before the probe
    std::vector<std::uint32_t> other;
  };
  struct Output {
    const char* name;
    const std::uint32_t* words;
    std::vector<std::uint32_t> registered;  // before the probe
  };

  void add_input(const char* name, std::uint32_t* words, int bits);
  void add_output(const char* name, const std::uint32_t* words, int bits);
  void draw_others();
  const char* moved_output() const;

  PinModel& model_;
  SplitMix64 generator_;
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  bool was_active_ = false;
};

}  // namespace allport
