// SPDX-License-Identifier: Apache-2.0
// `allport sweep` carries out a grid of runs, on this machine or on a cluster.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <unordered_set>
#include <utility>

#include "rtl_model/base/quote.h"
#include "testbench/files/gnuplot.h"
#include "testbench/files/output_file.h"
#include "testbench/files/standard_streams.h"
#include "testbench/processes/interrupt.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/commands/outputs.h"
#include "testbench/program/commands/program_build.h"
#include "testbench/program/commands/sweep_columns.h"
#include "testbench/program/commands/sweep_plan.h"
#include "testbench/program/commands/sweep_report.h"
#include "testbench/program/options/command_files.h"
#include "testbench/program/report/points_page.h"
#include "testbench/program/terminal/exit_status.h"
#include "testbench/program/terminal/progress.h"
#include "testbench/program/terminal/time_left.h"
#include "testbench/studies/sweep/local_executor.h"
#include "testbench/studies/sweep/slurm_executor.h"

namespace allport {

namespace {

// The settings that a grid may vary, or the command's own.
Settings select(const Settings& settings, bool of_grid) {
  Settings list;
  for (const Setting& one : settings) {
    if (one.spec->table.empty() != of_grid) list.push_back(one);
  }
  return list;
}

// An option that the executor would ignore is a mistake.
void require_executor(const Options& options) {
  const bool is_slurm = options.sweep.executor == "slurm";
  for (const char* key :
       {"jobs", "partition", "time", "memory", "array_width", "points_per_task"}) {
    const bool is_local = std::string_view(key) == "jobs";
    if (!options.is_given(key) || is_local != is_slurm) continue;
    throw std::invalid_argument(
        fmt::format("{} is for --executor {}", option_name(key), is_slurm ? "local" : "slurm"));
  }
}

// A shard leaves pictures and tables to the sweep that comes after all shards.
void require_shard(const Options& options) {
  if (!options.sweep.shard.is_any()) return;
  if (options.sweep.executor == "slurm") {
    throw std::invalid_argument(
        "--shard is for --executor local: on Slurm a sweep shares out its points by itself");
  }
  for (const char* key : {"plot", "plot_x", "plot_y", "plot_colour", "plot_panel", "plot_best",
                          "plot_fixed", "report"}) {
    if (!options.is_given(key)) continue;
    throw std::invalid_argument(fmt::format(
        "--shard and {} exclude each other: the same sweep without --shard draws, when all shards are done",
        option_name(key)));
  }
}

std::string output_folder(const std::string& grid, const SweepOptions& options) {
  if (!options.output.empty()) return options.output;
  if (grid.empty()) return "allport.sweep";
  return std::filesystem::path(grid).stem().string() + ".sweep";
}

// A Slurm job that an earlier sweep left may still write into the folder.
void require_no_job(const ResultStore& store) {
  const auto job = SlurmJob::left_in(store);
  if (!job) return;
  const auto tasks = tasks_of(job->number());
  const bool is_over = tasks && std::all_of(tasks->begin(), tasks->end(), [](const auto& task) {
                         return task.second.has_ended();
                       });
  if (is_over) return job->forget();
  throw std::invalid_argument(fmt::format(
      "the Slurm job {} is still at work on the folder {}: follow it with --executor slurm, or cancel it",
      job->number(), shown_path(store.folder())));
}

// The tasks of a Slurm job that is left write into the folder as it is.
void use_own_points(const ResultStore& store) {
  if (SlurmJob::left_in(store)) return store.require_build(program_build());
  store.remove_partial_files();
  const std::string aside = store.use_build(program_build());
  if (!aside.empty()) say(aside);
}

// The points of `shard`, each configuration once.
std::vector<std::uint64_t> points_of(const Shard& shard, const std::vector<std::string>& names) {
  std::vector<std::uint64_t> list;
  std::unordered_set<std::string_view> seen;
  for (std::uint64_t i = 0; i < names.size(); ++i) {
    const std::uint64_t place = seen.size();
    if (seen.insert(names[i]).second && shard.has(place)) list.push_back(i);
  }
  return list;
}

// Those of `points` without a result.
std::vector<std::uint64_t> points_to_do(const SweepPlan& plan,
                                        const std::vector<std::string>& names,
                                        const std::vector<std::uint64_t>& points,
                                        const ResultStore& store, bool retry_failed) {
  std::vector<std::uint64_t> list;
  for (const std::uint64_t i : points) {
    if (store.has(names[i]) && retry_failed) {
      const auto result = store.read(plan.point(i));
      if (result && result->has_failed()) store.remove(names[i]);
    }
    if (!store.has(names[i])) list.push_back(i);
  }
  return list;
}

std::unique_ptr<Executor> executor_of(const SweepOptions& options) {
  if (options.executor == "local") return std::make_unique<LocalExecutor>(options.jobs);
  return std::make_unique<SlurmExecutor>(
      SlurmOptions{{options.partition, options.time, options.memory, options.array_width},
                   options.points_per_task});
}

// Carries out `points` and returns whether all of them were, and not only those before an
// interrupt.
bool carry_out(const SweepOptions& options, const ResultStore& store, const SweepPlan& plan,
               const std::vector<std::uint64_t>& points) {
  ProgressBar bar("sweep");
  TimeLeft left;
  const PointsToRun work{store,
                         points,
                         [&plan](std::uint64_t index) { return plan.point(index); },
                         catch_interrupts(),
                         [&](std::uint64_t done, const std::string& detail) {
                           bar.update(
                               static_cast<double>(done) / static_cast<double>(points.size()),
                               fmt::format("{} of {}, {}{}", done, points.size(), detail,
                                           left.in_words(done, points.size())));
                         },
                         [&bar](const std::string& sentence) {
                           bar.erase();
                           say(sentence);
                         }};
  try {
    executor_of(options)->run(work);
  } catch (const SweepStopped&) {
    return false;
  }
  return true;
}

// `12 of 25 points are done and kept in grid.sweep`
std::string kept(const std::vector<std::string>& names, const ResultStore& store) {
  const auto done = std::count_if(names.begin(), names.end(),
                                  [&](const std::string& name) { return store.has(name); });
  return fmt::format("{} of {} points are done and kept in {}", done, names.size(),
                     shown_path(store.folder()));
}

// Draws the picture, if there is one, and returns the lines of the report about it.
std::string picture_lines(const SweepOptions& options, const ResultStore& store,
                          const SweepSummary& summary) {
  const bool is_wanted = !options.plot.empty() || !options.plot_x.empty();
  if (summary.curves == 0) {
    if (!summary.problems.empty()) return "";
    if (!is_wanted || summary.missing > 0) return "";
    if (summary.failed > 0) return "curve       not drawn: no point has a number to draw\n";
    throw std::runtime_error(options.plot_x.empty()
                                 ? "--plot: no point has results of a pattern or load at its rate"
                                 : "--plot-x: every point failed or has no number to draw");
  }
  if (!is_wanted && !has_gnuplot()) return "curve       not drawn: gnuplot is not installed\n";
  const std::string path = options.plot.empty() ? store.folder() + "/curve.svg" : options.plot;
  draw_curve(store, path);
  return picture_in_words(summary, path);
}

/// The page of a sweep, if there is to be one.
class SweepPageOutput {
 public:
  // Throws before anything is computed unless it can be written.
  SweepPageOutput(const SweepOptions& options, const SweepPlan& plan, std::string command)
      : command_(std::move(command)),
        fixed_(plan.fixed_in_words()),
        file_(wanted_file(options.report)) {
    if (!file_) return;
    page_.emplace(plan.varied_keys(), page_view(plan, options), plan.zipped_keys());
  }

  PointsPage* page() { return page_ ? &*page_ : nullptr; }
  void commit() {
    if (!file_) return;
    const std::vector<std::string> keys = page_->keys();
    const std::string title =
        "A sweep over " + (keys.empty() ? "one point" : fmt::format("{}", fmt::join(keys, ", ")));
    file_->commit(page_->take(title, command_, fixed_));
  }

 private:
  const std::string command_;
  const std::string fixed_;
  std::optional<OutputFile> file_;
  std::optional<PointsPage> page_;
};

int report(const SweepOptions& options, const SweepPlan& plan,
           const std::vector<std::string>& names, const ResultStore& store, std::uint64_t computed,
           SweepPageOutput& page) {
  Outputs outputs("; " + kept(names, store));
  const SweepSummary summary =
      write_tables(plan, names, store, picture_view(plan, options), page.page());
  for (const std::string& problem : summary.problems) outputs.note(problem);
  if (summary.missing < plan.size()) outputs.attempt([&] { page.commit(); });
  const std::uint64_t done = plan.size() - summary.missing;
  if (done > 0) {
    const bool is_part = summary.missing > 0;
    const std::string tables = fmt::format(
        "points      {}, of which {} computed now{}\n"
        "tables      {}/results.csv, {}/results.jsonl{}\n",
        plan.size(), computed, is_part ? fmt::format(", {} are missing", summary.missing) : "",
        shown_path(store.folder()), shown_path(store.folder()),
        is_part ? fmt::format(": the {} points done", done) : "");
    std::string picture;
    outputs.attempt([&] { picture = picture_lines(options, store, summary); });
    if (summary.problems.empty()) outputs.attempt([&] { print(tables + picture); });
  }
  if (summary.failed == 0) return outputs.status(exit_clean);
  say(fmt::format("{} of {} points failed, the first: {}", summary.failed, done,
                  summary.first_failure));
  return outputs.status(exit_incomplete);
}

// What a shard says of its points.
int report_shard(const Shard& shard, const SweepPlan& plan, const std::vector<std::string>& names,
                 const std::vector<std::uint64_t>& points, const ResultStore& store,
                 std::uint64_t computed) {
  std::uint64_t done = 0;
  std::uint64_t failed = 0;
  std::string first_failure;
  for (const std::uint64_t i : points) {
    if (!store.has(names[i])) continue;
    ++done;
    const auto result = store.read(plan.point(i));
    if (!result || !result->has_failed()) continue;
    if (failed++ == 0) first_failure = result->error;
  }
  print(fmt::format("points      {}, of which {} are in shard {} of {}: {} done, {} computed now\n",
                    plan.size(), points.size(), shard.number, shard.of, done, computed));
  if (failed == 0) return exit_clean;
  say(fmt::format("{} of {} points failed, the first: {}", failed, done, first_failure));
  return exit_incomplete;
}

int work_on_task(const SweepOptions& options) {
  const char* task = std::getenv("SLURM_ARRAY_TASK_ID");
  if (task == nullptr || options.output.empty()) {
    throw std::invalid_argument("--worker is for the tasks that a sweep starts on Slurm");
  }
  const ResultStore store(options.output);
  store.require_build(program_build());
  constexpr std::int64_t max_task = std::int64_t{1} << 32;
  run_task(store, parse_count(task, {0, max_task}), catch_interrupts());
  return exit_clean;
}

// Rejects a picture that cannot be drawn before anything is computed.
void require_picture(const SweepPlan& plan, const SweepOptions& options) {
  if (!options.plot_y.empty() && options.plot_x.empty()) {
    throw std::invalid_argument("--plot-y needs --plot-x");
  }
  require_view(plan, options);
  const bool has_axis = !load_axis(plan.varied_keys()).empty();
  const bool is_drawn = has_axis || !options.plot_x.empty() || !options.report.empty();
  const bool has_view = !options.plot_colour.empty() || !options.plot_panel.empty() ||
                        !options.plot_best.empty() || !options.plot_fixed.empty();
  if (has_view && !is_drawn) {
    throw std::invalid_argument(
        "--plot-colour, --plot-panel, --plot-best and --plot-fixed need a picture, by --plot-x, or a page, by --report");
  }
  if (options.plot.empty() && options.plot_x.empty()) return;
  if (options.plot_x.empty() && !has_axis) {
    throw std::invalid_argument(
        "--plot needs several values of --rate, --collective-rate or --outstanding, or --plot-x");
  }
  if (!has_gnuplot()) throw std::invalid_argument("--plot needs gnuplot, which is not installed");
  if (!options.plot_y.empty()) require_column(plan, options.plot_y);
}

// What the points read.
std::vector<NamedFile> files_of(const GridText& grid) {
  std::vector<NamedFile> files;
  for (const GridKey& key : grid.keys) {
    for (std::uint64_t i = 0; i < key.values.size(); ++i) {
      for (NamedFile& file : inputs_of(*key.spec, key.values.at(i), "a")) {
        files.push_back(std::move(file));
      }
    }
  }
  return files;
}

// Throws before anything is computed unless the picture can be written; the folder of the sweep is
// made by the sweep itself.
void require_picture_file(const SweepOptions& options, const std::string& folder) {
  namespace fs = std::filesystem;
  if (options.plot.empty()) return;
  std::error_code none;
  const fs::path parent = fs::absolute(options.plot, none).parent_path().lexically_normal();
  const fs::path own = (fs::absolute(folder, none) / "").lexically_normal().parent_path();
  if (parent != own || fs::exists(own, none)) OutputFile{options.plot};
}

int sweep(const Invocation& given) {
  const Options options = merge({}, select(given.settings, false));
  if (options.sweep.worker) return work_on_task(options.sweep);
  require_executor(options);
  require_shard(options);
  GridText file;
  const std::string grid_name = given.argument();
  if (!grid_name.empty()) file = read_grid(grid_name, grid_options());
  GridText grid = merge_grids(std::move(file), select(given.settings, true), options.sweep.zips);
  const std::string folder = output_folder(grid_name, options.sweep);
  require_own_files(options.sweep, grid_name, files_of(grid), folder);
  const SweepPlan plan(std::move(grid), options.sweep.yes);
  require_picture(plan, options.sweep);
  const std::vector<std::string> names = plan.names();
  SweepPageOutput page(options.sweep, plan, given.command);
  require_picture_file(options.sweep, folder);

  ResultStore store(folder);
  const Shard& shard = options.sweep.shard;
  if (shard.is_any()) {
    store.share([&](bool is_alone) {
      if (!is_alone) return store.require_build(program_build());
      require_no_job(store);
      use_own_points(store);
    });
  } else {
    store.lock();
    if (options.sweep.executor == "local") require_no_job(store);
    use_own_points(store);
  }
  try {
    const std::vector<std::uint64_t> own = points_of(shard, names);
    const std::vector<std::uint64_t> points =
        points_to_do(plan, names, own, store, options.sweep.retry_failed);
    const bool is_whole = carry_out(options.sweep, store, plan, points);
    const auto computed = std::count_if(
        points.begin(), points.end(), [&](std::uint64_t point) { return store.has(names[point]); });
    const auto now = static_cast<std::uint64_t>(computed);
    const int status = shard.is_any() ? report_shard(shard, plan, names, own, store, now)
                                      : report(options.sweep, plan, names, store, now, page);
    if (is_whole) return status;
    say(fmt::format("interrupted: {}; start the same sweep again to resume", kept(names, store)));
    return exit_incomplete;
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format("{}; {}", error.what(), kept(names, store)));
  }
}

OptionList sweep_options() {
  OptionList options;
  for (const OptionSpec& spec : sweep_option_table()) options.push_back(&spec);
  const OptionList of_runs = grid_options();
  options.insert(options.end(), of_runs.begin(), of_runs.end());
  return options;
}

}  // namespace

Command sweep_command() {
  Command command;
  command.name = "sweep";
  command.summary = "a grid of runs, here or on a cluster";
  command.words =
      "A grid is a scenario whose keys may have several values, as lists or ranges; options may have several values too. A..B counts by ones and FIRST:LAST:STEP by steps, both ends included. Commas separate values; semicolons separate those of --source and --destinations, "
      "which are lists themselves. The grid has all combinations of values, but keys that are zipped advance together. The same command resumes a sweep that was interrupted or killed. Runs that differ in --seed alone fold into one point of the picture: their mean, with a band from the smallest to the largest.";
  command.examples = {
      "allport sweep grid.toml --jobs 8",
      "allport sweep --topology torus:8x8 --pattern uniform --rate 0.02:0.5:0.02 --cycles 20000",
      "allport sweep --topology hypercube:4..8 --algorithm ucube,wsort --flits 16,64",
      "allport sweep --topology hypercube:6 --algorithm ucube,wsort --ts 50 --trials 20 \\\n  --destinations 'random:8;random:16;random:32' --plot-x destinations",
      "allport sweep grid.toml --executor slurm --partition short --time 30 --array-width 200"};
  command.page = "guide/sweeps.md";
  command.options = sweep_options();
  command.positional = {"GRID", "a grid file, TOML"};
  command.run = sweep;
  return command;
}

}  // namespace allport
