// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/results_json.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "rtl_model/topology/channel_words.h"
#include "testbench/observe/monitors/events_json.h"
#include "testbench/plan/plan_errors.h"
#include "testbench/program/report/group_report.h"
#include "testbench/program/report/pieces_report.h"
#include "testbench/program/report/task_report.h"
#include "testbench/program/terminal/version.h"
#include "testbench/results/statistics.h"
#include "traffic/schedule/schedule_file.h"

namespace allport {

namespace {

Json unicast_json(const Unicast& unicast, const Topology& topology) {
  const bool has_one = !goes_to_all(unicast.kind);
  return {{"u", node_json(unicast.u, topology)},
          {"v", has_one ? node_json(unicast.v, topology) : Json(nullptr)},
          {"step", unicast.step}};
}

// The message with everything that tells it from others of its sender.
Json worm_json(std::size_t number, const Schedule& messages, const std::vector<std::size_t>& begins,
               const Topology& topology) {
  const Unicast& unicast = messages.unicasts[number];
  Json json = unicast_json(unicast, topology);
  json["order"] = unicast.order;
  json["kind"] = to_string(unicast.kind);
  if (begins.size() > 1) {
    const auto next = std::upper_bound(begins.begin(), begins.end(), number);
    json["collective"] = next - begins.begin() - 1;
  }
  return json;
}

Json finding_json(const Finding& finding, Json first) {
  Json json{{"ok", finding.ok()}, {"violations", finding.violations}, {"first", std::move(first)}};
  if (finding.is_truncated) json["truncated"] = true;
  return json;
}

Json sentences_json(const Finding& finding) { return finding_json(finding, finding.first); }

template <typename Message>
Json pairs_json(const Finding& finding, const Topology& topology, Message message) {
  Json first = Json::array();
  for (const PairViolation& pair : finding.pairs) {
    first.push_back({{"a", message(pair.a)},
                     {"b", message(pair.b)},
                     {"channel", channel_json(pair.channel, topology)}});
  }
  return finding_json(finding, std::move(first));
}

template <typename Message>
Json circle_json(const std::vector<WormWait>& circle, const Topology& topology, Message message) {
  constexpr std::size_t max_listed = 100;
  Json list = Json::array();
  for (std::size_t i = 0; i < circle.size() && i < max_listed; ++i) {
    Json wait{{"message", message(circle[i].message)},
              {"channel", channel_json(circle[i].channel, topology)},
              {"held_by", message(circle[(i + 1) % circle.size()].message)}};
    if (circle[i].vc_class) {
      wait["class"] = class_in_words(*circle[i].vc_class, circle[i].channel.port);
    }
    if (circle[i].layer) wait["layer"] = *circle[i].layer;
    list.push_back(std::move(wait));
  }
  return {{"ok", circle.empty()}, {"waits", circle.size()}, {"circle", std::move(list)}};
}

// Whether collectives were carried out one trial after another.
bool has_completion(const Results& results) {
  return results.is_of_more_than_a_pattern() && !results.load;
}

// Tasks have no destinations, whatever a pattern beside them has received.
bool knows_latency(const Results& results) {
  return results.has_latency() && results.latency.is_known();
}

Json latency_json(const Results& results, bool with_trials, const Topology& topology) {
  Json::object_t by_destination;  // filled in order, because looking up each key takes too long
  for (const DestinationLatency& one : results.by_destination) {
    by_destination.emplace_back(std::to_string(topology.number_of(one.node)), one.cycles);
  }
  Json json = json_of(results.latency, knows_latency(results) ? Known::as_found : Known::nowhere);
  json["by_destination"] = std::move(by_destination);
  if (with_trials) {
    json["trials"] = Json::array();
    for (std::size_t i = 0; i < results.trials.size(); ++i) {
      const LatencySummary& found = results.trials[i];
      Json trial = json_of(found, found.is_known() ? Known::as_found : Known::nowhere);
      if (!results.last_starts.empty()) trial["last_start"] = results.last_starts[i];
      json["trials"].push_back(std::move(trial));
    }
  }
  if (has_completion(results)) {
    json["completion"] = completion_json(results);
    if (!results.last_starts.empty()) {
      json["completion_after_last_start"] = estimate_json(results.completion_after_last_start());
    }
    json["histogram"] = histogram_json(results.latency_histogram, "destinations");
  }
  return json;
}

Json microseconds_json(const Clock& clock, const Results& results) {
  const auto known = [&](double cycles) {
    return knows_latency(results) ? Json(clock.microseconds(cycles)) : Json();
  };
  Json json{{"max", known(static_cast<double>(results.latency.max))},
            {"mean", known(results.latency.mean)}};
  if (const auto completion = results.completion()) {
    json["completion"] = clock.microseconds(completion->mean);
  }
  return json;
}

Json combine_json(const CombineResults& combine) {
  Json json{{"order", to_string(CombineOrder::arrival)}};
  json.update(json_of(combine));
  return json;
}

Json link_errors_json(const LinkErrorResults& errors, bool with_trials, const Topology& topology) {
  Json channels = Json::array();
  for (const ChannelErrors& one : errors.channels) channels.push_back(json_of(one, topology));
  Json credits = Json::array();
  for (const CreditLoss& one : errors.lost_credits) {
    Json entry{
        {"channel", channel_json(one.channel, topology)}, {"vc", one.vc}, {"cycle", one.cycle}};
    if (with_trials) entry["trial"] = one.trial;
    credits.push_back(std::move(entry));
  }
  Json missed = Json::array();
  for (const FlitError& one : errors.missed) missed.push_back(in_words(one, topology));
  for (const LostCredit& one : errors.missed_credits) missed.push_back(in_words(one, topology));
  return {{"channels", std::move(channels)},
          {"lost_credits", std::move(credits)},
          {"missed", std::move(missed)}};
}

void add_groups(Json& json, const RunPlan& plan, const Results& results) {
  const GroupContention::Count between = contention_of_groups(plan, results).between;
  json["contention"]["between_groups"] = {{"events", between.events},
                                          {"blocked_cycles", between.blocked_cycles}};
  json["groups"] = groups_json(plan, results);
}

}  // namespace

Json estimate_json(const std::optional<MeanEstimate>& estimate) {
  if (!estimate) return nullptr;
  Json json{{"mean", estimate->mean}};
  if (estimate->half_width) json["half_width_95"] = *estimate->half_width;
  return json;
}

Json completion_json(const Results& results) { return estimate_json(results.completion()); }

Json check_json(const ScheduleReport& report, const Schedule& messages, const Topology& topology,
                const std::vector<std::size_t>& begins) {
  const auto pairs = [&](const Finding& finding) {
    if (!report.judges_unicasts()) return Json();
    return pairs_json(finding, topology,
                      [&](std::size_t i) { return unicast_json(messages.unicasts[i], topology); });
  };
  Json json{{"exactly_once", sentences_json(report.exactly_once)},
            {"causality", sentences_json(report.causality)},
            {"port_rule", sentences_json(report.port_rule)},
            {"routes_valid", sentences_json(report.routes_valid)},
            {"stepwise", pairs(report.stepwise)},
            {"stepwise_vc", pairs(report.stepwise_vc)},
            {"definition4", pairs(report.definition4)},
            {"theorem1", pairs(report.theorem1)},
            {"collective", sentences_json(report.collective)}};
  if (report.worms) {
    const auto worm = [&](std::size_t i) { return worm_json(i, messages, begins, topology); };
    json["contention"] = pairs_json(report.worms->contention, topology, worm);
    json["deadlock"] = circle_json(report.worms->circle, topology, worm);
    if (!report.worms->joins.ok()) {
      json["deadlock"]["ok"] = false;
      json["joins"] = sentences_json(report.worms->joins);
    }
  }
  if (report.symmetry) {
    json["symmetry"] = {{"by", to_string(report.symmetry->shift)},
                        {"proved", report.symmetry->proved},
                        {"blocks", report.symmetry->blocks}};
  }
  if (!report.order_note.empty()) json["order_note"] = report.order_note;
  return json;
}

Json program_json(const Finding& faults) { return {{"program", sentences_json(faults)}}; }

Json bound_json(const RunPlan& plan, const Results& results) {
  const std::optional<LowerBound> bound = lower_bound_of(plan);
  if (!bound) return nullptr;
  Json json{{"cycles", bound->cycles}, {"binds", bound->binds}, {"efficiency", nullptr}};
  if (results.has_latency()) json["efficiency"] = efficiency(*bound, results.latency.max);
  return json;
}

Json bandwidth_json(const std::optional<Bandwidth>& bandwidth, const std::optional<Clock>& clock) {
  if (!bandwidth) return nullptr;
  Json json{{"algorithm", bandwidth->algorithm}, {"bus", bandwidth->bus}};
  if (clock) {
    json["gigabytes_per_second"] = {
        {"algorithm", clock->gigabytes_per_second(bandwidth->algorithm)},
        {"bus", clock->gigabytes_per_second(bandwidth->bus)}};
  }
  return json;
}

void add_window(Json& json, const Results& results, const Topology& topology, Known known) {
  if (results.traffic) json["traffic"] = json_of(*results.traffic, topology, known);
  if (results.closed_loop) json["closed_loop"] = json_of(*results.closed_loop, known);
  if (results.load) json["load"] = json_of(*results.load, topology, known);
}

Json run_json(const RunPlan& plan, const Results& results, const StaticVerdict& verdict,
              const std::string& problem) {
  const bool with_trials = plan.request.traffic.trials > 1;
  const Topology& topology = plan.routing.topology();
  Json json;
  json["version"] = program_version;
  json["config"] = config_json(plan);
  json["model"] = to_string(plan.request.model);
  json["latency"] = latency_json(results, with_trials, topology);
  if (const std::optional<Clock> clock = clock_of(plan.request.node)) {
    json["latency"]["microseconds"] = microseconds_json(*clock, results);
  }
  if (plan.request.fabric.replan && results.destinations > 0) {
    json["reached"] = {{"destinations", results.destinations},
                       {"delivered", results.destinations - results.missing}};
  }
  if (has_completion(results)) {
    json["bandwidth"] = bandwidth_json(
        results.has_latency() ? bandwidth_of(plan, results.latency.max) : std::nullopt,
        clock_of(plan.request.node));
  }
  json["bound"] = plan.is_scheduled() ? bound_json(plan, results) : Json();
  add_statistics(json, results, Presence::always);
  if (results.tasks) json["tasks"] = tasks_json(plan, *results.tasks);
  add_statistics(json, results, Presence::at_times);
  if (plan.request.message.pieces == 0)
    json["pieces"] = pieces_json(pieces_of(plan.trials()), topology);
  add_contention(
      json, results, with_trials, topology,
      [groups = GroupMap(plan)](const ContentionEvent& event) { return groups.groups_of(event); });
  if (plan.has_partition()) add_groups(json, plan, results);
  json["static"] = nullptr;
  if (verdict.report) {
    json["static"] = check_json(*verdict.report, verdict.messages, topology, verdict.begins);
  } else if (!verdict.why_not.empty()) {
    json["no_static"] = verdict.why_not;
  }
  add_deadlock(json, results, with_trials, topology);
  add_window(json, results, topology);
  if (results.combine) json["combine"] = combine_json(*results.combine);
  if (results.link_errors) {
    json["link_errors"] = link_errors_json(*results.link_errors, with_trials, topology);
  }
  json["digest"] = results.digest;
  const bool is_said = results.deadlock.has_value() && verdict.contradiction.empty();
  if (!problem.empty() && !is_said) json["error"] = problem;
  json["wall_seconds"] = results.wall_seconds;
  if (verdict.seconds > 0) json["static_wall_seconds"] = verdict.seconds;
  return json;
}

}  // namespace allport
