// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/options/options.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/quote.h"
#include "rtl_model/router/router_parts.h"
#include "rtl_model/tables/make_table.h"
#include "testbench/plan/place_values.h"
#include "testbench/show/timeline/timeline_format.h"

namespace allport {

namespace {

using Text = std::string_view;
using Words = std::vector<std::string_view>;

Words all_word() { return {"all"}; }
Words node_choice_words() { return {"all", "random:"}; }
Words wave_on_words() { return {"contention", "deadlock", "message:", "slowest"}; }
Words explain_words() { return {"all", "slowest:", "message:"}; }

WaveOn parse_wave_on(std::string_view text, const Topology* topology) {
  constexpr std::string_view contention = "contention:";
  constexpr std::string_view message = "message:";
  if (text == "deadlock") return {WaveOn::Kind::deadlock};
  if (text == "slowest") return {WaveOn::Kind::slowest};
  if (text == "contention") return {WaveOn::Kind::contention};
  if (text.substr(0, contention.size()) == contention) {
    const std::string_view number = text.substr(contention.size());
    return {WaveOn::Kind::contention, parse_count(number, {1, 1'000'000'000})};
  }
  if (text.substr(0, message.size()) == message) {
    const auto name = parse_message(text.substr(message.size()), topology);
    if (name) return {WaveOn::Kind::message, 1, *name};
  }
  throw std::invalid_argument(
      in_quotes(text) +
      " must be contention:N, deadlock, slowest, or a message by sender, receiver and place in the sender's program, such as message:5>9#0");
}

void set_algorithms(Options& options, Text text) {
  options.algorithms.clear();
  for (const Text name : parse_list(text)) options.algorithms.push_back(&find_algorithm(name));
}

void set_wave_nodes(Options& options, Text text) {
  options.observe.wave_nodes.clear();
  if (text == "all") return;
  options.observe.wave_nodes = parse_nodes(text, options.run.fabric.topology.get());
}

std::string table_file(Text text) {
  if (text == "-") throw std::invalid_argument("'-' must be the name of a file");
  return parse_path(text);
}

void set_explain(Options& options, Text text) {
  const ExplainRequest parsed = parse_explained(text, options.run.fabric.topology.get());
  ExplainRequest& request = options.run.explain;
  request.causes = true;
  request.listed = parsed.listed;
  request.message = parsed.message;
}

// All messages, unless --explain says which.
void set_messages(Options& options, Text text) {
  options.observe.messages = table_file(text);
  options.run.explain.causes = true;
  if (options.run.explain.listed == 0) options.run.explain.listed = ExplainRequest::all;
}

void set_channel_load(Options& options, Text text) {
  options.observe.channel_load = table_file(text);
  options.run.explain.channels = true;
}

void set_timeline(Options& options, Text text) {
  const std::string path = parse_path(text);
  if (!timeline_format(path)) {
    throw std::invalid_argument(shown_path(path) + ": the name must end in .pftrace, .ftr or .csv");
  }
  options.observe.timeline = path;
  options.run.explain.movement = true;
}

// A picture of a run needs the causes of its latencies and the movement of its messages.
void set_report(Options& options, Text text) {
  options.observe.report = page_file(text);
  options.run.explain.causes = true;
  options.run.explain.movement = true;
}

void set_rtl(Options& options, Text text) {
  options.cosim.files.clear();
  if (text == project_router) return;
  for (const Text file : parse_list(text)) options.cosim.files.emplace_back(file);
}

Words ours_word() { return {project_router}; }

void add_words(std::vector<std::string>& list, Text text) {
  for (const Text word : parse_list(text)) list.emplace_back(word);
}

// An option of a run, as one of the program.
OptionSpec of_run(const RunOption& option) {
  OptionSpec spec{option.table, option.key,
                  option.value, option.default_text(),
                  option.help,  [&option](Options& o, Text t) { option.field.set(o.run, t); }};
  if (!option.field.words.empty()) {
    spec.words = [&option] { return option.field.words; };
  }
  spec.uses = option.uses;
  return spec;
}

OptionSpec read_by(unsigned uses, OptionSpec spec) {
  spec.uses = uses;
  return spec;
}

// Those that do not say who reads them are read by `uses`.
std::vector<OptionSpec> read_by_default(unsigned uses, std::vector<OptionSpec> specs) {
  for (OptionSpec& spec : specs) {
    if (spec.uses == 0) spec.uses = uses;
  }
  return specs;
}

// Where results go, and what is observed.
std::vector<OptionSpec> outputs() {
  constexpr unsigned runs = use::run | use::cosim | use::explain;
  std::vector<OptionSpec> specs = read_by_default(
      runs | use::replay,
      {
          read_by(use::all & ~use::sweep & ~use::schedule & ~use::network,
                  {"observe", "json", "FILE", "", "write the results as JSON; - is stdout",
                   [](Options& o, Text t) { o.observe.json = parse_path(t); }}),
          read_by(
              runs | use::compare | use::replay,
              {"observe", "explain", "WHAT", "",
               "give every cycle of every latency its cause; messages listed in the JSON: all, slowest:N or one, message:5>9#0",
               set_explain, explain_words}),
          read_by(runs | use::tasks,
                  {"observe", "messages", "FILE", "",
                   "write the cycles of every message and their causes as CSV", set_messages}),
          {"observe", "channel_load", "FILE", "",
           "write what each channel does in every cycle as CSV: used, lost, no_credit, empty, idle",
           set_channel_load},
          {"observe", "every", "CYCLES", "one stretch",
           "--channel-load sums up the run in stretches of this length",
           [](Options& o, Text t) {
             o.run.explain.every = parse_integer(t, {1, limits::cycles.high});
           }},
          read_by(
              runs | use::tasks | use::network,
              {"observe", "timeline", "FILE", "",
               "write who did what when: FILE.pftrace for ui.perfetto.dev, FILE.ftr for Surfer, FILE.csv a table",
               set_timeline}),
          read_by(runs | use::compare | use::tasks,
                  {"observe", "report", "FILE", "",
                   "write a page for a browser that shows and explains the run: FILE.html",
                   set_report}),
          {"observe", "deadlock", "FILE", "",
           "draw a deadlock, if there is one: FILE.dot, or FILE.svg or FILE.png by Graphviz",
           [](Options& o, Text t) { o.observe.deadlock = parse_path(t); }},
          read_by((runs & ~use::cosim) | use::tasks,
                  {"observe", "threads", "N", "1",
                   "threads that simulate together, 1..256; the results are the same",
                   [](Options& o, Text t) {
                     o.run.threads = static_cast<int>(parse_integer(t, {1, RouterParts::most}));
                   }}),
          read_by(
              runs | use::compare | use::replay,
              {"observe", "strict", "", "", "a contention event makes the run fail (exit status 1)",
               [](Options& o, Text t) { o.observe.strict = parse_flag(t); }}),
          read_by(runs | use::replay | use::network,
                  {"observe", "wave", "FILE", "", "write waves: FILE.vcd or FILE.fst",
                   [](Options& o, Text t) { o.observe.wave = parse_path(t); }}),
          read_by(runs | use::replay | use::network,
                  {"observe", "wave_nodes", "NODES", "all",
                   "nodes in the waves: all, or a list such as 0,5", set_wave_nodes, all_word}),
          read_by(
              runs | use::replay | use::network,
              {"observe", "wave_from", "CYCLE", "0", "first cycle in the waves",
               [](Options& o, Text t) { o.observe.wave_from = parse_integer(t, limits::cycles); }}),
          read_by(
              runs | use::replay | use::network,
              {"observe", "wave_to", "CYCLE", "end", "last cycle in the waves",
               [](Options& o, Text t) { o.observe.wave_to = parse_integer(t, limits::cycles); }}),
          {"observe", "wave_on", "WHAT", "",
           "record only a finding, in a second run: contention:N, deadlock, message:5>9#0 or slowest",
           [](Options& o, Text t) {
             o.observe.wave_on = parse_wave_on(t, o.run.fabric.topology.get());
           },
           wave_on_words},
          {"observe", "wave_margin", "CYCLES", "50",
           "cycles recorded before and after that finding",
           [](Options& o, Text t) { o.observe.wave_margin = parse_integer(t, limits::cycles); }},
      });
  for (OptionSpec& spec : specs) spec.is_output = true;
  return specs;
}

OptionSpec repeated(OptionSpec spec, char letter = 0) {
  spec.may_repeat = true;
  spec.letter = letter;
  return spec;
}

// Routers in RTL.
std::vector<OptionSpec> rtl_options() {
  std::vector<OptionSpec> specs = read_by_default(
      use::run | use::cosim | use::compare | use::sweep,
      {
          read_by(
              use::cosim,
              {"model", "rtl_nodes", "SET", "all",
               "nodes whose routers are RTL: all, a list such as 5,9, or random:F, a share drawn by the seed",
               [](Options& o, Text t) {
                 o.cosim.nodes = parse_node_choice(t, o.run.fabric.topology.get());
               },
               node_choice_words}),
          {"model", "rtl", "FILE,..", "ours",
           "SystemVerilog files of a router of your own (docs/bring-your-own-router.md)", set_rtl,
           ours_word},
          repeated({"model", "file_list", "FILE,..", "",
                    "more of its files, and options of Verilator, one a line as in its own -f FILE",
                    [](Options& o, Text t) { add_words(o.cosim.lists, t); }},
                   'f'),
          repeated({"model", "include", "FOLDER,..", "",
                    "folders in which the files that it includes are",
                    [](Options& o, Text t) { add_words(o.cosim.includes, t); }}),
          repeated({"model", "define", "NAME[=VALUE],..", "", "macros that are defined for it",
                    [](Options& o, Text t) {
                      for (auto& one : parse_macros(t)) o.cosim.defines.push_back(std::move(one));
                    }}),
          {"model", "top", "NAME", "name of its last file", "top module of that router",
           [](Options& o, Text t) { o.cosim.top = parse_module(t); }},
          repeated({"model", "parameter", "K=V,..", "",
                    "parameters of the top module, in addition to those of the contract",
                    [](Options& o, Text t) {
                      for (auto& one : parse_assignments(t)) {
                        o.cosim.parameters.push_back(std::move(one));
                      }
                    }}),
          {"model", "declaration", "FILE", "",
           "TOML file that says what this router has, where its top has no parameters for that",
           [](Options& o, Text t) { o.cosim.declaration = parse_path(t); }},
          read_by(use::cosim, {"model", "all_topologies", "", "",
                               "try a router of your own on every topology that it declares",
                               [](Options& o, Text t) { o.cosim.all_topologies = parse_flag(t); }}),
          read_by(
              use::cosim,
              {"model", "lockstep", "", "",
               "compare it with the SystemC router too if a hop takes, or may take, several cycles",
               [](Options& o, Text t) { o.cosim.lockstep = parse_flag(t); }}),
          read_by(use::cosim,
                  {"model", "difference_wave", "FILE", "",
                   "the waves of a difference: FILE.fst; without --rtl cosim-difference.fst",
                   [](Options& o, Text t) { o.cosim.difference_wave = parse_path(t); }}),
          {"model", "rtl_timeout", "SECONDS", "60",
           "give up on a router of your own when one clock edge takes longer",
           [](Options& o, Text t) {
             o.cosim.timeout = std::chrono::seconds(parse_integer(t, {1, 86400}));
           }},
          read_by(use::cosim,
                  {"model", "assertions", "", "", "check the assertions of the RTL in every cycle",
                   [](Options& o, Text t) { o.cosim.assertions = parse_flag(t); }}),
      });
  for (OptionSpec& spec : specs) spec.is_output = spec.key == "difference_wave";
  return specs;
}

// Several options have a place among those of another kind.
void insert_before(std::vector<OptionSpec>& specs, std::string_view key, OptionSpec spec) {
  const auto place = std::find_if(specs.begin(), specs.end(),
                                  [key](const OptionSpec& one) { return one.key == key; });
  specs.insert(place, std::move(spec));
}

std::vector<OptionSpec> all_options() {
  std::vector<OptionSpec> observed = outputs();
  std::vector<OptionSpec> table;
  for (const RunOption& option : run_options()) {
    if (option.table != "observe") {
      table.push_back(of_run(option));
    } else {
      insert_before(observed, option.key == "model" ? "" : "wave", of_run(option));
    }
  }
  insert_before(
      table, "embed",
      read_by(use::compare | use::steps,
              {"traffic", "algorithms", "NAME,..", "all that apply",
               "algorithms, in the order of the output", set_algorithms, algorithm_names}));
  for (const auto& part : {observed, rtl_options()}) {
    table.insert(table.end(), part.begin(), part.end());
  }
  return table;
}

}  // namespace

const std::vector<OptionSpec>& option_table() {
  static const std::vector<OptionSpec> table = all_options();
  return table;
}

bool takes_list(const OptionSpec& spec) {
  static const Words others{"link_delay", "link_width", "place"};  // one value is usual
  return spec.value.find(',') != Text::npos || spec.value == "NODES" || spec.value == "SET" ||
         spec.value == "LINKS" || std::find(others.begin(), others.end(), spec.key) != others.end();
}

bool takes_number(const OptionSpec& spec) {
  static const Words numbers{"K",     "N",     "R",    "Q",   "B",      "T",
                             "S",     "F",     "L",    "L2",  "CYCLES", "CYCLE",
                             "FLITS", "BYTES", "RATE", "GHZ", "SECONDS"};
  return std::find(numbers.begin(), numbers.end(), spec.value) != numbers.end();
}

std::vector<std::string> files_read(const OptionSpec& spec, const std::string& text) {
  static const Words may_be_files{"place",         "group",         "groups",
                                  "missing_links", "missing_nodes", "flit_errors"};
  if (spec.is_output || text.empty()) return {};
  const auto rest_behind = [&text](Text word) {
    const bool has_it = text.compare(0, word.size(), word) == 0 && text.size() > word.size();
    return has_it ? text.substr(word.size()) : std::string();
  };
  if (spec.key == "job") return {text.substr(0, text.find('@'))};
  if (spec.value == "FILE,..") {
    std::vector<std::string> files;
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      if (end > begin) files.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
    return files;
  }
  const bool may_be = !spec.table.empty() && std::find(may_be_files.begin(), may_be_files.end(),
                                                       spec.key) != may_be_files.end();
  const bool is_list = spec.key == "place" && is_list_of_places(text);
  std::string file;
  if ((spec.value == "FILE" || may_be) && !is_list) {
    file = text;
  } else if (spec.key == "topology") {
    file = rest_behind("graph:");
  } else if (spec.key == "routing") {
    file = rest_behind("table:");
    if (is_table_rule(file)) file.clear();
  }
  return file.empty() ? std::vector<std::string>{} : std::vector<std::string>{file};
}

OptionSpec as_output(OptionSpec spec) {
  spec.is_output = true;
  return spec;
}

const std::vector<std::string_view>& custom_router_keys() {
  static const Words keys = [] {
    Words list;
    for (const OptionSpec& spec : option_table()) {
      const bool is_own = spec.table == "model" && (spec.uses & use::run) != 0;
      if (is_own && spec.key != "rtl") list.push_back(spec.key);
    }
    return list;
  }();
  return keys;
}

const OptionSpec& option_named(std::string_view key) {
  return *std::find_if(option_table().begin(), option_table().end(),
                       [key](const OptionSpec& spec) { return spec.key == key; });
}

OptionList options_read_by(unsigned uses) {
  OptionList list;
  for (const OptionSpec& spec : option_table()) {
    if ((spec.uses & uses) != 0) list.push_back(&spec);
  }
  return list;
}

}  // namespace allport
