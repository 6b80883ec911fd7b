// SPDX-License-Identifier: Apache-2.0
// A ModelWatch stands between a test bench and its models in RTL: it counts what they do, for a
// process that waits for them, remembers why they stopped the simulation, and ends a fabric in
// which the edges of the clock no longer have any effect.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "rtl_model/router/router_config.h"
#include "rtl_model/verilated/pin_model.h"

namespace allport {

class ModelWatch {
 public:
  /// Largest number of edges in a row, for each of the models, without any effect.
  static constexpr std::uint64_t patience = 200'000;

  /// Counts in `steps`, which another process may look at: the beginning of each call of a model
  /// and its end, so an odd number says that a call is under way.
  explicit ModelWatch(std::atomic<std::uint64_t>& steps) : steps_(steps) {}

  /// From now on models are routers of a fabric: clock() throws when `patience` runs out. If all of
  /// its routers are RTL, flits must enter or leave the fabric; otherwise they must move on a
  /// router's pins.
  void expect_traffic(const RouterConfig& config, bool is_whole);
  /// `model` with a watch over it, which must outlive it.
  std::unique_ptr<PinModel> over(std::unique_ptr<PinModel> model);
  /// Why the RTL stopped the simulation; empty: it did not.
  const std::string& stopped() const { return stopped_; }

 private:
  class Watched;

  std::atomic<std::uint64_t>& steps_;
  std::string stopped_;
  int first_port_ = 0;  // first port that counts
  int ports_ = 0;       // number of ports that count; 0: no traffic is expected
  std::uint64_t models_ = 0;
  std::uint64_t idle_edges_ = 0;
};

}  // namespace allport
