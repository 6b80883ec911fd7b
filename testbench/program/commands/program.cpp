// SPDX-License-Identifier: Apache-2.0
// `allport program` runs the programs of the papers for real on a machine.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <istream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/fnv1a.h"
#include "rtl_model/base/quote.h"
#include "rtl_model/base/words.h"
#include "testbench/files/output_file.h"
#include "testbench/files/standard_streams.h"
#include "testbench/plan/input_file.h"
#include "testbench/plan/places.h"
#include "testbench/plan/resolve.h"
#include "testbench/processes/interrupt.h"
#include "testbench/program/commands/carry_out.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/commands/outputs.h"
#include "testbench/program/options/command_files.h"
#include "testbench/program/terminal/exit_status.h"
#include "traffic/programs/catalogue.h"

namespace allport {

namespace {

struct ProgramOptions {
  ProgramRequest request;
  int value_bytes = 4;
  bool is_forwarding = true;
  std::uint32_t processors = 0;  // 0: one for each node
  std::string host = "none";
  std::optional<double> host_start_up;  // none: as long as a hop takes
  std::optional<double> host_per_byte;
  std::string input;          // file; empty: random data
  std::string template_file;  // file; empty: a random template
  std::string output;         // file; empty: none
};

using Text = std::string_view;

constexpr auto most_host_cycles = static_cast<double>(limits::node_cycles.high);

ProgramRequest& wanted(Options& options) { return options.of_command<ProgramOptions>().request; }

std::uint32_t size_of(Text text, std::int64_t low, std::int64_t high) {
  return static_cast<std::uint32_t>(parse_count(text, {low, high}));
}

ProgramOptions& own(Options& options) { return options.of_command<ProgramOptions>(); }

std::vector<Text> forward_words() { return {"processors", "network"}; }
std::vector<Text> host_words() { return {"none", "template", "data", "results"}; }

HostUse host_use(Text word) {
  if (word == "template") return HostUse::shared;
  if (word == "data") return HostUse::data;
  return word == "results" ? HostUse::results : HostUse::none;
}

const std::vector<OptionSpec>& program_options() {
  static const std::vector<OptionSpec> table{
      {"", "variant", "NAME", "the first", "version of the program, see `allport program`",
       [](Options& o, Text t) {
         if (t.empty()) throw std::invalid_argument("the name of the version is empty");
         wanted(o).variant = std::string(t);
       }},
      {"", "processors", "P", "the nodes", "ranks that run it, a power of two but for message",
       [](Options& o, Text t) {
         o.of_command<ProgramOptions>().processors = size_of(t, 1, ProblemLimits::ranks);
       }},
      {"", "side", "N", "32", "side of the image, the maze or the cells",
       [](Options& o, Text t) { wanted(o).side = size_of(t, 1, ProblemLimits::side); }},
      {"", "mask", "M", "4", "side of the template",
       [](Options& o, Text t) { wanted(o).mask = size_of(t, 1, ProblemLimits::side); }},
      {"", "row", "US", "0", "microseconds to begin a row of the template at a point of the image",
       [](Options& o, Text t) { wanted(o).row_us = parse_decimal(t, 0, 1e6); }},
      {"", "load", "ITEMS", "100", "mean load of a rank, in items of work",
       [](Options& o, Text t) { wanted(o).load = size_of(t, 0, ProblemLimits::load); }},
      {"", "item_bytes", "BYTES", "as a value", "bytes of an item of work in a message",
       [](Options& o, Text t) {
         wanted(o).item_bytes = static_cast<int>(parse_bytes(t, {1, 1000000}));
       }},
      {"", "objects", "M", "100", "objects of the knapsack",
       [](Options& o, Text t) { wanted(o).objects = size_of(t, 1, ProblemLimits::objects); }},
      {"", "capacity", "C", "30", "capacity of the knapsack",
       [](Options& o, Text t) { wanted(o).capacity = size_of(t, 0, 10000); }},
      {"", "iterations", "K", "10", "iterations of the stencil",
       [](Options& o, Text t) { wanted(o).iterations = size_of(t, 1, 100000); }},
      {"", "blocked", "F", "0.3", "share of the maze's cells that are blocked, 0..1",
       [](Options& o, Text t) { wanted(o).blocked = parse_decimal(t, 0, 1); }},
      {"", "values", "V", "1", "values of the message",
       [](Options& o, Text t) { wanted(o).values = size_of(t, 1, 1000000); }},
      {"", "work", "US", "100",
       "microseconds of g and of each f, or to look at and to label a cell of a maze",
       [](Options& o, Text t) { wanted(o).work_us = parse_decimal(t, 0, 1e9); }},
      {"", "value_bytes", "BYTES", "4", "bytes of a value in a message",
       [](Options& o, Text t) {
         o.of_command<ProgramOptions>().value_bytes = static_cast<int>(parse_bytes(t, {1, 8}));
       }},
      {"", "forward", "WHO", "processors",
       "what takes a message beyond a neighbour: processors, each of which prepares it anew, or the network",
       [](Options& o, Text t) {
         o.of_command<ProgramOptions>().is_forwarding =
             parse_word("way to forward", t, forward_words()) == "processors";
       },
       forward_words},
      {"", "host", "WHAT", "none",
       "what a host does: template (it sends that), data (it sends these too) or results (it gets them too)",
       [](Options& o, Text t) { own(o).host = parse_word("work of a host", t, host_words()); },
       host_words},
      {"", "host_start_up", "CYCLES", "as a hop",
       "start-up of a transfer between the host and a rank",
       [](Options& o, Text t) { own(o).host_start_up = parse_decimal(t, 0, most_host_cycles); }},
      {"", "host_per_byte", "CYCLES", "as a hop", "what each byte adds to such a transfer",
       [](Options& o, Text t) { own(o).host_per_byte = parse_decimal(t, 0, most_host_cycles); }},
      {"", "input", "FILE", "random data",
       "the image (PGM), the maze, the loads or the objects; - is stdin",
       [](Options& o, Text t) { own(o).input = parse_path(t); }},
      {"", "template", "FILE", "random data", "the template, PGM; - is stdin",
       [](Options& o, Text t) { own(o).template_file = parse_path(t); }},
      as_output(
          {"", "output", "FILE", "none",
           "write what was computed; - is stdout; of the template a PGM if the name ends in .pgm",
           [](Options& o, Text t) { own(o).output = parse_path(t); }}),
  };
  return table;
}

// What a file has, and the options of random data that it takes the place of.
constexpr std::array<std::pair<Text, Text>, 5> replaced{{{"input", "side"},
                                                         {"input", "blocked"},
                                                         {"input", "load"},
                                                         {"input", "objects"},
                                                         {"template", "mask"}}};

bool takes(const CatalogueEntry& program, Text key) {
  return std::find(program.takes.begin(), program.takes.end(), key) != program.takes.end();
}

// The options of sizes, files and the host belong to programs; --variant to those that have some.
void require_taken(const CatalogueEntry& program, const Options& options) {
  for (const Text key :
       {"side", "mask", "row", "load", "item_bytes", "objects", "capacity", "iterations", "blocked",
        "values", "work", "input", "template", "output", "host"}) {
    if (takes(program, key) || !options.is_given(key)) continue;
    std::vector<std::string> names;
    for (const Text one : program.takes) names.push_back(option_name(one).substr(2));
    throw std::invalid_argument(fmt::format("{}: the program {} does not take it; it takes {}",
                                            option_name(key), program.name,
                                            fmt::join(names, ", ")));
  }
  for (const auto& [file, size] : replaced) {
    if (!takes(program, size) || !options.is_given(file) || !options.is_given(size)) continue;
    throw std::invalid_argument(
        fmt::format("--{} and --{} exclude each other: the file says it", file, size));
  }
  const std::string& variant = options.of_command<ProgramOptions>().request.variant;
  if (variant.empty()) return;
  if (program.variants.empty()) {
    throw std::invalid_argument(
        fmt::format("--variant {}: the program {} has one version only", variant, program.name));
  }
  parse_word("version", variant, program.variants);
}

// What the host does is one of the words of the program, and its times are for a host.
void require_host(const CatalogueEntry& program, const Options& options) {
  const std::string host = options.of_command<ProgramOptions>().host;
  if (options.is_given("host")) {
    const bool is_known =
        std::find(program.hosts.begin(), program.hosts.end(), host) != program.hosts.end();
    if (!is_known) {
      throw std::invalid_argument(fmt::format("--host {}: of the program {} it is one of {}", host,
                                              program.name, fmt::join(program.hosts, ", ")));
    }
  }
  for (const Text key : {"host_start_up", "host_per_byte"}) {
    if (host != "none" || !options.is_given(key)) continue;
    throw std::invalid_argument(
        fmt::format("{}: there is no host; --host says what it does", option_name(key)));
  }
}

ProblemText text_of(const std::string& path, const std::string& role) {
  ProblemText file;
  if (path.empty()) return file;
  read_input(path, role, [&](std::istream& in, const std::string& name) {
    constexpr std::size_t most = std::size_t{1} << 26;
    file.name = name;
    std::array<char, 1 << 16> piece{};
    while (in.read(piece.data(), piece.size()) || in.gcount() > 0) {
      file.text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
      if (file.text.size() <= most) continue;
      throw std::invalid_argument(
          fmt::format("{}: it has more than {} bytes", shown_path(name), most));
    }
  });
  return file;
}

void read_files(const ProgramOptions& own, ProgramRequest& request) {
  request.input = text_of(own.input, "the file of --input");
  request.template_file = text_of(own.template_file, "the file of --template");
  constexpr Text pgm = ".pgm";
  request.wants_output = !own.output.empty();
  request.wants_picture = own.output.size() >= pgm.size() &&
                          Text(own.output).substr(own.output.size() - pgm.size()) == pgm;
}

// A transfer takes as long as a hop unless options say otherwise.
HostModel host_model(const ProgramOptions& own, const Options& options) {
  const double hop = static_cast<double>(options.run.node.ts) + 1;
  return {own.host_start_up.value_or(hop),
          own.host_per_byte.value_or(cycles_per_byte(options.run.message.flit_bytes))};
}

// The machine is the NCUBE/10 unless a preset chooses another one; options say otherwise.
void use_ncube(Options& options) {
  if (options.run.node.preset != nullptr) return;
  if (!options.is_given("ts")) options.run.node.ts = Ncube::ts;
  if (!options.is_given("flit_bytes")) options.run.message.flit_bytes = Ncube::flit_bytes;
  if (options.run.node.clock_ghz == 0) options.run.node.clock_ghz = 1 / (1000 * Ncube::cycle_us);
}

double cycle_us(const NodeRequest& node) {
  if (node.clock_ghz > 0) return 1 / (1000 * node.clock_ghz);
  if (node.preset != nullptr && node.preset->has_clock()) return *node.preset->cycle_ns / 1000;
  throw std::invalid_argument(fmt::format(
      "--preset {}: the time of a cycle is not stated, and operations take microseconds; give --clock",
      node.preset->name));
}

// Of `ranks` ranks the one whose node is farthest from that of rank 0 by the routes of the run; of
// several, the last.
std::uint32_t farthest_rank(const RunRequest& run, std::uint32_t ranks) {
  const std::shared_ptr<const Topology>& topology = run.fabric.topology;
  const std::vector<NodeId> nodes = nodes_of_ranks(run, topology, nullptr);
  const Routing routing = make_routing(run);
  std::uint32_t farthest = 0;
  for (std::uint32_t rank = 1; rank < ranks; ++rank) {
    const auto hops = [&](std::uint32_t to) { return routing.distance(nodes[0], nodes[to]); };
    if (hops(rank) >= hops(farthest)) farthest = rank;
  }
  return farthest;
}

ProgramRequest request_of(const CatalogueEntry& program, const Options& options) {
  const auto& own = options.of_command<ProgramOptions>();
  const Topology& topology = *options.run.fabric.topology;
  ProgramRequest request = own.request;
  if (request.variant.empty() && !program.variants.empty()) {
    request.variant = program.variants.front();
  }
  const auto nodes = static_cast<std::uint32_t>(topology.node_count());
  request.ranks = own.processors == 0 ? nodes : own.processors;
  if (request.ranks > nodes) {
    throw std::invalid_argument(
        fmt::format("--processors {}: {} has {} nodes", request.ranks, topology.name(), nodes));
  }
  request.farthest = farthest_rank(options.run, request.ranks);
  request.seed = options.run.traffic.seed;
  const NodeRequest& node = options.run.node;
  if (node.preset == nullptr) {
    request.costs =
        Ncube::costs(own.value_bytes, node.ts, cycle_us(node), options.run.message.flit_bytes);
  } else {
    request.costs.cycle_us = cycle_us(node);
    request.costs.value_bytes = own.value_bytes;
  }
  request.host = host_use(own.host);
  request.costs.host = host_model(own, options);
  request.costs.forwards = own.is_forwarding;
  if (!own.is_forwarding) return request;
  if (!topology.is_hypercube()) {
    throw std::invalid_argument("--forward processors: they forward on hypercubes; " +
                                topology.name() + " needs --forward network");
  }
  return request;
}

Json file_json(const ProblemText& file) {
  Fnv1a digest;
  digest.add(file.text);
  return {{"bytes", file.text.size()}, {"digest", fmt::format("{:016x}", digest.value())}};
}

// Which program it is, with all its options: what is in a file, because its name would not
// determine the run, in place of the options that the file replaces.
Json program_json(const CatalogueEntry& program, const ProgramRequest& request,
                  const ProgramOptions& own) {
  Json json{{"name", program.name}};
  if (!request.variant.empty()) json["variant"] = request.variant;
  const int value_bytes = request.costs.value_bytes;
  const std::vector<std::pair<Text, Json>> values{
      {"side", request.side},
      {"mask", request.mask},
      {"row", request.row_us},
      {"load", request.load},
      {"item_bytes", request.item_bytes == 0 ? value_bytes : request.item_bytes},
      {"objects", request.objects},
      {"capacity", request.capacity},
      {"iterations", request.iterations},
      {"blocked", request.blocked},
      {"values", request.values},
      {"work", request.work_us},
      {"host", own.host}};
  const auto is_in_file = [&](Text key) {
    return std::any_of(replaced.begin(), replaced.end(), [&](const auto& one) {
      return one.second == key && (one.first == "input" ? request.input : request.template_file);
    });
  };
  for (const auto& [key, value] : values) {
    if (takes(program, key) && !is_in_file(key)) json[std::string(key)] = value;
  }
  if (request.input) json["input"] = file_json(request.input);
  if (request.template_file) json["template"] = file_json(request.template_file);
  json["value_bytes"] = value_bytes;
  json["forward"] = request.costs.forwards ? "processors" : "network";
  return json;
}

int list_programs() {
  std::string text;
  for (const CatalogueEntry& one : program_catalogue()) {
    text += fmt::format(
        "{:<14}{}{} [{}]\n", one.name, one.summary,
        one.variants.empty() ? "" : fmt::format("; versions {}", fmt::join(one.variants, ", ")),
        one.source);
  }
  print(text);
  return exit_clean;
}

ProgramOutcome computed(const CatalogueEntry& entry, const ProgramRequest& request) {
  const EndAtOnce nothing_to_report;
  return entry.run(request);
}

int program(const Invocation& given) {
  if (given.arguments.empty()) {
    if (given.settings.empty()) return list_programs();
    throw std::invalid_argument("which program? Give its name, see `allport program`");
  }
  const CatalogueEntry& entry = find_program(given.argument());
  Options options = merge({}, given.settings, true);
  require_taken(entry, options);
  require_host(entry, options);
  const auto own = options.of_command<ProgramOptions>();
  require_own_files(
      options, "", {{"--output", own.output}},
      {{"the file of --input", own.input}, {"the file of --template", own.template_file}});
  if (options.run.fabric.topology == nullptr) {
    options.run.fabric.topology = parse_topology("hypercube:4");
  }
  use_ncube(options);
  ProgramRequest request = request_of(entry, options);
  read_files(own, request);
  std::optional<OutputFile> output = wanted_file(own.output);
  ProgramOutcome outcome = computed(entry, request);
  if (!outcome.is_right) {
    throw std::runtime_error(
        fmt::format("the program {} computed something else than one processor: {}", entry.name,
                    outcome.words));
  }
  options.run.traffic.graph = std::make_shared<const TaskGraph>(std::move(outcome.tasks));
  options.run.traffic.alone = outcome.alone;
  options.run.traffic.program = program_json(entry, request, own);
  options.observe.heading =
      fmt::format("program     {}{}: {}, as one processor computes it\n", entry.name,
                  request.variant.empty() ? "" : ", version " + request.variant, outcome.words);
  const int status = carry_out(options, given.command);
  Outputs outputs;
  if (output && status != exit_incomplete) {
    outputs.attempt([&] { output->commit(outcome.output); });
  }
  return outputs.status(status);
}

}  // namespace

Command program_command() {
  Command command;
  command.name = "program";
  command.summary = "run a program of the papers, with real data, on processors that compute";
  command.words =
      "Without a name, it lists the programs. The machine is the NCUBE/10 of [Ranka88] unless options say otherwise: --ts 177, flits of a byte, cycles of 1.217 microseconds, and a receiver that copies a message in as long as a hop takes. With --preset it is that machine. "
      "A host has a channel of its own to all ranks, which carries one transfer at a time; unless options say otherwise, a transfer takes as long as a hop.";
  command.examples = {
      "allport program template --variant fig-8 --side 64 --mask 8 --topology hypercube:4",
      "allport program template --host data --side 128 --mask 8",
      "allport program knapsack --topology hypercube:3 --json -"};
  command.page = "guide/programs.md";
  command.options = options_read_by(use::program);
  for (const OptionSpec& one : program_options()) command.options.push_back(&one);
  command.positional = {"NAME", "the program", false, [] {
                          std::vector<std::string> names;
                          for (const CatalogueEntry& one : program_catalogue()) {
                            names.emplace_back(one.name);
                          }
                          return names;
                        }};
  command.run = program;
  return command;
}

}  // namespace allport
