// SPDX-License-Identifier: Apache-2.0
// The `config` of a run's JSON has every option that determines the run, resolved, by its name.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <sstream>

#include "rtl_model/base/fnv1a.h"
#include "rtl_model/base/real_text.h"
#include "rtl_model/graphs/graph.h"
#include "rtl_model/graphs/link_attributes.h"
#include "testbench/plan/plan_errors.h"
#include "testbench/plan/resolve.h"
#include "testbench/plan/router_declaration.h"
#include "testbench/plan/run_options.h"
#include "testbench/program/report/results_json.h"
#include "testbench/program/report/work_report.h"

namespace allport {

namespace {

// Whether `value` is the number that `text` says.
bool is_number(const Json& value, const std::string& text) {
  std::uint64_t whole = 0;
  const char* end = text.data() + text.size();
  if (const auto [stop, error] = std::from_chars(text.data(), end, whole);
      error == std::errc{} && stop == end) {
    return value == whole;
  }
  double number = 0;
  const auto [stop, error] = from_chars(text.data(), end, number);
  return error == std::errc{} && stop == end && value == number;
}

// The same of a list of which all are that number, as a delay of each dimension may be.
bool are_numbers(const Json& value, const std::string& text) {
  std::istringstream items(text);
  for (std::string item; std::getline(items, item, ',');) {
    if (!is_number(value, item)) return false;
  }
  return true;
}

// Whether `config` tells already that the option `key` was asked for as `text`. A list is told by
// what is in it, as the lines of a file are; a channel that is as wide as a flit is a usual one.
bool tells(const Json& config, const std::string& key, const std::string& text) {
  const auto found = config.find(key);
  if (found == config.end()) {
    return (key == "schedule" && config.contains("tasks")) || key == "link_width";
  }
  if (found->is_structured()) return true;
  if (found->is_string()) return *found == text;
  if (found->is_boolean()) return found->dump() == text;
  return are_numbers(*found, text);
}

// What else was asked for, in the words of the user. So there is no option that determines the
// result and is told by nothing.
void add_asked(Json& config, const RunPlan& plan) {
  Json asked = Json::object();
  for (const auto& [key, text] : plan.request.asked) {
    if (!tells(config, key, text)) asked[key] = text;
  }
  if (!asked.empty()) config["asked"] = std::move(asked);
}

}  // namespace

void add_ties(Json& json, const TieBreak& ties) {
  if (ties.rule != TieBreak::Rule::positive) json["ties"] = ties.in_words();
}

// The contents of its files, because their names would not determine the run.
static Json router_json(const RouterDeclaration& router) {
  return {{"top", router.top},
          {"hop_cycles", router.hop_cycles},
          {"adapter_cycles", router.adapter_cycles},
          {"settings", router.settings},
          {"fingerprint", router.fingerprint}};
}

namespace {

Json missing_json(const RunPlan& plan) {
  if (!plan.request.fabric.missing) return {};
  Json links = Json::array();
  const auto [topology, channels] = missing_of_whole(plan);
  for (const Channel channel : *channels) {
    const NodeId to = *topology->neighbour(channel.node, channel.port);
    links.push_back(nodes_json({channel.node, to}, *topology));
  }
  return links;
}

// By the names that they have in the whole fabric.
Json names_json(const std::vector<NodeId>& nodes, const FabricRequest& fabric) {
  Json names = Json::array();
  for (const NodeId node : nodes) names.push_back(fabric.whole->node_name(node));
  return names;
}

Json missing_nodes_json(const RunPlan& plan) {
  const FabricRequest& fabric = plan.request.fabric;
  if (!fabric.missing_nodes) return {};
  std::vector<NodeId> nodes;
  std::set_difference(fabric.gone.begin(), fabric.gone.end(), fabric.cut_off.begin(),
                      fabric.cut_off.end(), std::back_inserter(nodes));
  return names_json(nodes, fabric);
}

// The file of a table, or of a graph, may change and keep its name.
Json table_json(const std::string& text) {
  Fnv1a hash;
  hash.add(text);
  return {{"fingerprint", fmt::format("{:016x}", hash.value())}};
}

Json graph_json(const Graph& graph) {
  return {{"routers", graph.router_count()},
          {"channels", graph.channels().size()},
          {"fingerprint", fmt::format("{:016x}", graph.fingerprint())}};
}

Json counts_json(const RunPlan& plan) {
  const auto& counts = plan.request.message.pairs;
  if (counts == nullptr) return {};
  return {{"ranks", counts->ranks}, {"bytes", counts->total()}, {"digest", counts->digest()}};
}

Json link_delay_json(const RunPlan& plan) {
  if (plan.router.has_one_link_delay()) return plan.router.link_delay;
  const std::vector<int>& delays = plan.request.router.link_delays;
  return delays.empty() ? Json(plan.request.router.link_delay) : Json(delays);
}

// In bytes, one for all or by dimension; only where it is less than a flit.
Json link_width_json(const RunPlan& plan) {
  const std::vector<int>& widths = plan.request.router.link_widths;
  if (widths.empty() || !plan.router.has_narrow_channels()) return {};
  return widths.size() == 1 ? Json(widths.front()) : Json(widths);
}

// The links of the file, because its name would not determine the run.
Json link_attributes_json(const RunPlan& plan) {
  const auto& attributes = plan.request.router.link_attributes;
  if (attributes == nullptr) return {};
  Json list = Json::array();
  for (const LinkAttributes::Link& link : attributes->links) {
    Json one{{"u", link.u}, {"v", link.v}};
    if (link.delay) one["delay"] = *link.delay;
    if (link.width) one["width"] = *link.width;
    if (link.from_port) one["from_port"] = *link.from_port;
    list.push_back(std::move(one));
  }
  return list;
}

// The places themselves, because the name of a file would not determine the run.
template <class Place>
Json places_json(const std::vector<Place>& places, const Topology& topology) {
  if (places.empty()) return {};
  Json list = Json::array();
  for (const Place& one : places) list.push_back(in_words(one, topology));
  return list;
}

Json flit_errors_json(const RunPlan& plan) {
  return places_json(plan.simulation.errors.listed, plan.routing.topology());
}

Json lost_credits_json(const RunPlan& plan) {
  return places_json(plan.simulation.errors.lost_credits, plan.routing.topology());
}

Json barrier_json(const RunPlan& plan) {
  if (plan.simulation.barrier_messages) return "messages";
  return plan.simulation.barrier ? Json(*plan.simulation.barrier) : Json();
}

// What the plan has made of an option where that is not what the request has.
struct Settled {
  std::string_view key;
  Json (*value)(const RunPlan&);
};
constexpr std::array<Settled, 15> settled{{
    {"routing", [](const RunPlan& plan) { return Json(plan.routing.name()); }},
    {"ports",
     [](const RunPlan& plan) { return Json(usual_ports(plan.request, plan.routing.topology())); }},
    {"missing_links", missing_json},
    {"missing_nodes", missing_nodes_json},
    {"vcs", [](const RunPlan& plan) { return Json(plan.router.vcs - plan.router.join_vcs); }},
    {"buffer_depth", [](const RunPlan& plan) { return Json(plan.router.buffer_depth); }},
    {"link_delay", link_delay_json},
    {"link_width", link_width_json},
    {"link_attributes", link_attributes_json},
    {"flit_errors", flit_errors_json},
    {"lose_credit", lost_credits_json},
    {"flits", [](const RunPlan& plan) { return Json(plan.simulation.flits); }},
    {"bytes", [](const RunPlan& plan) { return Json(plan.simulation.bytes); }},
    {"counts", counts_json},
    {"barrier", barrier_json},
}};

Json value_of(const RunOption& option, const RunPlan& plan) {
  const auto* const own = std::find_if(settled.begin(), settled.end(),
                                       [&](const Settled& one) { return one.key == option.key; });
  return own == settled.end() ? option.field.get(plan.request) : own->value(plan);
}

// The options of which the configuration tells by itself, in its order.
std::vector<const RunOption*> told_options() {
  std::vector<const RunOption*> told;
  const auto is_told = [](const RunOption& option) { return option.told != Told::as_asked; };
  for (const RunOption& option : run_options()) {
    if (is_told(option) && option.told_behind.empty()) told.push_back(&option);
  }
  for (const RunOption& option : run_options()) {
    if (option.told_behind.empty()) continue;
    const auto before = std::find_if(told.begin(), told.end(), [&](const RunOption* one) {
      return one->key == option.told_behind;
    });
    told.insert(before + 1, &option);
  }
  return told;
}

// Adds those of the machine, or those of the outputs.
void add_told(Json& json, const RunPlan& plan, bool is_of_machine) {
  static const std::vector<const RunOption*> options = told_options();
  static const RunRequest with_defaults;
  for (const RunOption* option : options) {
    if ((option->table != "observe") != is_of_machine) continue;
    Json value = value_of(*option, plan);
    const bool differs = !value.is_null() && value != option->field.get(with_defaults);
    if (option->told == Told::always || differs) json[std::string(option->key)] = std::move(value);
    const auto* graph = dynamic_cast<const Graph*>(&plan.routing.topology());
    const auto& table = plan.request.fabric.table;
    if (option->key == "routing" && table && table->text) json["table"] = table_json(*table->text);
    if (option->key == "topology" && graph != nullptr) json["graph"] = graph_json(*graph);
    const FabricRequest& fabric = plan.request.fabric;
    if (option->key == "replan" && !fabric.cut_off.empty()) {
      json["cut_off"] = names_json(fabric.cut_off, fabric);
    }
    if (option->key == "switching" && plan.request.custom_router) {
      json["router"] = router_json(*plan.request.custom_router);
    }
  }
}

}  // namespace

Json machine_json(const RunPlan& plan) {
  Json json;
  add_told(json, plan, true);
  return json;
}

Json config_json(const RunPlan& plan) {
  Json json = machine_json(plan);
  add_work(json, plan);
  add_ties(json, plan.routing.tie_break());
  json["seed"] = plan.simulation.seed;
  add_told(json, plan, false);
  add_asked(json, plan);
  return json;
}

}  // namespace allport
