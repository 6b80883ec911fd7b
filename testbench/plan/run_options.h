// SPDX-License-Identifier: Apache-2.0
// The options of a run are rows. Each says what its option is called, what it may be, what it means
// and which field of a RunRequest it sets and reads; its default is that of the field. The command
// line, scenario and grid files, help, completion, the configuration of results with its schema,
// and what was given all follow from the rows.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "rtl_model/base/range.h"
#include "testbench/plan/run_request.h"
#include "testbench/results/json.h"

namespace allport {

/// Who reads an option, as a set of bits: an option that nobody would obey is refused. `planning`
/// is for what changes a plan, `simulations` for what changes only how it goes; `tasks`, `fit` and
/// `network` are for what holds for ranks, for measured pairs of nodes and for fabrics that are
/// driven.
namespace use {
constexpr unsigned run = 1;
constexpr unsigned cosim = 2;
constexpr unsigned explain = 4;
constexpr unsigned sweep = 8;
constexpr unsigned compare = 16;
constexpr unsigned check = 32;
constexpr unsigned schedule = 64;
constexpr unsigned show = 128;
constexpr unsigned steps = 256;
constexpr unsigned fit = 512;
constexpr unsigned program = 1024;
constexpr unsigned replay = 2048;
constexpr unsigned network = 4096;
constexpr unsigned all = 8191;
constexpr unsigned runs = run | cosim | explain | sweep;
constexpr unsigned simulations = runs | compare;
constexpr unsigned tasks = program | replay;
constexpr unsigned planning = simulations | check | schedule;
}  // namespace use

/// What an option is to a request.
struct OptionField {
  /// Reads the text into the request; throws std::invalid_argument as option_values.h does.
  std::function<void(RunRequest&, std::string_view text)> set;
  /// What the request has, as the command line would have it: a number, a word, a list of them or
  /// a flag; null: nothing.
  std::function<Json(const RunRequest&)> get;
  /// The words that the value may be, or begin with; empty: it is not a word.
  std::vector<std::string_view> words{};
  /// The numbers that it may be.
  std::optional<Range> range{};
};

/// Where the configuration of results tells of an option.
enum class Told {
  as_asked,          ///< in the words of the user, if it was given and nothing else tells it
  where_it_differs,  ///< by itself, unless it has its default
  always,            ///< by itself
};

struct RunOption {
  std::string_view table;  ///< its table in a scenario
  std::string_view key;    ///< its name in a scenario; the command line has dashes for underscores
  /// Placeholder of its value in help, for a list `NAME,..`, `NODES` or `SET`; empty: a flag.
  std::string_view value;
  std::string_view help;
  OptionField field;
  unsigned uses = use::simulations;
  Told told = Told::as_asked;
  /// The default in words, where the field alone does not tell it.
  std::string_view default_words{};
  /// The option behind which the configuration tells of it; empty: the one before it here.
  std::string_view told_behind{};

  /// The default as help shows it; empty: there is none.
  std::string default_text() const;
};

/// All of them, by table.
const std::vector<RunOption>& run_options();

/// The keys of the options whose values in `request` are not their defaults.
std::set<std::string_view> given_keys(const RunRequest& request);

/// The names that a user may choose.
std::vector<std::string_view> algorithm_names();
std::vector<std::string_view> pattern_names();
std::vector<std::string_view> preset_names();

}  // namespace allport
