// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/deadlock_report.h"

#include <fmt/format.h>

#include <set>

#include "rtl_model/topology/channel_words.h"

namespace allport {

namespace {

// `a`, `a and b`, `a, b and c`
std::string list_in_words(const std::vector<std::string>& items) {
  std::string words;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) words += i + 1 == items.size() ? " and " : ", ";
    words += items[i];
  }
  return words;
}

// What a flit that is being replicated has done, and all that it waits for.
std::string branches_in_words(const WaitingFlit& flit, const RouterConfig& router,
                              const Topology& topology) {
  std::vector<std::string> taken;
  for (const PortId port : flit.taken) {
    taken.push_back(output_in_words(topology, {flit.input.node, port}));
  }
  std::vector<std::string> waits;
  for (const WaitEdge& wait : flit.waits) {
    waits.push_back(
        wait.waits_for == "processor"
            ? fmt::format("the processor of node {}", topology.node_name(wait.channel.node))
            : place_in_words(wait, router, topology));
  }
  std::string words =
      fmt::format("; its flit from {} is being copied: ", input_in_words(topology, flit.input));
  if (!taken.empty()) words += fmt::format("sent by {}, ", list_in_words(taken));
  return words +
         fmt::format("waits for {}{}", list_in_words(waits), waits.size() > 1 ? " at once" : "");
}

// What never comes, where no messages wait for each other in a circle: what the processors that
// keep joins waiting have not sent, and lost credits.
std::vector<std::string> missing_in_words(const Deadlock& deadlock, const RouterConfig& router,
                                          const Topology& topology) {
  std::set<std::string> lines;
  for (const WaitingFlit& flit : deadlock.flits) {
    for (const WaitEdge& wait : flit.waits) {
      if (wait.waits_for == "processor") {
        lines.insert(fmt::format("{} waits for a processor: node {} has not sent its contribution",
                                 in_words(wait.held_by, topology),
                                 topology.node_name(wait.channel.node)));
      }
      if (wait.waits_for == "lost") {
        lines.insert(fmt::format("{} waits for a credit of {}, and nothing stands beyond it",
                                 in_words(flit.message, topology),
                                 place_in_words(wait, router, topology)));
      }
    }
  }
  return {lines.begin(), lines.end()};
}

}  // namespace

bool is_copied(const WaitingFlit& flit) { return flit.taken.size() + flit.waits.size() > 1; }

std::vector<std::string> circle_in_words(const Deadlock& deadlock, const RouterConfig& router,
                                         const Topology& topology) {
  std::vector<std::string> lines;
  if (deadlock.waits.empty()) lines = missing_in_words(deadlock, router, topology);
  for (const DeadlockWait& wait : deadlock.waits) {
    lines.push_back(fmt::format("{} waits for {}, held by {}", in_words(wait.message, topology),
                                awaited_in_words(wait, router, topology),
                                in_words(wait.held_by, topology)));
    if (wait.flit >= deadlock.flits.size()) continue;
    const WaitingFlit& flit = deadlock.flits[wait.flit];
    lines.push_back(fmt::format("  since cycle {}{}", wait.since,
                                is_copied(flit) ? branches_in_words(flit, router, topology) : ""));
  }
  for (const CreditLoss& loss : deadlock.lost_credits) {
    lines.push_back(loss_in_words(loss, topology));
  }
  return lines;
}

std::string loss_in_words(const CreditLoss& loss, const Topology& topology) {
  return fmt::format("credit of {}.{}.{} lost in cycle {}", topology.node_name(loss.channel.node),
                     index(loss.channel.port), loss.vc, loss.cycle);
}

}  // namespace allport
