// SPDX-License-Identifier: Apache-2.0
// `allport network` is a network that another program drives, by lines on stdin and stdout.
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "testbench/files/read_once.h"
#include "testbench/network/flits/flit_network.h"
#include "testbench/network/network_lines.h"
#include "testbench/network/network_options.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/commands/outputs.h"
#include "testbench/program/commands/trial_outputs.h"
#include "testbench/program/options/command_files.h"
#include "testbench/program/options/options.h"
#include "testbench/program/options/options_read.h"
#include "testbench/program/terminal/exit_status.h"

namespace allport {

namespace {

struct NetworkOptions {
  NetworkRequest own;  // nothing but what runs have not
};

// The options of a network that runs have not.
const std::vector<OptionSpec>& own_options() {
  static const std::vector<OptionSpec> options = [] {
    std::vector<OptionSpec> all;
    for (const NetworkOption& option : own_network_options) {
      const bool is_flag = option.is_flag();
      all.push_back({"", option.key, is_flag ? "" : "FLITS", is_flag ? "" : "none", option.help,
                     [&option](Options& options, std::string_view text) {
                       option.set(options.of_command<NetworkOptions>().own, text);
                     }});
    }
    return all;
  }();
  return options;
}

// Reads a line of stdin without its end, of which a long one keeps its first bytes. False: there is
// none; `is_torn`: the input ends within it.
bool read_line(std::string& line, bool& is_torn) {
  line.clear();
  for (int byte = std::getc(stdin); byte != '\n'; byte = std::getc(stdin)) {
    if (byte == EOF) {
      is_torn = !line.empty();
      return is_torn;
    }
    if (line.size() <= NetworkLines::longest) line.push_back(static_cast<char>(byte));
  }
  return true;
}

// Commands come from stdin, so no option may name it.
void require_stdin_for_commands(const Settings& settings) {
  for (const Setting& one : settings) {
    for (const std::string& file : files_read(*one.spec, one.text)) {
      if (read_once(file) != "stdin") continue;
      throw std::invalid_argument(one.name() +
                                  ": it is stdin, from which the commands are read; give a file");
    }
  }
}

NetworkRequest request_of(const Options& options) {
  NetworkRequest request = network_request(options.run);
  const NetworkRequest& own = options.of_command<NetworkOptions>().own;
  for (const NetworkOption& option : own_network_options) option.copy(own, request);
  request.explain = request.explain || !options.observe.timeline.empty();
  if (!options.observe.wave.empty() && request.model != Model::systemc) {
    throw std::invalid_argument(
        "--wave: worms have no signals to show; give --model systemc, which has");
  }
  const std::optional<WaveOptions> wave = wave_options(options, *request.fabric.topology);
  if (wave) request.wave = NetworkWave{wave->path, wave->nodes, wave->from, wave->to};
  return request;
}

// Ends when one of the two ends is closed; stdout that cannot be written is told by the program.
void obey(NetworkLines& lines) {
  std::string line;
  bool is_torn = false;
  while (!is_torn && read_line(line, is_torn)) {
    const std::string answer = is_torn ? lines.answer_torn() : lines.answer(line);
    if (answer.empty()) continue;
    std::fputs((answer + "\n").c_str(), stdout);
    if (std::fflush(stdout) != 0) break;
  }
}

int network(const Invocation& given) {
  require_stdin_for_commands(given.settings);
  Options options = merge({}, given.settings);
  require_seed_is_read(options, "network");
  require_own_files(options);
  if (!options.is_given("model")) options.run.model = Model::worm;
  const NetworkRequest request = request_of(options);
  NetworkLines lines(request.model == Model::systemc ? flit_network(request) : Network(request));
  Network& driven = lines.network();
  TimelineOutput timeline(options, driven.topology());
  obey(lines);
  Outputs outputs;
  if (request.wave) outputs.attempt([&] { driven.finish_wave(); });
  if (timeline.is_wanted()) {
    driven.show([&](const ShownTrial& trial) { timeline.write(trial); });
    outputs.note(timeline.problem());
  }
  const int status = outputs.status(lines.has_failed() ? exit_wrong_use : exit_clean);
  return timeline.is_cut() ? exit_incomplete : status;
}

OptionList network_options() {
  static const OptionSpec model = [] {
    OptionSpec own = option_named("model");
    own.default_value = "worm";
    own.help =
        "which model of the fabric runs: worm (exact), auto, which is the same, or systemc, flit by flit";
    own.words = [] { return std::vector<std::string_view>{"worm", "auto", "systemc"}; };
    return own;
  }();
  OptionList list = options_read_by(use::network);
  for (const OptionSpec*& option : list) {
    if (option->key == "model") option = &model;
  }
  for (const OptionSpec& option : own_options()) list.push_back(&option);
  return list;
}

}  // namespace

Command network_command() {
  Command command;
  command.name = "network";
  command.summary = "a network that another program drives, by lines";
  command.words =
      "Reads commands from stdin, one a line, and answers each on stdout with a line of JSON that has its number. The clock stands still but for advance and advance-to-delivery. A wrong line is answered with an error, a sentence, and changes nothing; the status is then 2. The end of stdin ends it.\n"
      "  send SOURCE DESTINATION BYTES [at CYCLE] [user NUMBER] [class NUMBER] [flits NUMBER]\n"
      "  try-send ..                       the same; id is null if there is no room\n"
      "  send-tree SOURCE BYTES ..         a tree; it may have `free DIMENSIONS`, too\n"
      "  send-deposit .., send-path SOURCE BYTES ..\n"
      "                                    every node on the way has it (systemc)\n"
      "  advance CYCLE                     up to and including the cycle\n"
      "  advance-to-delivery CYCLE         up to the first cycle with a reception\n"
      "  advance-to-event CYCLE            the same, or with room after a try-send that was null\n"
      "  next, now, idle, deadlock, queued NODE [CLASS]\n"
      "  take MESSAGE NODE                 with --reception-limit: the node takes what it has\n"
      "  waits-for NODE CLASS MESSAGE      it takes none of the class before the message is there\n"
      "  lookahead SOURCE DESTINATION, expected SOURCE DESTINATION BYTES\n"
      "  results                           with --record: what a run tells of the messages so far\n"
      "  explain [MESSAGES]                with --explain: the same, and why they took so long;\n"
      "                                    MESSAGES are those of run --explain\n"
      "At the end the files of --timeline, which explains, and --wave are written.";
  command.examples = {
      "printf 'send 0 5 64 at 100\\nadvance 200\\n' | allport network --topology torus:4x4"};
  command.page = "guide/embed.md";
  command.options = network_options();
  command.run = network;
  return command;
}

}  // namespace allport
