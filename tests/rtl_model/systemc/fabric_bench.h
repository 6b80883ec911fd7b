// SPDX-License-Identifier: Apache-2.0
// A FabricBench is a fabric whose nodes send worms flit by flit at planned cycles. Each flit on a
// channel is recorded with its cycle, at the receiving end, as in the tables of docs/router.md.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rtl_model/systemc/fabric.h"
#include "tests/support/blueprint.h"
#include "tests/support/worm.h"

namespace allport::test {

/// Puts flits on its injection channels from given cycles on, as credits allow; takes every flit
/// that comes.
class ScriptedTerminal final : public Terminal {
 public:
  ScriptedTerminal(Fabric& fabric, std::size_t node)
      : fabric_(fabric),
        node_(node_id(node)),
        ports_(static_cast<std::size_t>(fabric.config().internal_ports)) {
    fabric.attach(node_, *this);
  }

  void send(Cycle first, int port, const Flit& flit) { at(port).flits.push_back({first, flit}); }
  void start() {
    for (Port& port : ports_) {
      port.credits = fabric_.config().buffer_depth;
      if (!port.flits.empty()) fabric_.wake(node_, port.flits.front().first);
    }
  }
  void forget() {
    for (Port& port : ports_) port = Port{};
  }

  bool inject(Cycle now) override {
    for (int port = 0; port < static_cast<int>(ports_.size()); ++port) inject(port, now);
    return false;
  }
  void eject(int port, const Flit& flit, Cycle now) override {
    note(at(port).ejected, name_of(flit), now);
  }
  void accept_credit(int port, int /*vc*/, Cycle now) override {
    ++at(port).credits;
    note(at(port).credited, "credit", now);
    fabric_.wake(node_, now);
  }
  void accept_ack(int port, int /*vc*/, Cycle now) override {
    note(at(port).acknowledged, "ack", now);
  }

  std::string ejected(int port) { return at(port).ejected; }
  /// Credits, each with the first cycle in which it may be used.
  std::string credited(int port) { return at(port).credited; }
  /// Acknowledgements, each with the first cycle in which the body may follow.
  std::string acknowledged(int port) { return at(port).acknowledged; }

 private:
  struct Port {
    std::deque<std::pair<Cycle, Flit>> flits;  // with the cycle from which each may go
    int credits = 0;
    std::string ejected;
    std::string credited;
    std::string acknowledged;
  };
  Port& at(int port) { return ports_[static_cast<std::size_t>(port)]; }

  void inject(int number, Cycle now) {
    Port& port = at(number);
    const auto may_send = [&](Cycle cycle) {
      return !port.flits.empty() && port.credits > 0 && port.flits.front().first <= cycle;
    };
    if (may_send(now)) {
      --port.credits;
      fabric_.inject(node_, number, port.flits.front().second);
      port.flits.pop_front();
    }
    if (!port.flits.empty() && port.credits > 0) {
      fabric_.wake(node_, std::max(now + 1, port.flits.front().first));
    }
  }

  Fabric& fabric_;
  NodeId node_;
  std::vector<Port> ports_;
};

/// Records the flits on each channel.
class ChannelTable final : public FlitObserver {
 public:
  explicit ChannelTable(const RouterConfig& config) : config_(config) {}

  void on_injected(NodeId node, int port, const Flit& flit, Cycle on_channel) override {
    note(injected[{index(node), port}], name_of(flit), on_channel);
  }
  void on_sent(NodeId node, int output, const Flit& flit, Cycle on_channel) override {
    const Cycle delay = config_.is_external(output) ? config_.link_delay : 0;
    note(sent[{index(node), output}], name_of(flit, config_.vcs > 1), on_channel + delay);
    ++flits[{index(node), output}];
  }

  void clear() {
    injected.clear();
    sent.clear();
    flits.clear();
  }

  using Key = std::pair<std::size_t, int>;  // node and port
  std::map<Key, std::string> injected;
  std::map<Key, std::string> sent;
  std::map<Key, int> flits;

 private:
  const RouterConfig& config_;
};

class FabricBench {
 public:
  explicit FabricBench(std::string_view topology, const FabricConfig& config = {},
                       std::optional<RoutingOrder> order = std::nullopt)
      : FabricBench(Blueprint(topology, config, order)) {}
  explicit FabricBench(const Blueprint& given)
      : blueprint(given),
        fabric(sc_core::sc_gen_unique_name("fabric"), blueprint.config, blueprint.routing,
               sc_core::sc_time(1, sc_core::SC_NS)),
        table(blueprint.config) {
    for (std::size_t node = 0; node < fabric.node_count(); ++node) {
      terminals.push_back(std::make_unique<ScriptedTerminal>(fabric, node));
    }
    fabric.observe(table);
  }

  /// Makes node `node` send `worm` on its internal port `port` from cycle `first` on.
  void send(Cycle first, std::size_t node, int port, const Worm& worm) {
    for (int i = 0; i < worm.flits; ++i) terminals[node]->send(first + i, port, worm[i]);
  }
  /// Runs from reset until nothing is left to do.
  void run() {
    if (sc_core::sc_get_status() != sc_core::SC_PAUSED) sc_core::sc_start(sc_core::SC_ZERO_TIME);
    fabric.reset();
    for (const auto& terminal : terminals) terminal->start();
    if (sc_core::sc_pending_activity()) sc_core::sc_start();
  }
  /// Forgets what was planned and seen.
  void forget() {
    for (const auto& terminal : terminals) terminal->forget();
    table.clear();
  }

  /// The flits on a channel, each with its cycle.
  std::string external(std::size_t node, int port) { return table.sent[{node, port}]; }
  std::string ejection(std::size_t node, int port) {
    return table.sent[{node, blueprint.config.external_ports + port}];
  }
  std::string injection(std::size_t node, int port) { return table.injected[{node, port}]; }

  const Blueprint blueprint;
  Fabric fabric;
  ChannelTable table;
  std::vector<std::unique_ptr<ScriptedTerminal>> terminals;
};

/// Counts the cycles in which the clock of a fabric runs.
class CycleCounter final : public CycleObserver {
 public:
  void on_cycle(Cycle now) override {
    ++calls;
    last = now;
  }
  int calls = 0;
  Cycle last = -1;
};

}  // namespace allport::test
