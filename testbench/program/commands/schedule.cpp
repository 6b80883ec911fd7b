// SPDX-License-Identifier: Apache-2.0
// `allport schedule` prints the schedule of a collective.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "testbench/files/output_file.h"
#include "testbench/files/standard_streams.h"
#include "testbench/plan/given_block.h"
#include "testbench/plan/missing_links.h"
#include "testbench/plan/plan_goal.h"
#include "testbench/plan/resolve.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/commands/sized.h"
#include "testbench/program/terminal/exit_status.h"
#include "testbench/program/terminal/stage.h"
#include "traffic/msccl/execution_plan.h"
#include "traffic/msccl/msccl_file.h"
#include "traffic/msccl/to_msccl.h"
#include "traffic/schedule/schedule_file.h"

namespace allport {

namespace {

struct ScheduleOptions {
  std::string format = "jsonl";
};

std::vector<std::string_view> formats() { return {"jsonl", "msccl", "mscclpp"}; }

const OptionSpec format_option{
    "",
    "format",
    "FORMAT",
    "jsonl",
    "jsonl, the lines of --schedule; msccl, the XML of MSCCL; mscclpp, the execution plan of MSCCL++",
    [](Options& options, std::string_view text) {
      options.of_command<ScheduleOptions>().format = parse_word("format", text, formats());
    },
    formats};

void write_program(std::ostream& out, const PlannedCollective& planned, const Multicast& goal,
                   const Algorithm& algorithm, std::size_t nodes, const std::string& format) {
  if (planned.is_one_message()) {
    throw std::invalid_argument(
        fmt::format("--format {}: {} sends one {} worm, which MSCCL has no word for", format,
                    algorithm.name, to_string(planned.kind)));
  }
  const MscclProgram program = to_msccl(
      planned.schedule, planned.goal != nullptr ? *planned.goal : Collective(nodes, goal, 1),
      std::string(algorithm.name));
  if (format != "mscclpp") return write_msccl(out, program);
  const LongestBlock longest = write_execution_plan(out, program);
  if (longest.operations <= most_operations_of_executor) return;
  say(fmt::format("gpu {}, tb {} has {} operations, and the executor of MSCCL++ takes up to {}",
                  longest.gpu, longest.block, longest.operations, most_operations_of_executor));
}

int schedule(const Invocation& given) {
  Options options = merge({}, given.settings);
  settle_inputs(options.run);
  const Routing routing = make_routing(options.run);
  if (options.run.traffic.algorithm == nullptr)
    throw std::invalid_argument("--algorithm is missing");
  const Algorithm& algorithm = *options.run.traffic.algorithm;
  const std::string& format = options.of_command<ScheduleOptions>().format;
  const bool is_program = format != "jsonl";
  if (is_program && options.run.traffic.group) {
    throw std::invalid_argument(fmt::format(
        "--format {}: a program is for all nodes, so --group does not go with it", format));
  }
  if (is_program && options.run.message.pairs != nullptr) {
    throw std::invalid_argument(fmt::format(
        "--format {}: the chunks of a program have no length, so --counts does not go with it; give --counts where it is run",
        format));
  }
  const Topology& topology = routing.topology();
  single_source(options.run, topology);  // or throw
  const auto groups = node_groups(options.run, routing.shared_topology());
  const auto [goal, group] = PartyGoals(options.run, topology, groups).next_trial().front();
  const std::vector<Channel> missing = missing_channels(options.run, routing);
  std::optional<Stage> stage("planning");
  std::ostringstream lines;
  sized(options.run, [&, &goal = goal, &group = group] {
    const PlannedCollective planned =
        plan_goal(algorithm, goal,
                  {options.run, routing, internal_ports(options.run, topology), group.get(),
                   &missing, is_program ? EmptyBlocks::kept : EmptyBlocks::left_out});
    stage.emplace("writing");
    if (is_program) {
      write_program(lines, planned, goal, algorithm, topology.node_count(), format);
    } else {
      write_schedule(lines, planned.schedule, topology);
    }
    stage.reset();
  });
  print(lines.str());
  return exit_clean;
}

OptionList schedule_options() {
  OptionList options = options_read_by(use::schedule);
  options.push_back(&format_option);
  return options;
}

}  // namespace

Command schedule_command() {
  Command command;
  command.name = "schedule";
  command.summary = "print the schedule of a collective";
  command.words =
      "Prints JSON Lines, one unicast per line: u, v, step and order (in the program of u), sorted by step, u and order; a displacement where an exact tie is taken in the - direction; kind, via and first_dimension of worms; blocks and adds where parts of a collective are sent. The "
      "length of the message decides which blocks and pieces are empty, and so left out, and which way bucket-allreduce sends parts that are not equal; with --pieces best and synthesized plans it matters too, as --ts, --tr, --link-delay and --switching do: give the values of "
      "the run. --format msccl and mscclpp print the forms in which the libraries of GPUs take such schedules: their chunks have no length, so blocks that would be empty are in them, and whoever reads them leaves these out.";
  command.examples = {
      "allport schedule --topology hypercube:4 --algorithm wsort --destinations 1,3,5,7,14",
      "allport schedule --topology ring:8 --algorithm ring-allreduce --format msccl > ring.xml"};
  command.page = "guide/schedules.md";
  command.options = schedule_options();
  command.run = schedule;
  return command;
}

}  // namespace allport
