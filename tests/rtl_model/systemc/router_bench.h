// SPDX-License-Identifier: Apache-2.0
// A RouterBench is a single router and the wires around it. Its inputs are planned by cycle; its
// outputs are recorded with the cycle in which they are on the channel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rtl_model/systemc/router.h"
#include "tests/support/blueprint.h"
#include "tests/support/worm.h"

namespace allport::test {

class RecordingChannels final : public RouterChannels {
 public:
  void send(int output, int vc, const Flit& flit) override {
    sent.push_back({output, flit});
    sent.back().flit.vc = vc_id(static_cast<std::size_t>(vc));
  }
  void return_credit(int input, int vc) override { credits.push_back({input, vc}); }
  void return_ack(int input, int vc) override { acks.push_back({input, vc}); }

  struct Sent {
    int output;
    Flit flit;
  };
  struct Credit {
    int input;
    int vc;
  };
  std::vector<Sent> sent;
  std::vector<Credit> credits;
  std::vector<Credit> acks;
};

class RouterBench {
 public:
  RouterBench(std::string_view topology, std::size_t node, const FabricConfig& fabric = {},
              std::optional<RoutingOrder> order = std::nullopt)
      : blueprint(topology, fabric, order),
        router(sc_core::sc_gen_unique_name("router"), blueprint.config, blueprint.routing,
               node_id(node), channels_) {}

  /// Injection input, or ejection output, of internal port `port`.
  int internal(int port) const { return blueprint.config.external_ports + port; }

  /// Puts `worm` on the wires of `input` from cycle `first` on, one flit per cycle.
  void put(Cycle first, int input, const Worm& worm) {
    for (int i = 0; i < worm.flits; ++i) put(first + i, input, worm[i]);
  }
  void put(Cycle cycle, int input, const Flit& flit) {
    at(cycle, [=] { router.accept(input, flit, cycle); });
  }
  /// Puts a credit for `output` on the wires in `cycle`.
  void credit(Cycle cycle, int output, int vc = 0) {
    at(cycle, [=] { woke_ = router.accept_credit(output, vc); });
  }
  void at(Cycle cycle, std::function<void()> action) { plan_.emplace(cycle, std::move(action)); }

  /// Decides all cycles up to `last`.
  void run(Cycle last) {
    for (; now_ <= last; ++now_) {
      for (auto [at, end] = plan_.equal_range(now_); at != end; ++at) at->second();
      wants_next_cycle_ = router.evaluate(now_);
      for (const auto& [output, flit] : channels_.sent) {
        note(sent_[output], name_of(flit, blueprint.config.vcs > 1), now_ + 1);
        data_[output].push_back(flit.data);
      }
      for (const auto& [input, vc] : channels_.credits) {
        note(credits_[input], std::to_string(vc), now_ + 1);
      }
      channels_.sent.clear();
      channels_.credits.clear();
    }
  }

  /// The flits on `output`, each with its cycle: `A0@1 A1@2`, or `A0/1@1` if there are VCs.
  std::string sent(int output) { return sent_[output]; }
  /// Their data.
  std::vector<std::uint64_t> data(int output) { return data_[output]; }
  /// The credits on the wires of `input`, each VC with its cycle: `0@1`.
  std::string credits(int input) { return credits_[input]; }
  /// The answer of the router in the last cycle decided.
  bool wants_next_cycle() const { return wants_next_cycle_; }
  /// Whether a worm had been waiting for the last credit.
  bool woke() const { return woke_; }

 private:
  RecordingChannels channels_;
  std::multimap<Cycle, std::function<void()>> plan_;
  std::map<int, std::string> sent_;
  std::map<int, std::vector<std::uint64_t>> data_;
  std::map<int, std::string> credits_;
  Cycle now_ = 0;
  bool wants_next_cycle_ = false;
  bool woke_ = false;

 public:
  const Blueprint blueprint;
  Router router;
};

}  // namespace allport::test
