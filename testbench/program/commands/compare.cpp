// SPDX-License-Identifier: Apache-2.0
// allport compare: the same traffic under several algorithms, theory beside simulation. All of them
// run on one simulation, because SystemC elaborates once in a process.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <stdexcept>

#include "testbench/files/output_file.h"
#include "testbench/files/standard_streams.h"
#include "testbench/plan/requirements.h"
#include "testbench/plan/verdict.h"
#include "testbench/processes/interrupt.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/options/command_files.h"
#include "testbench/program/options/scenario.h"
#include "testbench/program/report/comparison_page.h"
#include "testbench/program/report/explain_report.h"
#include "testbench/program/report/pieces_report.h"
#include "testbench/program/report/report.h"
#include "testbench/program/report/results_json.h"
#include "testbench/program/terminal/exit_status.h"
#include "testbench/program/terminal/progress.h"
#include "testbench/results/mean_estimate.h"
#include "testbench/simulation/simulation.h"

namespace allport {

namespace {

struct Row {
  const Algorithm* algorithm;
  Cycle theory;
  std::optional<LowerBound> bound;
  std::vector<PiecesChoice> pieces;  // chosen by --pieces best
  Results results;
  std::string problem;  // empty, or why the run is not complete
};

std::vector<std::string_view> model_words() { return {"systemc", "worm"}; }

// The option of `run`, but without the RTL, which would be built for every algorithm.
const OptionSpec& model_option() {
  static const OptionSpec spec = [] {
    const OptionList all = options_without({});
    OptionSpec own = **std::find_if(all.begin(), all.end(),
                                    [](const OptionSpec* one) { return one->key == "model"; });
    own.help = "which model of the fabric runs: systemc, or worm (transaction level, exact)";
    own.words = model_words;
    return own;
  }();
  return spec;
}

OptionList compare_options() {
  std::vector<std::string_view> others = cosim_keys();
  others.insert(others.end(), pattern_keys().begin(), pattern_keys().end());
  others.insert(others.end(),
                {"algorithm", "schedule", "pattern", "deadlock", "max_violations", "messages",
                 "channel_load", "every", "timeline", "wave", "wave_nodes", "wave_from", "wave_to",
                 "wave_on", "wave_margin", "model"});
  OptionList list = options_without(others);
  list.push_back(&model_option());
  return list;
}

const Topology& planned_on(const Options& options, const Topology& topology) {
  return options.run.traffic.embed != nullptr ? *options.run.traffic.embed : topology;
}

// Whether the model and the options support what `algorithm` sends.
bool takes_messages_of(const Algorithm& algorithm, const Options& options, const Routing& routing) {
  const bool needs_unicasts = options.run.message.pieces != 1 || options.run.model == Model::worm;
  if (needs_unicasts && algorithm.kind != MessageKind::unicast) return false;
  return kind_fault(algorithm.kind, options.run.router.switching, routing).empty();
}

// Throws unless the algorithms that are named carry out the collective that is named.
void require_collective(const Options& options) {
  if (!options.is_given("collective")) return;
  const Operation wanted = options.run.traffic.collective;
  for (const Algorithm* algorithm : options.algorithms) {
    if (algorithm->operation == wanted) continue;
    throw std::invalid_argument(fmt::format("--collective {}: algorithm {} carries out {}",
                                            to_string(wanted), algorithm->name,
                                            to_string(algorithm->operation)));
  }
}

// The algorithms that are named, or else all of the collective that suit the fabric, the model, the
// destinations and the step rule.
std::vector<const Algorithm*> chosen_algorithms(const Options& options, const Routing& routing) {
  const Topology& topology = routing.topology();
  if (!options.algorithms.empty()) {
    require_collective(options);
    return options.algorithms;
  }
  const Operation wanted = options.run.traffic.collective;
  const DestinationChoice& choice = options.run.traffic.destinations;
  const std::size_t size = choice.random.value_or(choice.listed.size());
  const bool is_broadcast = choice.is_all() || size + 1 == topology.node_count();
  std::vector<const Algorithm*> list;
  for (const Algorithm& algorithm : algorithms()) {
    const bool takes_them = is_broadcast || algorithm.destinations != Destinations::all;
    const bool takes_rule =
        algorithm.takes_step_rule() || options.run.traffic.step_rule == StepRule::naive;
    if (algorithm.destinations == Destinations::one)
      continue;  // it sends the message in pieces, the others do not
    if (algorithm.operation != wanted || !takes_them || !takes_rule) continue;
    if (!takes_messages_of(algorithm, options, routing)) continue;
    if (algorithm.is_for(planned_on(options, topology))) list.push_back(&algorithm);
  }
  if (list.empty()) {
    throw std::invalid_argument(fmt::format(
        "--collective {}: no algorithm of `allport list` carries it out on {} with these "
        "options",
        to_string(wanted), topology.name()));
  }
  return list;
}

// Plans all, so that what cannot be run is refused before anything is simulated.
void require_all(RunPlan& plan, const std::vector<const Algorithm*>& list) {
  const EndAtOnce nothing_to_report;
  for (const Algorithm* algorithm : list) {
    plan_algorithm(plan, *algorithm);
    require_movable(plan);
  }
}

std::vector<Row> simulate(RunPlan& plan, const std::vector<const Algorithm*>& list) {
  require_all(plan, list);
  const StopFlag stop = catch_interrupts();
  Simulation simulation(plan.simulation, plan.routing, false, {}, stop);
  ProgressBar progress("comparing");
  std::vector<Row> rows;
  for (const Algorithm* algorithm : list) {
    if (stop->load()) break;
    const auto done = static_cast<double>(rows.size());
    simulation.on_progress([&, done](double fraction, Cycle) {
      progress.update((done + std::max(fraction, 0.0)) / static_cast<double>(list.size()),
                      std::string(algorithm->name));
    });
    plan_algorithm(plan, *algorithm);
    Row row{algorithm, predicted_latency(plan),     lower_bound_of(plan),
            {},        simulation.run(plan.trials), {}};
    if (plan.request.message.pieces == 0) row.pieces = pieces_of(plan.trials);
    row.problem = contradiction(plan, row.results, stop);
    if (row.problem.empty()) row.problem = fault(row.results);
    rows.push_back(std::move(row));
  }
  return rows;
}

// Whose clock makes cycles microseconds; null: none.
const MachinePreset* clock_of(const Options& options) {
  return options.run.node.preset != nullptr && options.run.node.preset->has_clock()
             ? options.run.node.preset
             : nullptr;
}

Json microseconds_json(const Row& row, const MachinePreset& clock) {
  const LatencySummary& latency = row.results.latency;
  Json json{{"theory", clock.microseconds(static_cast<double>(row.theory))},
            {"mean", clock.microseconds(latency.mean)},
            {"max", clock.microseconds(static_cast<double>(latency.max))}};
  if (const auto completion = mean_completion(row.results)) {
    json["completion"] = clock.microseconds(completion->mean);
  }
  return json;
}

std::vector<Json> row_entries(const std::vector<Row>& rows, const Options& options) {
  const MachinePreset* clock = clock_of(options);
  std::vector<Json> entries;
  for (const Row& row : rows) {
    const bool is_known = row.results.has_latency();
    Json entry{{"algorithm", row.algorithm->name},
               {"steps", row.results.steps},
               {"theory", row.theory},
               {"mean", is_known ? Json(row.results.latency.mean) : Json()},
               {"max", is_known ? Json(row.results.latency.max) : Json()},
               {"bound", row.bound ? Json(row.bound->cycles) : Json()},
               {"events", row.results.contention.events},
               {"completion", completion_json(row.results)}};
    if (!row.pieces.empty()) entry["pieces"] = pieces_json(row.pieces);
    if (clock != nullptr && is_known) entry["microseconds"] = microseconds_json(row, *clock);
    if (options.is_given("explain")) {
      entry["explanation"] = explanation_json(*row.results.explanation);
    }
    if (!row.problem.empty()) entry["error"] = row.problem;
    entries.push_back(std::move(entry));
  }
  return entries;
}

// The page of --report. The plan's own algorithm is the last one, so the page leaves it out.
std::string page_of(const std::vector<Row>& rows, const std::vector<Json>& entries,
                    const RunPlan& plan, const std::string& command, const std::string& table) {
  std::vector<ComparedRow> compared;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    compared.push_back({entries[i], &rows[i].results.explanation->path});
  }
  return comparison_page(command, plan.routing.topology().name(), compared, table,
                         machine_json(plan));
}

// The columns that the table has in some cases only.
struct TableShape {
  std::size_t width = 10;  // of the first column
  bool has_pieces = false;
  bool has_trials = false;
  const MachinePreset* clock = nullptr;
};

TableShape shape_of(const std::vector<Row>& rows, const Options& options) {
  TableShape shape;
  for (const Row& row : rows) shape.width = std::max(shape.width, row.algorithm->name.size());
  shape.has_pieces = options.run.message.pieces == 0;
  shape.has_trials = options.run.traffic.trials > 1;
  shape.clock = clock_of(options);
  return shape;
}

std::string header(const TableShape& shape) {
  return fmt::format(
      "{:<{}}{} {:>6} {:>12} {:>12} {:>8}{} {:>14} {:>8}{}\n", "algorithm", shape.width,
      shape.has_pieces ? fmt::format(" {:>7}", "pieces") : "", "steps", "theory", "max", "of bound",
      shape.has_trials ? fmt::format(" {:>14} {:>10}", "completion", "+- 95 %") : "", "mean",
      "events", shape.clock == nullptr ? "" : fmt::format(" {:>12} {:>12}", "max us", "mean us"));
}

// An algorithm that was interrupted may have one trial, or none.
std::string completion_cells(const Results& results) {
  const std::optional<MeanEstimate> completion = mean_completion(results);
  const bool has_width = completion && completion->half_width;
  return fmt::format(" {:>14} {:>10}", completion ? fmt::format("{:.2f}", completion->mean) : "-",
                     has_width ? fmt::format("{:.2f}", *completion->half_width) : "-");
}

std::string line(const Row& row, const TableShape& shape) {
  const Results& results = row.results;
  const LatencySummary& latency = results.latency;
  std::string text = fmt::format("{:<{}}", row.algorithm->name, shape.width);
  if (shape.has_pieces) text += fmt::format(" {:>7}", pieces_in_words(row.pieces));
  const auto known = [&](std::string number) { return results.has_latency() ? number : "-"; };
  const bool has_bound = row.bound && results.has_latency();
  text += fmt::format(" {:>6} {:>12} {:>12} {:>8}", results.steps, row.theory,
                      known(std::to_string(latency.max)),
                      has_bound ? fmt::format("{:.3f}", efficiency(*row.bound, latency.max)) : "-");
  if (shape.has_trials) text += completion_cells(results);
  text += fmt::format(" {:>14} {:>8}", known(fmt::format("{:.2f}", latency.mean)),
                      results.contention.events);
  if (shape.clock != nullptr) {
    const double longest = shape.clock->microseconds(static_cast<double>(latency.max));
    text += fmt::format(" {:>12} {:>12}", known(fmt::format("{:.4f}", longest)),
                        known(fmt::format("{:.4f}", shape.clock->microseconds(latency.mean))));
  }
  return text + (row.problem.empty() ? "" : "  " + row.problem) + "\n";
}

std::string table_of(const std::vector<Row>& rows, const TableShape& shape) {
  std::string text = header(shape);
  for (const Row& row : rows) text += line(row, shape);
  return text;
}

int judge(const Options& options, const std::vector<Row>& rows, std::size_t wanted) {
  for (const Row& row : rows) {
    if (row.problem.empty()) continue;
    say(fmt::format("{}: {}", row.algorithm->name, row.problem));
    return exit_incomplete;
  }
  if (rows.size() < wanted) {
    say("interrupted");
    return exit_incomplete;
  }
  for (const Row& row : rows) {
    if (!options.observe.strict || row.results.contention.events == 0) continue;
    say(fmt::format("--strict: {}: {}", row.algorithm->name,
                    counted(row.results.contention.events, "contention event")));
    return exit_finding;
  }
  return exit_clean;
}

int compare(const Given& given) {
  const Settings scenario =
      given.argument().empty() ? Settings{} : read_scenario(given.argument(), compare_options());
  const Options options = merge(scenario, given.settings);
  require_own_files(options, given.argument());
  if (options.run.model == Model::rtl) {
    throw std::invalid_argument(
        "--model rtl: compare simulates on systemc or worm; `run --model rtl` takes one algorithm");
  }
  if (options.run.explain.message) {
    throw std::invalid_argument(
        "--explain message: algorithms send different messages; compare takes all and slowest:N, "
        "`run` takes one message");
  }
  RunPlan plan = plan_fabric(options.run);
  const std::vector<const Algorithm*> list = chosen_algorithms(options, plan.routing);
  std::optional<OutputFile> json = wanted_file(options.observe.json);
  std::optional<OutputFile> page = wanted_file(options.observe.report);
  std::vector<Row> rows = simulate(plan, list);
  // Of a collective that is named, the fastest first.
  if (options.is_given("collective")) {
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
      return a.results.latency.max < b.results.latency.max;
    });
  }
  const std::string table = table_of(rows, shape_of(rows, options));
  if (options.observe.json != "-") print(table);
  const std::vector<Json> entries = row_entries(rows, options);
  if (json) json->commit(json_text(Json(entries)));
  if (page) page->commit(page_of(rows, entries, plan, given.command, table));
  return judge(options, rows, list.size());
}

}  // namespace

Command compare_command() {
  Command command;
  command.name = "compare";
  command.summary = "the same traffic under several algorithms";
  command.footer =
      "theory is the largest latency without contention, by the papers' timing model; max and "
      "mean\n"
      "are simulated, over all trials; events are contention events. With several trials, the "
      "table\n"
      "also has the mean completion (the mean over trials of the largest latency) and half the "
      "width\n"
      "of its 95 % interval. --pieces best adds the number of pieces that each algorithm uses.\n\n"
      "  allport compare --topology hypercube:6 --destinations random:20 --trials 10 --ts 200";
  command.options = compare_options();
  command.positional = {"SCENARIO", "a scenario file, TOML"};
  command.run = compare;
  return command;
}

}  // namespace allport
