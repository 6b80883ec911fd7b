// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/option_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <stdexcept>

#include "rtl_model/base/names.h"
#include "rtl_model/base/quote.h"
#include "rtl_model/base/real_text.h"
#include "rtl_model/graphs/graph.h"

namespace allport {

namespace {

template <class Number>
std::optional<Number> read_whole(std::string_view text, int base) {
  Number number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, base);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return number;
}

const Graph* graph_of(const Topology* topology) {
  return topology != nullptr && topology->is_graph() ? static_cast<const Graph*>(topology)
                                                     : nullptr;
}

NodeNumber parse_node(std::string_view text, const Topology* topology) {
  const bool is_binary = text.substr(0, 2) == "0b";
  const auto id = is_binary ? read_whole<std::uint64_t>(text.substr(2), 2)
                            : read_whole<std::uint64_t>(text, 10);
  if (id) return {*id, is_binary};
  const bool may_be_binary = topology == nullptr || topology->is_hypercube();
  throw std::invalid_argument(
      fmt::format("{} is not a node{}: give its number, 0..{}{}", in_quotes(text),
                  topology == nullptr ? "" : " of " + topology->name(),
                  (topology == nullptr ? max_node_count : topology->node_count()) - 1,
                  !may_be_binary        ? ""
                  : topology == nullptr ? ", or 0b.. on a hypercube"
                                        : ", or 0b.."));
}

// The nodes of a graph that a list names; `stuck`: the rest of it from where on none does. A name
// may have commas of its own, so the shortest one counts that is a node.
std::vector<NodeNumber> nodes_of_graph(std::string_view text, const Graph& graph,
                                       std::string_view& stuck) {
  std::vector<NodeNumber> nodes;
  for (std::string_view rest = text;;) {
    std::optional<NodeId> node;
    std::size_t end = 0;
    for (std::size_t from = 0; !node && end != std::string_view::npos; from = end + 1) {
      end = rest.find(',', from);
      node = graph.meant_by(rest.substr(0, end));
    }
    if (!node) {
      stuck = rest;
      return {};
    }
    nodes.push_back({index(*node)});
    if (end == std::string_view::npos) return nodes;
    rest.remove_prefix(end + 1);
  }
}

// The nodes with a processor, and the numbers of the switches, which some options take, too: `its
// nodes are a, b, .. of star.dot, or 0..3 by number, and 4 is a switch`.
std::string processors_in_words(const Graph& graph) {
  const std::size_t count = graph.node_count();
  const std::size_t last = graph.router_count() - 1;
  std::string numbers;
  if (!graph.has_numbers_as_names()) {
    numbers = fmt::format(", or 0..{} by number", count - 1);
    if (last == count) numbers += fmt::format(", and {} is a switch", last);
    if (last > count) numbers += fmt::format(", and {}..{} are switches", count, last);
  }
  return fmt::format("its nodes are {}, {}{}{}{}", shown(graph.node_name(node_id(0)), 40),
                     shown(graph.node_name(node_id(1)), 40), count > 2 ? ", .." : "",
                     graph.of_file(), numbers);
}

// Rejects several sets where one is expected: `random:8,random:32`, `all,1`.
void require_one_set(std::string_view text) {
  const bool is_list = text.find(',') != std::string_view::npos;
  const bool has_word =
      text.find("random:") != std::string_view::npos || text.find("all") != std::string_view::npos;
  if (!is_list || !has_word) return;
  std::string sets(text);
  std::replace(sets.begin(), sets.end(), ',', ';');
  throw std::invalid_argument(fmt::format(
      "'{}' is not one set of destinations: a comma separates nodes; `sweep` takes several sets, separated by semicolons as in '{}'",
      text, sets));
}

}  // namespace

std::int64_t parse_integer(std::string_view text, const Range& range) {
  const auto number = read_whole<std::int64_t>(text, 10);
  if (number && range.has(*number)) return *number;
  throw std::invalid_argument(
      range.low == range.high
          ? fmt::format("{} is not {}, the only number possible", in_quotes(text), range.low)
          : fmt::format("{} is not a whole number in {}..{}", in_quotes(text), range.low,
                        range.high));
}

std::size_t parse_count(std::string_view text, const Range& range) {
  return static_cast<std::size_t>(parse_integer(text, range));
}

std::uint64_t parse_seed(std::string_view text) {
  const auto number = read_whole<std::uint64_t>(text, 10);
  if (number) return *number;
  throw std::invalid_argument(fmt::format("{} is not a whole number in 0..{}", in_quotes(text),
                                          std::numeric_limits<std::uint64_t>::max()));
}

double parse_decimal(std::string_view text, double low, double high) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = from_chars(text.data(), end, number);
  const bool is_number = error == std::errc{} && stop == end;
  if (is_number && number >= low && number <= high) return number;
  throw std::invalid_argument(
      fmt::format("{} is not a number in {}..{}", in_quotes(text), low, high));
}

bool parse_flag(std::string_view text) {
  if (text == "true") return true;
  if (text == "false") return false;
  throw std::invalid_argument(in_quotes(text) + " must be true or false");
}

std::string parse_path(std::string_view text) {
  if (text.empty()) throw std::invalid_argument("the name of the file is empty");
  if (text.find('\0') != std::string_view::npos) {  // where the system would take it to end
    throw std::invalid_argument(in_quotes(text) + " is no name of a file: it has a zero byte");
  }
  return std::string(text);
}

std::string parse_word(std::string_view what, std::string_view text,
                       const std::vector<std::string_view>& words) {
  if (std::find(words.begin(), words.end(), text) != words.end()) return std::string(text);
  throw std::invalid_argument(unknown_name(what, text, words));
}

std::vector<std::string_view> parse_list(std::string_view text) {
  if (text.empty()) throw std::invalid_argument("the list is empty; give at least one item");
  std::vector<std::string_view> items;
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    items.push_back(rest.substr(0, comma));
    if (items.back().empty()) {
      throw std::invalid_argument(in_quotes(text) + " has a comma with no item before or after it");
    }
    if (comma == std::string_view::npos) return items;
    rest.remove_prefix(comma + 1);
  }
}

namespace {

[[noreturn]] void reject_node(std::string_view name, const Graph& graph) {
  const std::vector<std::string>& missing = graph.description().missing;
  const bool is_missing = std::find(missing.begin(), missing.end(), name) != missing.end();
  throw std::invalid_argument(fmt::format("{} is not a node of {}{}: {}", in_quotes(name),
                                          graph.name(), is_missing ? ", for it is missing" : "",
                                          processors_in_words(graph)));
}

}  // namespace

std::vector<NodeNumber> parse_nodes(std::string_view text, const Topology* topology) {
  std::vector<NodeNumber> nodes;
  if (const Graph* graph = graph_of(topology)) {
    std::string_view stuck;
    nodes = nodes_of_graph(text, *graph, stuck);
    if (!nodes.empty()) return nodes;
    parse_list(text);  // which tells what is wrong with it as a list
    reject_node(stuck.substr(0, stuck.find(',')), *graph);
  }
  for (const std::string_view item : parse_list(text)) nodes.push_back(parse_node(item, topology));
  return nodes;
}

bool names_nodes(std::string_view text, const Topology* topology) {
  const Graph* const graph = graph_of(topology);
  std::string_view stuck;
  return graph != nullptr && !nodes_of_graph(text, *graph, stuck).empty();
}

NodeChoice parse_node_choice(std::string_view text, const Topology* topology) {
  constexpr std::string_view random = "random:";
  NodeChoice choice;
  if (text == "all") return choice;
  if (text.substr(0, random.size()) == random) {
    choice.share = parse_decimal(text.substr(random.size()), 0, 1);
    if (*choice.share == 0)
      throw std::invalid_argument("random:0 leaves no node; give a larger share");
    return choice;
  }
  try {
    choice.listed = parse_nodes(text, topology);
  } catch (const std::invalid_argument&) {
    const bool has_numbers = text.find_first_not_of("0123456789b,") == std::string_view::npos;
    if (has_numbers || graph_of(topology) != nullptr) throw;
    throw std::invalid_argument(in_quotes(text) +
                                " must be all, random:F or a list of nodes such as 5,9");
  }
  return choice;
}

std::vector<std::pair<std::string, std::string>> parse_assignments(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> assignments;
  for (const std::string_view item : parse_list(text)) {
    const std::size_t sign = item.find('=');
    if (sign == 0 || sign == std::string_view::npos || sign + 1 == item.size()) {
      throw std::invalid_argument(in_quotes(item) + " must be NAME=VALUE");
    }
    assignments.emplace_back(item.substr(0, sign), item.substr(sign + 1));
  }
  return assignments;
}

DestinationChoice parse_destinations(std::string_view text, const Topology* topology) {
  constexpr std::string_view random = "random:";
  DestinationChoice choice;
  if (text == "all") return choice;
  if (names_nodes(text, topology)) {
    choice.listed = parse_nodes(text, topology);
    return choice;
  }
  require_one_set(text);
  if (text.substr(0, random.size()) == random) {
    const auto count = read_whole<std::size_t>(text.substr(random.size()), 10);
    if (!count) {
      throw std::invalid_argument(in_quotes(text) +
                                  " needs a number of destinations, as in random:5");
    }
    choice.random = *count;
    return choice;
  }
  try {
    choice.listed = parse_nodes(text, topology);
  } catch (const std::invalid_argument& error) {
    const bool has_numbers = text.find_first_not_of("0123456789b,") == std::string_view::npos;
    if (has_numbers || graph_of(topology) != nullptr) throw;
    throw std::invalid_argument(in_quotes(text) +
                                " must be all, random:M or a list of nodes such as 1,3,5");
  }
  return choice;
}

namespace {

// A message by the names of a graph's nodes, in which there may be signs that join names.
std::optional<MessageName> message_of_graph(std::string_view text, const Graph& graph) {
  const std::size_t mark = text.rfind('#');
  if (mark == std::string_view::npos) return std::nullopt;
  const auto order = read_whole<int>(text.substr(mark + 1), 10);
  const std::string_view ends = text.substr(0, mark);
  if (!order || *order < 0) return std::nullopt;
  const auto processor = [&](std::string_view name) {
    const auto node = graph.meant_by(name);
    return node && index(*node) < graph.node_count() ? node : std::nullopt;
  };
  std::string_view wrong;
  for (std::size_t arrow = ends.find('>'); arrow != std::string_view::npos;
       arrow = ends.find('>', arrow + 1)) {
    const std::string_view sender = ends.substr(0, arrow);
    const std::string_view receiver = ends.substr(arrow + 1);
    if (sender.empty() || receiver.empty()) continue;
    const auto u = processor(sender);
    const auto v = processor(receiver);
    if (u && (v || receiver == "all")) return MessageName{*u, v, *order};
    if (u || wrong.empty()) wrong = u ? receiver : sender;
  }
  if (wrong.empty()) return std::nullopt;
  reject_node(wrong, graph);
}

}  // namespace

std::optional<MessageName> parse_message(std::string_view text, const Topology* topology) {
  if (const Graph* graph = graph_of(topology)) return message_of_graph(text, *graph);
  const std::size_t arrow = text.find('>');
  const std::size_t mark = text.find('#');
  if (arrow == std::string_view::npos || mark == std::string_view::npos || mark < arrow) {
    return std::nullopt;
  }
  const std::string_view receiver = text.substr(arrow + 1, mark - arrow - 1);
  const std::string_view sender = text.substr(0, arrow);
  MessageName name;
  try {
    name.order = static_cast<int>(parse_integer(text.substr(mark + 1), {0, 2147483647}));
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
  const auto are_digits = [](std::string_view end) {
    return !end.empty() && end.find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (!are_digits(sender) || (receiver != "all" && !are_digits(receiver))) return std::nullopt;
  const auto end = [&](std::string_view digits, const char* role) {
    const std::uint64_t number = parse_node(digits, topology).id;
    if (topology != nullptr) require_node(*topology, number, role);
    return node_id(number);
  };
  name.u = end(sender, "sender");
  if (receiver != "all") name.v = end(receiver, "receiver");
  return name;
}

ExplainRequest parse_explained(std::string_view text, const Topology* topology) {
  constexpr std::string_view slowest = "slowest:";
  constexpr std::string_view message = "message:";
  ExplainRequest request;
  request.causes = true;
  request.listed = ExplainRequest::all;
  if (text == "all") return request;
  if (text.substr(0, slowest.size()) == slowest) {
    request.listed = parse_count(text.substr(slowest.size()), {1, 1'000'000'000});
    return request;
  }
  if (text.substr(0, message.size()) == message) {
    request.message = parse_message(text.substr(message.size()), topology);
    if (request.message) return request;
  }
  throw std::invalid_argument(
      in_quotes(text) +
      " must be all, slowest:N, or a message by sender, receiver and place in the sender's program, such as message:5>9#0");
}

namespace {

// Whether it is an identifier of SystemVerilog.
bool is_identifier(std::string_view text) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const auto is_part = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '$'; };
  return !text.empty() && is_letter(text.front()) && std::all_of(text.begin(), text.end(), is_part);
}

}  // namespace

std::vector<std::string> parse_macros(std::string_view text) {
  std::vector<std::string> macros;
  for (const std::string_view item : parse_list(text)) {
    if (!is_identifier(item.substr(0, item.find('=')))) {
      throw std::invalid_argument(
          in_quotes(item) +
          " must be NAME or NAME=VALUE, the name of letters, digits, _ and $, and no digit or $ first");
    }
    macros.emplace_back(item);
  }
  return macros;
}

std::string parse_module(std::string_view text) {
  if (is_identifier(text)) return std::string(text);
  throw std::invalid_argument(
      in_quotes(text) +
      " must be the name of a module: letters, digits, _ and $, and no digit or $ first");
}

std::string page_file(std::string_view text) {
  constexpr std::string_view ending = ".html";
  std::string path = parse_path(text);
  if (path.size() <= ending.size() || path.substr(path.size() - ending.size()) != ending) {
    throw std::invalid_argument(shown_path(path) + ": the name must end in " + std::string(ending));
  }
  return path;
}

}  // namespace allport
