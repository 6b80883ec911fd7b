// SPDX-License-Identifier: Apache-2.0
// `allport program` runs the programs of the papers for real on a machine.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "testbench/files/output_file.h"
#include "testbench/files/standard_streams.h"
#include "testbench/processes/interrupt.h"
#include "testbench/program/commands/carry_out.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/terminal/exit_status.h"
#include "testbench/programs/catalogue.h"

namespace allport {

namespace {

struct ProgramOptions {
  ProgramRequest request;
  int value_bytes = 4;
  bool is_forwarding = true;
  std::uint32_t processors = 0;  // 0: one for each node
};

using Text = std::string_view;

ProgramRequest& wanted(Options& options) { return options.own<ProgramOptions>().request; }

std::uint32_t size_of(Text text, std::int64_t low, std::int64_t high) {
  return static_cast<std::uint32_t>(parse_count(text, {low, high}));
}

std::vector<Text> forward_words() { return {"processors", "network"}; }

const std::vector<OptionSpec>& program_options() {
  static const std::vector<OptionSpec> table{
      {"", "variant", "NAME", "the first", "version of the program, see `allport program`",
       [](Options& o, Text t) { wanted(o).variant = std::string(t); }},
      {"", "processors", "P", "the nodes", "ranks that run it, a power of two but for message",
       [](Options& o, Text t) { o.own<ProgramOptions>().processors = size_of(t, 1, 1 << 20); }},
      {"", "side", "N", "32", "side of the image, the maze or the cells",
       [](Options& o, Text t) { wanted(o).side = size_of(t, 1, 1024); }},
      {"", "mask", "M", "4", "side of the template",
       [](Options& o, Text t) { wanted(o).mask = size_of(t, 1, 1024); }},
      {"", "row", "US", "0", "microseconds to begin a row of the template at a point of the image",
       [](Options& o, Text t) { wanted(o).row_us = parse_decimal(t, 0, 1e6); }},
      {"", "load", "ITEMS", "100", "mean load of a rank, in items of work",
       [](Options& o, Text t) { wanted(o).load = size_of(t, 0, 100000); }},
      {"", "objects", "M", "100", "objects of the knapsack",
       [](Options& o, Text t) { wanted(o).objects = size_of(t, 1, 100000); }},
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
         o.own<ProgramOptions>().value_bytes = static_cast<int>(parse_bytes(t, {1, 8}));
       }},
      {"", "forward", "WHO", "processors",
       "what takes a message beyond a neighbour: processors, each of which prepares it anew, or "
       "the "
       "network",
       [](Options& o, Text t) {
         o.own<ProgramOptions>().is_forwarding =
             parse_word("way to forward", t, forward_words()) == "processors";
       },
       forward_words},
  };
  return table;
}

// The options of sizes belong to programs; --variant to those that have some.
void require_taken(const CatalogueEntry& program, const Options& options) {
  for (const Text key : {"side", "mask", "row", "load", "objects", "capacity", "iterations",
                         "blocked", "values", "work"}) {
    const bool is_taken =
        std::find(program.takes.begin(), program.takes.end(), key) != program.takes.end();
    if (is_taken || !options.is_given(key)) continue;
    throw std::invalid_argument(fmt::format("--{}: the program {} does not take it; it takes {}",
                                            key, program.name, fmt::join(program.takes, ", ")));
  }
  const std::string& variant = options.own<ProgramOptions>().request.variant;
  if (variant.empty()) return;
  if (program.variants.empty()) {
    throw std::invalid_argument(
        fmt::format("--variant {}: the program {} has one version only", variant, program.name));
  }
  parse_word("version", variant, program.variants);
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
  throw std::invalid_argument(
      fmt::format("--preset {}: the time of a cycle is not stated, and operations take "
                  "microseconds; give --clock",
                  node.preset->name));
}

ProgramRequest request_of(const CatalogueEntry& program, const Options& options) {
  const auto& own = options.own<ProgramOptions>();
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
  request.seed = options.run.traffic.seed;
  const NodeRequest& node = options.run.node;
  if (node.preset == nullptr) {
    request.costs =
        Ncube::costs(own.value_bytes, node.ts, cycle_us(node), options.run.message.flit_bytes);
  } else {
    request.costs.cycle_us = cycle_us(node);
    request.costs.value_bytes = own.value_bytes;
  }
  request.costs.forwards = own.is_forwarding;
  if (!own.is_forwarding) return request;
  if (!topology.is_hypercube()) {
    throw std::invalid_argument("--forward processors: they forward on hypercubes; " +
                                topology.name() + " needs --forward network");
  }
  return request;
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

int program(const Given& given) {
  if (given.arguments.empty()) {
    if (given.settings.empty()) return list_programs();
    throw std::invalid_argument("which program? Give its name, see `allport program`");
  }
  const CatalogueEntry& entry = find_program(given.argument());
  Options options = merge({}, given.settings, true);
  require_taken(entry, options);
  if (options.run.fabric.topology == nullptr) {
    options.run.fabric.topology = parse_topology("hypercube:4");
  }
  use_ncube(options);
  const ProgramRequest request = request_of(entry, options);
  ProgramOutcome outcome = computed(entry, request);
  if (!outcome.is_right) {
    throw std::runtime_error(
        fmt::format("the program {} computed something else than one processor: {}", entry.name,
                    outcome.words));
  }
  options.run.traffic.graph = std::make_shared<const TaskGraph>(std::move(outcome.tasks));
  options.run.traffic.alone = outcome.alone;
  options.observe.heading =
      fmt::format("program     {}{}: {}, as one processor computes it\n", entry.name,
                  request.variant.empty() ? "" : ", version " + request.variant, outcome.words);
  return carry_out(options, given.command);
}

}  // namespace

Command program_command() {
  Command command;
  command.name = "program";
  command.summary = "run a program of the papers, with real data, on processors that compute";
  command.words =
      "Without a name, it lists the programs. The machine is the NCUBE/10 of [Ranka88] unless "
      "options say otherwise: --ts 177, flits of a byte, cycles of 1.217 microseconds, and a "
      "receiver that copies a message in as long as a hop takes. With --preset it is that machine.";
  command.examples = {
      "allport program template --variant fig-8 --side 64 --mask 8 --topology hypercube:4",
      "allport program knapsack --topology hypercube:3 --json -"};
  command.page = "guide/programs.md";
  command.options = options_named(with_background(
      {"topology",   "routing",    "ports",   "vcs",    "buffer_depth", "link_delay",
       "link_width", "flit_bytes", "ts",      "tr",     "ts_per_flit",  "tr_per_flit",
       "send",       "receive",    "startup", "duplex", "bandwidth",    "clock",
       "preset",     "place",      "seed",    "model",  "json",         "messages",
       "timeline",   "report"}));
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
