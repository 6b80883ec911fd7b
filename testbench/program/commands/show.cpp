// SPDX-License-Identifier: Apache-2.0
// `allport show` prints what the papers' theory is about, on a fabric of one's own.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <stdexcept>

#include "testbench/files/output_file.h"
#include "testbench/plan/plan_goal.h"
#include "testbench/plan/resolve.h"
#include "testbench/processes/interrupt.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/report/results_json.h"
#include "testbench/program/report/show_report.h"
#include "testbench/program/terminal/exit_status.h"
#include "testbench/program/terminal/stage.h"
#include "testbench/program/terminal/version.h"

namespace allport {

namespace {

constexpr std::array<std::string_view, 5> subjects = {"route", "chain", "gray", "tree", "bounds"};

constexpr std::size_t max_tree_destinations = 4096;

std::vector<std::string> subject_words() { return {std::begin(subjects), std::end(subjects)}; }

NodeId parse_node(const std::string& text, const Topology& topology) {
  const std::vector<NodeNumber> numbers = parse_nodes(text);
  if (numbers.size() != 1) {
    throw std::invalid_argument("show route: '" + text + "' is not one node");
  }
  return to_node(numbers.front(), topology, "node");
}

Shown route_between(const std::vector<std::string>& words, const Routing& routing) {
  if (words.size() != 3) {
    throw std::invalid_argument("show route: give two nodes, as in `allport show route 5 14`");
  }
  return show_route(routing, parse_node(words[1], routing.topology()),
                    parse_node(words[2], routing.topology()));
}

Multicast goal_of(const Options& options, const Routing& routing) {
  const Topology& topology = routing.topology();
  GoalSource goals(options.run, topology);
  goals.next_trial();
  return goals.goal(single_source(options.run, topology));
}

Shown tree_of(const Options& options, const Routing& routing) {
  const Algorithm* algorithm = options.run.traffic.algorithm;
  if (algorithm == nullptr) throw std::invalid_argument("show tree: --algorithm is missing");
  if (algorithm->operation != Operation::bcast) {
    throw std::invalid_argument(
        fmt::format("show tree: algorithm {} is for {}, and a tree is that of a multicast",
                    algorithm->name, to_string(algorithm->operation)));
  }
  const Multicast goal = goal_of(options, routing);
  if (goal.destinations.size() > max_tree_destinations) {
    throw std::invalid_argument(fmt::format("show tree: it shows up to {} destinations, not {}",
                                            max_tree_destinations, goal.destinations.size()));
  }
  const PlannedCollective planned = plan_goal(
      *algorithm, goal, {options.run, routing, internal_ports(options.run, routing.topology())});
  if (!planned.schedule.has_unicasts_only() || planned.goal != nullptr) {
    throw std::invalid_argument(fmt::format(
        "show tree: algorithm {} sends {}, and a tree is that of one message by unicasts",
        algorithm->name, planned.goal != nullptr ? "pieces" : "worms of several destinations"));
  }
  return show_tree(routing.topology(), goal.source, planned.schedule);
}

Shown bounds_of(const Options& options, const Routing& routing) {
  const MessageRequest& message = options.run.message;
  const auto flit_bytes = static_cast<std::size_t>(message.flit_bytes);
  const int flits = message.bytes > 0
                        ? static_cast<int>((message.bytes + flit_bytes - 1) / flit_bytes)
                        : message.flits;
  const TimingParameters timing{options.run.node.ts,
                                options.run.node.tr,
                                flits,
                                options.run.router.link_delay,
                                0,
                                Switching::wormhole,
                                options.run.router.link_delays,
                                0,
                                phits_of(options.run, routing.topology())};
  return show_bounds(routing, single_source(options.run, routing.topology()),
                     internal_ports(options.run, routing.topology()), timing);
}

Shown shown(const std::vector<std::string>& words, const Options& options) {
  std::vector<std::string_view> known(std::begin(subjects), std::end(subjects));
  if (words.empty()) {
    throw std::invalid_argument(
        "show what? Give route U V, chain, gray, tree or bounds, and --topology");
  }
  const std::string subject = parse_word("subject", words.front(), known);
  if (subject != "route" && words.size() > 1) {
    throw std::invalid_argument(
        fmt::format("show {}: it takes no further word, and there is '{}'", subject, words[1]));
  }
  const Routing routing = make_routing(options.run);
  if (subject == "route") return route_between(words, routing);
  if (subject == "chain") return show_chains(routing, goal_of(options, routing));
  if (subject == "gray") return show_gray(routing.topology());
  if (subject == "tree") return tree_of(options, routing);
  return bounds_of(options, routing);
}

int show(const Given& given) {
  const EndAtOnce nothing_to_report;
  const Stage stage("looking");
  const Options options = merge({}, given.settings);
  const Shown result = shown(given.arguments, options);
  std::optional<OutputFile> json = wanted_file(options.observe.json);
  if (options.observe.json != "-") print(result.text);
  if (json) {
    Json object{{"version", program_version}, {"subject", given.arguments.front()}};
    object.update(result.json);
    json->commit(json_text(object));
  }
  return exit_clean;
}

}  // namespace

Command show_command() {
  Command command;
  command.name = "show";
  command.summary = "what theory says of a fabric: routes, chains, Gray codes, trees, bounds";
  command.words =
      "  route U V    the route of a unicast, hop by hop, and how many shortest ones there are\n  "
      "chain        a hypercube's chains to --destinations: in dimension order, and by weight\n  "
      "gray         the ring of a hypercube's Gray code\n  tree         who sends --algorithm's "
      "multicast to whom, and how many get it through each\n  bounds       links, degree, "
      "diameter, bisection; what no collective can beat";
  command.examples = {
      "allport show route 5 14 --topology hypercube:4",
      "allport show tree --topology hypercube:4 --algorithm wsort --destinations 1,3,5,7,14"};
  command.page = "guide/show.md";
  command.options = options_named({"topology", "routing", "ports", "algorithm", "steps", "source",
                                   "destinations", "seed", "flits", "bytes", "flit_bytes", "ts",
                                   "tr", "link_delay", "link_width", "ties", "vc_use", "json"});
  command.positional = {"WHAT", "route U V, chain, gray, tree or bounds", true, subject_words};
  command.run = show;
  return command;
}

}  // namespace allport
