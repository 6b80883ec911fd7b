// SPDX-License-Identifier: Apache-2.0
// allport list: what there is to choose from, one line each.
#include <fmt/format.h>

#include <cstdio>

#include "testbench/commands.h"
#include "testbench/exit_status.h"
#include "traffic/algorithms.h"
#include "traffic/pattern.h"

namespace allport {

namespace {

void print_line(std::string_view name, const std::string& words, std::string_view paper) {
  fmt::print("  {:<22}  {}{}\n", name, words, paper.empty() ? "" : fmt::format(" [{}]", paper));
}

void print_topologies() {
  fmt::print("topologies (external ports of a router; diameter in hops; bisection in channels)\n");
  print_line("hypercube:N", "degree N; diameter N; bisection 2^N; N = 1..16", "Robinson93");
  print_line("torus:KxK[xK..]",
             "degree 2 per dimension; diameter: sum of K/2; bisection 4 nodes/(largest K)",
             "Hou98");
  print_line("mesh:KxK[xK..]",
             "degree 2 per dimension; diameter: sum of K-1; bisection 2 nodes/(largest K)",
             "DallyTowles04");
  print_line("ring:K", "degree 2; diameter K/2; bisection 4", "CasanovaSlides");
}

void print_algorithms() {
  fmt::print("\nalgorithms (the fabrics and destinations they are for)\n");
  for (const Algorithm& algorithm : algorithms()) {
    print_line(algorithm.name,
               fmt::format("{}; {}, {}", algorithm.summary, algorithm.fabrics,
                           algorithm.broadcast_only ? "all destinations" : "any destinations"),
               algorithm.paper);
  }
}

int list() {
  print_topologies();
  print_algorithms();
  fmt::print("\npatterns\n");
  for (const Pattern& pattern : patterns()) {
    print_line(pattern.name, std::string(pattern.summary), "DallyTowles04");
  }
  fmt::print("\nswitching modes\n");
  print_line("wormhole", "a head takes a virtual channel, its body follows, its tail frees it",
             "DallyTowles04");
  return exit_clean;
}

}  // namespace

Command add_list(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("list", "topologies, algorithms, patterns and switching modes");
  return {command, list};
}

}  // namespace allport
