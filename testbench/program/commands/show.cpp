// SPDX-License-Identifier: Apache-2.0
// `allport show` prints what the papers' theory is about, on a fabric of one's own.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "rtl_model/base/quote.h"
#include "rtl_model/router/router_config.h"
#include "rtl_model/tables/table_file.h"
#include "testbench/files/output_file.h"
#include "testbench/plan/given_block.h"
#include "testbench/plan/load_schedule.h"
#include "testbench/plan/missing_links.h"
#include "testbench/plan/plan_goal.h"
#include "testbench/plan/resolve.h"
#include "testbench/processes/interrupt.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/commands/outputs.h"
#include "testbench/program/options/command_files.h"
#include "testbench/program/options/options_read.h"
#include "testbench/program/report/fabric_report.h"
#include "testbench/program/report/results_json.h"
#include "testbench/program/report/routes_report.h"
#include "testbench/program/report/show_report.h"
#include "testbench/program/terminal/exit_status.h"
#include "testbench/program/terminal/stage.h"
#include "testbench/program/terminal/version.h"
#include "traffic/planning/pieces.h"

namespace allport {

namespace {

constexpr std::array<std::string_view, 8> subjects = {"route", "routes", "fabric", "chain",
                                                      "gray",  "tree",   "sets",   "bounds"};

struct ShowOptions {
  std::string csv;  // file of the routing table; empty: none
  std::string dot;  // file of the drawing of the fabric; empty: none
};

const OptionSpec dot_option =
    as_output({"", "dot", "FILE", "", "show fabric: write a drawing for Graphviz, - for stdout",
               [](Options& options, std::string_view text) {
                 options.of_command<ShowOptions>().dot = parse_path(text);
               }});

const OptionSpec csv_option =
    as_output({"", "csv", "FILE", "",
               "show routes: write the routing table as a file for table:FILE, - for stdout",
               [](Options& options, std::string_view text) {
                 options.of_command<ShowOptions>().csv = parse_path(text);
               }});

// The files beside the text, which are opened before anything is looked at.
struct ShowFiles {
  explicit ShowFiles(const Options& options)
      : csv(wanted_file(options.of_command<ShowOptions>().csv)),
        dot(wanted_file(options.of_command<ShowOptions>().dot)),
        json(wanted_file(options.observe.json)) {}

  std::optional<OutputFile> csv;
  std::optional<OutputFile> dot;
  std::optional<OutputFile> json;
  std::string rows;     // of the routing table, for `csv`
  std::string drawing;  // of the fabric, for `dot`
};

constexpr std::string_view route_of_nodes = "show route U V";
constexpr std::string_view route_of_file = "show route FILE";
constexpr std::string_view route_of_algorithm = "show route --algorithm";
constexpr std::string_view tree_of_schedule = "show tree FILE";
constexpr std::string_view tree_of_algorithm = "show tree --algorithm";

// What each subject reads, besides --topology and --json.
std::vector<WayOfUse> ways_to_show(const RunRequest& request) {
  std::vector<WayOfUse> list{
      {route_of_nodes, {"routing", "vcs", "vc_use", "ties", "missing_links"}},
      {route_of_file, {"schedule", "routing", "vcs", "vc_use", "ties", "missing_links"}},
      {route_of_algorithm, keys_without(options_read_by(use::show), {"schedule", "missing_links"})},
      {"show fabric", {"link_delay", "link_width", "link_attributes", "flit_bytes", "dot"}},
      {"show routes",
       {"routing", "vcs", "ties", "missing_links", "link_width", "link_attributes", "flit_bytes",
        "csv"}},
      {"show chain", {"routing", "source", "destinations", "chain", "seed"}},
      {"show gray", {}},
      {tree_of_schedule, {"schedule", "source"}},
      {tree_of_algorithm,
       {"algorithm", "block", "routing", "ports", "steps", "ties", "source", "destinations",
        "chain", "seed"}},
      {"show sets", {"routing", "source"}},
      {"show bounds",
       {"ports", "source", "flits", "bytes", "flit_bytes", "ts", "tr", "link_delay", "link_width",
        "link_attributes"}},
  };
  for (WayOfUse& one : list) {
    one.keys.insert(one.keys.end(), {"topology", "missing_nodes", "replan", "json"});
    if (draws_missing_by_seed(request)) one.keys.push_back("seed");
  }
  return list;
}

// The way that the words and the traffic choose.
std::string way_to_show(const std::string& subject, std::size_t words,
                        const TrafficTable& traffic) {
  if (subject == "route" && words == 3) return std::string(route_of_nodes);
  if (subject != "route" && subject != "tree") return "show " + subject;
  const bool is_file = !traffic.schedule.empty();
  if (subject == "tree") return std::string(is_file ? tree_of_schedule : tree_of_algorithm);
  return std::string(is_file ? route_of_file : route_of_algorithm);
}

constexpr std::size_t max_shown = 4096;  // messages, destinations or nodes

std::vector<std::string> subject_words() { return {std::begin(subjects), std::end(subjects)}; }

void require_few(const char* subject, std::size_t count, const char* what) {
  if (count <= max_shown) return;
  throw std::invalid_argument(
      fmt::format("show {}: it shows up to {} {}, not {}", subject, max_shown, what, count));
}

NodeId parse_node(const std::string& text, const Topology& topology) {
  const std::vector<NodeNumber> numbers = parse_nodes(text, &topology);
  if (numbers.size() != 1) {
    throw std::invalid_argument("show route: '" + text + "' is not one node");
  }
  return to_node(numbers.front(), topology, "node");
}

Multicast goal_of(const Options& options, const Routing& routing) {
  const Topology& topology = routing.topology();
  GoalSource goals(options.run, topology);
  goals.next_trial();
  return goals.goal(single_source(options.run, topology));
}

// The messages of a schedule file; of a program, which says itself what it achieves, `request` then
// has its collective and its root.
Schedule messages_of_file(const char* subject, RunRequest& request, const Routing& routing) {
  LoadedSchedule loaded = load_schedule(request, routing, {});
  if (loaded.tasks != nullptr) {
    throw std::invalid_argument(fmt::format(
        "show {}: the messages of {} have flits, at or class, so they are tasks, and no collective",
        subject, shown_path(request.traffic.schedule)));
  }
  require_sound(loaded, request);
  require_few(subject, loaded.schedules.front().unicasts.size(), "messages");
  return std::move(loaded.schedules.front());
}

PlannedCollective planned_by(const Algorithm& algorithm, const Multicast& goal,
                             const Options& options, const Routing& routing) {
  return plan_goal(algorithm, goal,
                   {options.run, routing, internal_ports(options.run, routing.topology())});
}

// The messages of --algorithm or of a schedule file.
Schedule messages_to_route(const Options& options, const Routing& routing) {
  const Algorithm* algorithm = options.run.traffic.algorithm;
  if (algorithm == nullptr) {
    RunRequest request = options.run;
    return messages_of_file("route", request, routing);
  }
  const Multicast goal = goal_of(options, routing);
  require_few("route", goal.destinations.size(), "destinations");
  PlannedCollective planned = planned_by(*algorithm, goal, options, routing);
  if (planned.is_one_message()) {
    throw std::invalid_argument(fmt::format(
        "show route: algorithm {} sends one {} worm, and a route is that of a message to one node",
        algorithm->name, to_string(planned.kind)));
  }
  require_few("route", planned.schedule.unicasts.size(), "messages");
  return std::move(planned.schedule);
}

Shown routes_of(const std::vector<std::string>& words, const Options& options,
                const Routing& routing) {
  const RouterConfig router = router_of(options.run, routing);
  const TrafficTable& traffic = options.run.traffic;
  const bool has_messages = traffic.algorithm != nullptr || !traffic.schedule.empty();
  if (words.size() == 3 && !has_messages) {
    return show_route(routing, router, parse_node(words[1], routing.topology()),
                      parse_node(words[2], routing.topology()));
  }
  if (words.size() == 1 && has_messages) {
    return show_routes(routing, router, messages_to_route(options, routing));
  }
  throw std::invalid_argument(
      "show route: give two nodes, as in `allport show route 5 14`, or else a schedule file or --algorithm");
}

Shown tree_of_file(const Options& options, const Routing& routing) {
  RunRequest request = options.run;
  const Schedule schedule = messages_of_file("tree", request, routing);
  const std::string name = shown_path(request.traffic.schedule);
  const Operation operation = request.traffic.collective;
  if (operation != Operation::bcast) {
    throw std::invalid_argument(
        fmt::format("show tree: the program {} is for {}, and a tree is that of a multicast", name,
                    to_string(operation)));
  }
  if (!schedule.has_unicasts_only() || piece_count(schedule) > 1) {
    throw std::invalid_argument(fmt::format(
        "show tree: the schedule {} sends {}, and a tree is that of one message by unicasts", name,
        schedule.has_unicasts_only() ? "pieces" : "worms of other kinds"));
  }
  const Topology& topology = routing.topology();
  const std::vector<NodeId> roots = possible_roots(schedule, operation, routing);
  const bool is_told = request.traffic.sources.empty() && roots.size() == 1;
  return show_tree(topology, is_told ? roots.front() : single_source(request, topology), schedule);
}

Shown tree_of(const Options& options, const Routing& routing) {
  const Algorithm* algorithm = options.run.traffic.algorithm;
  if (!options.run.traffic.schedule.empty()) return tree_of_file(options, routing);
  if (algorithm == nullptr) {
    throw std::invalid_argument("show tree: give --algorithm or a schedule file");
  }
  if (algorithm->operation != Operation::bcast) {
    throw std::invalid_argument(
        fmt::format("show tree: algorithm {} is for {}, and a tree is that of a multicast",
                    algorithm->name, to_string(algorithm->operation)));
  }
  const Multicast goal = goal_of(options, routing);
  require_few("tree", goal.destinations.size(), "destinations");
  const PlannedCollective planned = planned_by(*algorithm, goal, options, routing);
  if (!planned.schedule.has_unicasts_only() || planned.goal != nullptr) {
    throw std::invalid_argument(fmt::format(
        "show tree: algorithm {} sends {}, and a tree is that of one message by unicasts",
        algorithm->name, planned.goal != nullptr ? "pieces" : "worms of several destinations"));
  }
  return show_tree(routing.topology(), goal.source, planned.schedule);
}

Shown sets_of(const Options& options, const Routing& routing) {
  require_few("sets", routing.topology().node_count(), "nodes");
  return show_sets(routing, single_source(options.run, routing.topology()));
}

Shown bounds_of(const Options& options, const Routing& routing) {
  return show_bounds(routing, single_source(options.run, routing.topology()),
                     internal_ports(options.run, routing.topology()), timing_of(options.run));
}

// Chains and reachable sets are those of e-cube.
void require_order(const std::string& subject, const RunRequest& request) {
  if (!request.fabric.table || (subject != "chain" && subject != "sets")) return;
  throw std::invalid_argument(
      fmt::format("show {}: it follows from the routes of e-cube, and routing table:{} has others",
                  subject, request.fabric.table->rule));
}

// Routes that are built in lead over missing links, too.
void require_ways_around(const RunRequest& request, const Routing& routing) {
  if (!has_missing_links(request) || routing.table() != nullptr) return;
  throw std::invalid_argument(fmt::format(
      "--missing-links: {} routes do not go around them; give --routing {}, whose routes do",
      routing.name(), tables_around_missing_links));
}

Shown fabric_of(const Options& options, ShowFiles& files) {
  require_topology(options.run);
  const Topology& topology = *options.run.fabric.topology;
  require_few("fabric", topology.router_count(), "routers");
  const auto links = links_of(options.run);
  Shown shown = show_fabric(topology, links.get());
  const std::string& dot = options.of_command<ShowOptions>().dot;
  if (dot.empty()) return shown;
  files.drawing = fabric_drawing(topology, links.get());
  if (dot == "-") shown.text.clear();
  return shown;
}

Shown all_routes_of(const Options& options, const Routing& routing, ShowFiles& files) {
  const TimingParameters timing = timing_of(options.run);
  const auto phits = [&](Channel channel) { return timing.phits_of(channel, routing.topology()); };
  Shown shown = show_all_routes(routing, router_of(options.run, routing), phits);
  const std::string& csv = options.of_command<ShowOptions>().csv;
  if (csv.empty()) return shown;
  if (routing.table() == nullptr) {
    throw std::invalid_argument(
        fmt::format("--csv {}: routing {} has no table; table:dimension is the same as one",
                    shown_path(csv), routing.name()));
  }
  std::ostringstream rows;
  write_table(rows, *routing.table(), routing.topology());
  files.rows = rows.str();
  if (csv == "-") shown.text.clear();
  return shown;
}

// Whether a further word is a schedule file, and no node.
bool is_file(const std::string& word) {
  return word.find_first_not_of("0123456789b,") != std::string::npos;
}

// The words without the schedule file of `tree FILE` and `route FILE`, which goes to the settings.
std::vector<std::string> words_without_file(const Invocation& given, Settings& settings) {
  std::vector<std::string> words = given.arguments;
  const bool may_have_file =
      words.size() == 2 && (words.front() == "tree" || words.front() == "route");
  if (!may_have_file || (words.front() == "route" && !is_file(words.back()))) return words;
  const OptionSpec* schedule = &option_named("schedule");
  for (const Setting& setting : settings) {
    if (setting.spec == schedule) {
      throw std::invalid_argument("give FILE or --schedule, not both");
    }
  }
  settings.push_back({schedule, words.back(), ""});
  words.pop_back();
  return words;
}

Shown shown(const std::vector<std::string>& words, const Options& options, ShowFiles& files) {
  std::vector<std::string_view> known(std::begin(subjects), std::end(subjects));
  if (words.empty()) {
    throw std::invalid_argument(
        "show what? Give route U V, routes, fabric, chain, gray, tree, sets or bounds, and --topology");
  }
  const std::string subject = parse_word("subject", words.front(), known);
  if (subject != "route" && words.size() > 1) {
    throw std::invalid_argument(
        fmt::format("show {}: it takes no further word, and there is '{}'", subject, words.back()));
  }
  const bool has_traffic =
      options.run.traffic.algorithm != nullptr || !options.run.traffic.schedule.empty();
  const bool has_way =
      subject == "route" ? (words.size() == 3) != has_traffic : subject != "tree" || has_traffic;
  if (has_way) {
    if (subject != "chain" && !has_traffic) require_seed_is_read(options, "show " + subject);
    require_read(options, way_to_show(subject, words.size(), options.run.traffic),
                 ways_to_show(options.run));
  }
  require_order(subject, options.run);
  if (subject == "fabric") return fabric_of(options, files);
  const Routing routing = make_routing(options.run);
  require_ways_around(options.run, routing);
  if (subject == "route") return routes_of(words, options, routing);
  if (subject == "routes") return all_routes_of(options, routing, files);
  if (subject == "chain") {
    return show_chains(routing, goal_of(options, routing),
                       chain_nodes(options.run, routing.topology()));
  }
  if (subject == "gray") return show_gray(routing.topology());
  if (subject == "tree") return tree_of(options, routing);
  if (subject == "sets") return sets_of(options, routing);
  return bounds_of(options, routing);
}

int show(const Invocation& given) {
  const EndAtOnce nothing_to_report;
  const Stage stage("looking");
  Settings settings = given.settings;
  const std::vector<std::string> words = words_without_file(given, settings);
  Options options = merge({}, settings);
  const auto& own = options.of_command<ShowOptions>();
  require_own_files(options, "", {{"--csv", own.csv}, {"--dot", own.dot}});
  settle_block(options.run);
  ShowFiles files(options);
  const Shown result = shown(words, options, files);
  Outputs outputs;
  if (files.dot) outputs.attempt([&] { files.dot->commit(files.drawing); });
  if (files.csv) outputs.attempt([&] { files.csv->commit(files.rows); });
  if (options.observe.json != "-") outputs.attempt([&] { print(result.text); });
  if (files.json) {
    Json object{{"version", program_version}, {"subject", given.arguments.front()}};
    object.update(result.json);
    outputs.attempt([&] { files.json->commit(json_text(object)); });
  }
  return outputs.status(exit_clean);
}

}  // namespace

Command show_command() {
  Command command;
  command.name = "show";
  command.summary = "what theory says of a fabric: routes, chains, Gray codes, trees, bounds";
  command.words =
      "  route U V    the route of a unicast hop by hop, and how many shortest ones there are\n  route FILE   the routes of all messages of a schedule, or of --algorithm\n  routes       the lengths of all routes, the load of channels; --csv FILE: a table\n  fabric       the routers and where their ports lead; --dot FILE: a drawing for Graphviz\n  chain        a hypercube's chains: in dimension order, by weight, and that of --chain\n  gray         the ring of a hypercube's Gray code\n  "
      "tree [FILE]  who sends the multicast of --algorithm, or of a schedule, to whom\n  sets         the reachable sets of --source on a hypercube\n  bounds       links, degree, diameter, bisection; what no collective can beat";
  command.examples = {
      "allport show route 5 14 --topology hypercube:4",
      "allport show tree plan.jsonl --topology torus:4x4",
      "allport show tree --topology hypercube:4 --algorithm wsort --destinations 1,3,5,7,14"};
  command.page = "guide/show.md";
  command.options = options_read_by(use::show);
  command.options.push_back(&csv_option);
  command.options.push_back(&dot_option);
  command.positional = {
      "WHAT", "route U V, route FILE, routes, fabric, chain, gray, tree [FILE], sets or bounds",
      true, subject_words};
  command.run = show;
  return command;
}

}  // namespace allport
