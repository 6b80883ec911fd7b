// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/task_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/words.h"
#include "testbench/plan/clock.h"
#include "testbench/program/report/results_json.h"
#include "testbench/results/statistics.h"
#include "traffic/theory/bandwidth.h"

namespace allport {

namespace {

struct SpeedUp {
  double times = 0;
  double efficiency = 0;
};

// None where nothing is computed.
std::optional<SpeedUp> speed_up_of(const PlannedTasks& tasks, const TaskResults& results) {
  if (tasks.sequential == 0 || results.makespan == 0 || results.unended > 0) return std::nullopt;
  const double times =
      static_cast<double>(tasks.sequential) / static_cast<double>(results.makespan);
  return SpeedUp{times, times / static_cast<double>(tasks.processors)};
}

// `compute 120..340 cycles, mean 200.00`
std::string range_of(const char* what, const TaskResults& results, Cycle RankResults::*cycles) {
  Cycle least = results.ranks.front().*cycles;
  Cycle most = least;
  double sum = 0;
  for (const RankResults& rank : results.ranks) {
    least = std::min(least, rank.*cycles);
    most = std::max(most, rank.*cycles);
    sum += static_cast<double>(rank.*cycles);
  }
  const double mean = sum / static_cast<double>(results.ranks.size());
  return least == most ? fmt::format("{} {}", what, least)
                       : fmt::format("{} {}..{} (mean {:.2f})", what, least, most, mean);
}

std::string rank_in_words(std::size_t number, const RankResults& rank, const Topology& topology) {
  return fmt::format("rank {} on node {}: compute {}, communicate {}, wait {}, ends in cycle {}",
                     number, topology.node_name(rank.node), rank.compute, rank.communicate,
                     rank.wait, rank.end);
}

// `33 transfers with 65568 bytes, its channel busy for 71000 cycles, 12.5 % of the makespan`
std::string host_in_words(const HostResults& host, Cycle makespan) {
  const double share =
      makespan == 0 ? 0 : 100 * static_cast<double>(host.busy) / static_cast<double>(makespan);
  return fmt::format("{} with {}, its channel busy for {}, {:.1f} % of the makespan",
                     counted(host.transfers, "transfer"), counted(host.bytes, "byte"),
                     counted(static_cast<std::uint64_t>(host.busy), "cycle"), share);
}

std::string with_flits(const char* name, Cycle cycles, Cycle per_flit) {
  return per_flit == 0 ? fmt::format("{} {}", name, cycles)
                       : fmt::format("{} {} + {} a flit", name, cycles, per_flit);
}

// `allreduce among 4 ranks: 3374 cycles on average, 3400 at most; algorithm 1.214, bus 1.821 B/cy`
std::string calls_in_words(const CollectiveUse& use, const CallResults& calls,
                           const std::optional<Clock>& clock) {
  std::string words = fmt::format("{} among {}: ", use.operation, counted(use.members, "rank"));
  words += calls.calls == 1
               ? counted(static_cast<std::uint64_t>(calls.max), "cycle")
               : fmt::format("{:.2f} cycles on average, {} at most", calls.mean, calls.max);
  if (calls.measured == 0) return words;
  const double scale = clock ? clock->gigabytes_per_second(1) : 1;
  return words + fmt::format("; algorithm {:.4g}, bus {:.4g} {}", scale * calls.algorithm,
                             scale * calls.bus, clock ? "GB/s" : "B/cy");
}

void add_calls(const RunPlan& plan, const TaskResults& results, ReportLines& lines) {
  bool is_first = true;
  for (std::size_t i = 0; i < results.calls.size(); ++i) {
    if (results.calls[i].calls == 0 || plan.tasks()->graph->uses[i].members < 2) continue;
    lines.emplace_back(std::exchange(is_first, false) ? "calls" : "",
                       calls_in_words(plan.tasks()->graph->uses[i], results.calls[i],
                                      clock_of(plan.request.node)));
  }
}

Json calls_json(const RunPlan& plan, const TaskResults& results) {
  Json::array_t list;
  for (std::size_t i = 0; i < results.calls.size(); ++i) {
    const CollectiveUse& use = plan.tasks()->graph->uses[i];
    const CallResults& calls = results.calls[i];
    std::optional<Bandwidth> mean;
    if (calls.measured > 0) mean = Bandwidth{calls.algorithm, calls.bus};
    Json entry{{"operation", use.operation}, {"algorithm", use.algorithm}, {"ranks", use.members}};
    entry.update(json_of(calls));
    entry["bandwidth"] = bandwidth_json(mean, clock_of(plan.request.node));
    entry["best_bus"] = mean ? Json(calls.best_bus) : Json();
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace

std::string node_in_words(const SimulationConfig& config) {
  const NodeModel& model = config.model;
  std::string words = with_flits("ts", config.ts, model.ts_per_flit) + ", " +
                      with_flits("tr", config.tr, model.tr_per_flit);
  if (model.send_blocks) words += ", sends block";
  if (model.receive_occupies) words += ", receiving occupies";
  if (model.startup_per_port) words += ", start-ups per port";
  if (config.host) {
    words += fmt::format("; a transfer of the host {} + {} a byte", config.host->start_up,
                         config.host->per_byte);
  }
  return words;
}

std::string tasks_in_words(const RunPlan& plan) {
  const PlannedTasks& tasks = *plan.tasks();
  const TrafficTable& traffic = plan.request.traffic;
  const std::string& file = traffic.tasks.empty() ? traffic.schedule : traffic.tasks;
  const std::string name = file.empty() ? "" : shown_input(file) + ": ";
  return fmt::format("{}{} of {}{}, {} with {} in all", name,
                     counted(tasks.graph->tasks.size(), "task"),
                     counted(tasks.graph->ranks, "rank"), tasks.graph->host ? " and the host" : "",
                     counted(tasks.sends, "message"), counted(tasks.bytes, "byte"));
}

ReportLines task_lines(const RunPlan& plan, const TaskResults& results) {
  constexpr std::size_t shown = 8;
  const Topology& topology = plan.routing.topology();
  ReportLines lines;
  lines.emplace_back("ranks", range_of("compute", results, &RankResults::compute) + ", " +
                                  range_of("communicate", results, &RankResults::communicate) +
                                  ", " + range_of("wait", results, &RankResults::wait) + " cycles");
  if (results.ranks.size() <= shown) {
    for (std::size_t i = 0; i < results.ranks.size(); ++i) {
      lines.emplace_back("", rank_in_words(i, results.ranks[i], topology));
    }
  } else {
    const auto last =
        std::max_element(results.ranks.begin(), results.ranks.end(),
                         [](const RankResults& a, const RankResults& b) { return a.end < b.end; });
    lines.emplace_back(
        "", "the last: " + rank_in_words(static_cast<std::size_t>(last - results.ranks.begin()),
                                         *last, topology));
  }
  if (results.host) lines.emplace_back("host", host_in_words(*results.host, results.makespan));
  add_calls(plan, results, lines);
  if (const auto speed_up = speed_up_of(*plan.tasks(), results)) {
    lines.emplace_back(
        "speed-up", fmt::format("{:.3f} with {}, efficiency {:.3f}; one alone computes {}",
                                speed_up->times, counted(plan.tasks()->processors, "processor"),
                                speed_up->efficiency, counted(plan.tasks()->sequential, "cycle")));
  }
  return lines;
}

Json tasks_json(const RunPlan& plan, const TaskResults& results) {
  const PlannedTasks& tasks = *plan.tasks();
  Json::array_t ranks;
  for (std::size_t i = 0; i < results.ranks.size(); ++i) {
    ranks.push_back({{"rank", i}});
    ranks.back().update(json_of(results.ranks[i], plan.routing.topology()));
  }
  const auto speed_up = speed_up_of(tasks, results);
  Json json = json_of(results);
  json.update({{"messages", tasks.sends},
               {"bytes", tasks.bytes},
               {"sequential", tasks.sequential},
               {"processors", tasks.processors},
               {"speed_up", speed_up ? Json(speed_up->times) : Json()},
               {"efficiency", speed_up ? Json(speed_up->efficiency) : Json()},
               {"in_circle", results.waits_in_circle},
               {"waits", results.waits},
               {"ranks", std::move(ranks)},
               {"collectives", calls_json(plan, results)}});
  if (results.host) json["host"] = json_of(*results.host);
  return json;
}

}  // namespace allport
