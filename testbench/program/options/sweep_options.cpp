// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/options/sweep_options.h"

#include <algorithm>
#include <stdexcept>

#include "rtl_model/base/quote.h"
#include "testbench/program/options/options.h"

namespace allport {

namespace {

using Text = std::string_view;
using Words = std::vector<std::string_view>;

constexpr Range tasks{1, 1'000'000};

Words executor_words() { return {"local", "slurm"}; }

void set_plot(Options& options, Text text) {
  constexpr Text ending = ".svg";
  options.sweep.plot = parse_path(text);
  if (text.size() > ending.size() && text.substr(text.size() - ending.size()) == ending) return;
  throw std::invalid_argument(in_quotes(text) + " must end with .svg");
}

// `buffer-depth` is the key buffer_depth.
std::string key_of(Text text) {
  std::string key = parse_path(text);
  std::replace(key.begin(), key.end(), '-', '_');
  return key;
}

std::vector<std::string> keys_of(Text text) {
  std::vector<std::string> keys;
  for (const Text key : parse_list(text)) keys.push_back(key_of(key));
  return keys;
}

// KEY=VALUE; the option may be given for several keys.
void add_fixed(Options& options, Text text) {
  const std::size_t equals = text.find('=');
  if (equals == Text::npos || equals == 0 || equals + 1 == text.size()) {
    throw std::invalid_argument(in_quotes(text) + " must be an option and its value, KEY=VALUE");
  }
  const std::string key = key_of(text.substr(0, equals));
  const bool is_new =
      options.sweep.plot_fixed.emplace(key, std::string(text.substr(equals + 1))).second;
  if (!is_new) throw std::invalid_argument(in_quotes(key) + " has a value already");
}

// I/N, the Ith of N shards.
Shard parse_shard(Text text) {
  const std::size_t slash = text.find('/');
  if (slash == Text::npos) {
    throw std::invalid_argument(in_quotes(text) +
                                " must be the number of a shard and of all shards, as 1/4");
  }
  Shard shard;
  shard.of = parse_count(text.substr(slash + 1), tasks);
  shard.number = parse_count(text.substr(0, slash), {1, tasks.high});
  if (shard.number <= shard.of) return shard;
  throw std::invalid_argument(in_quotes(text) + ": the shards are 1/" + std::to_string(shard.of) +
                              " .. " + std::to_string(shard.of) + "/" + std::to_string(shard.of));
}

// What Slurm reads itself; empty, it would stand for its default.
std::string text_for_slurm(Text text) {
  if (text.empty()) throw std::invalid_argument("the value is empty");
  return std::string(text);
}

void add_zip(Options& options, Text text) { options.sweep.zips.push_back(keys_of(text)); }

}  // namespace

const std::vector<OptionSpec>& sweep_option_table() {
  static const std::vector<OptionSpec> table{
      {"", "output", "FOLDER", "GRID.sweep",
       "folder of the results; points that are there already are not computed again",
       [](Options& o, Text t) { o.sweep.output = parse_path(t); }},
      {"", "plot", "FILE.svg", "curve.svg in the folder",
       "file of the picture: the latency-throughput curve of a pattern over several rates, or what --plot-x asks for",
       set_plot},
      {"", "plot_x", "KEY", "rate",
       "option on the x axis, one with several values; seeds fold into a mean with a band",
       [](Options& o, Text t) { o.sweep.plot_x = key_of(t); }},
      {"", "plot_y", "COLUMN", "mean completion, or mean latency",
       "column of results.csv on the y axis, such as latency.max",
       [](Options& o, Text t) { o.sweep.plot_y = parse_path(t); }},
      {"", "plot_colour", "KEY,KEY..", "algorithm, or another choice",
       "options with a curve for each combination of their values",
       [](Options& o, Text t) { o.sweep.plot_colour = keys_of(t); }},
      {"", "plot_panel", "KEY", "none, or where there are more than 8 curves another option",
       "option with a panel for each of its values",
       [](Options& o, Text t) { o.sweep.plot_panel = key_of(t); }},
      {"", "plot_best", "KEY,KEY..", "none, or the choices that are left",
       "options of whose values the best one counts at each point",
       [](Options& o, Text t) { o.sweep.plot_best = keys_of(t); }},
      {"", "plot_fixed", "KEY=VALUE", "",
       "show only the points with this value of an option; may be given for several options",
       add_fixed, nullptr, true},
      as_output(
          {"", "report", "FILE", "",
           "write a page for a browser that draws any column over any of the options: FILE.html",
           [](Options& o, Text t) { o.sweep.report = page_file(t); }}),
      {"", "zip", "KEY,KEY..", "",
       "options whose values advance together instead of in all combinations", add_zip, nullptr,
       true},
      {"", "yes", "", "", "allow a grid of more than 1000000 points",
       [](Options& o, Text t) { o.sweep.yes = parse_flag(t); }},
      {"", "retry_failed", "", "", "compute points that failed before once more",
       [](Options& o, Text t) { o.sweep.retry_failed = parse_flag(t); }},
      {"", "jobs", "N", "cores", "runs at the same time on this machine",
       [](Options& o, Text t) {
         o.sweep.jobs = static_cast<unsigned>(parse_count(t, limits::jobs));
       }},
      {"", "shard", "I/N", "",
       "compute every Nth point of the grid, from the Ith on, and nothing else; other shards may be at work on the same folder",
       [](Options& o, Text t) { o.sweep.shard = parse_shard(t); }},
      {"", "executor", "NAME", "local", "local: this machine; slurm: job arrays on a cluster",
       [](Options& o, Text t) { o.sweep.executor = parse_word("executor", t, executor_words()); },
       executor_words},
      {"", "partition", "NAME", "Slurm's", "slurm: name of the partition",
       [](Options& o, Text t) { o.sweep.partition = text_for_slurm(t); }},
      {"", "time", "TIME", "Slurm's", "slurm: time limit of a task, as minutes, H:M:S or D-H:M:S",
       [](Options& o, Text t) { o.sweep.time = text_for_slurm(t); }},
      {"", "memory", "SIZE", "Slurm's", "slurm: memory of a task, such as 2000M or 4G",
       [](Options& o, Text t) { o.sweep.memory = text_for_slurm(t); }},
      {"", "array_width", "N", "Slurm's", "slurm: largest number of tasks at the same time",
       [](Options& o, Text t) { o.sweep.array_width = parse_count(t, tasks); }},
      {"", "points_per_task", "N", "as many as make 1000 tasks",
       "slurm: number of points that a task carries out one after another",
       [](Options& o, Text t) { o.sweep.points_per_task = parse_count(t, tasks); }},
      {"", "worker", "", "", "slurm: marks a task of a job array; a sweep sets it itself",
       [](Options& o, Text t) { o.sweep.worker = parse_flag(t); }},
  };
  return table;
}

}  // namespace allport
