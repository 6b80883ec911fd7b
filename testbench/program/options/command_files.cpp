// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/options/command_files.h"

#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>

#include "rtl_model/base/words.h"
#include "rtl_model/graphs/graph.h"
#include "rtl_model/graphs/graph_file.h"
#include "rtl_model/graphs/link_attributes.h"
#include "rtl_model/verilated/file_list.h"
#include "testbench/files/read_once.h"
#include "testbench/observe/waves/fst_file.h"
#include "testbench/observe/waves/gtkw_file.h"
#include "testbench/plan/replay.h"

namespace allport {

namespace {

using NamedFiles = std::vector<NamedFile>;

void add_wave(NamedFiles& files, const std::string& role, const std::string& wave) {
  const auto [flits, messages, save] = wave_companions(wave);
  for (const std::string& path : {wave, flits, messages, save}) files.push_back({role, path});
  constexpr std::string_view fst = ".fst";  // it has a table beside it while it is written
  const bool is_fst = wave.size() > fst.size() && wave.substr(wave.size() - fst.size()) == fst;
  if (!is_fst) return;
  require_no_table(wave);
  files.push_back({role, fst_table_file(wave)});
}

// Whoever compiles the list says what is wrong with it.
void add_listed(NamedFiles& inputs, const std::string& list) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(list, none)) return;
  try {
    for (const auto& file : files_in_lists(list)) {
      inputs.push_back({"a file of --file-list", file.string()});
    }
  } catch (const std::exception&) {
  }
}

// `the graph`, or `a graph`: what `spec` names.
std::string role_of(const OptionSpec& spec, std::string_view article) {
  const std::string_view key = spec.key;
  if (key == "topology") return fmt::format("{} graph", article);
  if (key == "job") return "a trace";
  if (key == "group" || key == "groups") return fmt::format("{} file of a group", article);
  if (key == "schedule") return fmt::format("{} schedule", article);
  if (!is_traffic_file(key)) return fmt::format("{} file of {}", article, option_name(key));
  return article == "the" ? fmt::format("the {}", key) : std::string(key);
}

NamedFiles inputs_of(const Options& options, const std::string& scenario) {
  NamedFiles inputs{{"the scenario", scenario},
                    {"the schedule", options.run.traffic.schedule},
                    {"the tasks", options.run.traffic.tasks},
                    {"the flows", options.run.traffic.flows},
                    {"the counts", options.run.message.counts},
                    {"the block", options.run.traffic.block}};
  const std::shared_ptr<const Topology>& topology = options.run.fabric.topology;
  if (topology != nullptr && topology->is_graph()) {
    const GraphDescription& graph = static_cast<const Graph&>(*topology).description();
    inputs.push_back({"the graph", graph.file});
    inputs.push_back({"the file of nodes", graph.nodes_file});
  }
  const TrafficTable& traffic = options.run.traffic;
  if (traffic.place) inputs.push_back({"the file of --place", traffic.place->file.path});
  if (traffic.group) inputs.push_back({"the file of a group", traffic.group->file.path});
  if (options.run.fabric.missing) {
    inputs.push_back({"the file of --missing-links", options.run.fabric.missing->path});
  }
  if (options.run.fabric.missing_nodes) {
    inputs.push_back({"the file of --missing-nodes", options.run.fabric.missing_nodes->path});
  }
  if (const auto& attributes = options.run.router.link_attributes) {
    inputs.push_back({"the file of --link-attributes", attributes->path});
  }
  if (const std::string& errors = options.run.router.errors.flits.path; !errors.empty()) {
    inputs.push_back({"the file of --flit-errors", errors});
  }
  if (const auto& table = options.run.fabric.table; table && table->text != nullptr) {
    inputs.push_back({"the file of --routing", table->rule});
  }
  if (traffic.replay != nullptr) {
    for (const std::string& file : traffic.replay->inputs) inputs.push_back({"a trace", file});
  }
  for (const std::string& file : options.cosim.files) inputs.push_back({"a file of --rtl", file});
  for (const std::string& list : options.cosim.lists) {
    inputs.push_back({"--file-list", list});
    add_listed(inputs, list);
  }
  if (!options.cosim.declaration.empty()) {
    inputs.push_back({"--declaration", options.cosim.declaration});
  }
  return inputs;
}

NamedFiles outputs_of(const Options& options) {
  NamedFiles outputs;
  if (!options.observe.wave.empty()) add_wave(outputs, "--wave", options.observe.wave);
  const bool shows_run = !options.observe.wave.empty() && !options.observe.wave_on;
  const bool may_differ =
      options.run.model == Model::cosim && !shows_run && !options.cosim.difference_file().empty();
  if (may_differ) add_wave(outputs, "the wave of a difference", options.cosim.difference_file());
  outputs.push_back({"--json", options.observe.json});
  outputs.push_back({"--messages", options.observe.messages});
  outputs.push_back({"--channel-load", options.observe.channel_load});
  outputs.push_back({"--timeline", options.observe.timeline});
  outputs.push_back({"--report", options.observe.report});
  if (!options.observe.deadlock.empty()) {
    const std::string graph = deadlock_graph_file(options.observe.deadlock);
    outputs.push_back({"--deadlock", options.observe.deadlock});
    if (graph != options.observe.deadlock) outputs.push_back({"the graph of --deadlock", graph});
  }
  return outputs;
}

}  // namespace

void require_own_files(const Options& options, const std::string& scenario,
                       const NamedFiles& own_outputs, const NamedFiles& own_inputs) {
  NamedFiles outputs = outputs_of(options);
  outputs.insert(outputs.end(), own_outputs.begin(), own_outputs.end());
  NamedFiles inputs = inputs_of(options, scenario);
  inputs.insert(inputs.end(), own_inputs.begin(), own_inputs.end());
  require_read_once(inputs);
  require_own_files(inputs, outputs);
}

void require_own_files(const SweepOptions& options, const std::string& grid,
                       const NamedFiles& of_points, const std::string& folder) {
  NamedFiles inputs{{"the grid", grid}};
  inputs.insert(inputs.end(), of_points.begin(), of_points.end());
  NamedFiles outputs{{"the table", folder + "/results.csv"},
                     {"the table", folder + "/results.jsonl"},
                     {"the script of the curve", folder + "/curve.gnuplot"}};
  outputs.push_back(options.plot.empty() ? NamedFile{"the curve", folder + "/curve.svg"}
                                         : NamedFile{"--plot", options.plot});
  outputs.push_back({"--report", options.report});
  require_own_files(inputs, outputs);
}

bool is_traffic_file(std::string_view key) {
  return key == "schedule" || key == "tasks" || key == "flows" || key == "counts" || key == "block";
}

NamedFiles inputs_of(const OptionSpec& spec, const std::string& text, std::string_view article) {
  NamedFiles inputs;
  const std::string role = role_of(spec, article);
  for (const std::string& file : files_read(spec, text)) {
    inputs.push_back({role, file});
    if (spec.key == "file_list") add_listed(inputs, file);
    if (spec.key != "topology") continue;
    std::error_code none;
    const std::string nodes = nodes_file_of(file);
    if (std::filesystem::exists(nodes, none)) {
      inputs.push_back({fmt::format("{} file of nodes", article), nodes});
    }
  }
  return inputs;
}

std::string deadlock_graph_file(const std::string& path) {
  const std::filesystem::path file(path);
  if (file.extension() != ".svg" && file.extension() != ".png") return path;
  return std::filesystem::path(file).replace_extension(".dot").string();
}

}  // namespace allport
