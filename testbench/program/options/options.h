// SPDX-License-Identifier: Apache-2.0
// The options of the program are one struct that holds their values, and one table that says what
// each is called, what it may be and what it means. Command line, scenario files, help and
// completion all read the table.
#pragma once

#include <any>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "rtl_model/base/words.h"
#include "testbench/plan/coherence.h"
#include "testbench/plan/option_values.h"
#include "testbench/plan/rtl_request.h"
#include "testbench/plan/run_options.h"
#include "testbench/plan/run_request.h"
#include "testbench/program/options/sweep_options.h"
#include "testbench/simulation/wave_on.h"

namespace allport {

/// Where the results of a run go, and what is observed.
struct ObserveOptions {
  std::string heading;                 ///< first line of the report; empty: none
  std::string json;                    ///< file; empty: none
  std::string channel_load;            ///< file; empty: none
  std::string messages;                ///< file; empty: none
  std::string timeline;                ///< file; empty: none
  std::string report;                  ///< file of an HTML page; empty: none
  std::string deadlock;                ///< file of a deadlock's drawing; empty: none
  bool strict = false;                 ///< whether a contention event makes the run fail
  std::string wave;                    ///< file; empty: none
  std::vector<NodeNumber> wave_nodes;  ///< nodes in the waves; empty: all
  Cycle wave_from = 0;                 ///< first cycle in the waves
  std::optional<Cycle> wave_to;        ///< last cycle in the waves; none: the end of the run
  std::optional<WaveOn> wave_on;       ///< finding that the waves show; none: the whole run
  Cycle wave_margin = 50;              ///< cycles in the waves before and after that finding
};

/// The values of the options, each within its own range; plan() checks what depends on the fabric.
struct Options {
  RunRequest run;
  std::vector<const Algorithm*>
      algorithms;  ///< algorithms of steps and compare; empty: all that apply
  ObserveOptions observe;
  RtlRequest cosim;
  SweepOptions sweep;

  std::set<std::string_view> given;  ///< keys of the options that were given
  bool is_given(std::string_view key) const { return given.count(key) != 0; }

  /// The values of the options that only one command has, in a struct of that command's file.
  template <class Own>
  Own& of_command() {
    return own_.has_value() ? std::any_cast<Own&>(own_) : own_.emplace<Own>();
  }
  template <class Own>
  Own of_command() const {
    return own_.has_value() ? std::any_cast<const Own&>(own_) : Own{};
  }

 private:
  std::any own_;
};

struct OptionSpec {
  std::string_view table;  ///< its table in a scenario; empty: command line only
  std::string_view key;    ///< its name in a scenario; the command line has dashes for underscores
  /// Placeholder of its value in help, for a list `NAME,..`, `NODES` or `SET`; empty: a flag.
  std::string_view value;
  std::string default_value;
  std::string_view help;
  /// Reads the text into the options; throws std::invalid_argument as option_values.h does.
  std::function<void(Options&, std::string_view text)> set;
  /// The words that the value may be, for completion; null: the value is not a word.
  std::function<std::vector<std::string_view>()> words = nullptr;
  bool may_repeat =
      false;          ///< whether the command line may give it several times, each adding a value
  char letter = 0;    ///< its short form on the command line; 0: none
  unsigned uses = 0;  ///< who reads it, if it is in a table (testbench/plan/run_options.h)
  /// Whether it determines no result: it says what is written and what becomes of it. All others
  /// name a run (RunRequest::asked).
  bool is_output = false;
  /// What its name alone on a command line stands for; empty: it needs a value.
  std::string_view bare = {};
};

/// Whether the value of the option may be a list, with commas.
bool takes_list(const OptionSpec& spec);
/// Whether the value is a number, or a word in place of one; told by its placeholder.
bool takes_number(const OptionSpec& spec);
/// The files that are read if the option has the value `text`, or may be: a name may be a word.
std::vector<std::string> files_read(const OptionSpec& spec, const std::string& text);
/// The option as one that says where results go.
OptionSpec as_output(OptionSpec spec);

/// The value of --rtl for the project's router.
constexpr std::string_view project_router = "ours";
/// Keys of the options about a router of one's own other than `rtl`, for every command that runs
/// one.
const std::vector<std::string_view>& custom_router_keys();

/// All options that have a table, by table.
const std::vector<OptionSpec>& option_table();

using OptionList = std::vector<const OptionSpec*>;

/// The option with this key, which must be in a table.
const OptionSpec& option_named(std::string_view key);
/// The options that somebody of `uses` reads (testbench/plan/run_options.h), in the order of the
/// table.
OptionList options_read_by(unsigned uses);

}  // namespace allport
