// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/stop_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "rtl_model/base/circle.h"
#include "rtl_model/base/words.h"
#include "rtl_model/topology/channel_words.h"
#include "rtl_model/topology/deadlock.h"
#include "testbench/plan/message_lengths.h"
#include "testbench/plan/plan_theory.h"
#include "testbench/program/report/deadlock_report.h"

namespace allport {

namespace {

constexpr std::size_t most_waits = 400;  // of a page

class Stop {
 public:
  Stop(const RunPlan& plan, const Deadlock& deadlock)
      : plan_(plan), topology_(plan.routing.topology()), deadlock_(deadlock) {}

  Json take() {
    Json names = Json::array();
    Json keys = Json::array();
    for (const MessageName& name : deadlock_.messages) {
      names.push_back(told_apart(name, topology_));
      keys.push_back(name_in_words(name, topology_));
    }
    for (const DeadlockWait& wait : deadlock_.waits) add_of_circle(wait);
    for (const bool is_queued : {false, true}) {
      for (const WaitingFlit& flit : deadlock_.flits) {
        if (flit.is_queued != is_queued) continue;
        for (const WaitEdge& wait : flit.waits) {
          if (!wait.is_in_cycle && !is_own(flit, wait)) add(flit, wait);
        }
      }
    }
    return {{"cycle", deadlock_.cycle},
            {"last_movement", deadlock_.last_movement},
            {"counts", counts_in_words()},
            {"times", stop_times_in_words(deadlock_)},
            {"circle", deadlock_.waits.size()},
            {"names", std::move(names)},
            {"keys", std::move(keys)},
            {"waits", std::move(waits_)},
            {"all", all_}};
  }

 private:
  // As the report says it.
  std::string counts_in_words() const {
    return fmt::format("{} can never be delivered; {}",
                       counted(deadlock_.stuck_messages, "message"),
                       circle_counts_in_words(deadlock_));
  }

  static bool is_own(const WaitingFlit& flit, const WaitEdge& wait) {
    return wait.held_by == flit.message && wait.waits_for != "processor" &&
           wait.waits_for != "lost";
  }

  void add_of_circle(const DeadlockWait& wait) {
    if (wait.flit >= deadlock_.flits.size()) return;
    for (const WaitEdge& edge : deadlock_.flits[wait.flit].waits) {
      if (edge.is_in_cycle) add(deadlock_.flits[wait.flit], edge);
    }
  }

  void add(const WaitingFlit& flit, const WaitEdge& wait) {
    ++all_;
    if (waits_.size() >= most_waits) return;
    const bool has_holder = wait.waits_for != "processor" && wait.waits_for != "lost";
    waits_.push_back({{"message", number_of(flit.message)},
                      {"held_by", has_holder ? number_of(wait.held_by) : -1},
                      {"for", words_of(flit, wait)},
                      {"channel", address_of(flit, wait)},
                      {"since", wait.since},
                      {"in_circle", wait.is_in_cycle}});
  }

  std::string words_of(const WaitingFlit& flit, const WaitEdge& wait) const {
    const std::string node = topology_.node_name(wait.channel.node);
    if (wait.waits_for == "processor") return "the contribution of node " + node;
    if (wait.waits_for == "lost") {
      return "a lost credit of " + place_in_words(wait, plan_.router, topology_);
    }
    return awaited_in_words({flit.message, wait.waits_for, wait.held_by, wait.channel, wait.vc, 0,
                             wait.since, flit.is_queued},
                            plan_.router, topology_);
  }

  // Of the external channel that it is about; empty: it is another one.
  std::string address_of(const WaitingFlit& flit, const WaitEdge& wait) const {
    const auto port = static_cast<int>(index(wait.channel.port));
    if (port >= plan_.router.external_ports) return {};
    Channel channel = wait.channel;
    if (is_at_input(wait.waits_for) || flit.is_queued) {
      const auto incoming = topology_.incoming(channel.node, channel.port);
      if (!incoming) return {};
      channel = *incoming;
    }
    return fmt::format("{}.{}", index(channel.node), index(channel.port));
  }

  std::int64_t number_of(const MessageName& name) const {
    const auto found = std::find(deadlock_.messages.begin(), deadlock_.messages.end(), name);
    return found == deadlock_.messages.end() ? -1 : found - deadlock_.messages.begin();
  }

  const RunPlan& plan_;
  const Topology& topology_;
  const Deadlock& deadlock_;
  Json waits_ = Json::array();
  std::size_t all_ = 0;
};

// Messages that wait for one another in a circle, and for none in the circle that was found.
std::vector<MessageName> another_circle(const Deadlock& deadlock) {
  std::vector<MessageName> others;
  const auto is_in_circle = [&](const MessageName& name) {
    return std::any_of(deadlock.waits.begin(), deadlock.waits.end(),
                       [&](const DeadlockWait& wait) { return wait.message == name; });
  };
  std::copy_if(deadlock.messages.begin(), deadlock.messages.end(), std::back_inserter(others),
               [&](const MessageName& name) { return !is_in_circle(name); });
  const auto number_of = [&](const MessageName& name) {
    const auto found = std::find(others.begin(), others.end(), name);
    return found == others.end() ? no_vertex : static_cast<std::uint32_t>(found - others.begin());
  };
  std::vector<std::vector<std::uint32_t>> waits(others.size());
  for (const WaitingFlit& flit : deadlock.flits) {
    const std::uint32_t from = number_of(flit.message);
    if (from == no_vertex) continue;
    for (const WaitEdge& wait : flit.waits) {
      if (wait.waits_for == "processor" || wait.held_by == flit.message) continue;
      const std::uint32_t to = number_of(wait.held_by);
      if (to != no_vertex) waits[from].push_back(to);
    }
  }
  CircleSearch search(others.size());
  for (std::uint32_t start = 0; start < others.size(); ++start) {
    const std::vector<std::uint32_t> circle =
        search.from(start, [&](std::uint32_t vertex, const auto& is_done) {
          const auto found = std::find_if(waits[vertex].begin(), waits[vertex].end(),
                                          [&](std::uint32_t to) { return !is_done(to); });
          return found == waits[vertex].end() ? no_vertex : *found;
        });
    if (circle.empty()) continue;
    std::vector<MessageName> names;
    for (const std::uint32_t vertex : circle) names.push_back(others[vertex]);
    return names;
  }
  return {};
}

bool is_copied_worm(const MessageName& name) { return !name.v && !name.join; }

// Whether unicasts by this routing are proved never to wait in a circle.
bool is_safe_for_unicasts(const RunPlan& plan) {
  const Routing& routing = plan.routing;
  const bool is_plain = !routing.topology().is_graph() && routing.table() == nullptr &&
                        !routing.is_adaptive() && plan.simulation.reception_limit == 0;
  return is_plain && find_dependency_cycle(routing, plan.router.vcs > 1).empty();
}

// Whether the messages are worms of different sources, each a collective of its own.
bool are_of_several_sources(const std::vector<MessageName>& messages) {
  std::set<NodeId> sources;
  for (const MessageName& message : messages) {
    if (!is_copied_worm(message)) return false;
    sources.insert(message.u);
  }
  return sources.size() > 1 && sources.size() == messages.size();
}

std::vector<MessageName> messages_of_circle(const Deadlock& deadlock) {
  std::vector<MessageName> messages;
  for (const DeadlockWait& wait : deadlock.waits) messages.push_back(wait.message);
  return messages;
}

// The nodes whose contributions joins wait for, and which these have not sent.
std::set<NodeId> silent_nodes(const Deadlock& deadlock) {
  std::set<NodeId> nodes;
  for (const WaitingFlit& flit : deadlock.flits) {
    for (const WaitEdge& wait : flit.waits) {
      if (wait.waits_for == "processor") nodes.insert(wait.channel.node);
    }
  }
  return nodes;
}

std::size_t joins_in_circle(const Deadlock& deadlock) {
  return static_cast<std::size_t>(
      std::count_if(deadlock.waits.begin(), deadlock.waits.end(),
                    [](const DeadlockWait& wait) { return wait.message.join.has_value(); }));
}

// What there is about joins.
void add_of_joins(const RunPlan& plan, const Deadlock& deadlock,
                  std::vector<std::string>& sentences) {
  constexpr std::size_t most = 5;
  const std::set<NodeId> silent = silent_nodes(deadlock);
  if (!silent.empty()) {
    std::vector<std::string> names;
    for (const NodeId node : silent) {
      if (names.size() == most) break;
      names.push_back("node " + plan.routing.topology().node_name(node));
    }
    if (silent.size() > most) names.push_back(fmt::format("{} more", silent.size() - most));
    sentences.push_back(fmt::format(
        "Joins wait for contributions that have not been sent, those of {}: a processor sends in the order of its schedule, and what stands there before a contribution waits, or the contribution is missing.",
        fmt::join(names, ", ")));
  }
  if (joins_in_circle(deadlock) > 0 && joins_in_circle(deadlock) == deadlock.waits.size()) {
    sentences.push_back(
        "The messages of the circle are joins, which wait for one another where nodes send their contributions in different orders: the check before the run tells whether they do.");
  }
}

}  // namespace

Json stop_json(const RunPlan& plan, const Deadlock& deadlock) {
  return Stop(plan, deadlock).take();
}

std::string told_apart(const MessageName& name, const Topology& topology) {
  const std::string words = in_words(name, topology);
  const bool is_first = name.order == 0 || name.join;
  return is_first ? words : fmt::format("{} (message {} of this sender)", words, name.order + 1);
}

std::string circle_counts_in_words(const Deadlock& deadlock) {
  if (deadlock.waits.empty()) return reason_in_words(deadlock);
  const std::size_t circle = deadlock.waits.size();
  if (circle == deadlock.stuck_messages) {
    return circle == 1 ? "one waits for itself" : "each waits for the next, in a circle";
  }
  return fmt::format("{}, and {} besides",
                     circle == 1 ? std::string("one waits for itself")
                                 : fmt::format("{} wait in a circle, each for the next", circle),
                     deadlock.stuck_messages - circle);
}

std::string stop_times_in_words(const Deadlock& deadlock) {
  std::string words;
  if (!deadlock.waits.empty()) {
    const auto last =
        std::max_element(deadlock.waits.begin(), deadlock.waits.end(),
                         [](const auto& a, const auto& b) { return a.since < b.since; });
    words = fmt::format("the circle of waits closes in cycle {}, ", last->since);
  }
  return words +
         fmt::format(
             "the last flit moves in cycle {}, and from cycle {} on no credit is on its way",
             deadlock.last_movement, deadlock.cycle);
}

std::vector<std::string> stop_circumstances(const RunPlan& plan, const Deadlock& deadlock) {
  std::vector<std::string> sentences;
  if (const std::vector<MessageName> circle = another_circle(deadlock); !circle.empty()) {
    constexpr std::size_t most = 5;
    std::vector<std::string> names;
    for (const MessageName& name : circle) {
      if (names.size() < most) names.push_back(told_apart(name, plan.routing.topology()));
    }
    if (circle.size() > most) names.push_back(fmt::format("{} more", circle.size() - most));
    sentences.push_back(fmt::format(
        "It is not the only circle: {} wait for one another as well, so to break this one alone is not enough.",
        fmt::join(names, ", ")));
  }
  add_of_joins(plan, deadlock, sentences);
  return sentences;
}

std::vector<StopRemedy> stop_remedies(const RunPlan& plan, const Deadlock& deadlock) {
  std::vector<StopRemedy> remedies;
  const bool has_copies =
      std::any_of(deadlock.waits.begin(), deadlock.waits.end(),
                  [](const DeadlockWait& wait) { return is_copied_worm(wait.message); });
  if (are_of_several_sources(messages_of_circle(deadlock)) && plan.is_scheduled() &&
      plan.trials().front().size() > 1 && !plan.simulation.barrier &&
      !plan.simulation.barrier_messages) {
    const bool are_all = are_of_several_sources(deadlock.messages);
    remedies.push_back(
        {"barrier", "--barrier 0",
         fmt::format(
             "{} are worms of different sources: with --barrier 0 one source sends after the other, and they never meet.",
             are_all ? "All messages that can never be delivered" : "The messages of the circle"),
         are_all ? Ends::every_circle : Ends::its_circle});
  }
  if (has_copies && is_safe_for_unicasts(plan)) {
    remedies.push_back(
        {"algorithm", "an algorithm that sends unicasts",
         "The messages of the circle go to several nodes at once. Unicasts cannot wait in a circle with this routing, for its channels depend on one another in no circle: an algorithm that sends unicasts is proved free of deadlock.",
         Ends::every_circle});
  }
  const std::size_t joins = joins_in_circle(deadlock);
  if (joins > 0 && joins < deadlock.waits.size() && plan.router.join_vcs == 0) {
    remedies.push_back(
        {"join_vcs", "--join-vcs 1",
         "The circle has joins and other messages: with --join-vcs 1 joins have virtual channels of their own, on which no other message stands before them."});
  }
  const bool is_for_channels =
      std::any_of(deadlock.waits.begin(), deadlock.waits.end(), [](const DeadlockWait& wait) {
        return wait.waits_for == "vc" || wait.waits_for == "credit";
      });
  const std::int64_t longest = longest_message(plan);
  if (is_for_channels && longest > plan.router.buffer_depth) {
    remedies.push_back(
        {"buffer_depth", "deeper buffers",
         fmt::format(
             "The longest message has {}, and a buffer holds {}: a worm that waits keeps the channels behind it, and fewer of them with deeper buffers.",
             counted(static_cast<std::size_t>(longest), "flit"), plan.router.buffer_depth)});
  }
  return remedies;
}

std::vector<std::string> stop_findings(const RunPlan& plan, const Deadlock& deadlock) {
  std::vector<std::string> sentences = stop_circumstances(plan, deadlock);
  for (StopRemedy& one : stop_remedies(plan, deadlock)) sentences.push_back(std::move(one.reason));
  sentences.push_back(
      "`allport whatif` tries the changes that fit these waits, and says which of them end the deadlock.");
  return sentences;
}

}  // namespace allport
