// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/options/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <stdexcept>

#include "testbench/files/read_once.h"
#include "testbench/plan/coherence.h"
#include "testbench/plan/cut_off.h"
#include "testbench/plan/place_values.h"
#include "testbench/program/options/value_text.h"

namespace allport {

namespace {

// Options that say what traffic there is; others say what is done with it.
constexpr std::array<std::string_view, 7> traffic_keys = {
    "algorithm", "schedule", "tasks", "pattern", "flows", "collective", "collective_rate"};

bool exclude_each_other(std::string_view a, std::string_view b, const RunContents& contents) {
  return std::any_of(exclusions().begin(), exclusions().end(), [&](const KeyPair& pair) {
    if (contents.lifts(pair)) return false;
    return (pair.first == a && pair.second == b) || (pair.first == b && pair.second == a);
  });
}

bool chooses_traffic(std::string_view key) {
  return std::find(std::begin(traffic_keys), std::end(traffic_keys), key) != std::end(traffic_keys);
}

// Whether an option of the command line drops `key` of the scenario. What it excludes goes, but for
// the traffic, which only other traffic takes the place of.
bool overrules(std::string_view given, std::string_view key, const RunContents& contents) {
  if (given == key) return true;
  return exclude_each_other(given, key, contents) &&
         (chooses_traffic(given) || !chooses_traffic(key));
}

// Whether `algorithm` takes the option `key`, which belongs to algorithms; all take all others.
bool takes(const Algorithm& algorithm, std::string_view key) {
  const Operation operation = algorithm.operation;
  const bool is_multicast = operation == Operation::bcast;
  if (key == "block") return algorithm.takes_block;
  if (key == "chain") return algorithm.takes_chain;
  if (key == "steps") return algorithm.takes_step_rule();
  if (key == "counts") return operation == Operation::alltoall;
  if (key == "address_flits") return algorithm.needs_lists();
  if (key == "join_operation" || key == "join_type") return is_join(algorithm.kind);
  if (key == "pieces") {
    return is_multicast && algorithm.kind == MessageKind::unicast && !algorithm.visits_lists;
  }
  if (key == "parts") {
    return algorithm.own_parts != nullptr || (!is_multicast && operation != Operation::barrier);
  }
  return true;
}

const Setting* find(const Settings& settings, std::string_view key);

// The algorithms of a list of names; what is wrong with the list is told where it is read.
std::vector<const Algorithm*> algorithms_in(std::string_view list) {
  std::vector<const Algorithm*> found;
  for (std::string_view rest = list; !rest.empty();) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    for (const Algorithm& one : algorithms()) {
      if (one.name == rest.substr(0, end)) found.push_back(&one);
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return found;
}

// Whether the command line names other algorithms than the scenario, of which none takes `key`.
bool chooses_against(const Settings& scenario, const Settings& command_line, std::string_view key) {
  for (const char* choice : {"algorithm", "algorithms"}) {
    const Setting* before = find(scenario, choice);
    const Setting* now = find(command_line, choice);
    if (before == nullptr || now == nullptr || before->text == now->text) continue;
    const std::vector<const Algorithm*> chosen = algorithms_in(now->text);
    return !chosen.empty() && std::none_of(chosen.begin(), chosen.end(),
                                           [key](const auto* one) { return takes(*one, key); });
  }
  return false;
}

// A flag that a file sets to false is as good as not given.
bool is_off(const Setting& setting) {
  return setting.spec->value.empty() && setting.text == "false";
}

// Options of single commands, which are in no table, may have the same name.
const Setting* find(const Settings& settings, std::string_view key) {
  const auto found = std::find_if(settings.begin(), settings.end(), [&](const Setting& one) {
    return one.spec->key == key && !one.spec->table.empty() && !is_off(one);
  });
  return found == settings.end() ? nullptr : &*found;
}

// Whether something is missing by an option.
bool is_missing(const Setting* parts) { return parts != nullptr && !draws_none(parts->text); }

NameOf names_in(const Settings& settings) {
  return [&settings](std::string_view key) {
    const Setting* given = find(settings, key);
    return given == nullptr ? std::string() : given->name();
  };
}

RunContents contents_of(const Settings& settings, bool has_ranks) {
  const Setting* const routing = find(settings, "routing");
  const Setting* const topology = find(settings, "topology");
  const bool has_table = (routing != nullptr && routing->text.compare(0, 6, "table:") == 0) ||
                         (topology != nullptr && topology->text.compare(0, 6, "graph:") == 0) ||
                         is_missing(find(settings, "missing_nodes")) ||
                         !is_missing(find(settings, "missing_links")) || routing == nullptr;
  return allport::contents_of(names_in(settings), has_ranks, has_table);
}

// The messages of ranks have lengths of their own.
void require_length_of_pattern(const Settings& settings) {
  for (const char* key : {"flits", "bytes"}) {
    const Setting* length = find(settings, key);
    if (length == nullptr) continue;
    throw std::invalid_argument(fmt::format(
        "{} needs --pattern: it is the length of the messages beside the ranks, and those of ranks have lengths of their own",
        length->name()));
  }
}

void require_coherent(const Settings& settings, bool has_ranks) {
  const RunContents contents = contents_of(settings, has_ranks);
  if (has_ranks && !contents.has_pattern) require_length_of_pattern(settings);
  require_coherent(contents, names_in(settings));
}

using Defaults = std::vector<std::pair<std::string_view, std::string>>;

// The options that a preset has a value for.
Defaults defaults_of(const MachinePreset& preset) {
  Defaults list;
  if (!preset.routing.empty()) list.emplace_back("routing", preset.routing);
  if (preset.replication_delay) {
    list.emplace_back("replication_delay", std::to_string(*preset.replication_delay));
  }
  if (preset.flit_bytes) list.emplace_back("flit_bytes", std::to_string(*preset.flit_bytes));
  if (const auto ts = preset.ts_cycles()) list.emplace_back("ts", std::to_string(*ts));
  return list;
}

// A preset has values for what was not given.
void complete_by_preset(Options& options) {
  if (options.run.node.preset == nullptr) return;
  for (const auto& [key, text] : defaults_of(*options.run.node.preset)) {
    if (!options.is_given(key)) option_named(key).set(options, text);
  }
}

// A preset's order of dimensions is valid on hypercubes only.
void require_preset_routing(const Options& options) {
  if (options.run.fabric.topology == nullptr || options.run.node.preset == nullptr ||
      options.run.node.preset->routing.empty())
    return;
  if (options.run.fabric.topology->is_hypercube() || options.is_given("routing")) return;
  throw std::invalid_argument(fmt::format(
      "--preset {}: it sets {} routing, which only hypercubes have; for {} add --routing {}, or choose another topology",
      options.run.node.preset->name, options.run.node.preset->routing,
      options.run.fabric.topology->name(),
      options.run.fabric.topology->is_graph()
          ? "table:updown"
          : to_string(Routing::default_order(*options.run.fabric.topology))));
}

// Options about a router of one's own need one.
void require_own_router(const Options& options) {
  if (options.cosim.is_own()) {
    if (!options.cosim.top_name().empty()) return;
    throw std::invalid_argument("--file-list needs --top, or --rtl with the file of the top");
  }
  if (options.is_given("rtl") && options.run.model == Model::worm) {
    throw std::invalid_argument(
        "--rtl ours: --model worm runs no routers in RTL; leave --rtl out, or choose --model rtl");
  }
  std::vector<std::string_view> keys = custom_router_keys();
  keys.insert(keys.end(), {"all_topologies", "lockstep"});
  for (const std::string_view key : keys) {
    if (!options.is_given(key)) continue;
    throw std::invalid_argument(
        fmt::format("{} needs --rtl with the files of a router of your own", option_name(key)));
  }
}

// Errors cannot be without what repairs them.
void require_retry(const Options& options, const Settings& settings) {
  if (!options.run.router.errors.hits_flits()) return;
  for (const Setting& one : settings) {
    if (one.spec->key != "retry" || !is_off(one)) continue;
    const std::array<const char*, 3> keys{"flit_errors", "flit_error_rate", "bit_error_rate"};
    const auto* const key = std::find_if(keys.begin(), keys.end(),
                                         [&](const char* each) { return options.is_given(each); });
    if (key == keys.end()) continue;
    throw std::invalid_argument(fmt::format(
        "{}: it is false beside {}, whose errors channels repair by retry; leave one of the two out",
        one.name(), option_name(*key)));
  }
}

void require_read_once(const Settings& settings) {
  std::vector<NamedFile> inputs;
  for (const Setting& one : settings) {
    if (one.spec->key == "job") continue;  // a replay tells its jobs by their files
    for (const std::string& file : files_read(*one.spec, one.text)) {
      inputs.push_back({one.name(), file});
    }
  }
  require_read_once(inputs);
}

// What names the run: the options of the table that determine its result, but for those that have
// their defaults. Several values of one option are one list. What single commands have, which is
// in no table, is told by the tasks that it makes.
std::map<std::string, std::string> asked_for(const Settings& settings) {
  std::map<std::string, std::string> asked;
  const bool has_names = std::any_of(settings.begin(), settings.end(), [](const Setting& one) {
    return one.spec->key == "topology" && one.text.compare(0, 6, "graph:") == 0;
  });
  for (const Setting& one : settings) {
    const std::string_view key = one.spec->key;
    if (one.spec->is_output || one.spec->table.empty() || is_off(one)) continue;
    const std::string value = settled_text(*one.spec, one.text, has_names);
    if (value == one.spec->default_value) continue;
    std::string& text = asked[std::string(key)];
    text += (text.empty() ? "" : ",") + (one.spec->value.empty() ? "true" : value);
  }
  return asked;
}

}  // namespace

std::string Setting::name() const {
  return place.empty() ? option_name(spec->key) : place + std::string(spec->key);
}

Settings remaining(const Settings& scenario, const Settings& command_line) {
  Settings left;
  Settings both = scenario;
  both.insert(both.end(), command_line.begin(), command_line.end());
  const RunContents contents = contents_of(both, false);
  for (const Setting& setting : scenario) {
    const bool is_overruled =
        std::any_of(command_line.begin(), command_line.end(), [&](const Setting& other) {
          return overrules(other.spec->key, setting.spec->key, contents);
        });
    const bool is_kept =
        !is_overruled && !chooses_against(scenario, command_line, setting.spec->key);
    if (is_kept) left.push_back(setting);
  }
  // What needs a setting that has gone goes with it.
  for (const KeyPair& pair : needs()) {
    const bool has_gone = find(scenario, pair.second) != nullptr &&
                          find(left, pair.second) == nullptr &&
                          find(command_line, pair.second) == nullptr;
    if (!has_gone || contents.lifts_need(pair)) continue;
    const auto needs_it = [&](const Setting& setting) { return setting.spec->key == pair.first; };
    left.erase(std::remove_if(left.begin(), left.end(), needs_it), left.end());
  }
  return left;
}

void apply(const Setting& setting, Options& options) {
  try {
    setting.spec->set(options, setting.text);
    options.given.insert(setting.spec->key);
  } catch (const std::invalid_argument& error) {
    const std::string_view what = error.what();
    const std::string option = option_name(setting.spec->key);
    const bool names_itself = what.substr(0, setting.spec->key.size()) == setting.spec->key ||
                              what.substr(0, option.size()) == option;
    const std::string name = names_itself ? setting.place : setting.name() + ": ";
    throw std::invalid_argument(name + std::string(what));
  }
}

namespace {

// What a fabric is made of, in the order in which it is read: nodes are missing from a topology,
// and may be drawn by the seed of the run; with --replan, what the source cannot reach is missing
// from it as well.
std::vector<std::string_view> fabric_keys(const Settings& read) {
  std::vector<std::string_view> keys{"topology", "seed", "replan", "missing_nodes",
                                     "missing_links"};
  if (find(read, "replan") != nullptr) keys.insert(keys.begin() + 3, "source");
  return keys;
}

bool is_one_of(const std::vector<std::string_view>& keys, const Setting& setting) {
  return !setting.spec->table.empty() &&
         std::find(keys.begin(), keys.end(), setting.spec->key) != keys.end();
}

// The fabrics of the options that hold and of those that are overruled come first: nodes have the
// names that these give them. `merged`: what holds of the scenario.
void apply_fabrics(const std::vector<std::string_view>& keys, const Settings& scenario,
                   const Settings& merged, const Settings& command_line, Options& options,
                   Options& overruled) {
  for (const std::string_view key : keys) {
    const Setting* const before = find(scenario, key);
    const Setting* const now = find(command_line, key);
    if (before != nullptr) apply(*before, find(merged, key) != nullptr ? options : overruled);
    if (now != nullptr) apply(*now, options);
    if (overruled.run.fabric.topology == nullptr) overruled.run.fabric = options.run.fabric;
  }
}

}  // namespace

Options merge(const Settings& scenario, const Settings& command_line, bool has_ranks) {
  Settings merged = remaining(scenario, command_line);
  Settings read = merged;
  read.insert(read.end(), command_line.begin(), command_line.end());
  require_read_once(read);  // before any of them is read
  // What the command line overrules is read too, because its mistakes are told.
  Options options;
  Options overruled;
  const std::vector<std::string_view> of_fabric = fabric_keys(read);
  apply_fabrics(of_fabric, scenario, merged, command_line, options, overruled);
  take_out_cut_off(options.run);  // of a graph in several parts, which no option names
  auto left = merged.cbegin();
  for (const Setting& setting : scenario) {
    const bool is_left = left != merged.cend() && left->spec == setting.spec;
    if (!is_one_of(of_fabric, setting)) apply(setting, is_left ? options : overruled);
    if (is_left) ++left;
  }
  if (const Setting* preset = find(command_line, "preset")) apply(*preset, options);
  for (const Setting& setting : command_line) {
    if (setting.spec->key != "preset" && !is_one_of(of_fabric, setting)) apply(setting, options);
  }
  complete_by_preset(options);
  merged.insert(merged.end(), command_line.begin(), command_line.end());
  require_coherent(merged, has_ranks);
  require_preset_routing(options);
  require_hotspots(options.run.traffic.pattern, [&options](std::string_view key) {
    return options.is_given(key) ? option_name(key) : std::string();
  });
  require_own_router(options);
  require_retry(options, merged);
  options.run.asked = asked_for(merged);
  return options;
}

}  // namespace allport
