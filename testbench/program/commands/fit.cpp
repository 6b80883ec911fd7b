// SPDX-License-Identifier: Apache-2.0
// allport fit: the parameters of cost models, from simulated point-to-point messages.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>

#include "rtl_model/base/quote.h"
#include "testbench/files/gnuplot.h"
#include "testbench/files/output_file.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/options/command_files.h"
#include "testbench/program/report/cost_report.h"
#include "testbench/program/terminal/exit_status.h"
#include "testbench/program/terminal/progress.h"

namespace allport {

namespace {

constexpr int max_flits = 1'000'000;

const OptionSpec sizes_option{
    "",
    "sizes",
    "L,..",
    "1,2,4,..,1024",
    "lengths of the messages in flits, at least two",
    [](Options& options, std::string_view text) {
      options.fit.sizes.clear();
      for (const std::string_view size : parse_list(text)) {
        options.fit.sizes.push_back(static_cast<std::size_t>(parse_integer(size, 1, max_flits)));
      }
    }};

const OptionSpec csv_option{
    "",
    "csv",
    "FILE",
    "",
    "write measured and predicted times as CSV",
    [](Options& options, std::string_view text) { options.fit.csv = parse_path(text); }};

const OptionSpec plot_option{
    "",
    "plot",
    "FILE.svg",
    "",
    "draw measured and predicted times with gnuplot",
    [](Options& options, std::string_view text) { options.fit.plot = parse_path(text); }};

OptionList fit_options() {
  OptionList list = options_named({"topology", "routing", "ports", "vcs", "buffer_depth",
                                   "link_delay", "switching", "flit_bytes", "ts", "tr", "preset",
                                   "source", "destinations", "json", "model"});
  list.insert(list.end(), {&sizes_option, &csv_option, &plot_option});
  return list;
}

std::vector<int> chosen_sizes(const Options& options) {
  std::vector<int> sizes;
  for (const std::size_t size : options.fit.sizes) sizes.push_back(static_cast<int>(size));
  for (int size = 1; options.fit.sizes.empty() && size <= 1024; size *= 2) sizes.push_back(size);
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  if (sizes.size() > 1) return sizes;
  throw std::invalid_argument("--sizes: a fit needs at least two different sizes");
}

struct Outputs {
  explicit Outputs(const Options& options) {
    if (!options.fit.plot.empty()) {
      if (options.fit.plot.size() < 5 ||
          options.fit.plot.substr(options.fit.plot.size() - 4) != ".svg") {
        throw std::invalid_argument(
            fmt::format("--plot {}: must end in .svg", shown_path(options.fit.plot)));
      }
      if (!has_gnuplot()) {
        throw std::invalid_argument("--plot needs gnuplot, which is not installed");
      }
      plot.emplace(options.fit.plot);
      script.emplace(plot_script_file(options.fit.plot));
    }
    if (!options.observe.json.empty()) json.emplace(options.observe.json);
    if (!options.fit.csv.empty()) csv.emplace(options.fit.csv);
  }

  std::optional<OutputFile> json;
  std::optional<OutputFile> csv;
  std::optional<OutputFile> plot;
  std::optional<OutputFile> script;
};

int fit(const Given& given) {
  const Options options = merge({}, given.settings);
  require_own_files(options);
  const std::vector<int> sizes = chosen_sizes(options);
  const RunPlan plan = plan_size(options.run, sizes.back());
  const CostPair pair = cost_pair(options.run, plan.routing);
  Outputs outputs(options);
  ProgressBar progress("measuring");
  const CostSamples samples = measure_costs(options.run, pair, sizes, [&](std::size_t done) {
    progress.update(static_cast<double>(done) / static_cast<double>(sizes.size()),
                    fmt::format("{} flits", sizes[done]));
  });
  progress.erase();
  const std::vector<CostModel> models = fit_cost_models(samples);
  const CostStudy study{options.run, plan, pair, samples, models};
  if (options.observe.json != "-") print(cost_report(study));
  if (outputs.json) outputs.json->commit(json_text(cost_json(study)));
  if (outputs.csv) outputs.csv->commit(cost_csv(study));
  if (outputs.plot) {
    outputs.script->commit(cost_plot(study));
    outputs.plot->commit(drawn_by_gnuplot(plot_script_file(options.fit.plot)));
  }
  return exit_clean;
}

}  // namespace

Command fit_command() {
  Command command;
  command.name = "fit";
  command.summary = "parameters of cost models, from simulated messages";
  command.footer =
      "Measures single messages and streams from --source to one node [the farthest] at each "
      "size,\n"
      "and single messages over every distance. Prints the parameters of Hockney's model, LogP,\n"
      "LogGP, pLogP and the affine model, with fit and residuals (docs/guide/cost-models.md).\n\n"
      "  allport fit --topology hypercube:6 --ts 200 --tr 100\n"
      "  allport fit --topology hypercube:6 --preset t3e --sizes 4,64,1024,65536 --model worm\n"
      "  allport fit --topology torus:8x8 --buffer-depth 1 --plot fit.svg --csv fit.csv";
  command.options = fit_options();
  command.run = fit;
  return command;
}

}  // namespace allport
