// SPDX-License-Identifier: Apache-2.0
// This is a recorded fabric in which routers have a twin that can be made to differ, without any
// RTL: the twin is a second SystemC router with the same inputs.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "testbench/observe/lockstep/lockstep_router.h"
#include "testbench/observe/waves/gtkw_file.h"
#include "tests/rtl_model/systemc/fabric_bench.h"
#include "tests/support/fatal.h"
#include "tests/testbench/observe/waves/wave_bench.h"

namespace allport::test {

/// The fabric's router of a node and its twin.
class FakePair final : public RouterModel {
 public:
  /// A change of what the twin sends.
  using Fault = std::function<void(RouterOutputs&)>;

  FakePair(Fabric& fabric, std::size_t node)
      : systemc_(fabric.router(node_id(node))),
        view_(("rtl_" + std::to_string(node)).c_str(), fabric.config(), fabric.routing(),
              node_id(node), sent_) {
    fabric.substitute(node_id(node), *this);
  }

  /// In `cycle` the twin's registers are changed by `fault`; `difference` says where.
  void differ(const TwinDifference& difference, Fault fault) {
    planned_ = difference;
    fault_ = std::move(fault);
  }
  RouterTwin twin() {
    return {&view_, true, [this](FlitObserver* observer) { observer_ = observer; },
            [this] { return difference_; }};
  }

  void reset() override { view_.reset(); }
  void accept(int input, const Flit& flit, Cycle now) override {
    systemc_.accept(input, flit, now);
    view_.accept(input, flit, now);
  }
  bool accept_credit(int output, int vc) override {
    view_.accept_credit(output, vc);
    return systemc_.accept_credit(output, vc);
  }
  void accept_ack(int output, int vc) override {
    systemc_.accept_ack(output, vc);
    view_.accept_ack(output, vc);
  }
  bool evaluate(Cycle now) override {
    sent_.outputs.clear();
    const bool is_awake = systemc_.evaluate(now);
    view_.evaluate(now);
    const bool differs = planned_.cycle == now + 1;
    if (differs) fault_(sent_.outputs);
    for (const RouterOutputs::SentFlit& sent : sent_.outputs.flits) {
      if (observer_ != nullptr) observer_->on_sent(view_.node(), sent.output, sent.flit, now + 1);
    }
    for (const RouterOutputs::SentCredit& sent : sent_.outputs.acks) {
      if (observer_ == nullptr) break;
      observer_->on_acknowledged(view_.node(), sent.input, sent.vc, now + 1);
    }
    if (!differs) return is_awake;
    difference_ = planned_;
    SC_REPORT_FATAL("/test", "twins differ");
    return false;
  }
  bool has_moved() const override { return systemc_.has_moved(); }
  const RouterState& state() const override { return systemc_; }

 private:
  Router& systemc_;
  OutputRecorder sent_;
  Router view_;
  FlitObserver* observer_ = nullptr;
  TwinDifference planned_{-1, false, 0};
  Fault fault_;
  std::optional<TwinDifference> difference_;
};

class TwinBench : public FabricBench {
 public:
  TwinBench(std::string_view topology, const std::vector<std::size_t>& nodes,
            const FabricConfig& config = {}, const std::string& name = "run.vcd",
            WaveOptions options = {})
      : FabricBench(topology, config), path(folder / name) {
    std::vector<RouterTwin> twins;
    for (const std::size_t node : nodes) {
      pairs.push_back(std::make_unique<FakePair>(fabric, node));
      twins.push_back(pairs.back()->twin());
    }
    options.path = path;
    recorder = std::make_unique<WaveRecorder>(fabric, options, letter_name);
    recorder->add_twins(std::move(twins));
  }

  /// Runs until a difference, if there is one, and writes all files.
  std::string record(const Results& results = {}) {
    std::string report = fatal_report_of([this] { run(); });
    finish_wave(*recorder, results);
    return report;
  }
  VcdReader wave() const {
    const bool is_vcd = path.substr(path.size() - 4) == ".vcd";
    return is_vcd ? VcdReader::from_file(path) : VcdReader::from_fst(path);
  }

  TemporaryFolder folder;
  std::string path;
  std::vector<std::unique_ptr<FakePair>> pairs;
  std::unique_ptr<WaveRecorder> recorder;
};

}  // namespace allport::test
