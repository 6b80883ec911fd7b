// SPDX-License-Identifier: Apache-2.0
// `allport list` prints everything that a user can choose, one line each.
#include <fmt/format.h>

#include "testbench/files/output_file.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/terminal/exit_status.h"
#include "testbench/program/terminal/fold.h"
#include "traffic/algorithms/algorithms.h"
#include "traffic/patterns/pattern.h"
#include "traffic/planning/machine_preset.h"

namespace allport {

namespace {

std::string line(std::string_view name, const std::string& words, std::string_view paper) {
  constexpr std::size_t column = 27;  // of the words
  const std::string all = words + (paper.empty() ? "" : fmt::format(" [{}]", paper));
  return fmt::format("  {:<23}  {}\n", name, folded(all, column, column, columns_of_list()));
}

std::string topology_lines() {
  return "topologies (external ports of a router; diameter in hops; bisection in channels)\n" +
         line("hypercube:N", "degree N; diameter N; bisection 2^N; N = 1..20", "Robinson93") +
         line(
             "torus:KxK[xK..]",
             "degree 2 per dimension; diameter: sum of K/2; bisection 4 nodes/(largest K), if even",
             "Hou98") +
         line(
             "mesh:KxK[xK..]",
             "degree 2 per dimension; diameter: sum of K-1; bisection 2 nodes/(largest K), if even",
             "DallyTowles04") +
         line("ring:K", "degree 2; diameter K/2; bisection 4", "CasanovaSlides") +
         line(
             "graph:FILE",
             "any routers and links, switches without a processor too, from GraphML, DOT or a list of edges",
             "");
}

std::string routing_lines() {
  return "\nroutings (the fabrics that they support; tables of any fabric are proved before a run)\n" +
         line("descending", "e-cube from the highest dimension on; hypercubes, the default there",
              "Robinson93") +
         line("ascending", "e-cube from the lowest dimension on; hypercubes", "") +
         line("adaptive", "any dimension that is left to cross; hypercubes, unicasts only",
              "Duato93") +
         line("dimension-ordered",
              "one dimension after another; rings, tori and meshes, the default there", "Hou98") +
         line("table:dimension", "the routes above, as a table; all but graphs", "") +
         line(
             "table:updown[:ROOT]",
             "up*/down* over a breadth-first tree; all fabrics, the default of graphs where it leads everywhere",
             "Schroeder91") +
         line(
             "table:shortest",
             "shortest ways, in layers; all fabrics, the default of other graphs, around missing links too",
             "Domke11") +
         line("table:fattree", "up, then down; graphs whose switches have a level",
              "PetriniVanneschi97") +
         line("table:dragonfly", "over one link between groups; graphs whose routers have a group",
              "Kim08") +
         line("table:FILE", "the rows of a file; all fabrics", "");
}

std::string_view destinations_of(const Algorithm& algorithm) {
  if (algorithm.destinations == Destinations::one) return "one destination";
  if (algorithm.destinations == Destinations::all) return "all destinations";
  return algorithm.takes_chain ? "any destinations, or a chain" : "any destinations";
}

std::string algorithm_lines() {
  std::string text =
      "\nalgorithms (the collective by its MPI name; the fabrics and destinations that they support)\n";
  for (const Algorithm& algorithm : algorithms()) {
    const std::string_view needed = routers_needed(algorithm);
    text += line(algorithm.name,
                 fmt::format("{}: {}; {}, {}{}", to_string(algorithm.operation), algorithm.summary,
                             algorithm.fabrics.words, destinations_of(algorithm),
                             needed.empty() ? "" : fmt::format("; needs routers that {}", needed)),
                 algorithm.paper);
  }
  return text;
}

std::string pattern_lines() {
  std::string text = "\npatterns (the fabrics that they support)\n";
  for (const Pattern& pattern : patterns()) {
    text +=
        line(pattern.name, fmt::format("{}; {}", pattern.summary, pattern.fabrics), pattern.paper);
  }
  return text;
}

std::string switching_lines() {
  return "\nswitching modes\n" +
         line("wormhole", "a head takes a virtual channel, its body follows, its tail frees it",
              "DallyTowles04") +
         line("cut-through", "a head goes on when the next buffer has room for its whole message",
              "KermaniKleinrock79") +
         line("store-and-forward",
              "a head goes on when its whole message is here and the next buffer has room for it",
              "Ranka88") +
         line("circuit",
              "unicasts: the head sets up the path, the body follows when it is acknowledged",
              "DallyTowles04");
}

std::string preset_words(const MachinePreset& preset) {
  std::string words(preset.machine);
  if (preset.has_clock()) words += fmt::format("; a cycle is {} ns", *preset.cycle_ns);
  if (const auto ts = preset.ts_cycles()) {
    words += fmt::format("; ts {} us = {} cycles", *preset.ts_us, *ts);
  }
  if (preset.flit_bytes) {
    words +=
        fmt::format("; flits of {} byte{}", *preset.flit_bytes, *preset.flit_bytes == 1 ? "" : "s");
  }
  if (preset.replication_delay) {
    words += fmt::format("; replication delay {} cycle{}", *preset.replication_delay,
                         *preset.replication_delay == 1 ? "" : "s");
  }
  if (!preset.routing.empty()) words += fmt::format("; {} routing", preset.routing);
  return words + fmt::format(" ({})", preset.remark);
}

std::string preset_lines() {
  std::string text =
      "\npresets of machines (what the papers state; everything else keeps the program's defaults)\n";
  for (const MachinePreset& preset : machine_presets()) {
    text += line(preset.name, preset_words(preset), preset.papers);
  }
  return text;
}

std::string model_lines() {
  return "\nmodels of the fabric (run --model; cosim runs systemc and rtl and compares)\n" +
         line("systemc", "each router is called once a cycle and sleeps while nothing happens",
              "") +
         line("rtl", "the same routers in SystemVerilog, Verilated when first needed", "") +
         line("worm", "unicasts as whole messages at transaction level, exact to the cycle", "");
}

int list(const Invocation&) {
  print(topology_lines() + routing_lines() + algorithm_lines() + pattern_lines() +
        switching_lines() + preset_lines() + model_lines());
  return exit_clean;
}

}  // namespace

Command list_command() {
  Command command;
  command.name = "list";
  command.summary = "topologies, routings, algorithms, patterns, switching modes, presets, models";
  command.examples = {"allport list"};
  command.page = "algorithms.md";
  command.run = list;
  return command;
}

}  // namespace allport
