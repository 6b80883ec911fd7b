// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/run_page_facts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "rtl_model/base/words.h"
#include "rtl_model/topology/channel_words.h"
#include "testbench/program/report/explain_words.h"
#include "testbench/program/report/report.h"
#include "testbench/program/report/stop_report.h"
#include "traffic/algorithms/algorithms.h"

namespace allport {

RunPageFacts::RunPageFacts(const RunPlan& run_plan, const SessionResults& run_session,
                           const StaticVerdict& run_verdict, RunPageParts run_parts)
    : plan(run_plan),
      session(run_session),
      results(run_session.results),
      explanation(*run_session.results.explanation),
      verdict(run_verdict),
      parts(std::move(run_parts)),
      found(report_of_results(plan, results, Style(false))),
      ended(report_of_verdict(plan, results, verdict, Style(false))) {}

RowSubject RunPageFacts::subject(const Resource& place) const {
  const std::string node = std::to_string(topology().number_of(place.node));
  if (place.kind != Resource::Kind::channel) return {{"node", node}};
  return {{"channel", fmt::format("{}.{}", node, place.port)}};
}

RowSubject RunPageFacts::subject(const MessageName& message, int trial) const {
  if (!is_drawn(trial)) return {};
  return {{"message", name_in_words(message, topology())}};
}

RowSubject RunPageFacts::subject(const Resource& place, const MessageName& message,
                                 int trial) const {
  RowSubject both = subject(place);
  const RowSubject more = subject(message, trial);
  both.insert(both.end(), more.begin(), more.end());
  return both;
}

bool RunPageFacts::is_drawn(int trial) const {
  return trial + 1 == static_cast<int>(std::max<std::size_t>(plan.trials().size(), 1));
}

std::string RunPageFacts::place_in_words(const Resource& place, bool with_vc) const {
  const std::string words = in_words(plan, place, with_vc);
  const int channels = plan.router.internal_ports;
  if (place.kind != Resource::Kind::injection || channels == 1 || topology().is_graph()) {
    return words;
  }
  std::vector<std::string> directions;
  for (int i = place.port; i < plan.router.external_ports; i += channels) {
    const PortId port = port_id(static_cast<std::size_t>(i));
    if (!topology().neighbour(place.node, port)) continue;
    directions.push_back(topology().is_hypercube() ? std::to_string(topology().dimension_of(port))
                                                   : direction_in_words(topology(), port));
  }
  const char* const kind = !topology().is_hypercube() ? ""
                           : directions.size() == 1   ? "dimension "
                                                      : "dimensions ";
  return fmt::format("{} ({}{})", words, kind, fmt::join(directions, ", "));
}

const Json& RunPageFacts::in_run(std::initializer_list<const char*> keys) const {
  static const Json none = Json::object();
  const Json* at = &parts.run;
  for (const char* key : keys) {
    const auto found = at->find(key);
    if (found == at->end() || !found->is_object()) return none;
    at = &*found;
  }
  return *at;
}

bool RunPageFacts::is_at_bound() const {
  const Json& bound = to_bound();
  return !bound.empty() && bound["cycles"] == bound["bound"];
}

std::string RunPageFacts::bound_in_words() const {
  const Json& bound = to_bound();
  if (bound.empty()) return {};
  const Json* most = nullptr;
  for (const Json& part : bound["parts"]) {
    if (most == nullptr || part["cycles"] > (*most)["cycles"]) most = &part;
  }
  const auto all = bound["cycles"].get<Cycle>();
  const auto least = bound["bound"].get<Cycle>();
  const auto by = bound["by"].get<std::string>();
  if (all == least) {
    return fmt::format("It is at its bound: no schedule takes less than these {}, by {}.",
                       counted(static_cast<std::uint64_t>(all), "cycle"), by);
  }
  std::string words = fmt::format("It takes {} ({}) more than the bound of {}, by {}",
                                  counted(static_cast<std::uint64_t>(all - least), "cycle"),
                                  share_in_words(all - least, least), least, by);
  if (most != nullptr) {
    words += fmt::format("; {} of them are {}", (*most)["cycles"].get<Cycle>(),
                         (*most)["part"].get<std::string>());
  }
  return words + ".";
}

std::vector<AdvisedChange> RunPageFacts::changes() const {
  std::vector<AdvisedChange> list = parts.advice.changes;
  if (!results.deadlock) return list;
  for (const StopRemedy& remedy : stop_remedies(plan, *results.deadlock)) {
    const auto same = std::find_if(list.begin(), list.end(), [&](const AdvisedChange& one) {
      const bool is_of_unicasts =
          one.key != "algorithm" || find_algorithm(one.value).kind == MessageKind::unicast;
      return one.key == remedy.option && is_of_unicasts;
    });
    AdvisedChange& change =
        same == list.end() ? list.emplace_back(AdvisedChange{remedy.words, 0, "", ""}) : *same;
    change.reason = remedy.reason;
    change.ends = remedy.ends;
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const AdvisedChange& a, const AdvisedChange& b) { return a.ends > b.ends; });
  return list;
}

std::string RunPageFacts::beyond_the_bound() const {
  const Json& bound = to_bound();
  if (bound.empty()) return {};
  const Cycle beyond = bound["cycles"].get<Cycle>() - bound["bound"].get<Cycle>();
  const std::vector<AdvisedChange> list = changes();
  const bool is_more = std::any_of(list.begin(), list.end(), [&](const AdvisedChange& one) {
    return one.cycles > static_cast<double>(beyond);
  });
  if (!is_more) return {};
  return fmt::format(
      "That may be more than the {} beyond the bound, which is the bound of this machine: with another flit or channel the bound is another one. ",
      counted(static_cast<std::uint64_t>(beyond), "cycle"));
}

std::string percent_in_words(double share) {
  // Equal shares that were computed in other ways may differ in their last bits.
  return fmt::format("{:.1f} %", std::round(100 * share * 1e9) / 1e9);
}

std::string share_in_words(Cycle part, Cycle whole) {
  return fmt::format("{:.1f} %", percentage(part, whole));
}

}  // namespace allport
