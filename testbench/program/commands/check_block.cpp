// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/commands/check_block.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/words.h"
#include "testbench/plan/block_levels.h"
#include "testbench/plan/resolve.h"
#include "testbench/program/report/check_report.h"
#include "testbench/program/terminal/exit_status.h"

namespace allport {

namespace {

constexpr int default_largest_side = 64;

int largest_side(const RunRequest& request) {
  if (request.fabric.topology == nullptr) return default_largest_side;
  const Topology& topology = *request.fabric.topology;
  if (is_power_of_two_torus(topology) && topology.sides().front() >= block_side) {
    return topology.sides().front();
  }
  throw std::invalid_argument(
      fmt::format("--block: a block is recursed on torus:NxN with N = 4, 8, 16, ..; {} is not one",
                  topology.name()));
}

}  // namespace

int check_block(const Options& options, const std::vector<std::string>& required,
                Verdicts& verdicts) {
  const UnitBlock& block = *options.run.traffic.units;
  const int largest = largest_side(options.run);
  const Routing routing = square_torus(largest);
  const std::vector<BlockLevel> levels =
      block_levels(block, largest, internal_ports(options.run, routing.topology()),
                   {options.run.check.max_violations});
  const std::string& file = options.run.traffic.block;
  verdicts.line("block", fmt::format("{}: {} in {}", shown_input(file),
                                     counted(block.sends.size(), "message"),
                                     counted(static_cast<std::uint64_t>(block.steps()), "step")));
  Json list = Json::array();
  for (const BlockLevel& level : levels) {
    require_judged(level.report, required);
    verdicts.add(level_report(level, required, verdicts.style()));
    list.push_back(level_json(level));
  }
  const auto broken = std::find_if(levels.begin(), levels.end(), [&](const BlockLevel& level) {
    return !holds(level.report, required);
  });
  const bool is_sound = broken == levels.end();
  const Style& style = verdicts.style();
  verdicts.line("verdict",
                is_sound ? style.good(required.empty() ? "all checks hold on all of them"
                                                       : "what is required holds on all of them")
                         : style.bad(fmt::format("fails, first on {}", broken->topology->name())));
  return verdicts.commit({{"block", std::move(list)}}, is_sound ? exit_clean : exit_finding);
}

}  // namespace allport
