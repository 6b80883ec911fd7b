// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/explain_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "rtl_model/base/words.h"
#include "rtl_model/topology/channel_words.h"
#include "testbench/program/report/stop_report.h"

namespace allport {

namespace {

constexpr std::size_t most_nodes = 10;  // that a sentence names

class Findings {
 public:
  Findings(const RunPlan& plan, const Results& results)
      : plan_(plan), results_(results), explanation_(*results.explanation) {}

  std::vector<std::string> take() {
    if (results_.deadlock) return stop_findings(plan_, *results_.deadlock);
    find_excess();
    find_queueing();
    find_ports();
    find_directions();
    find_ties();
    find_room();
    if (results_.traffic && results_.traffic->saturated) {
      add("The network is saturated: {:.4f} flits per node and cycle pile up, and the cycles above grow with the length of the run.",
          results_.traffic->queue_growth);
    }
    return std::move(sentences_);
  }

 private:
  template <class... Parts>
  void add(fmt::format_string<Parts...> format, Parts&&... parts) {
    sentences_.push_back(fmt::format(format, std::forward<Parts>(parts)...));
  }
  void find_excess();
  void find_queueing();
  void find_ports();
  void find_directions();
  void find_ties();
  void find_room();

  const RunPlan& plan_;
  const Results& results_;
  const Explanation& explanation_;
  std::vector<std::string> sentences_;
};

// What the run takes most of beyond its lower bound.
void Findings::find_excess() {
  if (!explanation_.to_bound) return;
  const WayToBound& way = *explanation_.to_bound;
  if (way.parts.empty()) {
    add("The run takes {}, as its lower bound: nothing can be faster.",
        counted(static_cast<std::uint64_t>(way.cycles), "cycle"));
    return;
  }
  const ExcessPart& most = way.parts.front();
  add("Of {}, {} are the lower bound; most of the others, {} ({:.1f} %), are due to {}.",
      counted(static_cast<std::uint64_t>(way.cycles), "cycle"), way.bound, most.cycles,
      percentage(most.cycles, way.cycles), to_string(most.part));
  if (way.block_parts == 0) return;
  const int empty = way.block_parts - way.block_flits;
  add("A block has {} in {} parts: {} of these {}.",
      counted(static_cast<std::uint64_t>(way.block_flits), "flit"), way.block_parts, empty,
      empty == 1 ? "is empty, and the port for it has no work"
                 : "are empty, and the ports for them have no work");
}

// The nodes in whose queues more messages lie than in those of others.
void Findings::find_queueing() {
  const CauseSum& sum = explanation_.causes;
  const auto queued = [](const CauseSum& one) { return one[Cause::port] + one[Cause::processor]; };
  const Cycle all = queued(sum);
  if (all == 0) {
    add("0 % of the cycles are queueing at the sources.");
    return;
  }
  std::vector<const SourceWaits*> order;
  for (const SourceWaits& source : explanation_.by_source) order.push_back(&source);
  std::stable_sort(order.begin(), order.end(), [&](const auto* a, const auto* b) {
    return queued(a->causes) > queued(b->causes);
  });
  std::vector<NodeId> nodes;
  Cycle part = 0;
  const auto average = static_cast<double>(all) / static_cast<double>(order.size());
  const double many = std::min(4 * average, static_cast<double>(all) / 2);  // of few sources: half
  for (const SourceWaits* one : order) {
    if (static_cast<double>(queued(one->causes)) < many || nodes.size() == most_nodes) break;
    nodes.push_back(one->source);
    part += queued(one->causes);
  }
  add("{:.1f} % of the cycles are queueing at the sources ({} port, {} processor).",
      percentage(all, sum.total()), sum[Cause::port], sum[Cause::processor]);
  if (nodes.empty() || nodes.size() == order.size()) return;
  add("{:.1f} % of the cycles are the queues of {}: {}.", percentage(part, sum.total()),
      counted(nodes.size(), "node"), in_words(nodes, plan_.routing.topology()));
}

void Findings::find_ports() {
  if (explanation_.causes[Cause::port] > 0) return;
  const SimulationConfig& config = plan_.simulation;
  const bool has_one_length =
      plan_.request.message.flits_long == 0 && plan_.request.traffic.flows.empty() &&
      plan_.request.message.pairs == nullptr && plan_.request.message.address_flits == 0;
  const bool by_rule = config.ts >= config.flits && has_one_length;
  add("No message waits for an injection port: 0 cycles of port{}.",
      by_rule ? fmt::format("; ts is {}, and a message has {}", config.ts,
                            counted(config.flits, "flit"))
              : "");
  if (explanation_.to_bound && explanation_.to_bound->by.find("ports") != std::string::npos) {
    add("The bound is by ports all the same: it is the time that these need for the flits that they must carry.");
  }
}

// How the waiting for external channels is shared among directions.
void Findings::find_directions() {
  std::vector<Cycle> by_port(static_cast<std::size_t>(plan_.router.external_ports), 0);
  Cycle all = 0;
  for (const ChannelWaits& waits : explanation_.by_channel) {
    if (waits.resource.kind != Resource::Kind::channel) continue;
    by_port[static_cast<std::size_t>(waits.resource.port)] += waits.causes.contended;
    all += waits.causes.contended;
  }
  // Ports of a graph have no direction that they share.
  if (all == 0 || plan_.routing.topology().is_graph()) return;
  std::string words;
  for (std::size_t port = 0; port < by_port.size(); ++port) {
    words += fmt::format("{}{:.1f} % {}", words.empty() ? "" : ", ", percentage(by_port[port], all),
                         direction_in_words(plan_.routing.topology(), port_id(port)));
  }
  add("The waiting for external channels by direction: {}.", words);
}

// Of two nodes exactly half a ring apart, the usual pattern sends all messages one way.
void Findings::find_ties() {
  const TieBreak::Rule rule = plan_.routing.tie_break().rule;
  const bool is_one_way = rule == TieBreak::Rule::positive || rule == TieBreak::Rule::negative;
  const bool may_choose = is_one_way && plan_.routing.table() == nullptr;
  if (plan_.traffic() == nullptr || explanation_.tied == 0 || !may_choose) return;
  add("{:.1f} % of the messages go exactly half a ring in some dimension; a pattern sends all of these in the {} direction; --ties alternate sends half of them the other way.",
      percentage(static_cast<Cycle>(explanation_.tied), static_cast<Cycle>(explanation_.receipts)),
      rule == TieBreak::Rule::positive ? "+" : "-");
}

// What longer buffers or more virtual channels could take away at most.
void Findings::find_room() {
  const CauseSum& sum = explanation_.causes;
  if (sum[Cause::turnaround] > 0) {
    const int held = (sum[Cause::replication] > 0 ? plan_.router.replication_delay : 0) +
                     (sum[Cause::combine] > 0 ? plan_.router.combine_delay : 0);
    add("{:.1f} % of the cycles wait for credits on their way: buffers of {} run a channel at full rate, and these have {}.",
        percentage(sum[Cause::turnaround], sum.total()),
        counted(static_cast<std::uint64_t>(plan_.router.full_rate_depth(held)), "flit"),
        plan_.router.buffer_depth);
  }
  if (sum[Cause::reception] > 0) {
    add("{:.1f} % of the cycles wait for nodes to take what they have received; a reception buffer holds {}.",
        percentage(sum[Cause::reception], sum.total()),
        counted(static_cast<std::uint64_t>(plan_.simulation.reception_limit), "flit"));
  }
  if (sum[Cause::channel] > 0) {
    add("{:.1f} % of the waiting for others is for a virtual channel; a channel has {}.",
        percentage(sum[Cause::channel], sum.contended), plan_.router.vcs);
  }
}

// Successive steps of a part in which flits follow one another for as many cycles.
struct StepGroup {
  StepIndex first = 0;
  StepIndex last = 0;
  Cycle transfer = 0;
  Cycle cycles = 0;
};

std::vector<StepGroup> groups_of(const std::vector<ExcessStep>& steps) {
  std::vector<StepGroup> groups;
  for (const ExcessStep& one : steps) {
    const bool goes_on = !groups.empty() && groups.back().transfer == one.transfer;
    if (!goes_on) groups.push_back({one.step, one.step, one.transfer, 0});
    groups.back().last = one.step;
    groups.back().cycles += one.cycles;
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const auto& a, const auto& b) { return a.cycles > b.cycles; });
  return groups;
}

}  // namespace

std::string steps_in_words(const ExcessPart& part) {
  constexpr std::size_t most_groups = 3;
  std::string words;
  Cycle rest = part.cycles;
  const std::vector<StepGroup> groups = groups_of(part.steps);
  for (std::size_t i = 0; i < std::min(groups.size(), most_groups); ++i) {
    const StepGroup& one = groups[i];
    const std::string steps = one.first == one.last
                                  ? fmt::format("step {}", one.first)
                                  : fmt::format("steps {} to {}", one.first, one.last);
    words += fmt::format("{}{} in {}", words.empty() ? "" : ", ", one.cycles, steps);
    rest -= one.cycles;
  }
  return groups.size() > most_groups ? words + fmt::format(", {} in others", rest) : words;
}

std::string in_words(const RunPlan& plan, const Resource& resource, bool with_vc) {
  const Topology& topology = plan.routing.topology();
  const auto port = static_cast<std::size_t>(resource.port);
  const std::optional<int> vc = vc_among(with_vc ? plan.router.vcs : 1, resource.vc);
  const auto internal = port_id(topology.port_count() + port);
  switch (resource.kind) {
    case Resource::Kind::channel:
      return output_in_words(topology, {resource.node, port_id(port)}, vc);
    case Resource::Kind::injection:
      return input_in_words(topology, {resource.node, internal});
    case Resource::Kind::ejection:
      return output_in_words(topology, {resource.node, internal});
    case Resource::Kind::processor:
      break;
  }
  return fmt::format("processor of node {}", topology.node_name(resource.node));
}

std::vector<Cause> longest_first(const CauseSum& sum) {
  std::vector<Cause> order;
  for (const Cause cause : causes()) {
    if (sum[cause] != 0) order.push_back(cause);
  }
  std::stable_sort(order.begin(), order.end(), [&](Cause a, Cause b) { return sum[a] > sum[b]; });
  return order;
}

std::string causes_in_words(const CauseSum& sum) {
  std::string words;
  for (const Cause cause : longest_first(sum)) {
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", to_string(cause), sum[cause]);
  }
  return words;
}

std::string in_words(const std::vector<Blame>& blames, std::size_t most, const Topology& topology) {
  std::string words;
  for (std::size_t i = 0; i < std::min(blames.size(), most); ++i) {
    words += (i == 0 ? "" : ", ") + name_in_words(blames[i].blamed, topology);
    if (blames[i].messages > 1) words += fmt::format(" and {} before it", blames[i].messages - 1);
  }
  return blames.size() > most ? words + ", .." : words;
}

std::string name_in_words(const MessageAccount& account, const Topology& topology) {
  return name_in_words(MessageName{account.source, account.destination, account.order}, topology);
}

double percentage(Cycle part, Cycle whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::vector<std::string> explanation_findings(const RunPlan& plan, const Results& results) {
  return Findings(plan, results).take();
}

}  // namespace allport
