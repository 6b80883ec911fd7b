// SPDX-License-Identifier: Apache-2.0
// This header has small machines whose latencies are explained, and the explanations in words.
#pragma once

#include <algorithm>
#include <array>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "tests/support/forked.h"
#include "tests/testbench/simulation/experiment.h"

namespace allport::test {

/// A sender, a receiver (or a tree worm), and its place in the sender's program.
inline Unicast message(std::size_t u, std::size_t v, int order = 0, StepIndex step = 1) {
  Unicast unicast;
  unicast.u = node_id(u);
  unicast.v = node_id(v);
  unicast.order = order;
  unicast.step = step;
  return unicast;
}

inline Unicast tree(std::size_t u) {
  Unicast worm = message(u, u);
  worm.kind = MessageKind::tree;
  return worm;
}

/// `hop 3, length 2, channel 2`
inline std::string printed(const CauseSum& sum) {
  std::ostringstream text;
  for (const Cause cause : causes()) {
    if (sum[cause] == 0) continue;
    text << (text.str().empty() ? "" : ", ") << to_string(cause) << " " << sum[cause];
  }
  return text.str();
}

struct Case {
  const char* topology = "";
  Experiment experiment;
  std::vector<std::size_t> sources;
  std::vector<Unicast> unicasts;
};

inline Results results_of(const Case& one, bool as_worms) {
  const Routing routing = routing_on(one.topology);
  PlannedCollective planned;
  for (const std::size_t source : one.sources) planned.sources.push_back(node_id(source));
  for (std::size_t i = 0; i < routing.topology().node_count(); ++i) {
    planned.destinations.push_back(node_id(i));
  }
  planned.schedule.unicasts = one.unicasts;
  planned.schedule.sort();
  SimulationConfig config = one.experiment;
  config.explain.causes = true;
  config.explain.listed = ExplainRequest::all;
  config.is_transaction_level = as_worms;
  Simulation simulation(config, routing);
  return simulation.run({{planned}});
}

/// A line per message and receiver: `7>1#0 7 = hop 3, length 2, channel 2 (contended 2)`.
inline std::string messages_of(const Case& one, bool as_worms = false) {
  return forked([&] {
    std::ostringstream text;
    const Results results = results_of(one, as_worms);
    std::vector<MessageAccount> messages = results.explanation->messages;
    std::stable_sort(messages.begin(), messages.end(), [](const auto& a, const auto& b) {
      return std::tie(a.has, a.source) < std::tie(b.has, b.source);
    });
    for (const MessageAccount& account : messages) {
      text << index(account.source) << ">" << index(account.destination) << "#" << account.order
           << " " << account.has - account.created << " = " << printed(account.causes);
      if (account.causes.contended > 0) text << " (contended " << account.causes.contended << ")";
      text << "\n";
    }
    return text.str();
  });
}

/// `channel 6:out2.0 15`, one to a line.
inline std::string roots_of(const Case& one, bool as_worms = false) {
  return forked([&] {
    std::ostringstream text;
    const Results results = results_of(one, as_worms);
    for (const RootShare& root : results.explanation->roots) {
      constexpr std::array<const char*, 4> kinds{"out", "injection", "ejection", "processor"};
      text << to_string(root.cause) << " " << index(root.resource.node) << ":"
           << kinds[static_cast<std::size_t>(root.resource.kind)] << root.resource.port;
      if (root.resource.vc > 0) text << "." << root.resource.vc;
      text << " " << root.cycles << "\n";
    }
    return text.str();
  });
}

inline FabricConfig depth(int flits) {
  FabricConfig fabric;
  fabric.buffer_depth = flits;
  return fabric;
}

/// `0>2#1: ts 3, hop 2`, one message to a line.
inline std::string path_of(const Case& one, bool as_worms) {
  return forked([&] {
    std::ostringstream text;
    const Results results = results_of(one, as_worms);
    for (const PathMessage& message : results.explanation->path) {
      text << index(message.account.source) << ">" << index(message.account.destination) << "#"
           << message.account.order << ": " << printed(message.account.causes) << " (contended "
           << message.account.causes.contended << ")\n";
    }
    return text.str();
  });
}

}  // namespace allport::test
