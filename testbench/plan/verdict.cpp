// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <new>
#include <stdexcept>
#include <tuple>

#include "rtl_model/base/words.h"
#include "rtl_model/topology/channel_words.h"
#include "testbench/plan/static_plan.h"

namespace allport {

namespace {

using Trial = std::vector<PlannedCollective>;

bool is_equal(const Unicast& a, const Unicast& b) {
  const auto fields = [](const Unicast& one) {
    return std::tie(one.u, one.v, one.step, one.order, one.kind, one.displacement, one.via,
                    one.blocks, one.adds, one.first_dimension, one.free, one.join);
  };
  return fields(a) == fields(b);
}

bool is_equal(const Trial& a, const Trial& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const PlannedCollective& one, const PlannedCollective& other) {
                      const auto& first = one.schedule.unicasts;
                      const auto& second = other.schedule.unicasts;
                      return one.destinations == other.destinations &&
                             std::equal(
                                 first.begin(), first.end(), second.begin(), second.end(),
                                 [](const Unicast& x, const Unicast& y) { return is_equal(x, y); });
                    });
}

bool has_one_length(const Trial& trial) {
  return std::all_of(trial.begin(), trial.end(), [](const PlannedCollective& one) {
    return one.goal == nullptr && one.address_fields.is_empty();
  });
}

// Whether a message that meets no other is never held up, nor overtaken by a later one of its
// sender, as Theorem 1 assumes: the buffers take messages without a gap (docs/timing.md, section 7)
// and, if a hop takes longer for a longer message, all messages have the same length. Theorem 1
// counts hops, so all of them must take equally long, and messages of one sender follow one another
// without a gap, which a head that waits for its route or its VC makes; senders prepare one message
// after another; and nothing errs.
bool keeps_pace(const RunPlan& plan, const Trial& trial) {
  if (!plan.router.has_one_link_delay() || plan.router.has_narrow_channels()) return false;
  if (!plan.simulation.model.is_default() || plan.simulation.errors.has_any()) return false;
  if (plan.router.head_delay() > 0) return false;
  const int depth = plan.router.buffer_depth;
  const int wires = 2 * plan.router.link_delay + plan.router.exit_delay();
  const int longest = plan.simulation.flits;
  switch (plan.router.switching) {
    case Switching::wormhole:
    case Switching::circuit:
      return depth >= 2 + wires;
    case Switching::cut_through:
      return depth >= longest + 1 + wires && has_one_length(trial);
    case Switching::store_and_forward:
      return depth >= 2 * longest + wires && has_one_length(trial);
  }
  return false;
}

// The checks of the trials of a run; each schedule is checked once.
class Checks {
 public:
  Checks(const RunPlan& plan, StopFlag stop)
      : plan_(plan),
        fabric_{plan.routing,
                plan.router.internal_ports,
                plan.router.vcs_of_class(),
                {plan.request.check.max_violations, stop},
                plan.router.join_vcs} {}

  StaticPlan plan_of(std::size_t trial) const {
    return {plan_.trials()[trial], fabric_, succession_of(plan_)};
  }

  void remember(std::size_t trial, const ScheduleReport& report) {
    proofs_[trial] = {report.is_contention_free() && !plan_.routing.is_adaptive() &&
                          keeps_pace(plan_, plan_.trials()[trial]),
                      !report.worms || (report.worms->circle.empty() && report.worms->joins.ok()),
                      !report.worms};
  }

  // The first observation that is proved to be impossible, in words.
  std::string contradiction(const Results& results) {
    // What a router of one's own does is its own affair, and events are those that pins show.
    if (plan_.request.custom_router) return {};
    const bool is_of_routes = results.deadlock && results.deadlock->lost_credits.empty();
    if (is_of_routes && proof_of(results.deadlock->trial).excludes_deadlock) {
      return fmt::format(
          "contradiction: the static check proves that no deadlock is possible, yet one occurred in cycle {} of trial {}; one of the two is wrong, please report it",
          results.deadlock->cycle, results.deadlock->trial);
    }
    for (const ContentionEvent& event : results.contention.list) {
      const Proof proof = proof_of(event.trial);
      if (!proof.excludes_contention) continue;
      return fmt::format(
          "contradiction: {} the schedule free of contention, yet an event occurred in cycle {} of trial {} at {}; one of the two is wrong, please report it",
          proof.is_theorem1 ? "Theorem 1 proves" : "the routes prove", event.cycle, event.trial,
          output_in_words(plan_.routing.topology(), event.channel));
    }
    return {};
  }

 private:
  struct Proof {
    bool excludes_contention = false;
    bool excludes_deadlock = false;
    bool is_theorem1 = false;
  };

  Proof proof_of(int number) {
    const auto trial = static_cast<std::size_t>(number);
    if (trial >= plan_.trials().size()) return {};
    if (const auto found = proofs_.find(trial); found != proofs_.end()) return found->second;
    const std::size_t last = plan_.trials().size() - 1;
    const auto of_last = proofs_.find(last);
    if (of_last != proofs_.end() && is_equal(plan_.trials()[trial], plan_.trials()[last])) {
      return of_last->second;
    }
    remember(trial, plan_of(trial).check());
    return proofs_[trial];
  }

  const RunPlan& plan_;
  CheckedFabric fabric_;
  std::map<std::size_t, Proof> proofs_;  // by trial
};

}  // namespace

StaticVerdict check_statically(const RunPlan& plan, const Results& results, StopFlag stop) {
  StaticVerdict verdict;
  if (!plan.is_scheduled()) return verdict;
  if (plan.request.check.no_static) {
    verdict.why_not = "--no-static";
    return verdict;
  }
  const auto start = std::chrono::steady_clock::now();
  try {
    const Stoppable heeds(stop);
    Checks checks(plan, stop);
    const std::size_t last = plan.trials().size() - 1;
    const StaticPlan checked = checks.plan_of(last);
    verdict.report = checked.check();
    if (!verdict.report->ok()) verdict.messages = checked.messages();
    verdict.begins = checked.begins();
    checks.remember(last, *verdict.report);
    verdict.contradiction = checks.contradiction(results);
  } catch (const Stopped& stopped) {
    verdict.was_interrupted = true;
    if (!verdict.report) verdict.why_not = stopped.what();
  } catch (const std::invalid_argument& error) {  // too large: the results stand without it
    verdict.why_not = error.what();
  } catch (const std::bad_alloc&) {
    verdict.why_not = "the machine does not have enough memory for it";
  }
  verdict.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return verdict;
}

std::string contradiction(const RunPlan& plan, const Results& results, StopFlag stop) {
  if (plan.request.check.no_static || !plan.is_scheduled()) return {};
  try {
    const Stoppable heeds(stop);
    return Checks(plan, stop).contradiction(results);
  } catch (const Stopped&) {
    return {};
  } catch (const std::invalid_argument&) {  // too large to be proved
    return {};
  }
}

std::string fault(const Results& results) {
  if (!results.broken_invariant.empty()) return "broken invariant: " + results.broken_invariant;
  if (!results.overrun.empty()) return results.overrun;
  if (results.deadlock) {
    return fmt::format("deadlock in cycle {}: {} can never be delivered", results.deadlock->cycle,
                       counted(results.deadlock->stuck_messages, "message"));
  }
  if (results.was_interrupted) return "interrupted";
  if (results.tasks && results.tasks->unended > 0) {
    return fmt::format("deadlock of tasks: {} of {} did not end{}{}", results.tasks->unended,
                       results.tasks->tasks, results.tasks->waits.empty() ? "" : "; ",
                       results.tasks->waits.empty() ? "" : results.tasks->waits.back());
  }
  return {};
}

std::string problem_of(const Results& results, const StaticVerdict& verdict) {
  if (!verdict.contradiction.empty()) return verdict.contradiction;
  if (std::string words = fault(results); !words.empty()) return words;
  return verdict.was_interrupted ? "the static check was interrupted" : "";
}

}  // namespace allport
