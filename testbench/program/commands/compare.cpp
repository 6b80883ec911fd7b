// SPDX-License-Identifier: Apache-2.0
// `allport compare` runs the same traffic under several algorithms, with theory beside simulation,
// also over several lengths of the message.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "rtl_model/base/quote.h"
#include "testbench/files/gnuplot.h"
#include "testbench/files/output_file.h"
#include "testbench/files/standard_streams.h"
#include "testbench/plan/counts.h"
#include "testbench/plan/given_block.h"
#include "testbench/plan/resolve.h"
#include "testbench/processes/interrupt.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/commands/compared_algorithms.h"
#include "testbench/program/commands/comparison.h"
#include "testbench/program/commands/custom_router_run.h"
#include "testbench/program/commands/model_option.h"
#include "testbench/program/options/command_files.h"
#include "testbench/program/options/scenario.h"
#include "testbench/program/report/comparison_page.h"
#include "testbench/program/report/comparison_table.h"
#include "testbench/program/report/explain_report.h"
#include "testbench/program/report/load_table.h"
#include "testbench/program/report/results_json.h"
#include "testbench/program/terminal/exit_status.h"
#include "testbench/program/terminal/style.h"

namespace allport {

namespace {

const OptionSpec sizes_option{
    "",
    "sizes",
    "SIZES",
    "",
    "compare over lengths of the message: FIRST..LAST, each twice the one before, or a list, in bytes, KiB, MiB or GiB",
    [](Options& options, std::string_view text) {
      options.of_command<CompareOptions>().sizes = parse_sizes(text);
    }};

const OptionSpec plot_option{"",
                             "plot",
                             "FILE.svg",
                             "",
                             "draw latency and bandwidth over --sizes with gnuplot",
                             [](Options& options, std::string_view text) {
                               const std::string path = parse_path(text);
                               const std::size_t stem =
                                   path.size() - std::min<std::size_t>(path.size(), 4);
                               if (path.substr(stem) != ".svg") {
                                 throw std::invalid_argument("a picture's name must end in .svg");
                               }
                               options.of_command<CompareOptions>().plot = path;
                             }};

std::vector<std::string_view> model_words() { return {"auto", "systemc", "worm"}; }

// Without the RTL, which would be built for every algorithm.
const OptionSpec& model_option() {
  static const OptionSpec spec = [] {
    OptionSpec own = open_model_option();
    own.help =
        "which model of the fabric runs: systemc, worm (transaction level, exact), or auto: worm if it moves the messages of all algorithms, else systemc";
    own.words = model_words;
    return own;
  }();
  return spec;
}

OptionList compare_options() {
  OptionList list = options_read_by(use::compare);
  list.push_back(&model_option());
  list.push_back(&sizes_option);
  list.push_back(&plot_option);
  return list;
}

ComparisonShape shape_of(const Comparison& comparison, const Options& options) {
  ComparisonShape shape;
  shape.model = to_string(comparison.plan().request.model);
  shape.is_model_chosen = !options.is_given("model");
  shape.has_pieces = options.run.message.pieces == 0;
  shape.has_trials = options.run.traffic.trials > 1;
  const NodeRequest& node = options.run.node;
  shape.has_last_start = node.skew > 0 && !node.barrier && !node.barrier_messages;
  shape.has_bandwidth = options.is_given("collective") &&
                        options.run.traffic.collective != Operation::barrier &&
                        !stencil_of(options.run.traffic.collective) && !options.is_given("counts");
  shape.has_explanation = options.is_given("explain");
  if (node.model.is_default()) shape.ts = node.ts;
  shape.clock = clock_of(options.run.node);
  return shape;
}

// The page of --report. The plan's own algorithm is the last one, so the page leaves it out.
std::string page_of(const std::vector<ComparedRun>& runs, const std::vector<Json>& entries,
                    const RunPlan& plan, const std::string& command, const std::string& table) {
  std::vector<ComparedRow> compared;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    compared.push_back({entries[i], &runs[i].results.explanation->path});
  }
  return comparison_page(command, plan.routing.topology().name(), compared, table,
                         machine_json(plan));
}

// The status of the runs, of which `wanted` were asked for.
int judge(const Options& options, const std::vector<const ComparedRun*>& runs, std::size_t wanted) {
  for (const ComparedRun* run : runs) {
    if (run->problem.empty()) continue;
    say(fmt::format("{}: {}", run->algorithm->name, run->problem));
    return exit_incomplete;
  }
  if (runs.size() < wanted) {
    say("interrupted");
    return exit_incomplete;
  }
  for (const ComparedRun* run : runs) {
    if (!options.observe.strict || run->results.contention.events == 0) continue;
    say(fmt::format("--strict: {}: {}", run->algorithm->name,
                    counted(run->results.contention.events, "contention event")));
    return exit_finding;
  }
  return exit_clean;
}

// Where gnuplot's commands are kept.
std::string commands_beside(const std::string& plot) {
  return plot.substr(0, plot.find_last_of('.')) + ".gnuplot";
}

void require_comparable(const Options& options) {
  if (options.run.model == Model::rtl && !options.run.custom_router) {
    throw std::invalid_argument(
        "--model rtl: compare simulates on systemc or worm; `run --model rtl` takes one algorithm, and --rtl a router of your own");
  }
  if (options.run.explain.message) {
    throw std::invalid_argument(
        "--explain message: algorithms send different messages; compare takes all and slowest:N, `run` takes one message");
  }
  const auto& own = options.of_command<CompareOptions>();
  if (options.run.traffic.collective_rate) {
    for (const char* other : {"explain", "report"}) {
      if (!options.is_given(other)) continue;
      throw std::invalid_argument(fmt::format(
          "--collective-rate and --{} exclude each other: compare shows how algorithms carry a load; `run` explains its messages",
          other));
    }
    if (!own.sizes.empty()) {
      throw std::invalid_argument("--collective-rate and --sizes exclude each other");
    }
  }
  if (own.sizes.empty() && !own.plot.empty()) {
    throw std::invalid_argument("--plot needs --sizes");
  }
  if (own.sizes.empty()) return;
  for (const char* other : {"flits", "bytes", "counts", "explain", "report"}) {
    if (!options.is_given(other)) continue;
    throw std::invalid_argument(fmt::format("--sizes and --{} exclude each other", other));
  }
  if (own.plot.empty()) return;
  if (!has_gnuplot()) {
    throw std::invalid_argument("--plot needs gnuplot, which is not installed");
  }
  for (const std::string& file : {own.plot, commands_beside(own.plot)}) OutputFile{file};
}

// The fastest first, where a collective is named; those without a latency at the end.
void sort_by_latency(std::vector<ComparedRun>& runs) {
  std::stable_sort(runs.begin(), runs.end(), [](const ComparedRun& a, const ComparedRun& b) {
    const bool has_a = a.results.has_latency();
    const bool has_b = b.results.has_latency();
    return has_a != has_b ? has_a : a.results.latency.max < b.results.latency.max;
  });
}

// A line for a router of one's own, and one for each algorithm that was left out.
std::string left_out(const Comparison& comparison, const Options& options) {
  std::string text;
  if (const auto& own = comparison.plan().request.custom_router) {
    text = fmt::format("router {} in RTL: {} a hop; {}events are as the pins show them\n", own->top,
                       cycles_in_words(*own),
                       own->most_hop_cycles > 1
                           ? "theory, whose model is of one cycle a hop, is not stated; "
                           : "");
  }
  for (const std::string& sentence : comparison.left_out()) text += "left out " + sentence + "\n";
  for (const Algorithm* algorithm : left_to_routers(options, comparison.plan())) {
    text += fmt::format("left out {}: worms carry unicasts only; --model systemc runs it\n",
                        algorithm->name);
  }
  return text;
}

int compare_loads(Comparison& comparison, const Options& options) {
  std::optional<OutputFile> json = wanted_file(options.observe.json);
  std::vector<ComparedRun> runs = comparison.run();
  if (options.is_given("collective")) {
    std::stable_sort(runs.begin(), runs.end(), carries_load_better);
  }
  const ComparisonShape shape = shape_of(comparison, options);
  if (options.observe.json != "-") {
    print(load_table(runs, shape) + left_out(comparison, options));
  }
  if (json) json->commit(json_text(Json(loads_json(runs, shape))));
  std::vector<const ComparedRun*> list;
  list.reserve(runs.size());
  for (const ComparedRun& run : runs) list.push_back(&run);
  return judge(options, list, comparison.row_count());
}

// What `run --explain` prints, of each algorithm.
std::string explanations(const std::vector<ComparedRun>& runs, const RunPlan& plan) {
  std::string text;
  for (const ComparedRun& run : runs) {
    text += "\n" + row_name(run) + "\n" + explanation_report(plan, run.results, style_of_stdout());
  }
  return text;
}

int compare_at_once(Comparison& comparison, const Options& options, const std::string& command) {
  std::optional<OutputFile> json = wanted_file(options.observe.json);
  std::optional<OutputFile> page = wanted_file(options.observe.report);
  std::vector<ComparedRun> runs = comparison.run();
  if (options.is_given("collective")) sort_by_latency(runs);
  const ComparisonShape shape = shape_of(comparison, options);
  const std::string table = comparison_table(runs, shape) + left_out(comparison, options);
  if (options.observe.json != "-") {
    print(table + (shape.has_explanation ? explanations(runs, comparison.plan()) : ""));
  }
  const std::vector<Json> entries = comparison_json(runs, shape);
  if (json) json->commit(json_text(Json(entries)));
  if (page) page->commit(page_of(runs, entries, comparison.plan(), command, table));
  std::vector<const ComparedRun*> list;
  list.reserve(runs.size());
  for (const ComparedRun& run : runs) list.push_back(&run);
  return judge(options, list, comparison.row_count());
}

void draw(const Chart& chart, const std::string& path) {
  OutputFile picture(path);
  const std::string commands = commands_beside(path);
  OutputFile(commands).commit(gnuplot_script(chart));
  picture.commit(drawn_by_gnuplot(commands));
}

int compare_sizes(Comparison& comparison, const Options& options, std::size_t count) {
  const auto& own = options.of_command<CompareOptions>();
  std::optional<OutputFile> json = wanted_file(options.observe.json);
  const std::vector<ComparedSize> sizes = comparison.run_sizes();
  const ComparisonShape shape = shape_of(comparison, options);
  const bool has_text = options.observe.json != "-";
  comparison.erase_progress();
  if (has_text) print(sizes_table(sizes, shape));
  // The search takes as long as the table, which is there meanwhile.
  const std::vector<Crossover> crossovers = comparison.crossovers(sizes);
  if (has_text) {
    print((sizes.empty() ? "" : crossover_lines(crossovers, shape)) +
          left_out(comparison, options));
  }
  if (json) json->commit(json_text(sizes_json(sizes, crossovers, shape)));
  if (!own.plot.empty()) {
    const Topology& topology = comparison.plan().routing.topology();
    draw(sizes_chart(
             sizes,
             fmt::format("{} on {}", to_string(options.run.traffic.collective), topology.name()),
             shape),
         own.plot);
  }
  std::vector<const ComparedRun*> list;
  for (const ComparedSize& size : sizes) {
    for (const ComparedRun& run : size.runs) list.push_back(&run);
  }
  const int status = judge(options, list, count * comparison.row_count());
  if (status != exit_clean || !comparison.was_stopped()) return status;
  say("interrupted");
  return exit_incomplete;
}

// Counts are for an alltoall, of which all algorithms are compared or some are named.
void require_counts(const Options& options) {
  const bool is_named = !options.algorithms.empty() && !options.is_given("collective");
  require_counted(options.run, is_named ? options.algorithms.front()->operation
                                        : options.run.traffic.collective);
}

int compare_on(const Options& options, const std::string& command,
               const Comparison::ReplacementOf& replacement_of) {
  require_comparable(options);
  require_counts(options);
  const std::vector<std::size_t> sizes = options.of_command<CompareOptions>().sizes;
  const std::vector<const Algorithm*> list = compared_algorithms(options, plan_fabric(options.run));
  require_block(options.run, list);
  Comparison comparison(options.run, list, !options.algorithms.empty(), sizes, replacement_of);
  const bool is_untold = options.observe.json == "-" && !options.algorithms.empty();
  for (const std::string& sentence : comparison.left_out()) {
    if (is_untold) say("left out " + sentence);
  }
  if (options.run.traffic.collective_rate) return compare_loads(comparison, options);
  if (sizes.empty()) return compare_at_once(comparison, options, command);
  return compare_sizes(comparison, options, sizes.size());
}

int compare(const Invocation& given) {
  const Settings scenario =
      given.argument().empty() ? Settings{} : read_scenario(given.argument(), compare_options());
  Options options = merge(scenario, given.settings);
  if (!options.is_given("model")) options.run.model = Model::automatic;
  require_own_files(options, given.argument());
  settle_inputs(options.run);
  if (!options.cosim.is_own()) return compare_on(options, given.command, {});
  use_own_router(options, declared_by(options, catch_interrupts()));
  return in_own_process(options, [&](ModelWatch& watch) {
    std::optional<CustomFabric> own;
    return compare_on(options, given.command,
                      [&](const RunPlan& plan, int places) -> RouterReplacement {
                        own.emplace(plan, own_source(options.cosim), places, watch,
                                    BuildHooks{say, catch_interrupts()});
                        return replacement_with(own->part());
                      });
  });
}

}  // namespace

Command compare_command() {
  Command command;
  command.name = "compare";
  command.summary = "the same traffic under several algorithms";
  command.words =
      "Under the table its columns are explained. With several trials, the table also has the mean completion (the mean over trials of the largest latency) and half the width of its 95 % interval. --pieces best adds the number of pieces that each algorithm uses. --sizes has a "
      "row for each length, and tells where the fastest algorithm changes.";
  command.examples = {
      "allport compare --topology hypercube:6 --destinations random:20 --trials 10 --ts 200",
      "allport compare --topology torus:4x4 --collective allreduce --ts 200 --sizes 8..1MiB",
      "allport compare --topology torus:8x8 --algorithms dcf,utorus,tree --flits 64 --report page.html"};
  command.page = "guide/compare.md";
  command.options = compare_options();
  command.positional = {"SCENARIO", "a scenario file, TOML"};
  command.run = compare;
  return command;
}

}  // namespace allport
