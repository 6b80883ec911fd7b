// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/traffic_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/words.h"
#include "rtl_model/topology/channel_words.h"
#include "testbench/plan/clock.h"

namespace allport {

namespace {

std::string flows_in_words(const FlowTable& table, Cycle cycles) {
  const auto idle = std::count_if(table.flows.begin(), table.flows.end(), [&](const Flow& flow) {
    return !(flow.rate > 0) || flow.cycles_on(cycles) == 0;
  });
  std::string words =
      fmt::format("{}: {}", shown_path(table.name), counted(table.flows.size(), "flow"));
  if (idle > 0) words += fmt::format(" ({} never on)", idle);
  return words;
}

// `1..16 flits`
std::string lengths_in_words(const FlowTable& table) {
  int least = table.flows.front().flits;
  int most = least;
  for (const Flow& flow : table.flows) {
    least = std::min(least, flow.flits);
    most = std::max(most, flow.flits);
  }
  if (least == most) return counted(static_cast<std::uint64_t>(most), "flit");
  return fmt::format("{}..{} flits", least, most);
}

std::string pattern_in_words(const TrafficRequest& traffic, const Topology& topology) {
  std::string words(traffic.pattern->name);
  if (traffic.pattern->has_hotspots) {
    words += fmt::format(" (a share of {} to {})", traffic.hotspot_fraction,
                         in_words(traffic.hotspots, topology));
  }
  if (!traffic.loop) return words + fmt::format(", {} flits per node and cycle", traffic.rate);
  words +=
      fmt::format(", {} of each node under way", counted(traffic.loop->outstanding, "request"));
  if (traffic.loop->service == 0) return words;
  return words + fmt::format(", replies {} later",
                             counted(static_cast<std::uint64_t>(traffic.loop->service), "cycle"));
}

}  // namespace

std::string lengths_in_words(const TrafficRequest& traffic) {
  if (traffic.flows != nullptr) return lengths_in_words(*traffic.flows);
  if (traffic.flits_long == 0) return counted(traffic.flits, "flit");
  return fmt::format("{} or, a share of {}, {}", counted(traffic.flits, "flit"),
                     traffic.long_fraction, counted(traffic.flits_long, "flit"));
}

std::string in_words(const TrafficRequest& traffic, const Topology& topology) {
  std::string words = traffic.flows == nullptr ? pattern_in_words(traffic, topology)
                                               : flows_in_words(*traffic.flows, traffic.cycles);
  words += fmt::format(", for {}", counted(static_cast<std::uint64_t>(traffic.cycles), "cycle"));
  if (traffic.warmup > 0) words += fmt::format(", measured from cycle {} on", traffic.warmup);
  return words + fmt::format(", seed {}", traffic.seed);
}

std::string background_in_words(const TrafficRequest& traffic, const Topology& topology) {
  return fmt::format("{}, {}, as long as ranks are at work", in_words(traffic, topology),
                     lengths_in_words(traffic));
}

std::string in_words(const CollectiveLoad& load, std::string_view algorithm, std::size_t sources) {
  std::string words = fmt::format(
      "{} to {}, {} per source and cycle from {}, for {}", algorithm,
      load.random ? counted(*load.random, "random destination") : "all other nodes", load.rate,
      counted(sources, "source"), counted(static_cast<std::uint64_t>(load.cycles), "cycle"));
  if (load.warmup > 0) words += fmt::format(", measured from cycle {} on", load.warmup);
  return words + fmt::format(", seed {}", load.seed);
}

namespace {

std::string in_words(const LatencyDistribution& latency) {
  return fmt::format("mean {:.2f}, p50 {}, p95 {}, p99 {}, max {} cycles", latency.mean,
                     latency.p50, latency.p95, latency.p99, latency.max);
}

std::string saturation_in_words(const TrafficResults& traffic, const Topology& topology) {
  if (!traffic.is_telling()) {
    return fmt::format(
        "too short to tell: a queue grew, by chance or as it filled; a run of --cycles {} is long enough to tell",
        traffic.telling_cycles);
  }
  if (!traffic.saturated) return "no";
  if (traffic.processor_load > 1) {
    return fmt::format("yes: processors would need {:.4g} cycles in a cycle to prepare what starts",
                       traffic.processor_load);
  }
  return fmt::format(
      "yes: {:.4f} flits per node and cycle pile up at the sources, {}", traffic.queue_growth,
      traffic.growing_sources.empty()
          ? "though at no single one of them"
          : fmt::format("without end at {} of them: {}", traffic.growing_sources.size(),
                        in_words(traffic.growing_sources, topology)));
}

std::string saturation_in_words(const LoadResults& load, const Topology& topology) {
  if (!load.is_telling()) {
    return fmt::format(
        "too short to tell: collectives piled up, by chance or at first; a run of --cycles {} is long enough to tell",
        load.telling_cycles);
  }
  if (!load.saturated) return "no";
  return fmt::format(
      "yes: {:.4g} collectives per source and cycle pile up, {}", load.growth,
      load.growing_sources.empty()
          ? "though those of no single source beyond chance"
          : fmt::format("those of {}: {}", counted(load.growing_sources.size(), "source"),
                        in_words(load.growing_sources, topology)));
}

// With the mean in microseconds, where the run has a clock.
std::string with_microseconds(const RunPlan& plan, const LatencyDistribution& latency) {
  const std::string mean = in_microseconds(plan, latency.mean);
  return in_words(latency) + (mean.empty() ? "" : ", mean" + mean);
}

}  // namespace

std::string in_microseconds(const RunPlan& plan, double cycles) {
  const std::optional<Clock> clock = clock_of(plan.request.node);
  return clock ? fmt::format(" ({:.4g} us)", clock->microseconds(cycles)) : "";
}

ReportLines pattern_lines(const RunPlan& plan, const TrafficResults& traffic, const Style& style) {
  const ChannelLoad& channels = traffic.channel_load;
  const std::string saturation = saturation_in_words(traffic, plan.routing.topology());
  ReportLines lines{{plan.background() != nullptr ? "messages" : "load",
                     fmt::format("offered {:.4f}, accepted {:.4f} flits per node and cycle",
                                 traffic.offered, traffic.accepted)},
                    {"saturated", traffic.saturated ? style.bad(saturation) : saturation}};
  if (plan.traffic()->loop) lines.pop_back();  // what waits at a source is bounded
  if (!traffic.has_latency()) {
    lines.emplace_back("latency", "none: no message that started in the window was received");
  } else {
    lines.emplace_back("latency", with_microseconds(plan, traffic.latency));
    lines.emplace_back("network", in_words(traffic.network_latency));
  }
  lines.emplace_back(
      "channels",
      fmt::format("{:.4f} flits per cycle on average, at most {:.4f} on {}", channels.mean,
                  channels.max, output_in_words(plan.routing.topology(), channels.busiest)));
  return lines;
}

ReportLines closed_loop_lines(const RunPlan& plan, const ClosedLoopResults& loop,
                              const Style& style) {
  ReportLines lines{
      {"requests",
       fmt::format("{} in the window, {:.6f} per node and cycle", loop.requests, loop.throughput)},
      {"round trip", loop.has_round_trip() ? with_microseconds(plan, loop.round_trip)
                                           : "none: no request of the window got its reply"}};
  if (loop.unanswered > 0) {
    lines.emplace_back(
        "", style.bad(counted(loop.unanswered, "request") + " of the window got no reply"));
  }
  return lines;
}

ReportLines load_lines(const RunPlan& plan, const LoadResults& load, const Style& style) {
  const std::string saturation = saturation_in_words(load, plan.routing.topology());
  ReportLines lines{
      {"load",
       fmt::format(
           "offered {:.4g}, accepted {:.4g} collectives per source and cycle; {:.4f} flits per node and cycle",
           load.offered, load.accepted, load.accepted_flits)},
      {"under way", fmt::format("{:.2f} collectives on average", load.under_way)},
      {"saturated", load.saturated ? style.bad(saturation) : saturation}};
  if (!load.has_latency()) {
    lines.emplace_back("latency", "none: no collective that started in the window was received");
  } else {
    lines.emplace_back("latency", in_words(load.latency) + " of deliveries");
    lines.emplace_back("completion",
                       load.has_completion()
                           ? with_microseconds(plan, load.completion)
                           : "none: no collective that started in the window completed");
  }
  if (load.unfinished > 0) {
    lines.emplace_back(
        "", style.bad(counted(load.unfinished, "collective") + " of the window did not complete"));
  }
  return lines;
}

}  // namespace allport
