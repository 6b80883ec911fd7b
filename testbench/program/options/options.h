// SPDX-License-Identifier: Apache-2.0
// The options of the program: one struct that holds their values, one table that says what each is
// called, what it may be and what it means. Command line, scenario files, help and completion all
// read the table.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "rtl_model/base/words.h"
#include "rtl_model/topology/routing.h"
#include "rtl_model/topology/switching.h"
#include "testbench/program/options/option_values.h"
#include "testbench/program/options/sweep_options.h"
#include "traffic/algorithms/algorithms.h"
#include "traffic/planning/machine_preset.h"

namespace allport {

/// Values as given, each within its own range; what depends on the fabric is checked later.
struct Options {
  // [fabric]
  std::shared_ptr<const Topology> topology;  ///< none: not given
  std::optional<RoutingOrder> routing;       ///< none: the topology's default
  std::optional<int> ports;                  ///< internal ports; none: all
  // [router]
  int vcs = 0;  ///< 0: the topology's default
  int buffer_depth = 4;
  int link_delay = 0;
  int replication_delay = 0;
  Switching switching = Switching::wormhole;
  // [message]
  int flits = 16;
  std::size_t bytes = 0;  ///< 0: the message is given in flits
  int flit_bytes = 4;
  int pieces = 1;      ///< of a multicast; 0: as many as are best
  int flits_long = 0;  ///< of a pattern's long messages; 0: there are none
  double long_fraction = 0;
  // [node]
  Cycle ts = 0;
  Cycle tr = 0;
  Cycle jitter = 0;
  std::optional<Cycle> barrier;
  bool barrier_messages = false;
  const MachinePreset* preset = nullptr;  ///< whose parameters are the defaults; null: none
  // [traffic]
  const Algorithm* algorithm = nullptr;
  std::vector<const Algorithm*> algorithms;  ///< of steps and compare; empty: all that apply
  StepRule step_rule = StepRule::naive;
  std::shared_ptr<const Topology> embed;  ///< the algorithm is planned on; none: the fabric itself
  Operation collective = Operation::bcast;  ///< of a schedule whose unicasts carry blocks
  std::string schedule;                     ///< file, or - for stdin; empty: none
  std::string pattern;                      ///< empty: none
  double rate = 0;
  Cycle cycles = 0;
  Cycle warmup = 0;
  std::vector<NodeNumber> hotspots{NodeNumber{}};
  double hotspot_fraction = 0.1;
  std::vector<NodeNumber> sources{NodeNumber{}};
  DestinationChoice destinations;
  std::size_t trials = 1;
  std::uint64_t seed = 1;
  // [observe]
  std::string json;          ///< empty: none
  std::string channel_load;  ///< file; empty: none
  std::string deadlock;      ///< file of its drawing; empty: none
  bool strict = false;
  std::string wave;                    ///< empty: none
  std::vector<NodeNumber> wave_nodes;  ///< empty: all
  Cycle wave_from = 0;
  std::optional<Cycle> wave_to;
  std::string model = "systemc";
  // of cosim
  NodeChoice rtl_nodes;          ///< whose routers are RTL
  std::vector<std::string> rtl;  ///< files of a router of one's own; empty: the twin
  std::string top;               ///< its top module
  std::vector<std::pair<std::string, std::string>> parameters;  ///< of the RTL, beside the kit's
  bool assertions = false;
  bool all_topologies = false;
  // of single commands
  std::vector<std::string> required_checks;      ///< check; empty: all
  std::vector<std::size_t> sizes;                ///< steps, fit; empty: all, a choice
  std::string csv;                               ///< fit; empty: none
  std::string plot;                              ///< fit; empty: none
  std::optional<std::size_t> step_trials = 100;  ///< steps; none: exhaustive
  std::vector<std::string> cases;                ///< bench; empty: all
  std::vector<std::string> bench_models;         ///< bench; empty: all
  bool instructions = false;                     ///< bench
  SweepOptions sweep;

  std::set<std::string_view> given;  ///< keys of the options that were given
  bool is_given(std::string_view key) const { return given.count(key) != 0; }
};

/// Most trials of a run; beyond lie the generators of the patterns.
constexpr std::size_t max_trials = std::size_t{1} << 20;

struct OptionSpec {
  std::string_view table;  ///< of a scenario; empty: command line only
  std::string_view key;    ///< in a scenario; on the command line with dashes for underscores
  std::string_view value;  ///< its place holder in help; empty: a flag
  std::string_view default_value;
  std::string_view help;
  /// Reads the text into the options; throws std::invalid_argument as option_values.h does.
  void (*set)(Options&, std::string_view text);
  /// The words it may be, for completion; null: not a matter of words.
  std::vector<std::string_view> (*words)() = nullptr;
  bool may_repeat = false;  ///< on the command line; each adds to those before it
};

/// Keys of the options that only cosim has.
std::vector<std::string_view> cosim_keys();
/// Keys of the options that say more of a pattern, and mean nothing without one.
const std::vector<std::string_view>& pattern_keys();

/// All options that have a table, by table.
const std::vector<OptionSpec>& option_table();

using OptionList = std::vector<const OptionSpec*>;

/// The options with these keys, in the order of the table.
OptionList options_named(const std::vector<std::string_view>& keys);
/// All options of the table but those with these keys.
OptionList options_without(const std::vector<std::string_view>& keys);

/// Names to choose from.
std::vector<std::string_view> algorithm_names();
std::vector<std::string_view> pattern_names();
std::vector<std::string_view> preset_names();

}  // namespace allport
