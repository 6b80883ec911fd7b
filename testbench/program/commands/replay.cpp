// SPDX-License-Identifier: Apache-2.0
// `allport replay` runs what others recorded of an application.
#include <fmt/format.h>

#include <memory>
#include <stdexcept>

#include "rtl_model/base/quote.h"
#include "testbench/files/read_once.h"
#include "testbench/plan/place_values.h"
#include "testbench/plan/replay.h"
#include "testbench/processes/interrupt.h"
#include "testbench/program/commands/carry_out.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/commands/whatif_advice.h"
#include "testbench/program/options/command_files.h"
#include "testbench/program/terminal/stage.h"
#include "traffic/tasks/workload_format.h"

namespace allport {

namespace {

constexpr double least_scale = 0;
constexpr double most_scale = 1e6;
constexpr double least_rate = 1e-6;
constexpr double most_rate = 1e12;

const OptionSpec scale_option{"",
                              "scale",
                              "FACTOR",
                              "1",
                              "factor of every time and length of the trace",
                              [](Options& options, std::string_view text) {
                                options.of_command<ReplayRequest>().scale.factor =
                                    parse_decimal(text, least_scale, most_scale);
                              }};

const OptionSpec rate_option{"",
                             "flops_rate",
                             "NUMBER",
                             "1",
                             "floating-point operations that a rank computes in a cycle",
                             [](Options& options, std::string_view text) {
                               options.of_command<ReplayRequest>().scale.flops_per_cycle =
                                   parse_decimal(text, least_rate, most_rate);
                             }};

void set_algorithms(Options& options, std::string_view text) {
  for (const auto& [name, value] : parse_assignments(text)) {
    const Operation operation = find_operation(name);
    const Algorithm& algorithm = task_algorithm(operation, value);
    const bool is_new =
        options.of_command<ReplayRequest>().algorithms.emplace(operation, &algorithm).second;
    if (!is_new) throw std::invalid_argument(fmt::format("{} is given twice", name));
  }
}

OptionSpec make_map_option() {
  OptionSpec option{"",
                    "map",
                    "OPERATION=ALGORITHM,..",
                    "",
                    "the algorithms that carry out collectives (default: usual ones, printed)",
                    set_algorithms};
  option.may_repeat = true;
  return option;
}
const OptionSpec map_option = make_map_option();

void add_job(Options& options, std::string_view text) {
  const std::size_t at = text.find('@');
  if (at == 0 || at == std::string_view::npos || at + 1 == text.size()) {
    throw std::invalid_argument("it must be FILE@GROUP, not " + in_quotes(text));
  }
  ReplayJob job;
  job.files = {std::string(text.substr(0, at))};
  job.group = parse_group(text.substr(at + 1), options.run.fabric.topology.get());
  options.of_command<ReplayRequest>().jobs.push_back(std::move(job));
}

OptionSpec make_job_option() {
  OptionSpec option{"",
                    "job",
                    "FILE@GROUP",
                    "",
                    "a trace on a group of nodes (as --group has them), beside others",
                    add_job};
  option.may_repeat = true;
  return option;
}
const OptionSpec job_option = make_job_option();

// What a cycle is: --clock, else the machine's, else 1 ns.
double clock_of(const NodeRequest& node) {
  if (node.clock_ghz > 0) return node.clock_ghz;
  return node.preset != nullptr && node.preset->cycle_ns ? 1 / *node.preset->cycle_ns : 1;
}

ReplayRequest request_of(const Invocation& given, Options& options) {
  ReplayRequest request = options.of_command<ReplayRequest>();
  const bool has_jobs = !request.jobs.empty();
  if (has_jobs && !given.arguments.empty()) {
    throw std::invalid_argument(
        "files on the command line are one job on all nodes: give them or --job, not both");
  }
  if (has_jobs && options.is_given("group")) {
    throw std::invalid_argument("--group: each --job names a group of its own");
  }
  if (!has_jobs && given.arguments.empty()) {
    throw std::invalid_argument("there is nothing to replay: name a file, or give --job");
  }
  if (!has_jobs) request.jobs.push_back({given.arguments});
  request.scale.ghz = clock_of(options.run.node);
  return request;
}

std::shared_ptr<const Replay> read_replay(const ReplayRequest& request, const RunRequest& run) {
  std::vector<NamedFile> inputs;
  for (const ReplayJob& job : request.jobs) {
    for (const std::string& file : job.files) {
      inputs.push_back(
          {(request.jobs.size() > 1 ? "--job " : "the trace ") + shown_path(file), file});
    }
  }
  require_read_once(inputs);
  const EndAtOnce nothing_to_report;
  const Stage stage("reading");
  return std::make_shared<const Replay>(plan_replay(request, run));
}

int replay(const Invocation& given) {
  Options options = merge({}, given.settings, true);
  const ReplayRequest request = request_of(given, options);
  const auto planned = read_replay(request, options.run);
  options.run.traffic.replay = planned;
  options.run.traffic.graph = {planned, &planned->graph};
  require_own_files(options);
  const Settings no_scenario;
  return carry_out(options, given.command, adviser_of(given, no_scenario, nullptr));
}

// `GOAL files, Chakra execution traces and files of tasks`
std::string formats_in_words() {
  std::string words;
  for (const WorkloadFormat& format : workload_formats()) {
    const bool is_last = format.name == workload_formats().back().name;
    if (!words.empty()) words += is_last ? " and " : ", ";
    words += format.files_of;
  }
  return words;
}

OptionList replay_options() {
  OptionList options = options_read_by(use::replay);
  options.insert(options.end(), {&scale_option, &rate_option, &map_option, &job_option});
  return options;
}

}  // namespace

Command replay_command() {
  Command command;
  command.name = "replay";
  command.summary = "run what others recorded of an application";
  command.words =
      "Reads " + formats_in_words() +
      ", as `allport run --tasks` does. A trace of several files is all of them, their folder, a list of them, or PREFIX for PREFIX.0.et, PREFIX.1.et, ... Times become cycles by "
      "--clock (1 GHz if there is none), and operations do so by --flops-rate. Each collective of a trace is carried out by an algorithm of `allport list`.";
  command.examples = {
      "allport replay app.goal --topology torus:4x4 --ts 100",
      "allport replay traces/ --topology hypercube:5 --map allreduce=sbt-allreduce --model worm",
      "allport replay --job a.goal@box:4x4 --job b.goal@box:4x4@4,0 --topology mesh:8x4"};
  command.page = "guide/replay.md";
  command.options = replay_options();
  command.positional = {"FILE", "a trace, or a part of it; - is stdin", true};
  command.run = replay;
  return command;
}

}  // namespace allport
