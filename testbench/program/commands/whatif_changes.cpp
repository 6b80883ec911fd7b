// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/commands/whatif_changes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "testbench/plan/plan_run.h"
#include "testbench/program/commands/compared_algorithms.h"
#include "testbench/results/cause.h"
#include "testbench/results/way_to_bound.h"

namespace allport {

namespace {

using Values = std::vector<std::string>;

// What an option is now, and the run that it is of.
struct Now {
  std::string text;  // empty: it is not given, and has no default in words
  const Json& config;
  std::int64_t most_ports = 0;  // of a node

  std::optional<std::int64_t> number() const {
    std::int64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    return error == std::errc{} && stop == end ? std::make_optional(value) : std::nullopt;
  }
  bool is_on(std::initializer_list<const char*> shapes) const {
    const std::string topology = config.value("topology", "");
    return std::any_of(shapes.begin(), shapes.end(),
                       [&](const char* shape) { return topology.rfind(shape, 0) == 0; });
  }
};

// Two and four times as much.
Values more(const Now& now) {
  const auto number = now.number();
  if (!number || *number <= 0) return {};
  return {std::to_string(2 * *number), std::to_string(4 * *number)};
}

Values half(const Now& now) {
  const auto number = now.number();
  return number && *number > 0 ? Values{std::to_string(*number / 2)} : Values{};
}

// Half of it, and nothing.
Values less(const Now& now) {
  const auto number = now.number();
  if (!number || *number <= 0) return {};
  Values values{std::to_string(*number / 2)};
  if (*number > 1) values.emplace_back("0");
  return values;
}

// Those of `words` that it is not now.
Values others(const Now& now, const Values& words) {
  Values values;
  std::copy_if(words.begin(), words.end(), std::back_inserter(values),
               [&](const std::string& word) { return word != now.text; });
  return values;
}

// `word` unless it is that.
std::function<Values(const Now&)> word(const char* text) {
  return [text](const Now& now) { return others(now, {text}); };
}

Values of_rings(const Now& now, const Values& words) {
  return now.is_on({"ring:", "torus:"}) ? others(now, words) : Values{};
}

Values ties(const Now& now) { return of_rings(now, {"alternate", "negative"}); }
Values vc_use(const Now& now) { return of_rings(now, {"balanced", "strict"}); }

Values routings(const Now& now) {
  if (now.is_on({"hypercube:"})) return others(now, {"adaptive", "ascending", "descending"});
  if (now.text.rfind("table:", 0) == 0) return others(now, {"table:shortest", "table:updown"});
  return {};
}

Values modes(const Now& now) { return others(now, {"wormhole", "cut-through"}); }

Values all_ports(const Now& now) {
  const auto ports = now.number();
  return !ports || *ports >= now.most_ports ? Values{} : Values{"all"};
}

// The width of a whole flit, and twice as much on the way there.
Values wider(const Now& now) {
  const auto width = now.number();
  const auto flit = now.config.value("flit_bytes", std::int64_t{0});
  if (!width || *width <= 0 || *width >= flit) return {};
  if (2 * *width >= flit) return {std::to_string(flit)};
  return {std::to_string(2 * *width), std::to_string(flit)};
}

std::string times(const std::string& was, const std::string& text) {
  const Json none;
  const auto before = Now{was, none}.number();
  const auto after = Now{text, none}.number();
  if (!before || !after || *before == 0) return "more";
  return fmt::format("{:.3g} times", static_cast<double>(*after) / static_cast<double>(*before));
}

using Cost = std::function<std::string(const std::string& was, const std::string& text)>;

Cost always(const char* words) {
  return [words](const std::string&, const std::string&) { return std::string(words); };
}
Cost as_many(const char* things) {
  return [things](const std::string& was, const std::string& text) {
    return fmt::format("{} the {}", times(was, text), things);
  };
}

struct Rule {
  std::string_view key;
  std::vector<Cause> aims;  // the causes that it is against
  std::function<Values(const Now&)> values;
  Cost cost;
};

const std::vector<Rule>& rules() {
  static const Cost software = always("faster software");
  static const Cost nothing = always("no hardware");
  static const Cost control = always("control of the routers");
  static const Cost links = always("faster links");
  static const std::vector<Rule> table{
      {"vcs", {Cause::channel, Cause::behind}, more, as_many("buffers of channels")},
      {"buffer_depth",
       {Cause::credit, Cause::behind, Cause::turnaround, Cause::channel},
       more,
       as_many("places of each buffer")},
      {"ties", {Cause::channel, Cause::behind, Cause::credit, Cause::crossbar}, ties, nothing},
      {"vc_use", {Cause::channel}, vc_use, control},
      {"routing", {Cause::channel, Cause::behind, Cause::credit}, routings, control},
      {"switching",
       {Cause::mode, Cause::ack, Cause::credit, Cause::behind},
       modes,
       always("buffers that hold whole messages, for cut-through")},
      {"link_delay", {Cause::hop, Cause::turnaround, Cause::retry}, less, links},
      {"link_width", {Cause::width, Cause::length}, wider, as_many("wires of a link")},
      {"flit_bytes",
       {Cause::length},
       [](const Now& now) {
         Values values = more(now);
         values.resize(std::min<std::size_t>(1, values.size()));
         return values;
       },
       as_many("wires of a link, and buffers as wide")},
      {"replication_delay", {Cause::replication}, less, always("faster replication")},
      {"combine_delay", {Cause::combine}, less, always("faster combining")},
      {"route_delay", {Cause::pipeline}, less, always("a route that is found sooner")},
      {"vc_delay", {Cause::pipeline}, less, always("a virtual channel that is given sooner")},
      {"crossbar_delay", {Cause::pipeline}, less, always("a faster crossbar")},
      {"join_vcs",
       {Cause::join, Cause::branch},
       [](const Now& now) {
         return others(now, {"1", "2"});
       },
       always("buffers of their own for joins and trees")},
      {"ports",
       {Cause::port, Cause::reception},
       all_ports,
       always("an injection and an ejection channel for each link")},
      {"ts", {Cause::prepare, Cause::processor}, half, software},
      {"tr", {Cause::receive}, half, software},
      {"ts_per_flit", {Cause::prepare, Cause::processor}, half, software},
      {"tr_per_flit", {Cause::receive}, half, software},
      {"send", {Cause::prepare, Cause::processor}, word("nwrite"), software},
      {"receive",
       {Cause::receive, Cause::prepare, Cause::processor},
       word("delay"),
       always("a processor that receives beside its work")},
      {"startup",
       {Cause::prepare, Cause::processor},
       word("per-port"),
       always("a network interface that prepares messages")},
      {"duplex", {Cause::port, Cause::length}, word("full"), always("ports of both directions")},
      {"bandwidth",
       {Cause::port, Cause::length},
       word("private"),
       always("memory as fast as all ports together")},
      {"jitter", {Cause::jitter}, less, always("a steadier processor")},
      {"reception_limit", {Cause::reception}, more, as_many("places of reception buffers")},
      {"steps",
       {Cause::channel, Cause::behind},
       [](const Now& now) {
         return now.config.contains("algorithm") ? others(now, {"aware"}) : Values{};
       },
       nothing},
      {"place",
       {Cause::channel, Cause::behind, Cause::hop},
       [](const Now& now) {
         return now.is_on({"hypercube:"})        ? others(now, {"gray"})
                : now.is_on({"torus:", "mesh:"}) ? others(now, {"snake"})
                                                 : Values{};
       },
       nothing}};
  return table;
}

// What a part of all cycles `cause` is: its own, and of the waiting those of which it is the root.
double share_of(Cause cause, const Account& account) {
  double all = 0, waiting = 0;
  for (const CauseRow& row : cause_rows) {
    const auto found = account.cycles.find(row.name);
    if (found == account.cycles.end()) continue;
    all += found->second;
    if (row.is_waiting) waiting += found->second;
  }
  if (all <= 0) return 0;
  const auto own = account.cycles.find(to_string(cause));
  const auto root = account.roots.find(to_string(cause));
  return ((own == account.cycles.end() ? 0 : own->second) +
          (root == account.roots.end() ? 0 : waiting * root->second)) /
         all;
}

// What of a collective is beyond its bound; one half where nobody knows.
double excess(const Account& account) {
  if (!account.bound || !account.value || *account.value <= 0) return .5;
  return std::max(0., (*account.value - *account.bound) / *account.value);
}

bool has_idle_ports(const Account& account) {
  return std::any_of(account.beyond_bound.begin(), account.beyond_bound.end(), [](const auto& one) {
    return one.first.rfind(to_string(Excess::idle_ports), 0) == 0;
  });
}

}  // namespace

std::string WhatifChanges::now(const Change& change, const Account& account,
                               std::string_view key) const {
  for (const OptionChange& one : change) {
    if (one.key == key) return one.text;
  }
  for (auto setting = given_.rbegin(); setting != given_.rend(); ++setting) {
    if (setting->spec->key == key) return setting->text;
  }
  const auto found = account.config.find(std::string(key));
  if (found != account.config.end() && !found->is_null()) {
    return found->is_string() ? found->get<std::string>() : found->dump();
  }
  // The words of a default may say more than its value: `all`, `nwrite`.
  const std::string& usual = option_named(key).default_value;
  return usual.find(' ') == std::string::npos ? usual : "";
}

bool WhatifChanges::is_given(std::string_view key) const {
  return std::any_of(given_.begin(), given_.end(),
                     [key](const Setting& one) { return one.spec->key == key; });
}

void WhatifChanges::add_algorithms(const Change& change, const Account& account,
                                   std::vector<Suggestion>& list) const {
  const Algorithm& algorithm = *options_->run.traffic.algorithm;
  Options open = *options_;
  open.run.traffic.algorithm = nullptr;
  open.run.traffic.collective = algorithm.operation;
  open.algorithms.clear();
  open.given.erase("algorithm");
  const std::string is_now = now(change, account, "algorithm");
  std::vector<const Algorithm*> others;
  try {
    others = compared_algorithms(open, plan_fabric(open.run));
  } catch (const std::invalid_argument&) {
    return;  // no other one suits
  }
  for (const Algorithm* other : others) {
    if (other->name == is_now) continue;
    const bool is_of_routers = other->kind != MessageKind::unicast;
    list.push_back({{"algorithm", std::string(other->name), is_now,
                     is_of_routers ? "routers that copy, label or join" : "no hardware"},
                    excess(account)});
  }
}

// Where several collectives have stopped each other: one after the other.
void WhatifChanges::add_barrier(const Change& change, const Account& account,
                                std::vector<Suggestion>& list) const {
  const bool is_apart = options_->run.node.barrier || options_->run.node.barrier_messages;
  const bool is_changed = std::any_of(change.begin(), change.end(),
                                      [](const OptionChange& one) { return one.key == "barrier"; });
  if (account.value || is_apart || is_changed || options_->run.traffic.sources.size() < 2) return;
  list.push_back({{"barrier", "0", now(change, account, "barrier"),
                   "no hardware, but one collective after the other"},
                  1});
}

void WhatifChanges::add_parts(const Change& change, const Account& account,
                              std::vector<Suggestion>& list) const {
  const Algorithm& algorithm = *options_->run.traffic.algorithm;
  const std::string is_now = now(change, account, "parts");
  if (algorithm.own_parts == nullptr || options_->run.traffic.group) return;
  const PartCounts own = algorithm.own_parts(*options_->run.fabric.topology);
  const double promise = excess(account) + (has_idle_ports(account) ? .1 : 0);
  constexpr int most = 16;
  for (int parts = own.least; parts <= std::min(own.most, own.least + most); ++parts) {
    const std::string text = std::to_string(parts);
    if (text != is_now) list.push_back({{"parts", text, is_now, "no hardware"}, promise});
  }
}

// Two ranks change their places where they are in each other's way most.
void WhatifChanges::add_swaps(const Change& change, const Account& account,
                              std::vector<Suggestion>& list) const {
  constexpr std::size_t most_nodes = 64;  // whose list is still a command line that one can read
  constexpr std::size_t most = 3;
  const TrafficTable& traffic = options_->run.traffic;
  const Topology& topology = *options_->run.fabric.topology;
  const bool is_moved = std::any_of(change.begin(), change.end(),
                                    [](const OptionChange& one) { return one.key == "place"; });
  const bool has_places = is_moved || traffic.place || traffic.group || traffic.ranks != nullptr ||
                          traffic.embed != nullptr || topology.is_graph();
  const bool has_ranks =
      traffic.algorithm->kind == MessageKind::unicast && !traffic.algorithm->needs_lists();
  if (has_places || !has_ranks || topology.node_count() > most_nodes) return;
  double all = 0;
  for (const auto& one : account.cycles) all += one.second;
  for (std::size_t i = 0; i < std::min(most, account.rivals.size()); ++i) {
    const Rivals& rivals = account.rivals[i];
    std::vector<std::uint64_t> nodes(topology.node_count());
    std::iota(nodes.begin(), nodes.end(), 0U);
    std::swap(nodes.at(rivals.a), nodes.at(rivals.b));
    list.push_back({{"place", fmt::format("{}", fmt::join(nodes, ",")), "", "no hardware"},
                    all > 0 ? rivals.cycles / all : 0});
  }
}

// Whether such a run has the option at all.
bool WhatifChanges::is_for(std::string_view key) const {
  if (options_ != nullptr) return key != "place" || options_->run.traffic.algorithm != nullptr;
  const bool is_of_replays = (option_named(key).uses & use::replay) != 0;
  return is_of_replays && key != "place" && (key != "ports" || is_given(key));
}

std::vector<Suggestion> WhatifChanges::suggest(const Change& change, const Account& account) const {
  std::vector<Suggestion> list;
  constexpr std::int64_t any = 1 << 20;  // of a replay it shows when it runs
  const std::int64_t most_ports =
      options_ == nullptr
          ? any
          : static_cast<std::int64_t>(options_->run.fabric.topology->node_port_count());
  for (const Rule& rule : rules()) {
    double promise = account.cycles.empty() ? .25 : 0;
    std::vector<std::string> aims;
    for (const Cause cause : rule.aims) {
      promise += share_of(cause, account);
      aims.emplace_back(to_string(cause));
    }
    // A flit is a larger part of a message only where that is given in bytes.
    const bool has_bytes = options_ == nullptr || is_given("bytes") || is_given("tasks");
    if (promise <= 0 || (rule.key == "flit_bytes" && !has_bytes)) continue;
    if (!is_for(rule.key)) continue;
    const std::string is_now = now(change, account, rule.key);
    for (const std::string& text : rule.values({is_now, account.config, most_ports})) {
      list.push_back(
          {{std::string(rule.key), text, is_now, rule.cost(is_now, text)}, promise, aims});
      promise *= .98;  // of one option the first value before the next
    }
  }
  const bool has_algorithm = options_ != nullptr && options_->run.traffic.algorithm != nullptr &&
                             !options_->run.traffic.collective_rate;
  if (has_algorithm && excess(account) > 0) {
    add_barrier(change, account, list);
    add_algorithms(change, account, list);
    add_parts(change, account, list);
    add_swaps(change, account, list);
  }
  return list;
}

std::map<std::string, std::vector<Cause>> causes_by_option() {
  std::map<std::string, std::vector<Cause>> causes;
  for (const Rule& rule : rules()) causes[std::string(rule.key)] = rule.aims;
  return causes;
}

}  // namespace allport
