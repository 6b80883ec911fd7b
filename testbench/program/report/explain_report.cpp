// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/explain_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "rtl_model/base/words.h"
#include "testbench/program/report/report.h"

namespace allport {

namespace {

constexpr std::size_t most_rows = 10;  // of a list in the report

double percent(Cycle part, Cycle whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

// What a cause means, for the table of the sum.
const char* meaning(Cause cause) {
  constexpr std::array<const char*, cause_count> words{
      "the receivers take them over",
      "the senders prepare them",
      "they cross channels",
      "their flits follow one another",
      "messages before them use the injection port",
      "their senders prepare other messages first",
      "random delays at the injection ports",
      "the replication delay",
      "other messages stand before them in a buffer",
      "their heads wait for a virtual channel",
      "the buffer beyond is full of another message",
      "the way of a credit: buffers are short",
      "the switching mode demands more room",
      "other flits cross the switch",
      "acknowledgements of circuits",
      "other branches of their worms"};
  return words[static_cast<std::size_t>(cause)];
}

class Explained {
 public:
  Explained(const RunPlan& plan, const Results& results, const Style& style)
      : plan_(plan), explanation_(*results.explanation), results_(results), style_(style) {}

  std::string take() {
    if (explanation_.receipts == 0) return "\nNo message was received: no latency is explained.\n";
    add_path();
    add_sum();
    add_roots();
    add_channels();
    add_sources();
    add_findings();
    return std::move(text_);
  }

 private:
  void head(const std::string& words) { text_ += "\n" + style_.label(words) + "\n"; }
  template <class... Parts>
  void line(fmt::format_string<Parts...> format, Parts&&... parts) {
    text_ += fmt::format(format, std::forward<Parts>(parts)...) + "\n";
  }
  void add_path();
  void add_message(const PathMessage& message);
  void add_sum();
  void add_roots();
  void add_channels();
  void add_sources();
  void add_findings();
  void find_queueing();
  void find_ports();
  void find_directions();
  void find_ties();
  void find_room();
  std::string in_words(const Spot& spot, bool with_vc) const;
  std::string direction(int port) const;

  const RunPlan& plan_;
  const Explanation& explanation_;
  const Results& results_;
  const Style& style_;
  std::string text_;
};

// `+x` on a torus, `dimension 2` on a hypercube.
std::string Explained::direction(int port) const {
  const Topology& topology = plan_.routing.topology();
  const auto id = port_id(static_cast<std::size_t>(port));
  const std::size_t dimension = topology.dimension_of(id);
  if (topology.is_hypercube()) return fmt::format("dimension {}", dimension);
  constexpr std::string_view names = "xyzw";
  const std::string name = dimension < names.size() ? std::string(1, names[dimension])
                                                    : fmt::format("(dimension {})", dimension);
  return (port % 2 == 0 ? "+" : "-") + name;
}

std::string Explained::in_words(const Spot& spot, bool with_vc) const {
  const std::size_t node = index(spot.node);
  switch (spot.kind) {
    case Spot::Kind::channel: {
      const auto far = plan_.routing.topology().neighbour(
          spot.node, port_id(static_cast<std::size_t>(spot.port)));
      const std::string vc = with_vc && plan_.router.vcs > 1 ? fmt::format(", VC {}", spot.vc) : "";
      return fmt::format("channel {} -> {} ({}{})", node, far ? index(*far) : node,
                         direction(spot.port), vc);
    }
    case Spot::Kind::injection:
      return fmt::format("injection port {} of node {}", spot.port, node);
    case Spot::Kind::ejection:
      return fmt::format("ejection port {} of node {}", spot.port, node);
    case Spot::Kind::processor:
      break;
  }
  return fmt::format("processor of node {}", node);
}

void Explained::add_path() {
  if (explanation_.path.empty()) return;
  const PathMessage& last = explanation_.path.back();
  CauseSum sum;
  for (const PathMessage& message : explanation_.path) sum.add(message.account.causes);
  head(fmt::format("critical path: {} of {} to node {}",
                   counted(static_cast<std::uint64_t>(sum.total()), "cycle"),
                   counted(explanation_.path.size(), "message"), index(last.account.destination)));
  for (const PathMessage& message : explanation_.path) add_message(message);
}

void Explained::add_message(const PathMessage& message) {
  const MessageAccount& account = message.account;
  line("  {}>{}#{}, {} over {}: {}", index(account.source), index(account.destination),
       account.order, counted(account.flits, "flit"), counted(account.hops, "hop"),
       counted(static_cast<std::uint64_t>(account.causes.total()), "cycle"));
  std::size_t at = 0;
  while (at < message.stretches.size()) {
    const PathStretch& first = message.stretches[at];
    Cycle cycles = 0;
    const auto is_same = [&](const PathStretch& one) {
      return one.cause == first.cause && one.blamed.has_value() == first.blamed.has_value() &&
             (!one.blamed || name_in_words(*one.blamed) == name_in_words(*first.blamed)) &&
             in_words(one.spot, true) == in_words(first.spot, true);
    };
    while (at < message.stretches.size() && is_same(message.stretches[at])) {
      cycles += message.stretches[at++].cycles;
    }
    line("    from {:>6}  {:<11} {:>6}  {}{}", first.first, to_string(first.cause), cycles,
         in_words(first.spot, true),
         first.blamed ? ", because of " + name_in_words(*first.blamed) : "");
  }
}

void Explained::add_sum() {
  const CauseSum& sum = explanation_.causes;
  const Cycle total = sum.total();
  head(fmt::format("where the cycles of {} go: {} in all, {:.2f} each",
                   counted(explanation_.receipts, "received message"), total,
                   explanation_.receipts == 0
                       ? 0.0
                       : static_cast<double>(total) / static_cast<double>(explanation_.receipts)));
  std::vector<Cause> order(causes().begin(), causes().end());
  std::stable_sort(order.begin(), order.end(), [&](Cause a, Cause b) { return sum[a] > sum[b]; });
  for (const Cause cause : order) {
    if (sum[cause] == 0) continue;
    line("  {:<11} {:>12}  {:>5.1f} %  {}", to_string(cause), sum[cause],
         percent(sum[cause], total), meaning(cause));
  }
  line("  {:<11} {:>12}  {:>5.1f} %  another message is in the way", "contended", sum.contended,
       percent(sum.contended, total));
}

void Explained::add_roots() {
  if (explanation_.roots.empty()) return;
  head(fmt::format("what the {} of waiting for others come from",
                   counted(static_cast<std::uint64_t>(explanation_.causes.contended), "cycle")));
  const std::size_t shown = std::min(explanation_.roots.size(), most_rows);
  for (std::size_t i = 0; i < shown; ++i) {
    const RootShare& root = explanation_.roots[i];
    line("  {:>5.1f} %  {:<10} {}", percent(root.cycles, explanation_.causes.contended),
         to_string(root.cause), in_words(root.spot, true));
  }
  if (shown < explanation_.roots.size()) {
    line("  and {} more", explanation_.roots.size() - shown);
  }
}

void Explained::add_channels() {
  if (explanation_.by_channel.empty()) return;
  head("channels that were waited for longest");
  const std::size_t shown = std::min(explanation_.by_channel.size(), most_rows);
  for (std::size_t i = 0; i < shown; ++i) {
    const ChannelWaits& waits = explanation_.by_channel[i];
    std::string parts;
    for (const Cause cause : causes()) {
      if (waits.causes[cause] == 0) continue;
      parts +=
          fmt::format("{}{} {}", parts.empty() ? "" : ", ", to_string(cause), waits.causes[cause]);
    }
    line("  {:>12}  {}: {}", waits.causes.total(), in_words(waits.spot, false), parts);
  }
}

void Explained::add_sources() {
  if (explanation_.by_source.size() < 2) return;
  head("sources whose messages took longest, on the average");
  std::vector<const SourceWaits*> order;
  for (const SourceWaits& source : explanation_.by_source) order.push_back(&source);
  const auto mean = [](const SourceWaits* one) {
    return static_cast<double>(one->causes.total()) / static_cast<double>(one->receipts);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](const auto* a, const auto* b) { return mean(a) > mean(b); });
  order.resize(std::min(order.size(), most_rows));
  for (const SourceWaits* one : order) {
    const Cycle queued = one->causes[Cause::port] + one->causes[Cause::processor];
    line("  node {:<7} {:>10.2f} cycles, {:>5.1f} % of them in its own queue", index(one->source),
         mean(one), percent(queued, one->causes.total()));
  }
}

// The nodes in whose queues more messages lie than in those of others.
void Explained::find_queueing() {
  const CauseSum& sum = explanation_.causes;
  const auto queued = [](const CauseSum& one) { return one[Cause::port] + one[Cause::processor]; };
  const Cycle all = queued(sum);
  if (all == 0) {
    line("  No message waited for another one of its own sender.");
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
  for (const SourceWaits* one : order) {
    if (static_cast<double>(queued(one->causes)) < 4 * average || nodes.size() == most_rows) break;
    nodes.push_back(one->source);
    part += queued(one->causes);
  }
  line("  {:.1f} % of the cycles are queueing at the sources ({} port, {} processor).",
       percent(all, sum.total()), sum[Cause::port], sum[Cause::processor]);
  if (nodes.empty() || nodes.size() == order.size()) return;
  line("  {:.1f} % of the cycles are the queues of {}: {}.", percent(part, sum.total()),
       counted(nodes.size(), "node"), allport::in_words(nodes));
}

void Explained::find_ports() {
  if (explanation_.causes[Cause::port] > 0) return;
  const SimulationConfig& config = plan_.simulation;
  const bool by_rule = config.ts >= config.flits && plan_.request.message.flits_long == 0;
  line("  Injection ports limit nothing{}.",
       by_rule ? fmt::format(": ts is {}, and a message has {}", config.ts,
                             counted(config.flits, "flit"))
               : "");
}

// How the waiting for external channels is shared among directions.
void Explained::find_directions() {
  std::vector<Cycle> by_port(static_cast<std::size_t>(plan_.router.external_ports), 0);
  Cycle all = 0;
  for (const ChannelWaits& waits : explanation_.by_channel) {
    if (waits.spot.kind != Spot::Kind::channel) continue;
    by_port[static_cast<std::size_t>(waits.spot.port)] += waits.causes.contended;
    all += waits.causes.contended;
  }
  if (all == 0) return;
  std::string words;
  for (std::size_t port = 0; port < by_port.size(); ++port) {
    words += fmt::format("{}{:.1f} % {}", words.empty() ? "" : ", ", percent(by_port[port], all),
                         direction(static_cast<int>(port)));
  }
  line("  The waiting for external channels by direction: {}.", words);
}

// An even side has nodes exactly half a ring apart; a pattern sends all of these one way.
void Explained::find_ties() {
  const Topology& topology = plan_.routing.topology();
  if (!plan_.traffic || !topology.wraps()) return;
  std::string sides;
  for (std::size_t dimension = 0; 2 * dimension < topology.port_count(); ++dimension) {
    int side = 0;
    for (std::size_t node = 0; node < topology.node_count(); ++node) {
      side = std::max(side, topology.coordinate(node_id(node), dimension) + 1);
    }
    if (side % 2 == 0) sides += fmt::format("{}{}", sides.empty() ? "" : " and ", side);
  }
  if (sides.empty()) return;
  line(
      "  Sides of {} have nodes exactly half a ring apart: a pattern sends between them in the + "
      "direction only.",
      sides);
}

// What longer buffers or more virtual channels could take away at most.
void Explained::find_room() {
  const CauseSum& sum = explanation_.causes;
  if (sum[Cause::turnaround] > 0) {
    line(
        "  {:.1f} % of the cycles wait for credits on their way: buffers of {} run a channel at "
        "full rate, and these have {}.",
        percent(sum[Cause::turnaround], sum.total()),
        counted(2 + 2 * plan_.router.link_delay, "flit"), plan_.router.buffer_depth);
  }
  if (sum[Cause::channel] > 0) {
    line("  {:.1f} % of the waiting for others is for a virtual channel; a channel has {}.",
         percent(sum[Cause::channel], sum.contended), plan_.router.vcs);
  }
}

void Explained::add_findings() {
  head("what follows");
  find_queueing();
  find_ports();
  find_directions();
  find_ties();
  find_room();
  if (results_.traffic && results_.traffic->saturated) {
    line(
        "  The network is saturated: queues grow, and the cycles above grow with the length of "
        "the run.");
  }
}

}  // namespace

std::string explanation_report(const RunPlan& plan, const Results& results, const Style& style) {
  return Explained(plan, results, style).take();
}

}  // namespace allport
