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
#include "testbench/plan/given_block.h"
#include "testbench/plan/resolve.h"
#include "testbench/processes/interrupt.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/commands/compare_fabrics.h"
#include "testbench/program/commands/compared_algorithms.h"
#include "testbench/program/commands/comparison.h"
#include "testbench/program/commands/comparison_shape.h"
#include "testbench/program/commands/custom_router_run.h"
#include "testbench/program/commands/model_option.h"
#include "testbench/program/commands/outputs.h"
#include "testbench/program/commands/sized.h"
#include "testbench/program/options/command_files.h"
#include "testbench/program/options/scenario.h"
#include "testbench/program/report/compared_points.h"
#include "testbench/program/report/comparison_page.h"
#include "testbench/program/report/comparison_table.h"
#include "testbench/program/report/explain_report.h"
#include "testbench/program/report/load_table.h"
#include "testbench/program/report/results_json.h"
#include "testbench/program/terminal/exit_status.h"
#include "testbench/program/terminal/style.h"
#include "testbench/show/picture/fabric_picture.h"

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

// The page of --report. The plan's own algorithm is the last one, so the page leaves it out.
std::string page_of(const std::vector<ComparedRun>& runs, const std::vector<Json>& entries,
                    const RunPlan& plan, const std::string& command, const std::string& table) {
  const Topology& topology = plan.routing.topology();
  const FabricChannels channels(plan.router, topology);
  const FoldedFabric fabric(topology, channels, most_drawn_cells(topology));
  ComparedRows compared{{}, winner_of(runs), nullptr, table, machine_json(plan)};
  bool has_uses = true;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Explanation& explanation = *runs[i].results.explanation;
    const auto trials = static_cast<int>(std::max<std::size_t>(1, runs[i].results.trials.size()));
    has_uses = has_uses && !explanation.channels.empty() && explanation.missing_uses == 0;
    compared.rows.push_back(
        {entries[i], &explanation.path, line_uses(explanation.channels, trials, channels, fabric)});
  }
  if (has_uses) compared.fabric = fabric_picture(topology, fabric);
  return comparison_page(command, topology.name(), compared);
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

// The fastest first, where a collective is named; those without a latency at the end.
void sort_by_latency(std::vector<ComparedRun>& runs) {
  std::stable_sort(runs.begin(), runs.end(), [](const ComparedRun& a, const ComparedRun& b) {
    const bool has_a = a.results.has_latency();
    const bool has_b = b.results.has_latency();
    return has_a != has_b ? has_a : a.results.latency.max < b.results.latency.max;
  });
}

int compare_loads(Comparison& comparison, const Options& options) {
  std::optional<OutputFile> json = wanted_file(options.observe.json);
  std::vector<ComparedRun> runs = comparison.run();
  if (options.is_given("collective")) {
    std::stable_sort(runs.begin(), runs.end(), carries_load_better);
  }
  const ComparisonShape shape = shape_of(options, comparison.plan());
  Outputs outputs;
  if (options.observe.json != "-") {
    outputs.attempt([&] { print(load_table(runs, shape) + left_out(comparison, options)); });
  }
  if (json) outputs.attempt([&] { json->commit(json_text(Json(loads_json(runs, shape)))); });
  std::vector<const ComparedRun*> list;
  list.reserve(runs.size());
  for (const ComparedRun& run : runs) list.push_back(&run);
  return outputs.status(judge(options, list, comparison.row_count()));
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
  if (is_sorted(options)) sort_by_latency(runs);
  const ComparisonShape shape = shape_of(options, comparison.plan());
  const std::string table = comparison_table(runs, shape) + left_out(comparison, options);
  Outputs outputs;
  if (options.observe.json != "-") {
    outputs.attempt([&] {
      print(table + (shape.has_explanation ? explanations(runs, comparison.plan()) : ""));
    });
  }
  const std::vector<Json> entries = comparison_json(runs, shape);
  if (json) outputs.attempt([&] { json->commit(json_text(Json(entries))); });
  if (page) {
    outputs.attempt(
        [&] { page->commit(page_of(runs, entries, comparison.plan(), command, table)); });
  }
  std::vector<const ComparedRun*> list;
  list.reserve(runs.size());
  for (const ComparedRun& run : runs) list.push_back(&run);
  return outputs.status(judge(options, list, comparison.row_count()));
}

void draw(const Chart& chart, const CompareOptions& own) {
  OutputFile picture(own.plot);
  const std::string commands = own.plot_commands();
  OutputFile(commands).commit(gnuplot_script(chart));
  picture.commit(drawn_by_gnuplot(commands));
}

// `allreduce on torus:8x8, ts 200, tr 200, model worm`
std::string title_of(const Options& options, const RunPlan& plan) {
  const NodeRequest& node = options.run.node;
  return fmt::format("{} on {}, ts {}, tr {}, model {}", to_string(options.run.traffic.collective),
                     plan.routing.topology().name(), node.ts, node.tr,
                     to_string(plan.request.model));
}

int compare_sizes(Comparison& comparison, const Options& options, std::size_t count,
                  const std::string& command) {
  const auto& own = options.of_command<CompareOptions>();
  std::optional<OutputFile> json = wanted_file(options.observe.json);
  std::optional<OutputFile> page = wanted_file(options.observe.report);
  const std::vector<ComparedSize> sizes = comparison.run_sizes();
  const ComparisonShape shape = shape_of(options, comparison.plan());
  const bool has_text = options.observe.json != "-";
  comparison.erase_progress();
  Outputs outputs;
  if (has_text) outputs.attempt([&] { print(sizes_table(sizes, shape)); });
  // The search takes as long as the table, which is there meanwhile.
  const std::vector<Crossover> crossovers = comparison.crossovers(sizes);
  if (has_text) {
    outputs.attempt([&] {
      print((sizes.empty() ? "" : crossover_lines(crossovers, shape)) +
            left_out(comparison, options));
    });
  }
  const Json result = sizes_json(sizes, crossovers, shape);
  if (json) outputs.attempt([&] { json->commit(json_text(result)); });
  const std::string title = title_of(options, comparison.plan());
  if (page) {
    outputs.attempt(
        [&] { page->commit(sizes_page(result, comparison.plan(), command, title, shape)); });
  }
  if (!own.plot.empty()) {
    outputs.attempt([&] { draw(sizes_chart(sizes, crossovers, title, shape), own); });
  }
  std::vector<const ComparedRun*> list;
  for (const ComparedSize& size : sizes) {
    for (const ComparedRun& run : size.runs) list.push_back(&run);
  }
  const int status = judge(options, list, count * comparison.row_count());
  if (status != exit_clean || !comparison.was_stopped()) return outputs.status(status);
  say("interrupted");
  return outputs.status(exit_incomplete);
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
  return compare_sizes(comparison, options, sizes.size(), command);
}

Options options_of(const FabricSettings& settings, const std::string& scenario) {
  Options options = merge(settings.scenario, settings.command_line);
  if (!options.is_given("model")) options.run.model = Model::automatic;
  if (options.is_given("report")) options.run.explain.channels = true;
  const auto& own = options.of_command<CompareOptions>();
  std::vector<NamedFile> pictures;
  if (!own.plot.empty()) {
    pictures = {{"--plot", own.plot}, {"the script of --plot", own.plot_commands()}};
  }
  require_own_files(options, scenario, pictures);
  settle_inputs(options.run);
  return options;
}

int compare(const Invocation& given) {
  const Settings scenario =
      given.argument().empty() ? Settings{} : read_scenario(given.argument(), compare_options());
  std::vector<Options> fabrics;
  for (const FabricSettings& one : by_fabric({scenario, given.settings})) {
    fabrics.push_back(options_of(one, given.argument()));
  }
  const bool is_table =
      fabrics.size() > 1 || !fabrics.front().of_command<CompareOptions>().sizes.empty();
  if (is_table && !fabrics.front().is_given("explain")) {  // its page has no causes
    for (Options& one : fabrics) one.run.explain = {};
  }
  if (fabrics.size() > 1) return compare_fabrics(fabrics, given.command);
  Options& options = fabrics.front();
  if (!options.cosim.is_own()) {
    return sized(options.run, [&] { return compare_on(options, given.command, {}); });
  }
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
      "row for each length, and tells where the fastest algorithm changes. --topology 'A;B' compares fabrics too: --routing gives one for all of them or, also with semicolons, one for each; --ranks N takes the first N nodes of each.";
  command.examples = {
      "allport compare --topology hypercube:6 --destinations random:20 --trials 10 --ts 200",
      "allport compare --topology torus:4x4 --collective allreduce --ts 200 --sizes 8..1MiB",
      "allport compare --topology torus:8x8 --algorithms dcf,utorus,tree --flits 64 --report page.html",
      "allport compare --topology 'torus:4x4x4;hypercube:6' --collective allreduce --bytes 64KiB"};
  command.page = "guide/compare.md";
  command.options = compare_options();
  command.positional = {"SCENARIO", "a scenario file, TOML"};
  command.run = compare;
  return command;
}

}  // namespace allport
