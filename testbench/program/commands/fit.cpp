// SPDX-License-Identifier: Apache-2.0
// `allport fit` finds the parameters of cost models from simulated point-to-point messages.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>

#include "rtl_model/base/quote.h"
#include "testbench/files/gnuplot.h"
#include "testbench/files/output_file.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/commands/outputs.h"
#include "testbench/program/options/command_files.h"
#include "testbench/program/options/options_read.h"
#include "testbench/program/report/cost_report.h"
#include "testbench/program/terminal/exit_status.h"
#include "testbench/program/terminal/progress.h"

namespace allport {

namespace {

struct FitOptions {
  std::vector<int> sizes;  // lengths of messages in flits; empty: the default list
  std::string csv;         // file; empty: none
  std::string plot;        // file; empty: none
};

// Where gnuplot's commands are kept: beside the picture; empty: there is none.
std::string plot_script_file(const std::string& plot) {
  return plot.empty() ? "" : plot.substr(0, plot.find_last_of('.')) + ".gnuplot";
}

const OptionSpec sizes_option{
    "",
    "sizes",
    "L,..",
    "1,2,4,..,1024",
    "lengths of the messages in flits, at least two",
    [](Options& options, std::string_view text) {
      std::vector<int>& sizes = options.of_command<FitOptions>().sizes;
      sizes.clear();
      for (const std::string_view size : parse_list(text)) {
        sizes.push_back(static_cast<int>(parse_count(size, limits::flits)));
      }
    }};

const OptionSpec csv_option =
    as_output({"", "csv", "FILE", "", "write measured and predicted times as CSV",
               [](Options& options, std::string_view text) {
                 options.of_command<FitOptions>().csv = parse_path(text);
               }});

const OptionSpec plot_option{"",
                             "plot",
                             "FILE.svg",
                             "",
                             "draw measured and predicted times with gnuplot",
                             [](Options& options, std::string_view text) {
                               options.of_command<FitOptions>().plot = parse_path(text);
                             }};

OptionList fit_options() {
  OptionList list = options_read_by(use::fit);
  list.insert(list.end(), {&sizes_option, &csv_option, &plot_option});
  return list;
}

std::vector<int> chosen_sizes(std::vector<int> sizes) {
  if (sizes.empty()) sizes = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  if (sizes.size() > 1) return sizes;
  throw std::invalid_argument("--sizes: a fit needs at least two different sizes");
}

struct FitFiles {
  FitFiles(const FitOptions& own, const std::string& json_file)
      : json(wanted_file(json_file)), csv(wanted_file(own.csv)) {
    if (!own.plot.empty()) {
      if (own.plot.size() < 5 || own.plot.substr(own.plot.size() - 4) != ".svg") {
        throw std::invalid_argument(
            fmt::format("--plot {}: must end in .svg", shown_path(own.plot)));
      }
      if (!has_gnuplot()) {
        throw std::invalid_argument("--plot needs gnuplot, which is not installed");
      }
      plot.emplace(own.plot);
      script.emplace(plot_script_file(own.plot));
    }
  }

  std::optional<OutputFile> json;
  std::optional<OutputFile> csv;
  std::optional<OutputFile> plot;
  std::optional<OutputFile> script;
};

int fit(const Invocation& given) {
  const Options options = merge({}, given.settings);
  require_seed_is_read(options, "fit");
  const auto own = options.of_command<FitOptions>();
  const std::string script = plot_script_file(own.plot);
  require_own_files(options, "",
                    {{"--csv", own.csv}, {"--plot", own.plot}, {"the script of --plot", script}});
  const std::vector<int> sizes = chosen_sizes(own.sizes);
  const RunPlan plan = plan_size(options.run, sizes.back());
  const CostPair pair = cost_pair(options.run, plan.routing);
  FitFiles files(own, options.observe.json);
  ProgressBar progress("measuring");
  const CostSamples samples = measure_costs(options.run, pair, sizes, [&](std::size_t done) {
    progress.update(static_cast<double>(done) / static_cast<double>(sizes.size()),
                    fmt::format("{} flits", sizes[done]));
  });
  progress.erase();
  const std::vector<CostModel> models = fit_cost_models(samples);
  const CostStudy study{options.run, plan, pair, samples, models};
  Outputs outputs;
  if (options.observe.json != "-") outputs.attempt([&] { print(cost_report(study)); });
  if (files.json) outputs.attempt([&] { files.json->commit(json_text(cost_json(study))); });
  if (files.csv) outputs.attempt([&] { files.csv->commit(cost_csv(study)); });
  if (files.plot) {
    outputs.attempt([&] {
      files.script->commit(cost_plot(study));
      files.plot->commit(drawn_by_gnuplot(script));
    });
  }
  return outputs.status(exit_clean);
}

}  // namespace

Command fit_command() {
  Command command;
  command.name = "fit";
  command.summary = "parameters of cost models, from simulated messages";
  command.words =
      "Measures single messages and streams from --source to one node [the farthest] at each size, and single messages over every distance. Prints the parameters of Hockney's model, LogP, LogGP, pLogP, of affine times of sender and receiver, and of cut-through, with fit and residuals.";
  command.examples = {
      "allport fit --topology hypercube:6 --ts 200 --tr 100",
      "allport fit --topology hypercube:6 --preset t3e --sizes 4,64,1024,65536 --model worm",
      "allport fit --topology torus:8x8 --buffer-depth 1 --plot fit.svg --csv fit.csv"};
  command.page = "guide/cost-models.md";
  command.options = fit_options();
  command.run = fit;
  return command;
}

}  // namespace allport
