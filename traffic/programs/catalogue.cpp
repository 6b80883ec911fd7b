// SPDX-License-Identifier: Apache-2.0
#include "traffic/programs/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "rtl_model/base/names.h"
#include "rtl_model/base/quote.h"
#include "rtl_model/base/words.h"
#include "traffic/programs/halo.h"
#include "traffic/programs/knapsack.h"
#include "traffic/programs/load_balance.h"
#include "traffic/programs/maze.h"
#include "traffic/programs/replicated.h"
#include "traffic/programs/template_matching.h"

namespace allport {

namespace {

std::uint64_t computing(const TaskGraph& tasks) {
  std::uint64_t cycles = 0;
  for (const Task& task : tasks.tasks) cycles += task.kind == TaskKind::compute ? task.amount : 0;
  return cycles;
}

// What the ranks share out, one solves alone; `solve(P)` is the run with P ranks.
template <class Solve>
std::uint64_t alone(const Solve& solve) {
  return computing(solve(1).tasks);
}

TemplateProblem template_problem(const ProgramRequest& request) {
  std::optional<GreyImage> image;
  std::optional<GreyImage> mask;
  if (request.input) image = read_pgm(request.input);
  if (request.template_file) mask = read_pgm(request.template_file);
  TemplateProblem problem = TemplateProblem::random(image ? image->side : request.side,
                                                    mask ? mask->side : request.mask, request.seed);
  if (image) problem.image = std::move(image->values);
  if (mask) problem.mask = std::move(mask->values);
  return problem;
}

ProgramOutcome template_outcome(const ProgramRequest& request) {
  const TemplateProblem problem = template_problem(request);
  const TemplateVersion version = request.variant == "fig-7"    ? TemplateVersion::separate
                                  : request.variant == "fig-11" ? TemplateVersion::replicated
                                  : request.variant == "way-1"  ? TemplateVersion::images
                                                                : TemplateVersion::overlapping;
  TemplateCosts times;
  times.row = request.row_us;
  const auto solve = [&](std::uint32_t ranks, HostUse host = HostUse::none) {
    return run_template(problem, version, ranks, request.costs, times, host);
  };
  TemplateRun run = solve(request.ranks, request.host);
  const GreyImage matched{problem.image_side, run.result};
  return {fmt::format("a template of {0}x{0} on an image of {1}x{1}", problem.template_side,
                      problem.image_side),
          run.result == convolve(problem), alone(solve), std::move(run.tasks),
          !request.wants_output   ? ""
          : request.wants_picture ? pgm_text(matched)
                                  : rows_text(matched)};
}

ProgramOutcome load_outcome(const ProgramRequest& request) {
  const LoadBalance problem = request.input
                                  ? read_loads(request.input)
                                  : LoadBalance::random(request.ranks, request.load, request.seed);
  if (problem.loads.size() != request.ranks) {
    throw std::invalid_argument(
        fmt::format("{}: it has {}, and the program has {}", shown_path(request.input.name),
                    counted(problem.loads.size(), "load"), counted(request.ranks, "rank")));
  }
  LoadBalanceRun run = run_load_balance(problem, request.variant == "2" ? 2 : 1, request.costs,
                                        request.item_bytes, request.host);
  const std::vector<std::size_t> sizes = balanced_sizes(problem);
  bool is_right = true;
  std::vector<std::size_t> before;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    is_right = is_right && run.loads[i].size() == sizes[i];
    before.push_back(problem.loads[i].size());
  }
  const auto [few, many] = std::minmax_element(before.begin(), before.end());
  const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
  return {fmt::format("loads of {} to {} items become {} to {}", *few, *many, *least, *most),
          is_right, 0, std::move(run.tasks), loads_text(run.loads)};
}

ProgramOutcome replicated_outcome(const ProgramRequest& request) {
  const auto x = static_cast<std::int32_t>(request.seed % 1000003);
  ReplicatedRun run = run_replicated(x, request.variant == "d", request.ranks, request.costs,
                                     {request.work_us, request.work_us});
  const double work = request.work_us * (1 + static_cast<double>(request.ranks));  // g, and each f
  return {fmt::format("f_i(g(x)) of {}", counted(request.ranks, "rank")),
          run.result == composed(x, request.ranks),
          static_cast<std::uint64_t>(std::llround(work / request.costs.cycle_us)),
          std::move(run.tasks),
          {}};
}

ProgramOutcome maze_outcome(const ProgramRequest& request) {
  const Maze maze = request.input ? read_maze(request.input)
                                  : Maze::random(request.side, request.blocked, request.seed);
  const auto solve = [&](std::uint32_t ranks, HostUse host = HostUse::none) {
    return run_maze(maze, request.variant == "2" ? 2 : 1, ranks, request.costs,
                    {request.work_us, request.work_us}, host);
  };
  MazeRun run = solve(request.ranks, request.host);
  const auto steps = static_cast<std::int32_t>(path_of(maze, run).size()) - 1;  // -1: no path
  return {run.length < 0 ? fmt::format("no path through a maze of {0}x{0}", maze.side)
                         : fmt::format("a shortest path of {1} steps through a maze of {0}x{0}",
                                       maze.side, run.length),
          run.length == shortest_path(maze) && steps == std::max(run.length, -1), alone(solve),
          std::move(run.tasks), maze_text(maze, run)};
}

ProgramOutcome knapsack_outcome(const ProgramRequest& request) {
  const Knapsack problem = request.input
                               ? read_objects(request.input, request.capacity)
                               : Knapsack::random(request.objects, request.capacity, request.seed);
  const auto solve = [&](std::uint32_t ranks, HostUse host = HostUse::none) {
    return run_knapsack(problem, ranks, request.costs, {}, host);
  };
  KnapsackRun run = solve(request.ranks, request.host);
  std::vector<std::size_t> chosen;
  if (request.wants_output) chosen = chosen_objects(problem, run);
  std::int64_t profit = 0;
  for (const std::size_t one : chosen) profit += problem.profits[one];
  const bool is_best = !request.wants_output || profit == run.best.back();
  return {fmt::format("the best profit of {} and capacity {} is {}",
                      counted(problem.profits.size(), "object"), request.capacity, run.best.back()),
          run.best == best_profits(problem) && is_best, alone(solve), std::move(run.tasks),
          objects_text(problem, chosen)};
}

ProgramOutcome halo_outcome(const ProgramRequest& request) {
  const StencilShape shape = request.variant == "6"    ? StencilShape::six
                             : request.variant == "nw" ? StencilShape::north_west
                                                       : StencilShape::four;
  const HaloProblem problem =
      HaloProblem::random(shape, request.side, request.iterations, request.seed);
  constexpr double addition = 11.2;  // microseconds
  const double cell = (shape == StencilShape::six    ? 6
                       : shape == StencilShape::four ? 4
                                                     : 3) *
                      addition;
  const auto solve = [&](std::uint32_t ranks) {
    return run_halo(problem, ranks, request.costs, cell);
  };
  StencilRun run = solve(request.ranks);
  return {fmt::format("{} of a stencil on {} cells", counted(request.iterations, "iteration"),
                      dimensions(shape) == 3 ? fmt::format("{0}x{0}x{0}", request.side)
                                             : fmt::format("{0}x{0}", request.side)),
          run.cells == iterated(problem),
          alone(solve),
          std::move(run.tasks),
          {}};
}

// Rank 0 sends to the rank farthest away.
ProgramOutcome message_outcome(const ProgramRequest& request) {
  if (request.ranks < 2) throw std::invalid_argument("message: it takes two ranks or more");
  Values sent(request.values);
  for (std::size_t i = 0; i < sent.size(); ++i) sent[i] = static_cast<std::int32_t>(i);
  Values received;
  const std::uint32_t to = request.farthest == 0 ? request.ranks - 1 : request.farthest;
  TaskGraph tasks = record(request.ranks, request.costs, [&](Rank& self) {
    if (self.rank() == 0) self.send(to, sent);
    if (self.rank() == to) received = self.receive(0);
  });
  return {fmt::format("{} from rank 0 to rank {}", counted(sent.size(), "value"), to),
          received == sent,
          0,
          std::move(tasks),
          {}};
}

}  // namespace

const std::vector<CatalogueEntry>& program_catalogue() {
  static const std::vector<CatalogueEntry> all{
      {"message",
       "a message to the farthest rank",
       "Ranka88, fig. 5",
       {},
       {"values"},
       {},
       message_outcome},
      {"template",
       "template matching on a Gray-code mesh",
       "Ranka88, sec. 3, fig. 7, 8, 9 and 11",
       {"fig-8", "fig-7", "fig-11", "way-1"},
       {"side", "mask", "row", "input", "template", "output", "host"},
       {"none", "template", "data", "results"},
       template_outcome},
      {"load-balance",
       "dynamic load balancing by two heuristics",
       "Ranka88, fig. 13 and 14",
       {"1", "2"},
       {"load", "item_bytes", "input", "output", "host"},
       {"none", "data", "results"},
       load_outcome},
      {"replicated",
       "a value broadcast, or computed by every rank",
       "Ranka88, fig. 15",
       {"c", "d"},
       {"work"},
       {},
       replicated_outcome},
      {"maze",
       "a shortest path by front waves",
       "Ranka88, fig. 17 and 18",
       {"1", "2"},
       {"side", "blocked", "work", "input", "output", "host"},
       {"none", "data", "results"},
       maze_outcome},
      {"knapsack",
       "the 0/1 knapsack, in parts that are combined",
       "Ranka88, fig. 20",
       {},
       {"objects", "capacity", "input", "output", "host"},
       {"none", "data", "results"},
       knapsack_outcome},
      {"halo",
       "a stencil whose edges go to neighbours",
       "allport",
       {"4", "6", "nw"},
       {"side", "iterations"},
       {},
       halo_outcome},
  };
  return all;
}

const CatalogueEntry& find_program(std::string_view name) {
  std::vector<std::string_view> names;
  for (const CatalogueEntry& one : program_catalogue()) {
    if (one.name == name) return one;
    names.push_back(one.name);
  }
  throw std::invalid_argument(unknown_name("program", name, names));
}

ProgramCosts Ncube::costs(int value_bytes, std::int64_t ts, double cycle_us, int flit_bytes) {
  ProgramCosts costs;
  costs.cycle_us = cycle_us;
  costs.value_bytes = value_bytes;
  costs.forwards = true;
  costs.copy_us = cycle_us * static_cast<double>(ts + 1);
  costs.copy_us_per_byte = cycle_us / flit_bytes;
  return costs;
}

}  // namespace allport
