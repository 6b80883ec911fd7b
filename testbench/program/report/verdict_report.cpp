// SPDX-License-Identifier: Apache-2.0
// The end of the report of a run: what the static check says, and how the run ended.
#include <fmt/format.h>

#include <utility>

#include "rtl_model/base/words.h"
#include "testbench/program/report/check_report.h"
#include "testbench/program/report/deadlock_report.h"
#include "testbench/program/report/report.h"
#include "testbench/program/report/report_lines.h"
#include "testbench/program/report/stop_report.h"

namespace allport {

namespace {

class VerdictReport {
 public:
  VerdictReport(const RunPlan& plan, const Results& results, const Style& style)
      : plan_(plan), results_(results), style_(style) {}

  void add_static(const StaticVerdict& verdict);
  void add_reached();
  void add_end();
  std::string take() { return std::move(text_); }

 private:
  void add(const char* label, const std::string& words) {
    text_ += report_line(label, words, style_);
  }
  std::string verdict(const char* name, const Finding& finding) const;
  std::string unicast_verdicts(const ScheduleReport& report) const;
  std::string deadlock_verdict(const WormFindings& worms) const;
  void add_worms(const StaticVerdict& verdict);

  const RunPlan& plan_;
  const Results& results_;
  const Style& style_;
  std::string text_;
};

std::string VerdictReport::verdict(const char* name, const Finding& finding) const {
  if (finding.ok()) return style_.good(fmt::format("{} holds", name));
  return style_.bad(fmt::format("{} fails ({}{})", name, finding.is_truncated ? "at least " : "",
                                counted(finding.violations, "violation")));
}

std::string VerdictReport::unicast_verdicts(const ScheduleReport& report) const {
  std::string words = fmt::format("{}, {}, {}", verdict("Theorem 1", report.theorem1),
                                  verdict("Definition 4", report.definition4),
                                  verdict("stepwise", report.stepwise));
  if (!report.stepwise.ok()) words += ", " + verdict("stepwise-vc", report.stepwise_vc);
  return words;
}

void VerdictReport::add_worms(const StaticVerdict& verdict) {
  constexpr std::size_t shown = 3;
  const Topology& topology = plan_.routing.topology();
  const WormFindings& worms = *verdict.report->worms;
  for (std::size_t i = 0; i < worms.contention.pairs.size() && i < shown; ++i) {
    add("", in_words(worms.contention.pairs[i], verdict.messages, topology));
  }
  if (worms.contention.violations > shown) add("", "..");
  const auto circle = circle_in_words(worms.circle, verdict.messages, topology);
  for (std::size_t i = 0; i < circle.size() && i < 2 * shown; ++i) add("", circle[i]);
  if (circle.size() > 2 * shown) add("", "..");
}

std::string VerdictReport::deadlock_verdict(const WormFindings& worms) const {
  const std::size_t waits = worms.circle.size();
  if (waits == 0 && worms.joins.ok()) return style_.good("freedom from deadlock holds");
  return style_.bad(
      fmt::format("freedom from deadlock is not proved ({})",
                  waits == 0 ? "the order of joins" : "a circle of " + counted(waits, "wait")));
}

void VerdictReport::add_static(const StaticVerdict& verdict) {
  if (!verdict.report && verdict.why_not.empty()) return;
  if (!verdict.report) {
    const std::string words = "not checked: " + verdict.why_not;
    add("static", verdict.was_interrupted ? style_.bad(words) : words);
    return;
  }
  const ScheduleReport& report = *verdict.report;
  std::string words = plan_.request.traffic.trials > 1 ? "last trial: " : "";
  if (report.worms) {
    words += this->verdict("freedom from contention", report.worms->contention) + ", " +
             deadlock_verdict(*report.worms);
  } else {
    words += unicast_verdicts(report);
  }
  add("static", words);
  std::string others;
  const auto add_failed = [&](const char* name, const Finding& finding) {
    if (!finding.ok()) others += (others.empty() ? "" : ", ") + this->verdict(name, finding);
  };
  add_failed("exactly once", report.exactly_once);
  add_failed("causality", report.causality);
  add_failed("port rule", report.port_rule);
  add_failed("valid routes", report.routes_valid);
  add_failed("collective", report.collective);
  if (report.worms) add_failed("joins", report.worms->joins);
  if (!others.empty()) add("", others);
  if (report.worms) add_worms(verdict);
  if (report.worms && !report.worms->joins.ok()) add("", report.worms->joins.first.front());
  if (report.symmetry) add("", "blocks by symmetry: " + in_words(*report.symmetry));
  if (!report.order_note.empty()) add("", report.order_note);
}

// Over collectives and trials.
void VerdictReport::add_reached() {
  const std::size_t all = results_.destinations;
  if (!plan_.is_replanned() || all == 0) return;
  const std::string words =
      fmt::format("delivered to {} of {} that can be reached", all - results_.missing, all);
  add("reached", results_.missing == 0 ? style_.good(words) : style_.bad(words));
}

void VerdictReport::add_end() {
  if (results_.deadlock) {
    const Deadlock& deadlock = *results_.deadlock;
    add("deadlock",
        style_.bad(fmt::format("in cycle {}, {} can never be delivered; {}:", deadlock.cycle,
                               counted(deadlock.stuck_messages, "message"),
                               circle_counts_in_words(deadlock))));
    for (const std::string& line :
         circle_in_words(deadlock, plan_.router, plan_.routing.topology())) {
      add("", line);
    }
  }
  if (results_.tasks && !results_.tasks->waits.empty()) {
    constexpr std::size_t shown = 8;
    const std::vector<std::string>& waits = results_.tasks->waits;
    add("deadlock", style_.bad(results_.tasks->waits_in_circle
                                   ? "of tasks, each waits for the rank of the next, in a circle:"
                                   : "of tasks:"));
    for (std::size_t i = 0; i < waits.size() && i < shown; ++i) add("", waits[i]);
    if (waits.size() > shown) add("", "..");
  }
  if (!results_.broken_invariant.empty()) add("broken", style_.bad(results_.broken_invariant));
  if (!results_.overrun.empty()) add("too long", style_.bad(results_.overrun));
  if (results_.was_interrupted) add("interrupted", style_.bad("these are the results so far"));
  if (results_.repeated_deliveries > 0) {
    add("repeated", style_.bad(fmt::format("{} by processors that had the message already",
                                           counted(results_.repeated_deliveries, "reception"))));
  }
  add("moved",
      fmt::format("{}, {} in {}", counted(results_.messages, "message"),
                  counted(results_.flit_hops, "flit hop"), counted(results_.cycles, "cycle")));
  add("digest", results_.digest);
}

}  // namespace

std::string report_of_verdict(const RunPlan& plan, const Results& results,
                              const StaticVerdict& verdict, const Style& style) {
  VerdictReport report(plan, results, style);
  report.add_static(verdict);
  report.add_reached();
  report.add_end();
  return report.take();
}

}  // namespace allport
