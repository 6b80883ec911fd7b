// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/shortage.h"

#include <fmt/format.h>

#include <vector>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/words.h"

namespace allport {

namespace {

// From so many routers on those of the flit-level model need more than the messages of many runs,
// and from so many bytes on what a message carries does.
constexpr std::size_t many_routers = 4096;
constexpr std::size_t many_bytes = std::size_t{1} << 20;

// The messages of all collectives in all trials.
std::size_t planned_messages(const RunPlan& plan) {
  std::size_t count = 0;
  for (const std::vector<PlannedCollective>& trial : plan.trials()) {
    for (const PlannedCollective& one : trial) {
      count += one.is_one_message() ? one.sources.size() : one.schedule.unicasts.size();
    }
  }
  return count;
}

// What makes the collectives of a run smaller, most effective first. `carries_data`: whether the
// bytes of their messages are there.
std::vector<std::string> smaller_collectives(const RunRequest& request, bool carries_data) {
  std::vector<std::string> ways;
  if (request.traffic.trials > 1) ways.emplace_back("fewer --trials");
  if (request.message.pieces != 1) ways.emplace_back("fewer --pieces");
  if (request.traffic.algorithm != nullptr && request.message.parts > 1) {
    ways.emplace_back("fewer --parts");
  }
  const Algorithm* const algorithm = request.traffic.algorithm;
  const bool is_in_blocks = algorithm != nullptr && algorithm->vector == Vector::in_blocks;
  if (carries_data || is_in_blocks) {  // blocks without a flit are left out
    ways.emplace_back("shorter messages");
  }
  return ways;
}

std::string joined(const std::vector<std::string>& ways) {
  std::string text;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    if (i > 0) text += i + 1 == ways.size() ? " or " : ", ";
    text += ways[i];
  }
  return text;
}

std::string and_less(const std::string& size, std::vector<std::string> ways) {
  ways.emplace_back("fewer nodes");
  return fmt::format("{}; {} need less", size, joined(ways));
}

}  // namespace

std::string size_in_words(const RunRequest& request) {
  const TrafficTable& traffic = request.traffic;
  const std::string what = traffic.algorithm != nullptr ? std::string(traffic.algorithm->name)
                           : !traffic.schedule.empty()  ? shown_path(traffic.schedule)
                                                        : "the traffic";
  const std::string trials =
      traffic.trials > 1 ? fmt::format(", {} trials of it", traffic.trials) : "";
  const Topology* const topology = request.fabric.topology.get();  // null: it is not known yet
  const std::string where = topology != nullptr ? " on " + topology->name() : "";
  return and_less(fmt::format("{}{} is planned whole{}", what, where, trials),
                  smaller_collectives(request, false));
}

std::string size_in_words(const RunPlan& plan) {
  const RunRequest& request = plan.request;
  std::string size;
  std::vector<std::string> ways;
  if (plan.tasks() != nullptr) {
    size = fmt::format("the run has {}", counted(plan.tasks()->sends, "message"));
  } else if (plan.traffic() != nullptr) {
    const bool is_pattern = plan.traffic()->flows == nullptr;
    size = fmt::format("the {} some {:.0f} messages", is_pattern ? "pattern offers" : "flows offer",
                       plan.traffic()->messages(plan.routing.topology().node_count()));
    ways = {plan.traffic()->loop ? "fewer --outstanding"
            : is_pattern         ? "a lower --rate"
                                 : "lower rates",
            "fewer --cycles"};
  } else {
    size = fmt::format("the run has {}", counted(planned_messages(plan), "message"));
    ways = smaller_collectives(
        request, !plan.simulation.payload_is_symbolic && plan.simulation.bytes >= many_bytes);
  }
  if (request.explain.is_any()) ways.emplace_back("a run that explains nothing");
  const bool is_of_worms = plan.simulation.is_transaction_level;
  if (!is_of_worms && plan.routing.topology().node_count() >= many_routers) {
    ways.emplace_back("--model worm");
  }
  const bool has_symbols = plan.simulation.payload_is_symbolic;
  if (is_of_worms && !has_symbols && !plan.kind().has_ranks() &&
      plan.simulation.bytes >= many_bytes) {
    ways.emplace_back("--payload symbolic");
  }
  return and_less(size, ways);
}

}  // namespace allport
