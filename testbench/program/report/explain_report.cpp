// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/explain_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "rtl_model/base/words.h"
#include "testbench/program/report/explain_words.h"
#include "testbench/program/report/report.h"

namespace allport {

namespace {

constexpr std::size_t most_rows = 10;  // of a list in the report

class Explained {
 public:
  Explained(const RunPlan& plan, const Results& results, const Style& style)
      : plan_(plan), explanation_(*results.explanation), results_(results), style_(style) {}

  std::string take() {
    if (explanation_.receipts == 0) {
      text_ = "\nNo message was received: no latency is explained.\n";
      if (results_.deadlock) add_findings();
      add_unfinished();
      return std::move(text_);
    }
    add_way_to_bound();
    add_path();
    add_sum();
    add_roots();
    add_channels();
    add_sources();
    add_listed();
    add_findings();
    add_unfinished();
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
  void add_way_to_bound();
  void add_sum();
  void add_roots();
  void add_channels();
  void add_sources();
  void add_listed();
  void add_findings();
  void add_unfinished();
  std::string in_words(const Resource& resource, bool with_vc) const {
    return allport::in_words(plan_, resource, with_vc);
  }

  const Topology& topology() const { return plan_.routing.topology(); }
  std::string name(NodeId node) const { return topology().node_name(node); }

  const RunPlan& plan_;
  const Explanation& explanation_;
  const Results& results_;
  const Style& style_;
  std::string text_;
};

void Explained::add_path() {
  if (explanation_.path.empty()) return;
  const PathMessage& last = explanation_.path.back();
  CauseSum sum;
  for (const PathMessage& message : explanation_.path) sum.add(message.account.causes);
  const MessageAccount& first = explanation_.path.front().account;
  const bool is_late = plan_.simulation.skew > 0 && first.created > 0;
  head(fmt::format("critical path: {} of {} to node {}{}",
                   counted(static_cast<std::uint64_t>(sum.total()), "cycle"),
                   counted(explanation_.path.size(), "message"), name(last.account.destination),
                   is_late
                       ? fmt::format(", from the start of node {} in cycle {}",
                                     name(first.contributor.value_or(first.source)), first.created)
                       : ""));
  for (const PathMessage& message : explanation_.path) add_message(message);
}

void Explained::add_message(const PathMessage& message) {
  const MessageAccount& account = message.account;
  line("  {}, {} over {}{}: {}", name_in_words(account, topology()), counted(account.flits, "flit"),
       counted(account.hops, "hop"),
       account.contributor ? fmt::format(" from node {}", name(*account.contributor)) : "",
       counted(static_cast<std::uint64_t>(account.causes.total()), "cycle"));
  for (const PathStretch& one : message.stretches) {
    line("    from {:>6}  {:<11} {:>6}  {}{}", one.first, to_string(one.cause), one.cycles,
         in_words(one.resource, true),
         one.blamed ? ", because of " + name_in_words(*one.blamed, topology()) : "");
  }
}

// A line for the bound and for each part of what the run takes beyond it.
void Explained::add_way_to_bound() {
  if (!explanation_.to_bound) {
    if (!explanation_.no_bound.empty()) line("\n{}", explanation_.no_bound);
    return;
  }
  const WayToBound& way = *explanation_.to_bound;
  const auto add = [&](const char* name, Cycle cycles, const std::string& words) {
    line("  {:<18} {:>12}  {:>5.1f} %  {}", name, cycles, percentage(cycles, way.cycles), words);
  };
  head(fmt::format("from the lower bound to the {} of the run",
                   counted(static_cast<std::uint64_t>(way.cycles), "cycle")));
  add("bound", way.bound, fmt::format("no schedule is faster, by {}", way.by));
  for (const ExcessPart& one : way.parts) {
    const std::string steps = steps_in_words(one);
    add(to_string(one.part), one.cycles,
        row_of(one.part).meaning + (steps.empty() ? "" : ": " + steps));
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
  for (const Cause cause : longest_first(sum)) {
    line("  {:<11} {:>12}  {:>5.1f} %  {}", to_string(cause), sum[cause],
         percentage(sum[cause], total), row_of(cause).meaning);
  }
  line("  {:<11} {:>12}  {:>5.1f} %  another message is in the way", "contended", sum.contended,
       percentage(sum.contended, total));
}

void Explained::add_roots() {
  if (explanation_.roots.empty()) return;
  head(fmt::format("what the {} of waiting for others come from",
                   counted(static_cast<std::uint64_t>(explanation_.causes.contended), "cycle")));
  const std::size_t shown = std::min(explanation_.roots.size(), most_rows);
  for (std::size_t i = 0; i < shown; ++i) {
    const RootShare& root = explanation_.roots[i];
    line("  {:>5.1f} %  {:<10} {}", percentage(root.cycles, explanation_.causes.contended),
         to_string(root.cause), in_words(root.resource, true));
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
    line("  {:>12}  {}: {}", waits.causes.total(), in_words(waits.resource, false),
         causes_in_words(waits.causes));
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
    line("  node {:<7} {:>10.2f} cycles, {:>5.1f} % of them in its own queue", name(one->source),
         mean(one), percentage(queued, one->causes.total()));
  }
}

// The messages that were asked for.
void Explained::add_listed() {
  const std::vector<MessageAccount>& messages = explanation_.messages;
  if (messages.empty()) return;
  const ExplainRequest& request = plan_.request.explain;
  head(request.message                         ? "the message that was asked for"
       : request.listed == ExplainRequest::all ? "messages, in the order of their receptions"
                                               : "the slowest messages");
  const std::size_t shown = request.listed == ExplainRequest::all
                                ? std::min(messages.size(), most_rows)
                                : messages.size();
  for (std::size_t i = 0; i < shown; ++i) {
    const MessageAccount& one = messages[i];
    line("  {:<10} {:>7}, from cycle {}: {}{}", name_in_words(one, topology()),
         counted(static_cast<std::uint64_t>(one.causes.total()), "cycle"), one.created,
         causes_in_words(one.causes),
         one.blames.empty() ? "" : "; because of " + allport::in_words(one.blames, 3, topology()));
  }
  if (shown < messages.size()) line("  and {} more", messages.size() - shown);
}

void Explained::add_findings() {
  head("what follows");
  for (const std::string& sentence : explanation_findings(plan_, results_)) line("  {}", sentence);
}

// Of a run that ended in a deadlock or was interrupted.
void Explained::add_unfinished() {
  if (explanation_.unexplained > 0) {
    line("\nThe interrupt left {} more without an account.",
         counted(explanation_.unexplained, "received message"));
  }
  const auto& unfinished = explanation_.unfinished;
  if (unfinished.empty()) return;
  head("messages that were under way at the end, and where their cycles went up to there");
  const std::size_t shown = std::min(unfinished.size(), most_rows);
  for (std::size_t i = 0; i < shown; ++i) {
    const UnfinishedMessage& one = unfinished[i];
    line("  {:<8} {:>7}  toward {}: {}{}", allport::name_in_words(one.name, topology()),
         counted(static_cast<std::uint64_t>(one.causes.total()), "cycle"),
         in_words(one.resource, true), causes_in_words(one.causes),
         one.blames.empty() ? "" : "; because of " + allport::in_words(one.blames, 3, topology()));
  }
  if (shown < unfinished.size()) line("  and {} more", unfinished.size() - shown);
}

}  // namespace

std::string explanation_report(const RunPlan& plan, const Results& results, const Style& style) {
  return Explained(plan, results, style).take();
}

}  // namespace allport
