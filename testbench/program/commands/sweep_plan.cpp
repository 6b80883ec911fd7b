// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/commands/sweep_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "rtl_model/base/quote.h"
#include "rtl_model/verilated/toolchain.h"
#include "testbench/files/read_once.h"
#include "testbench/plan/missing_links.h"
#include "testbench/plan/place_values.h"
#include "testbench/processes/interrupt.h"
#include "testbench/program/commands/custom_router_run.h"
#include "testbench/program/commands/model_option.h"
#include "testbench/program/options/command_files.h"
#include "testbench/program/options/value_text.h"
#include "testbench/program/report/results_json.h"
#include "testbench/program/terminal/version.h"

namespace allport {

namespace {

// Each point reads the files that it names.
void require_read_again(const Setting& setting) {
  for (const std::string& file : files_read(*setting.spec, setting.text)) {
    const std::string stream = read_once(file);
    if (stream.empty()) continue;
    throw std::invalid_argument(fmt::format(
        "{}: {} is {}, which can be read only once, and each point of a sweep reads it; "
        "give a file",
        setting.name(), shown_path(file), stream));
  }
}

constexpr std::uint64_t large = 1'000'000;
constexpr std::uint64_t most = 100'000'000;

void require_size(std::uint64_t size, bool is_large_meant) {
  if (size > most) {
    throw std::invalid_argument(
        fmt::format("the grid has {} points; it may have at most {}",
                    size == ~std::uint64_t{0} ? "more than 10^19" : std::to_string(size), most));
  }
  if (size <= large || is_large_meant) return;
  throw std::invalid_argument(fmt::format(
      "the grid has {} points, more than {}: give --yes if that is intended", size, large));
}

[[noreturn]] void refuse_repeated(const Setting& setting, const std::string& before) {
  if (before == setting.text) {
    throw std::invalid_argument(fmt::format("{}: the value {} is twice in the list", setting.name(),
                                            in_quotes(setting.text)));
  }
  throw std::invalid_argument(fmt::format("{}: {} and {} are the same value", setting.name(),
                                          in_quotes(before), in_quotes(setting.text)));
}

// Whether its values are parts of a fabric.
bool is_of_a_fabric(const GridKey& key) {
  return key.spec->key == "missing_nodes" || key.spec->key == "missing_links";
}

// Whether its values may name nodes as the file of a graph does.
bool may_have_names(const GridKey& key) {
  return names_nodes(*key.spec) || key.spec->key == "group";
}

// Whether a fabric is a graph, whose nodes have names.
bool has_graph(const std::vector<GridKey>& keys) {
  return std::any_of(keys.begin(), keys.end(), [](const GridKey& key) {
    if (key.spec->key != "topology") return false;
    for (std::uint64_t i = 0; i < key.values.size(); ++i) {
      if (key.values.at(i).compare(0, 6, "graph:") == 0) return true;
    }
    return false;
  });
}

// The options of a grid that has one fabric; none: it has several, or names none.
std::optional<Options> with_fabric(const std::vector<GridKey>& keys) {
  for (const GridKey& key : keys) {
    if (key.spec->key != "topology" || key.values.size() != 1) continue;
    Options options;
    apply({key.spec, key.values.at(0), key.place}, options);
    return options;
  }
  return std::nullopt;
}

// Checks each value by itself, whatever values of other keys it is combined with; parts of a fabric
// with that of the grid, or by their points if it has several, or if they are drawn by a seed, and
// so the names of nodes if a fabric is a graph. Keys that are zipped may repeat values.
void require_values(const GridKey& key, bool is_zipped, const std::optional<Options>& of_fabric,
                    bool has_names) {
  std::map<std::string, std::string> seen;  // as they were written, by their one form
  for (std::uint64_t i = 0; i < key.values.size(); ++i) {
    const Setting setting{key.spec, key.values.at(i), key.place};
    require_read_again(setting);
    const bool needs_fabric = is_of_a_fabric(key) || (has_names && may_have_names(key));
    const bool is_random = is_of_a_fabric(key) && is_drawn(setting.text);
    if (!needs_fabric || (of_fabric && !is_random)) {
      Options scratch = needs_fabric ? *of_fabric : Options();
      apply(setting, scratch);
    }
    const auto [same, is_new] =
        seen.emplace(settled_text(*key.spec, setting.text, has_names), setting.text);
    if (!is_zipped && !is_new) refuse_repeated(setting, same->second);
  }
}

// Whether a router of one's own is among the values of --rtl.
bool has_own_router(const std::vector<GridKey>& keys) {
  return std::any_of(keys.begin(), keys.end(), [](const GridKey& key) {
    if (key.spec->key != "rtl") return false;
    for (std::uint64_t i = 0; i < key.values.size(); ++i) {
      if (key.values.at(i) != project_router) return true;
    }
    return false;
  });
}

// Whether this is a point of the project's router.
bool is_of_ours(const Settings& point) {
  return std::any_of(point.begin(), point.end(), [](const Setting& one) {
    return one.spec->key == "rtl" && one.text == project_router;
  });
}

// Everything that determines the result, by option name, with defaults resolved. The schedules of
// an algorithm follow from its name and its options: they are planned here only where buffers must
// hold their messages, the best number of pieces is asked for, a pattern is beside them, or they
// may have to go around missing links. A schedule from a file is identified by its lines.
Json configuration(const Options& options) {
  const bool needs_plan = options.run.traffic.algorithm == nullptr ||
                          options.run.traffic.has_pattern() || options.run.message.pieces == 0 ||
                          buffers_messages(options.run.router.switching) ||
                          may_go_around(options.run);
  const RunPlan plan = needs_plan ? allport::plan(options.run) : plan_fabric(options.run);
  Json config{{"version", program_version}, {"model", to_string(options.run.model)}};
  config.update(config_json(plan));
  config.erase("relays");
  return config;
}

// Points are stored under these names. The number says how they are made: what an earlier version
// stored under names that did not tell all options is never taken for a point.
std::string name_of(const Json& config) {
  constexpr int way_of_naming = 2;
  return point_name(Json::array({way_of_naming, config}));
}

Json as_given(const Settings& settings) {
  Json config{{"version", program_version}};
  for (const Setting& one : settings) config["given"][std::string(one.spec->key)] = one.text;
  return config;
}

// `is_own`: the router is the user's own, which is simulated as RTL.
std::vector<std::string> run_arguments(const Settings& settings, bool is_own) {
  std::vector<std::string> words{"run", "--json=-"};
  const bool has_model = std::any_of(settings.begin(), settings.end(),
                                     [](const Setting& one) { return one.spec->key == "model"; });
  if (!has_model && !is_own) words.emplace_back("--model=auto");
  for (const Setting& one : settings) {
    const bool is_off = one.spec->value.empty() && one.text == "false";
    if (is_off) continue;
    words.push_back(fmt::format("{}={}", option_name(one.spec->key), one.text));
  }
  return words;
}

}  // namespace

OptionList grid_options() {
  static const OptionSpec model = open_model_option();
  OptionList list = options_read_by(use::sweep);
  list.push_back(&model);
  return list;
}

SweepPlan::SweepPlan(GridText text, bool is_large_meant) : grid_(make_grid(text)) {
  require_size(grid_.size(), is_large_meant);
  const auto is_zipped = [&text](const std::string& key) {
    return std::any_of(text.zips.begin(), text.zips.end(), [&key](const Zip& zip) {
      return std::find(zip.keys.begin(), zip.keys.end(), key) != zip.keys.end();
    });
  };
  const std::optional<Options> of_fabric = with_fabric(text.keys);
  has_names_ = has_graph(text.keys);
  for (const std::string& key : grid_.keys()) {
    const auto is_it = [&key](const GridKey& one) { return one.spec->key == key; };
    keys_.push_back(std::move(*std::find_if(text.keys.begin(), text.keys.end(), is_it)));
    require_values(keys_.back(), is_zipped(key), of_fabric, has_names_);
  }
  has_own_router_ = has_own_router(keys_);
  merge({}, settings(0));
}

std::vector<std::string> SweepPlan::values(std::uint64_t index) const {
  std::vector<std::string> list = grid_.point(index);
  for (std::size_t i = 0; i < list.size(); ++i) {
    list[i] = settled_text(*keys_[i].spec, list[i], has_names_);
  }
  return list;
}

Settings SweepPlan::settings(std::uint64_t index) const {
  Settings list;
  const std::vector<std::string> texts = values(index);
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    list.push_back({keys_[i].spec, texts[i], keys_[i].place});
  }
  if (has_own_router_ && is_of_ours(list)) {
    const std::vector<std::string_view>& own = custom_router_keys();
    const auto is_own = [&](const Setting& one) {
      return std::find(own.begin(), own.end(), one.spec->key) != own.end();
    };
    list.erase(std::remove_if(list.begin(), list.end(), is_own), list.end());
  }
  return list;
}

// The model is open unless it is given, or the router is the user's own: it changes no result. Each
// router is asked once for what it declares.
Options SweepPlan::with_model(Options options) const {
  if (options.cosim.is_own()) {
    const RtlSource source = own_source(options.cosim);
    auto& declared =
        declared_[fmt::format("{} {}", source.top, fmt::join(source_arguments(source), "\n"))];
    if (!declared) declared = declared_by(options, catch_interrupts());
    use_own_router(options, declared);
  } else if (!options.is_given("model")) {
    options.run.model = Model::automatic;
  }
  return options;
}

Point SweepPlan::resolved(std::uint64_t index, std::string& problem) const {
  const Settings given = settings(index);
  Point point;
  bool is_own = false;
  try {
    const Options options = merge({}, given);
    is_own = options.cosim.is_own();
    point.config = configuration(with_model(options));
  } catch (const std::invalid_argument& error) {
    problem = error.what();
    point.config = as_given(given);
  }
  point.arguments = run_arguments(given, is_own);
  point.name = name_of(point.config);
  return point;
}

Point SweepPlan::point(std::uint64_t index) const {
  std::string problem;
  return resolved(index, problem);
}

std::vector<std::string> SweepPlan::names() const {
  std::vector<std::string> list;
  std::string first_problem;
  bool is_any_resolved = false;
  for (std::uint64_t i = 0; i < size(); ++i) {
    give_up_if_interrupted();
    std::string problem;
    list.push_back(resolved(i, problem).name);
    if (problem.empty()) is_any_resolved = true;
    if (first_problem.empty()) first_problem = problem;
  }
  if (!is_any_resolved) throw std::invalid_argument(first_problem);
  return list;
}

std::optional<RunPlan> SweepPlan::run(std::uint64_t index) const {
  give_up_if_interrupted();
  try {
    return allport::plan(with_model(merge({}, settings(index))).run);
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

bool SweepPlan::sets(std::string_view key) const {
  return std::any_of(keys_.begin(), keys_.end(),
                     [&](const GridKey& one) { return one.spec->key == key; });
}

std::vector<std::string> SweepPlan::varied_keys() const {
  std::vector<std::string> list;
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (grid_.is_varied(i)) list.push_back(grid_.keys()[i]);
  }
  return list;
}

std::vector<std::string> SweepPlan::varied_values(std::uint64_t index) const {
  std::vector<std::string> list;
  std::vector<std::string> texts = values(index);
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (grid_.is_varied(i)) list.push_back(std::move(texts[i]));
  }
  return list;
}

std::vector<PlotKey> SweepPlan::plot_keys() const {
  std::vector<PlotKey> list;
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (!grid_.is_varied(i)) continue;
    PlotKey& key = list.emplace_back();
    key.name = grid_.keys()[i];
    for (std::uint64_t value = 0; value < keys_[i].values.size(); ++value) {
      const std::string text = settled_text(*keys_[i].spec, keys_[i].values.at(value), has_names_);
      const bool is_again =
          is_zipped(i) && std::find(key.values.begin(), key.values.end(), text) != key.values.end();
      if (!is_again) key.values.push_back(text);
    }
  }
  return list;
}

bool SweepPlan::is_zipped(std::size_t key) const {
  for (std::size_t other = 0; other < keys_.size(); ++other) {
    if (other != key && grid_.are_zipped(other, key)) return true;
  }
  return false;
}

std::vector<std::vector<std::string>> SweepPlan::zipped_keys() const {
  std::vector<std::vector<std::string>> list;
  std::vector<bool> is_listed(keys_.size());
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (is_listed[i] || !grid_.is_varied(i) || !is_zipped(i)) continue;
    std::vector<std::string>& together = list.emplace_back();
    for (std::size_t other = i; other < keys_.size(); ++other) {
      if (!grid_.are_zipped(i, other) || !grid_.is_varied(other)) continue;
      is_listed[other] = true;
      together.push_back(grid_.keys()[other]);
    }
  }
  return list;
}

std::string SweepPlan::fixed_in_words() const {
  std::string words;
  const std::vector<std::string> texts = values(0);
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (grid_.is_varied(i)) continue;
    words +=
        fmt::format("{}{} {}", words.empty() ? "" : ", ", keys_[i].spec->key, shown_path(texts[i]));
  }
  return words;
}

}  // namespace allport
