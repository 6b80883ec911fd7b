// SPDX-License-Identifier: Apache-2.0
// `allport reproduce` makes the figures and tables of the papers again and checks what the papers
// say about them.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <set>
#include <stdexcept>
#include <thread>

#include "rtl_model/base/quote.h"
#include "testbench/files/gnuplot.h"
#include "testbench/files/output_file.h"
#include "testbench/files/standard_streams.h"
#include "testbench/files/whole_file.h"
#include "testbench/processes/interrupt.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/commands/outputs.h"
#include "testbench/program/commands/program_build.h"
#include "testbench/program/terminal/exit_status.h"
#include "testbench/program/terminal/progress.h"
#include "testbench/program/terminal/time_left.h"
#include "testbench/program/terminal/version.h"
#include "testbench/studies/reproduce/figure_files.h"
#include "testbench/studies/reproduce/papers/papers.h"
#include "testbench/studies/sweep/local_executor.h"

namespace allport {

namespace {

struct ReproduceOptions {
  std::string model = "auto";  // name of the model that runs, or `both`
};

using Text = std::string_view;

std::vector<Text> model_words() { return {"auto", "systemc", "worm", "both"}; }

const std::vector<OptionSpec>& reproduce_options() {
  static const std::vector<OptionSpec> table{
      {"", "output", "FOLDER", "reproduction",
       "folder of figures and results; points that are there already are not computed again",
       [](Options& o, Text t) { o.sweep.output = parse_path(t); }},
      {"", "jobs", "N", "cores", "runs at the same time",
       [](Options& o, Text t) {
         o.sweep.jobs = static_cast<unsigned>(parse_count(t, limits::jobs));
       }},
      {"", "model", "NAME", "auto",
       "systemc: flits; worm: the transaction-level fabric; auto: worm where it moves the run; both: runs both and compares digests",
       [](Options& o, Text t) {
         o.of_command<ReproduceOptions>().model = parse_word("model", t, model_words());
       },
       model_words},
      {"", "trials", "T", "as in the paper", "random sets of each point; few give a quick look",
       [](Options& o, Text t) { o.run.traffic.trials = parse_count(t, limits::trials); }},
  };
  return table;
}

std::vector<std::string> figure_names() {
  std::vector<std::string> names{"all"};
  for (const Figure& one : figures()) names.emplace_back(one.name);
  return names;
}

int list_figures() {
  std::string text;
  for (const Figure& one : figures()) {
    text += fmt::format("{:<18} {:<8} {}  [{}]\n", one.name, to_string(one.kind), one.title,
                        one.source);
  }
  print(text);
  return exit_clean;
}

FigureRequest figure_request(const Options& options) {
  FigureRequest request;
  request.models = {options.of_command<ReproduceOptions>().model};
  if (request.models.front() == "both") request.models = {"systemc", "worm"};
  if (options.is_given("trials")) request.trials = options.run.traffic.trials;
  request.seed = options.run.traffic.seed;
  request.version = program_version;
  return request;
}

// The points of all figures, each once: figures may share them.
std::vector<Point> points_of(const std::vector<const Figure*>& wanted,
                             const FigureRequest& request) {
  const EndAtOnce ends;
  std::vector<Point> points;
  std::set<std::string> seen;
  for (const Figure* figure : wanted) {
    for (Point& one : figure->points(request)) {
      if (seen.insert(one.name).second) points.push_back(std::move(one));
    }
  }
  return points;
}

// A deadlock is what some figures are about.
bool has_result(const PointResult& point) {
  return !point.has_failed() || is_deadlocked(point.result);
}

// The points without a result; a point that failed is tried again.
std::vector<std::uint64_t> points_to_do(const std::vector<Point>& points,
                                        const ResultStore& store) {
  std::vector<std::uint64_t> list;
  for (std::uint64_t i = 0; i < points.size(); ++i) {
    const auto result = store.read(points[i]);
    if (result && has_result(*result)) continue;
    if (result) store.remove(points[i].name);
    list.push_back(i);
  }
  return list;
}

void compute(const Options& options, const std::vector<Point>& points, const ResultStore& store) {
  const std::vector<std::uint64_t> missing = points_to_do(points, store);
  if (missing.empty()) return;
  ProgressBar bar("reproduce");
  TimeLeft left;
  const PointsToRun work{store,
                         missing,
                         [&points](std::uint64_t index) { return points[index]; },
                         catch_interrupts(),
                         [&](std::uint64_t done, const std::string& detail) {
                           bar.update(
                               static_cast<double>(done) / static_cast<double>(missing.size()),
                               fmt::format("{} of {} points, {}{}", done, missing.size(), detail,
                                           left.in_words(done, missing.size())));
                         },
                         [](const std::string& sentence) { say(sentence); }};
  LocalExecutor(options.sweep.jobs).run(work);
}

// Adds what the points of `figure` printed to `runs`; the sentence of the first one that failed.
std::string collect(const Figure& figure, const FigureRequest& request, const ResultStore& store,
                    Runs& runs) {
  for (const Point& one : figure.points(request)) {
    const auto result = store.read(one);
    if (!result) return "a point is missing";
    if (!has_result(*result)) {
      std::string command = "allport";
      for (const std::string& word : one.arguments) command += " " + word;
      return fmt::format("{} (`{}`)", result->error, command);
    }
    runs.add(one, result->result);
  }
  return "";
}

std::string report(const MadeFigure& made, const std::vector<std::string>& files) {
  std::string text =
      fmt::format("{}: {} [{}]\n", made.figure->name, made.figure->title, made.figure->source);
  text += claims_text(made.result.claims);
  for (const auto& [model, digest] : made.result.digests) {
    text += fmt::format("  {:<14}  {} (--model {})\n", "digest", digest, model);
  }
  text += fmt::format("  {:<14} ", "files");
  for (const std::string& file : files) text += " " + shown_path(file);
  return text + "\n\n";
}

// What takes long is not written anywhere until it is done.
MadeFigure make_figure(const Figure& figure, const FigureRequest& request, const Runs& runs) {
  const EndAtOnce ends;
  return {&figure, figure.make(request, runs)};
}

int make_figures(const std::vector<const Figure*>& wanted, const FigureRequest& request,
                 const ResultStore& store) {
  std::vector<MadeFigure> made;
  Outputs outputs;
  for (const Figure* figure : wanted) {
    Runs runs;
    const std::string problem = collect(*figure, request, store, runs);
    if (!problem.empty()) {
      say(fmt::format("{} was not made: {}", figure->name, problem));
      continue;
    }
    made.push_back(make_figure(*figure, request, runs));
    give_up_if_interrupted();
    const std::vector<std::string> files = write_figure(made.back(), request, store);
    outputs.attempt([&] { print(report(made.back(), files)); });
  }
  const std::string path = store.folder() + "/claims.md";
  const std::vector<MadeFigure> all =
      figures_in_folder(figures(), store, [](const std::string& sentence) { say(sentence); });
  write_whole(store.partial_folder(), path, claims_page(all));
  write_whole(store.partial_folder(), store.folder() + "/passages.md", passages_page(all));
  if (wanted.size() > 1) {
    outputs.attempt(
        [&] { print(fmt::format("{}\n{}\n", claims_overview(made), tally(all_claims(made)))); });
  }
  outputs.attempt([&] { print(fmt::format("claims in {}\n", shown_path(path))); });
  return outputs.status(made.size() == wanted.size() ? exit_clean : exit_incomplete);
}

void require_gnuplot(const std::vector<const Figure*>& wanted) {
  const auto is_curve = [](const Figure* one) { return one->kind == FigureKind::curve; };
  if (std::any_of(wanted.begin(), wanted.end(), is_curve) && !has_gnuplot()) {
    throw std::invalid_argument("curves need gnuplot, which is not installed: see scripts/setup");
  }
}

int reproduce(const Invocation& given) {
  if (given.arguments.empty()) {
    if (given.settings.empty()) return list_figures();
    throw std::invalid_argument("nothing to reproduce: name some figures, or all");
  }
  const std::vector<const Figure*> wanted = find_figures(given.arguments);
  const Options options = merge({}, given.settings);
  const FigureRequest request = figure_request(options);
  require_gnuplot(wanted);
  ResultStore store(options.sweep.output.empty() ? "reproduction" : options.sweep.output);
  store.lock();
  store.remove_partial_files();
  const std::string aside = store.use_build(program_build());
  if (!aside.empty()) say(aside);
  const std::vector<Point> points = points_of(wanted, request);
  try {
    compute(options, points, store);
    return make_figures(wanted, request, store);
  } catch (const SweepStopped&) {
    const auto done = std::count_if(points.begin(), points.end(),
                                    [&store](const Point& one) { return store.has(one.name); });
    say(fmt::format(
        "interrupted: {} of {} points are done and kept in {}; the same command goes on from there",
        done, points.size(), shown_path(store.folder())));
    return exit_incomplete;
  }
}

OptionList options_of_reproduce() {
  OptionList options;
  for (const OptionSpec& spec : reproduce_options()) options.push_back(&spec);
  options.push_back(&option_named("seed"));
  return options;
}

}  // namespace

Command reproduce_command() {
  Command command;
  command.name = "reproduce";
  command.summary = "the figures and tables of the papers, made again";
  command.words =
      "Without a name, lists the figures; `all` makes all of them. For each figure, NAME.csv, NAME.svg, NAME.json and NAME.md are written, and what the paper says about it is checked claim by claim; claims.md has the claims of all figures in the folder, passages.md the "
      "words of the papers that they stand on. Points are runs of this program, and their results are kept: the same command goes on after an interruption. A claim that does not hold is a result; the exit status is 3 if a point failed.";
  command.examples = {"allport reproduce robinson-9 robinson-13",
                      "allport reproduce all --model worm --jobs 4 --output figures"};
  command.page = "guide/reproduce.md";
  command.options = options_of_reproduce();
  command.positional = {"NAME", "figures, or all", true, figure_names};
  command.run = reproduce;
  return command;
}

}  // namespace allport
