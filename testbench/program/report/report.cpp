// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>

#include "rtl_model/base/stop_flag.h"
#include "rtl_model/base/words.h"
#include "rtl_model/topology/channel_words.h"
#include "testbench/plan/clock.h"
#include "testbench/plan/plan_errors.h"
#include "testbench/plan/plan_theory.h"
#include "testbench/plan/router_declaration.h"
#include "testbench/plan/thread_share.h"
#include "testbench/processes/interrupt.h"
#include "testbench/program/report/deadlock_report.h"
#include "testbench/program/report/group_report.h"
#include "testbench/program/report/report_lines.h"
#include "testbench/program/report/setting_report.h"
#include "testbench/program/report/task_report.h"
#include "testbench/program/report/traffic_report.h"
#include "testbench/results/mean_estimate.h"

namespace allport {

namespace {

// What a user waits for begins with the program: reading, planning and start-up count.
const auto program_begin = std::chrono::steady_clock::now();

constexpr const char* ports_words =
    ": a sender's messages waited for each other at its injection port";

// `0.2@3, 0.2@4`, or `0.2@3, 0.2@4, 0.2@5, .. (17 in all)`
std::string first_of_list(const std::vector<std::string>& items) {
  constexpr std::size_t shown = 3;
  const auto first = items.begin();
  const auto end = first + static_cast<std::ptrdiff_t>(std::min(items.size(), shown));
  std::string words = fmt::format("{}", fmt::join(first, end, ", "));
  if (items.size() > shown) words += fmt::format(", .. ({} in all)", items.size());
  return words;
}

// By whom the simulation was done, if several threads were asked for.
std::string by_threads(const RunPlan& plan, const ThreadUse& use) {
  const int asked = plan.request.threads;
  if (asked == 1) return {};
  const ThreadShare share = thread_share(plan);
  const std::string& why = use.whole.empty() ? share.why : use.whole;
  if (use.together == 0) return " by one thread" + (why.empty() ? "" : ": " + why);
  return fmt::format(" by {} threads{}, {} of {} cycles together", use.threads,
                     share.why.empty() ? "" : fmt::format(" of {} ({})", asked, share.why),
                     use.together, use.cycles);
}

class Report {
 public:
  Report(const RunPlan& plan, const Results& results, const Style& style)
      : plan_(plan), results_(results), style_(style) {}

  void add_latency();
  void add_groups();
  void add_completion();
  void add_last_start();
  void add_theory();
  void add_bound();
  /// Where the run has a clock.
  void add_bandwidth();
  bool waited_at_ports() const;
  void add_background();
  /// What went wrong on channels, and what it cost.
  void add_link_errors();
  /// What joins yielded in the order of arrival.
  void add_combine();
  void add_tasks();
  /// `first_port` is the port of its channels that is number 0.
  void add_contention(const char* label, const Contention& contention, std::size_t first_port);
  /// By which rule the pins of a router of one's own show contention.
  void add_pins();
  void add_time(double static_seconds);
  void add_lines(const ReportLines& lines) { text_ += report_text(lines, style_); }
  std::string take() { return std::move(text_); }

 private:
  void add(const char* label, const std::string& words) {
    text_ += report_line(label, words, style_);
  }
  std::string in_microseconds(double cycles) const {
    return allport::in_microseconds(plan_, cycles);
  }

  /// `, 3 of them between groups` where there are several groups.
  std::string between_groups(const Contention& contention) const;

  const RunPlan& plan_;
  const Results& results_;
  const Style& style_;
  const GroupMap groups_{plan_};
  std::string text_;
};

void Report::add_latency() {
  if (results_.destinations == 0) {
    add("latency",
        style_.bad(
            "none: there are no destinations but the sources, which have the message from the start"));
    return;
  }
  if (!results_.has_latency()) {
    add("latency", style_.bad("none: no destination received"));
    return;
  }
  add("latency", fmt::format("max {} cycles{}, mean {:.2f}{}", results_.latency.max,
                             in_microseconds(static_cast<double>(results_.latency.max)),
                             results_.latency.mean, in_microseconds(results_.latency.mean)));
  if (results_.missing > 0) {
    add("", style_.bad(counted(results_.missing, "destination") + " did not receive"));
  }
}

void Report::add_groups() {
  if (!plan_.has_partition()) return;
  const char* label = "by group";
  for (const std::string& line : group_lines(plan_, results_)) {
    add(label, line);
    label = "";
  }
}

// With a single trial it is the largest latency.
void Report::add_completion() {
  const std::optional<MeanEstimate> completion = results_.completion();
  if (!completion || !completion->half_width) return;
  add("completion",
      fmt::format("mean {:.2f} +- {:.2f} cycles{}, 95 % interval over {} trials", completion->mean,
                  *completion->half_width, in_microseconds(completion->mean),
                  results_.trials.size() - (results_.is_complete() ? 0 : 1)));
}

void Report::add_last_start() {
  const std::optional<MeanEstimate> after = results_.completion_after_last_start();
  if (!after) return;
  if (!after->half_width) {
    add("skew",
        fmt::format(
            "the last node that sends starts in cycle {}, and the last destination has everything {:.0f} cycles later",
            results_.last_starts.front(), after->mean));
    return;
  }
  add("skew", fmt::format("mean completion {:.2f} +- {:.2f} cycles after the last start of a trial",
                          after->mean, *after->half_width));
}

// Whether the wait for the previous message at the port, which the theory leaves out, makes the
// whole difference.
bool Report::waited_at_ports() const {
  const bool has_contention = results_.contention.events > 0 || results_.reception.events > 0 ||
                              plan_.request.node.jitter > 0 || plan_.request.node.skew > 0;
  try {
    const Stoppable heeds(catch_interrupts());
    return !has_contention && predicted_latency_with_ports(plan_) == results_.latency.max;
  } catch (const Stopped&) {  // then the report says that it was interrupted
    return false;
  }
}

void Report::add_theory() {
  if (!plan_.simulation.model.is_default()) {
    add("theory", "none: the timing models know ts and tr only");
    return;
  }
  if (const auto& own = plan_.request.custom_router; own && !own->has_our_time()) {
    add("theory", "not stated: its model is of routers that take one cycle a hop");
    return;
  }
  std::optional<Cycle> theory;
  try {
    const Stoppable heeds(catch_interrupts());
    theory = predicted_latency(plan_);
  } catch (const Stopped&) {
    add("theory", style_.bad("interrupted"));
    return;
  }
  if (!theory) {
    add("theory", "none: the timing models know external channels as wide as a flit only");
    return;
  }
  const Cycle difference = results_.latency.max - *theory;
  std::string words =
      fmt::format("max {} cycles{}", *theory, in_microseconds(static_cast<double>(*theory)));
  if (!results_.is_complete()) {
    words += ", had the run been complete";
  } else if (!results_.has_latency()) {
    words += ", but no destination received";
  } else if (difference == 0) {
    words += style_.good(", equal to the simulation");
  } else {
    words += fmt::format(", the simulation takes {} {}{}", counted(std::abs(difference), "cycle"),
                         difference > 0 ? "more" : "less", waited_at_ports() ? ports_words : "");
  }
  if (plan_.simulation.skew > 0) words += "; it lets all nodes start in cycle 0";
  add("theory", words);
}

void Report::add_bound() {
  std::optional<LowerBound> bound;
  try {
    const Stoppable heeds(catch_interrupts());
    bound = lower_bound_of(plan_);
  } catch (const Stopped&) {
    add("bound", style_.bad("interrupted"));
    return;
  }
  if (!bound || !results_.has_latency()) return;
  add("bound", fmt::format("{} cycles{} by {}, which no schedule beats; efficiency {:.3f}",
                           bound->cycles, in_microseconds(static_cast<double>(bound->cycles)),
                           bound->binds, efficiency(*bound, results_.latency.max)));
}

void Report::add_bandwidth() {
  const std::optional<Clock> clock = clock_of(plan_.request.node);
  const auto bandwidth = bandwidth_of(plan_, results_.latency.max);
  if (!clock || !bandwidth) return;
  add("bandwidth", fmt::format("algorithm {:.4g} GB/s, bus {:.4g} GB/s",
                               clock->gigabytes_per_second(bandwidth->algorithm),
                               clock->gigabytes_per_second(bandwidth->bus)));
}

void Report::add_background() {
  add_lines(pattern_lines(plan_, *results_.traffic, style_));
  const Cycle end = plan_.traffic()->cycles;
  if (results_.tasks->makespan <= end || !results_.is_complete()) return;
  add("", style_.bad(fmt::format(
              "they start before cycle {} only (--cycles), and the ranks last until cycle {}", end,
              results_.tasks->makespan)));
}

void Report::add_combine() {
  const CombineResults& combine = *results_.combine;
  std::string words =
      fmt::format("in the order of arrival: {} of {} differ from what the order of ports yields",
                  combine.differing_lanes, counted(combine.lanes, "lane"));
  if (combine.differing_lanes > 0) {
    words += fmt::format(", by at most {} ulp", combine.largest_difference);
  }
  if (combine.checksums.size() > 1) {
    words +=
        fmt::format("; {} in {} trials", counted(combine.distinct_results(), "distinct result"),
                    combine.checksums.size());
  } else {
    words += fmt::format("; checksum {:016x}", combine.checksums.front());
  }
  add("combined", words);
}

void Report::add_link_errors() {
  const LinkErrorResults& errors = *results_.link_errors;
  const Topology& topology = plan_.routing.topology();
  constexpr std::size_t shown = 3;
  if (plan_.router.retry) {
    add("errors", errors.errors() == 0 ? std::string("none")
                                       : fmt::format("{} in error, {}, {} discarded",
                                                     counted(errors.errors(), "flit"),
                                                     counted(errors.replays(), "replay"),
                                                     counted(errors.discarded(), "flit")));
    std::vector<ChannelErrors> channels = errors.channels;
    std::stable_sort(
        channels.begin(), channels.end(),
        [](const ChannelErrors& a, const ChannelErrors& b) { return a.errors > b.errors; });
    for (std::size_t i = 0; i < channels.size() && i < shown; ++i) {
      add("",
          fmt::format("{}: {} in error, {}, {} discarded",
                      output_in_words(topology, channels[i].channel),
                      counted(channels[i].errors, "flit"), counted(channels[i].replays, "replay"),
                      counted(channels[i].discarded, "flit")));
    }
    if (channels.size() > shown)
      add("", fmt::format(".. ({} in all)", counted(channels.size(), "channel")));
  }
  const char* label = "lost";
  for (std::size_t i = 0; i < errors.lost_credits.size() && i < shown; ++i, label = "") {
    const CreditLoss& one = errors.lost_credits[i];
    add(label, style_.bad((plan_.request.traffic.trials > 1 ? fmt::format("trial {}, ", one.trial)
                                                            : std::string()) +
                          loss_in_words(one, topology)));
  }
  if (errors.lost_credits.size() > shown) {
    add("", fmt::format(".. ({} in all)", errors.lost_credits.size()));
  }
  std::vector<std::string> missed;
  for (const FlitError& one : errors.missed) missed.push_back(in_words(one, topology));
  if (!missed.empty()) {
    add("missed", fmt::format("{}: no flit was there, or its receiver was discarding already",
                              first_of_list(missed)));
  }
  missed.clear();
  for (const LostCredit& one : errors.missed_credits) missed.push_back(in_words(one, topology));
  if (!missed.empty()) add("missed", fmt::format("{}: no credit was there", first_of_list(missed)));
}

void Report::add_tasks() {
  const TaskResults& tasks = *results_.tasks;
  if (!results_.is_complete()) {
    add("makespan",
        style_.bad(fmt::format("none: {} of {} tasks did not end", tasks.unended, tasks.tasks)));
    return;
  }
  add("makespan", counted(static_cast<std::uint64_t>(tasks.makespan), "cycle") +
                      in_microseconds(static_cast<double>(tasks.makespan)));
  add_lines(task_lines(plan_, tasks));
}

std::string Report::between_groups(const Contention& contention) const {
  if (!plan_.has_partition()) return {};
  const auto events =
      std::count_if(contention.list.begin(), contention.list.end(),
                    [&](const ContentionEvent& event) { return groups_.is_between(event); });
  return fmt::format(", {} of them between groups", events);
}

void Report::add_contention(const char* label, const Contention& contention,
                            std::size_t first_port) {
  if (contention.events == 0) {
    add(label, style_.good("none"));
    return;
  }
  const std::string words = fmt::format("{}, {}", counted(contention.events, "event"),
                                        counted(contention.blocked_cycles, "blocked cycle")) +
                            between_groups(contention);
  add(label, plan_.is_scheduled() ? style_.bad(words) : words);
  constexpr std::size_t shown = 3;
  const Topology& topology = plan_.routing.topology();
  for (std::size_t i = 0; i < contention.list.size() && i < shown; ++i) {
    const ContentionEvent& event = contention.list[i];
    const Channel channel{event.channel.node, port_id(first_port + index(event.channel.port))};
    add("",
        fmt::format("{}cycle {}: {} waits {} for {}, held by {}",
                    plan_.request.traffic.trials > 1 ? fmt::format("trial {}, ", event.trial) : "",
                    event.cycle, in_words(event.waiting, topology), counted(event.cycles, "cycle"),
                    output_in_words(topology, channel), in_words(event.holding, topology)) +
            (groups_.is_between(event) ? ", between groups" : ""));
  }
  if (contention.events > shown) add("", "..");
}

void Report::add_pins() {
  add("",
      "as the pins show it: a flit counts as kept off from the cycle on in which it could leave");
}

void Report::add_time(double static_seconds) {
  const std::chrono::duration<double> all = std::chrono::steady_clock::now() - program_begin;
  std::string took =
      fmt::format("{:.3f} s, simulation {:.3f} s", all.count(), results_.wall_seconds);
  took += by_threads(plan_, results_.threads);
  if (static_seconds > 0) took += fmt::format(", static check {:.3f} s", static_seconds);
  add("took", took);
}

}  // namespace

std::string report_of_results(const RunPlan& plan, const Results& results, const Style& style) {
  Report report(plan, results, style);
  report.add_lines(setting_lines(plan, results.steps));
  if (results.tasks) {
    report.add_tasks();
    if (results.traffic) report.add_background();
  } else if (results.load || results.traffic) {
    if (results.closed_loop) {
      report.add_lines(closed_loop_lines(plan, *results.closed_loop, style));
    }
    if (results.load) report.add_lines(load_lines(plan, *results.load, style));
    if (results.traffic) report.add_lines(pattern_lines(plan, *results.traffic, style));
  } else {
    report.add_latency();
    report.add_groups();
    report.add_completion();
    report.add_last_start();
    // Of an interrupted run it would be no result, and it takes long for many trials.
    const bool is_cut = results.was_interrupted || !results.overrun.empty();
    if (results.destinations > 0 && !is_cut) report.add_theory();
    if (results.destinations > 0 && results.is_complete()) {
      report.add_bound();
      report.add_bandwidth();
    }
  }
  if (results.combine) report.add_combine();
  if (results.link_errors) report.add_link_errors();
  report.add_contention("contention", results.contention, 0);
  report.add_contention("reception", results.reception, plan.routing.topology().port_count());
  if (plan.request.custom_router) report.add_pins();
  return report.take();
}

std::string report_of_time(const RunPlan& plan, const Results& results,
                           const StaticVerdict& verdict, const Style& style) {
  Report report(plan, results, style);
  report.add_time(verdict.seconds);
  return report.take();
}

}  // namespace allport
