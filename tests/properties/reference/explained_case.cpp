// SPDX-License-Identifier: Apache-2.0
#include "tests/properties/reference/explained_case.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "testbench/observe/explain/roots.h"
#include "testbench/plan/plan_run.h"
#include "testbench/simulation/program_table.h"
#include "testbench/simulation/simulate.h"
#include "tests/properties/reference/drawn_graphs.h"
#include "tests/properties/reference/drawn_pipeline.h"
#include "tests/properties/reference/simulated_case.h"
#include "tests/support/forked.h"

namespace allport::test {

namespace {

ExplainRequest everything() {
  ExplainRequest request;
  request.causes = true;
  request.channels = true;
  request.every = 1'000'000;
  request.listed = ExplainRequest::all;
  return request;
}

std::string print(const MessageAccount& account) {
  std::ostringstream out;
  out << "trial " << account.trial << " " << index(account.source) << ">"
      << index(account.destination) << "#" << account.order << " of " << account.collective << ": "
      << account.created << ".." << account.has << " = ";
  for (const Cause cause : causes()) {
    if (account.causes[cause] > 0) out << to_string(cause) << " " << account.causes[cause] << " ";
  }
  out << "contended " << account.causes.contended << "\n";
  return out.str();
}

// Without where it lies in time, so that two of one path that have the same words could be one.
std::string print_of_all_times(const PathStretch& one) {
  std::ostringstream out;
  out << to_string(one.cause) << " " << static_cast<int>(one.resource.kind) << " "
      << index(one.resource.node) << "." << one.resource.port << "." << one.resource.vc
      << (one.blamed ? " because of " + name_in_words(*one.blamed) : "");
  return out.str();
}

std::string print(const PathStretch& one) {
  return std::to_string(one.first) + " + " + std::to_string(one.cycles) + " " +
         print_of_all_times(one);
}

std::string transcript(const Explanation& explanation) {
  std::vector<std::string> lines;
  for (const MessageAccount& account : explanation.messages) lines.push_back(print(account));
  for (const RootShare& root : explanation.roots) {
    std::ostringstream line;
    line << "root " << to_string(root.cause) << " " << static_cast<int>(root.resource.kind) << " "
         << index(root.resource.node) << "." << root.resource.port << "." << root.resource.vc
         << ": " << root.cycles << "\n";
    lines.push_back(line.str());
  }
  for (const ChannelUse& use : explanation.channels) {
    std::ostringstream line;
    line << "channel " << static_cast<int>(use.resource.kind) << " " << index(use.resource.node)
         << "." << use.resource.port << ": " << use.used << " " << use.lost << " " << use.no_credit
         << " " << use.empty << " " << use.idle << " of " << use.cycles << " messages "
         << use.messages << " waiting " << use.most_waiting << "\n";
    lines.push_back(line.str());
  }
  for (const PathMessage& message : explanation.path) {
    lines.push_back("path " + print(message.account));
    for (const PathStretch& one : message.stretches) lines.push_back("path " + print(one) + "\n");
  }
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

// Whether buffers are so deep that no flit waits for a credit on its way. Behind the tail of
// another message a head meets its phits too, so that narrow channels need a flit more than for
// full rate.
bool runs_at_full_rate(const reference::Config& config) {
  const int held = config.replication_delay + config.crossbar_delay;
  if (config.phits.empty()) return config.buffer_depth >= 2 + 2 * config.link_delay + held;
  int depth = 2 + held;  // of the injection channels
  for (std::size_t i = 0; i < config.phits.size(); ++i) {
    const int delay = config.link_delays.empty() ? config.link_delay : config.link_delays[i];
    const int on_the_way = (2 * delay + held + config.phits[i] - 1) / config.phits[i];
    depth = std::max(depth, 2 + on_the_way);
  }
  return config.buffer_depth >= depth;
}

// Whether the message has a list of destinations: it may meet itself, and then blames nobody.
bool may_meet_itself(const MessageAccount& account, const DrawnCase& drawn) {
  if (drawn.collectives.empty()) return false;
  const auto& lines = drawn.collectives[static_cast<std::size_t>(account.collective)].lines;
  return std::any_of(lines.begin(), lines.end(), [&](const reference::Line& line) {
    return line.u == static_cast<int>(index(account.source)) && line.order == account.order &&
           !line.via.empty();
  });
}

// The cycles of the cause with this name.
Cycle cycles_of(const CauseSum& causes, std::string_view name) {
  Cycle sum = 0;
  for (const Cause cause : allport::causes()) {
    if (to_string(cause) == name) sum += causes[cause];
  }
  return sum;
}

// What must hold of the causes of a message, whatever else goes on; empty if it does.
std::string fault_of(const MessageAccount& account, const DrawnCase& drawn) {
  const reference::Config& config = drawn.config;
  const CauseSum& causes = account.causes;
  const Cycle h = account.hops;
  const Cycle d = config.link_delay;
  const Cycle length = account.flits;
  const bool is_circuit = config.mode == reference::Mode::circuit && length >= 2;
  const bool is_stored = config.mode == reference::Mode::store_and_forward;
  if (causes.total() != account.has - account.created) return "the causes do not sum";
  if (causes[Cause::prepare] != config.ts || causes[Cause::receive] != config.tr) return "ts or tr";
  if (config.phits.empty() && causes[Cause::width] != 0) return "width";
  const bool has_one_delay = config.link_delays.empty();
  if (has_one_delay && causes[Cause::hop] != (is_circuit ? 2 : 1) * (h * (1 + d) + 1)) return "hop";
  if (has_one_delay && is_circuit && causes[Cause::ack] != h * (1 + d) + 3) return "ack";
  if (is_circuit && causes[Cause::length] != length - 2) return "length of a circuit";
  if (is_stored && config.replication_delay == 0 &&
      causes[Cause::length] != (h + 2) * (length - 1)) {
    return "length of a stored message";
  }
  if (!is_circuit && !is_stored && causes[Cause::length] != length - 1) return "length";
  const Cycle pipeline = cycles_of(causes, "pipeline");
  const Cycle crossings = (is_circuit ? 2 : 1) * (h + 1) * config.crossbar_delay;
  if (pipeline < crossings) return "pipeline";
  const bool is_full = runs_at_full_rate(config);
  const bool is_buffered = is_stored || config.mode == reference::Mode::cut_through;
  if (may_meet_itself(account, drawn)) return "";
  if (config.has_retry) return "";  // what comes later keeps its credit longer
  if (causes[Cause::retry] != 0) return "retry";
  if (is_full && !is_buffered && causes[Cause::turnaround] != 0) return "turnaround";
  const Cycle unblamed = causes[Cause::hop] + causes[Cause::length] + causes[Cause::replication] +
                         causes[Cause::ack] + causes[Cause::prepare] + causes[Cause::receive] +
                         causes[Cause::jitter] + causes[Cause::width] + pipeline;
  if (is_full && !is_buffered && unblamed + causes.contended != causes.total()) {
    return "a wait that blames nobody";
  }
  return "";
}

// By waiting and holding message, each with sender and order: the cycles of contention seen.
using Contended = std::map<std::tuple<int, int, int, int, int>, Cycle>;

std::tuple<int, int, int, int, int> pair_of(int trial, NodeId u, int order,
                                            const MessageName& holding) {
  return {trial, static_cast<int>(index(u)), order, static_cast<int>(index(holding.u)),
          holding.order};
}

Contended contended(const Results& results) {
  Contended cycles;
  for (const Contention* kind : {&results.contention, &results.reception}) {
    for (const ContentionEvent& event : kind->list) {
      cycles[pair_of(event.trial, event.waiting.u, event.waiting.order, event.holding)] +=
          event.cycles;
    }
  }
  return cycles;
}

// Whether the waits for channels that other senders own were seen as contention with these. Below
// full rate, and where a worm comes round to its own flits, one such cycle may hold up several
// flits, one after another.
std::string fault_of_blames(const MessageAccount& account, const Contended& seen, bool is_full) {
  for (const Blame& blame : account.blames) {
    if (blame.cause != Cause::channel || blame.blamed.u == account.source) continue;
    const auto pair = pair_of(account.trial, account.source, account.order, blame.blamed);
    const auto found = seen.find(pair);
    if (found == seen.end()) return "a wait without contention";
    if (is_full && found->second < blame.cycles) return "waits that are more than the contention";
  }
  return "";
}

// Whether the critical path is one row of cycles that is as long as the latency, and what its
// messages waited for is theirs. With skew it begins at a start, from which its length counts.
std::string fault_of_path(const Results& results, const reference::Config& config) {
  const std::vector<PathMessage>& path = results.explanation->path;
  if (path.empty()) return results.latency.max > 0 ? "there is no path" : "";
  Cycle total = 0;
  Cycle now = path.front().stretches.front().first;
  for (const PathMessage& message : path) {
    total += message.account.causes.total();
    std::string before;
    for (const PathStretch& stretch : message.stretches) {
      if (stretch.first != now) return "the path has gaps";
      const std::string words = print_of_all_times(stretch);
      if (words == before) return "two stretches of the path are one: " + print(stretch);
      before = words;
      now += stretch.cycles;
    }
  }
  if (now != path.back().account.has) return "the path has gaps";
  const char* const fault = "the path is not as long as the latency";
  if (config.skew == 0) return total == results.latency.max ? "" : fault;
  if (config.has_barrier) return "";  // a start may be before that of the collective, or after it
  const MessageAccount& first = path.front().account;
  const auto starts = draw_starts(parse_topology(config.topology)->node_count(), config.skew,
                                  config.seed, config.trial);
  if (first.created != starts[index(first.source)]) return "the path does not begin at a start";
  return total == results.latency.max - first.created ? "" : fault;
}

// Whether every channel does something in every cycle, and its flits are those of the run.
std::string fault_of_channels(const Results& results) {
  Cycle hops = 0;
  for (const ChannelUse& use : results.explanation->channels) {
    if (use.used + use.lost + use.no_credit + use.empty + use.idle != use.cycles ||
        std::min({use.used, use.lost, use.no_credit, use.empty, use.idle}) < 0) {
      return "the states of a channel do not sum";
    }
    if (use.resource.kind == Resource::Kind::channel) hops += use.flits;
  }
  return static_cast<std::uint64_t>(hops) == results.flit_hops ? "" : "flits are missing";
}

}  // namespace

std::string fault_of_chains(const ShownTrial& shown) {
  Roots chains(shown.explained.waits, shown.log);
  for (const Reception& reception : shown.receptions) {
    for (Wait wait : shown.explained.explain(reception)) {
      if (wait.blamed == no_message) continue;
      wait.cycles = 1;
      wait.times = 1;
      Roots roots(shown.explained.waits, shown.log);
      roots.add(wait);
      if (!(chains.chain(wait, wait.first).back() == roots.sums().front().first)) {
        return "a chain does not end at its root, in cycle " + std::to_string(wait.first);
      }
    }
  }
  return "";
}

std::string check_explanation(const DrawnCase& drawn, Traffic traffic) {
  return forked([&]() -> std::string {
    std::string fault_shown;
    const Results results =
        simulate(drawn, traffic, false, everything(),
                 [&](const ShownTrial& shown) { fault_shown = fault_of_chains(shown); });
    if (!fault_shown.empty()) return fault_shown;
    const Contended seen = contended(results);
    for (const MessageAccount& account : results.explanation->messages) {
      std::string fault = fault_of(account, drawn);
      if (fault.empty()) {
        const bool is_full = runs_at_full_rate(drawn.config) && !may_meet_itself(account, drawn);
        fault = fault_of_blames(account, seen, is_full);
      }
      if (!fault.empty()) return fault + ": " + print(account);
    }
    for (const UnfinishedMessage& one : results.explanation->unfinished) {
      if (one.causes.total() == one.until - one.created) continue;
      return "a message under way: " + name_in_words(one.name);
    }
    if (!results.is_complete()) return "";
    if (!is_pattern(traffic) && drawn.config.trial == 0) {
      const std::string fault = fault_of_path(results, drawn.config);
      if (!fault.empty()) return fault;
    }
    return drawn.config.trial == 0 ? fault_of_channels(results) : "";
  });
}

std::string check_explanation(Traffic traffic, std::uint64_t seed) {
  return check_explanation(draw_case(traffic, seed), traffic);
}

std::string compare_explanations(Traffic traffic, std::uint64_t seed) {
  DrawnCase drawn = draw_case(traffic, seed);
  drawn.config.is_adaptive = false;
  const auto run = [&](bool as_worms) {
    return forked(
        [&] { return transcript(*simulate(drawn, traffic, as_worms, everything()).explanation); });
  };
  std::istringstream flits(run(false));
  std::istringstream worms(run(true));
  std::string expected;
  std::string found;
  while (std::getline(flits, expected)) {
    std::getline(worms, found);
    if (found != expected) return found + " instead of " + expected;
  }
  return std::getline(worms, found) ? "too much: " + found : "";
}

namespace {

std::string place_of(const Resource& resource) {
  const std::string node = std::to_string(index(resource.node)) + ":";
  const std::string port = std::to_string(resource.port);
  switch (resource.kind) {
    case Resource::Kind::channel:
      return node + "out" + port + "." + std::to_string(resource.vc);
    case Resource::Kind::injection:
      return node + "inj" + port;
    case Resource::Kind::ejection:
      return node + "ej" + port;
    case Resource::Kind::processor:
      break;
  }
  return node + "proc";
}

using Line = std::multiset<std::string>;

std::string line_of(int source, int destination, int order, int collective, Cycle created,
                    Cycle has, Cycle contended) {
  std::ostringstream out;
  out << source << ">" << destination << "#" << order << " of " << collective << ": " << created
      << ".." << has << " contended " << contended;
  return out.str();
}

// ` by 7>1#0 channel: `
std::string blame_of(const std::string& cause, const reference::MessageName& name) {
  std::ostringstream out;
  out << " by " << name.u << ">" << name.v << "#" << name.order << " " << cause << ": ";
  return out.str();
}

// Those in a queue are one blame.
std::string blame_of_queue(const std::string& cause) { return " by a queue " + cause + ": "; }

std::string blame_of(const Blame& blame) {
  if (is_queue(blame.cause)) return blame_of_queue(to_string(blame.cause));
  const MessageName& name = blame.blamed;
  const int receiver = name.v ? static_cast<int>(index(*name.v)) : reference::no_node;
  return blame_of(to_string(blame.cause), {static_cast<int>(index(name.u)), receiver, name.order});
}

Line lines_of(const Explanation& explanation, int trial, bool is_pattern) {
  Line lines;
  for (const MessageAccount& one : explanation.messages) {
    if (one.trial != trial) continue;
    std::map<std::string, Cycle> by_cause;
    for (const Cause cause : causes()) {
      if (one.causes[cause] > 0) by_cause[to_string(cause)] = one.causes[cause];
    }
    std::string line = line_of(
        static_cast<int>(index(one.source)), static_cast<int>(index(one.destination)), one.order,
        is_pattern ? -1 : one.collective, one.created, one.has, one.causes.contended);
    for (const auto& [cause, cycles] : by_cause) {
      line += ", " + cause + " " + std::to_string(cycles);
    }
    std::map<std::string, Cycle> by_blame;  // names repeat across collectives
    for (const Blame& blame : one.blames) by_blame[blame_of(blame)] += blame.cycles;
    for (const auto& [blame, cycles] : by_blame) line += blame + std::to_string(cycles);
    lines.insert(line);
  }
  return lines;
}

Line lines_of(const std::vector<reference::Account>& accounts, bool is_tasks = false) {
  Line lines;
  for (const reference::Account& one : accounts) {
    std::string line = line_of(one.source, one.destination, one.message,
                               is_tasks ? -1 : one.collective, one.created, one.has, one.contended);
    for (const auto& [cause, cycles] : one.by_cause) {
      if (cycles > 0) line += ", " + cause + " " + std::to_string(cycles);
    }
    std::map<std::string, Cycle> by_blame;
    for (const auto& [blame, cycles] : one.by_blame) {
      const bool is_of_queue = blame.first == "port" || blame.first == "processor";
      by_blame[is_of_queue ? blame_of_queue(blame.first) : blame_of(blame.first, blame.second)] +=
          cycles;
    }
    for (const auto& [blame, cycles] : by_blame) line += blame + std::to_string(cycles);
    lines.insert(line);
  }
  return lines;
}

Line roots_of(const Explanation& explanation) {
  Line lines;
  for (const RootShare& root : explanation.roots) {
    lines.insert(std::string(to_string(root.cause)) + " at " + place_of(root.resource) + ": " +
                 std::to_string(root.cycles));
  }
  return lines;
}

Line roots_of(const std::vector<reference::Account>& accounts) {
  std::map<std::pair<std::string, std::string>, Cycle> sums;
  for (const reference::Account& one : accounts) {
    for (const auto& [root, cycles] : one.by_root) sums[root] += cycles;
  }
  Line lines;
  for (const auto& [root, cycles] : sums) {
    lines.insert(root.first + " at " + root.second + ": " + std::to_string(cycles));
  }
  return lines;
}

// The lines that only one of the two has, the first three of each.
std::string difference(const Line& mine, const Line& theirs) {
  const auto missing = [](const Line& these, const Line& those, const char* where) {
    Line only;
    std::set_difference(these.begin(), these.end(), those.begin(), those.end(),
                        std::inserter(only, only.end()));
    std::string words;
    for (auto line = only.begin(); line != only.end(); ++line) {
      if (std::distance(only.begin(), line) < 3) words += where + *line + "\n";
    }
    return words;
  };
  return missing(mine, theirs, "only here: ") + missing(theirs, mine, "only in the reference: ");
}

}  // namespace

std::string compare_with_reference(const DrawnCase& drawn, Traffic traffic) {
  const int trial = static_cast<int>(drawn.config.trial);
  return forked([&]() -> std::string {
    reference::Config config = drawn.config;
    config.explains = true;
    const reference::Results theirs = is_pattern(traffic)
                                          ? reference::simulate(config, drawn.pattern)
                                          : reference::simulate(config, drawn.collectives);
    const Results mine = simulate(drawn, traffic, false, everything());
    if (mine.deadlock && mine.deadlock->trial != trial) return "";
    const std::string found = difference(lines_of(*mine.explanation, trial, is_pattern(traffic)),
                                         lines_of(theirs.accounts));
    if (!found.empty() || trial > 0) return found;
    return difference(roots_of(*mine.explanation), roots_of(theirs.accounts));
  });
}

namespace {

// The lines as tasks, of which each sender begins one after the other.
RunRequest request_of(const DrawnClasses& drawn) {
  DrawnRun run;
  run.config = drawn.config;
  run.lines = drawn.lines;
  const reference::Config& config = drawn.config;
  run.request.fabric.topology = parse_topology(config.topology);
  if (config.is_adaptive) run.request.fabric.routing = RoutingOrder::adaptive;
  if (config.is_balanced) run.request.router.vc_use = VcUse::balanced;
  if (config.ports > 0) run.request.fabric.ports = config.ports;
  run.request.router.classes = config.classes;
  run.request.router.vcs = config.vcs;
  run.request.router.buffer_depth = config.buffer_depth;
  run.request.router.link_delay = config.link_delay;
  copy_pipeline(config, run.request.router);
  run.request.router.switching = static_cast<Switching>(config.mode);
  run.request.explain = everything();
  return with_lines(run);
}

}  // namespace

std::string compare_accounts(const Explanation& explanation,
                             const std::vector<reference::Account>& accounts) {
  const std::string found = difference(lines_of(explanation, 0, true), lines_of(accounts, true));
  return found.empty() ? difference(roots_of(explanation), roots_of(accounts)) : found;
}

std::string compare_with_reference(const DrawnClasses& drawn) {
  RunRequest request = request_of(drawn);
  request.model = Model::systemc;
  const Results mine = simulate(plan(request));
  const Explanation& explanation = *mine.explanation;
  for (const MessageAccount& account : explanation.messages) {
    if (account.causes.total() == account.has - account.created) continue;
    return "the causes do not sum: " + print(account);
  }
  std::string fault = fault_of_channels(mine);
  if (!fault.empty()) return fault;
  reference::Config config = drawn.config;
  config.explains = true;
  config.counts_from_begin = true;
  const reference::Results theirs = reference::simulate(config, as_collective(drawn.lines));
  fault = compare_accounts(explanation, theirs.accounts);
  const bool is_for_worms = config.mode == reference::Mode::wormhole && !config.is_adaptive;
  if (!fault.empty() || !is_for_worms) return fault;
  request.model = Model::worm;
  const Results of_worms = simulate(plan(request));
  const bool is_same = transcript(*of_worms.explanation) == transcript(explanation);
  return is_same ? "" : "worms say something else";
}

std::string compare_with_reference(Traffic traffic, std::uint64_t seed) {
  return compare_with_reference(draw_case(traffic, seed), traffic);
}

}  // namespace allport::test
