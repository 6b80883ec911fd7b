// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/graphs/graph_file.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <utility>
#include <vector>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/text_encoding.h"
#include "rtl_model/graphs/readers.h"

namespace allport {

namespace {

bool ends_in(std::string_view path, std::string_view ending) {
  return path.size() > ending.size() && path.substr(path.size() - ending.size()) == ending;
}

constexpr std::string_view blanks_of_files = " \t\r\n";

// `text` without the mark of UTF-8, blanks, and comments of DOT before what it says.
std::string_view without_comments(std::string_view text) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  if (text.substr(0, mark.size()) == mark) text.remove_prefix(mark.size());
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(blanks_of_files), text.size()));
    const bool is_block = text.substr(0, 2) == "/*";
    if (!is_block && text.substr(0, 2) != "//" && text.substr(0, 1) != "#") return text;
    const std::size_t end = text.find(is_block ? "*/" : "\n");
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + (is_block ? 2 : 1));
  }
}

// A word of DOT, in letters of any case, then, maybe with a name between them, a brace: in GML
// there is a bracket.
bool begins_as_dot(std::string_view text) {
  for (const std::string_view word : {"graph", "digraph", "strict"}) {
    const std::string_view begin = text.substr(0, word.size());
    const std::string_view rest = text.substr(begin.size());
    const bool has_word = std::equal(begin.begin(), begin.end(), word.begin(), word.end(),
                                     [](char a, char b) {
                                       return std::tolower(static_cast<unsigned char>(a)) == b;
                                     }) &&
                          rest.find_first_of(" \t\r\n{\"") == 0;
    if (!has_word) continue;
    const std::size_t sign = rest.find_first_of("{[,");
    return sign != std::string_view::npos && rest[sign] == '{';
  }
  return false;
}

// Whether a file without an ending may be a list of edges: its first line has two cells, and what
// it begins with is text, and no list or table of JSON.
bool begins_as_edges(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  return line.find(',') != std::string_view::npos && line.find_first_of("{[") != 0;
}

// Text has no other control characters than these, and no zero bytes.
bool begins_as_text(std::string_view text) {
  constexpr std::size_t enough = 4096;
  const std::string_view begin = text.substr(0, enough);
  return std::none_of(begin.begin(), begin.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 &&
           std::string_view("\t\r\n\f\v").find(c) == std::string_view::npos;
  });
}

}  // namespace

GraphFormat graph_format(std::string_view path, std::string_view text) {
  const std::string_view begin = without_comments(text);
  if (ends_in(path, ".graphml") || ends_in(path, ".xml")) return GraphFormat::graphml;
  const bool is_text = begins_as_text(text) && !is_wide_text(text);
  if (is_text) {
    if (ends_in(path, ".dot") || ends_in(path, ".gv")) return GraphFormat::dot;
    if (ends_in(path, ".csv") || begin.empty()) return GraphFormat::edges;
    if (begin.front() == '<') return GraphFormat::graphml;
    if (begins_as_dot(begin)) return GraphFormat::dot;
    if (begins_as_edges(begin)) return GraphFormat::edges;
  }
  const std::string what = is_wide_text(text) ? "it is " + std::string(wide_text_in_words)
                                              : "it is no graph that is read";
  throw std::invalid_argument(shown_input(path) + ": " + what + "; " +
                              std::string(graph_formats_in_words));
}

std::string nodes_file_of(const std::string& path) {
  const bool has_ending = ends_in(path, ".csv");
  return (has_ending ? path.substr(0, path.size() - 4) : path) + ".nodes.csv";
}

namespace {

// The router `place` becomes a switch, and each of its endpoints a node behind it, with a link.
void add_endpoints(GraphDescription& graph, const GraphDescription::Node& router,
                   std::size_t place) {
  for (int i = 0; i < router.endpoints; ++i) {
    GraphDescription::Node node;
    node.name = router.name + "." + std::to_string(i);
    node.group = router.group;
    node.line = router.line;
    node.nodes_line = router.nodes_line;
    GraphDescription::Edge link;
    link.u = place;
    link.v = graph.nodes.size();
    link.line = router.line;
    graph.nodes.push_back(std::move(node));
    graph.edges.push_back(link);
    if (!graph.is_directed) continue;
    std::swap(link.u, link.v);
    graph.edges.push_back(link);
  }
}

// With nodes for the endpoints, router by router. Links of routers come first, and so do their
// ports.
GraphDescription with_endpoints(GraphDescription read) {
  const auto has_endpoints = [](const GraphDescription::Node& node) {
    return node.endpoints.has_value();
  };
  if (std::none_of(read.nodes.begin(), read.nodes.end(), has_endpoints)) return read;
  std::size_t count = read.nodes.size();
  for (const GraphDescription::Node& router : read.nodes) {
    count += static_cast<std::size_t>(router.endpoints.value_or(0));
    const bool is_in_file_of_nodes = router.nodes_line != 0;
    require_node_count(count, is_in_file_of_nodes ? read.nodes_file : read.file,
                       is_in_file_of_nodes ? router.nodes_line : router.line);
  }
  GraphDescription graph = read;
  graph.nodes.clear();
  std::vector<std::size_t> places;
  for (GraphDescription::Node router : read.nodes) {
    const std::size_t place = graph.nodes.size();
    places.push_back(place);
    if (router.endpoints) router.has_processor = false;
    graph.nodes.push_back(router);
    graph.nodes.back().endpoints.reset();
    if (router.endpoints) add_endpoints(graph, router, place);
  }
  for (std::size_t i = 0; i < read.edges.size(); ++i) {
    graph.edges[i].u = places[read.edges[i].u];
    graph.edges[i].v = places[read.edges[i].v];
  }
  return graph;
}

GraphDescription as_read(const std::string& path, std::string_view text, const std::string* nodes) {
  switch (graph_format(path, text)) {
    case GraphFormat::graphml:
      return read_graphml(path, text);
    case GraphFormat::dot:
      return read_dot(path, text);
    case GraphFormat::edges:
      break;
  }
  return read_edges(path, text, nodes);
}

}  // namespace

GraphDescription read_graph(const std::string& path, std::string_view text,
                            const std::string* nodes) {
  return with_endpoints(as_read(path, text, nodes));
}

void reject_graph(const std::string& path, std::size_t line, const std::string& why) {
  throw std::invalid_argument(shown_input(path) + (line == 0 ? "" : ":" + std::to_string(line)) +
                              ": " + why);
}

void require_node_count(std::size_t nodes, const std::string& path, std::size_t line) {
  if (nodes <= max_node_count) return;
  reject_graph(path, line,
               "here is one node more than the " + std::to_string(max_node_count) +
                   " that are possible at most");
}

void EdgeCounts::add(const GraphDescription::Edge& edge) {
  graph_.edges.push_back(edge);
  outputs_.resize(graph_.nodes.size());
  inputs_.resize(graph_.nodes.size());
  std::uint8_t& there = (graph_.is_directed ? inputs_ : outputs_)[edge.v];
  std::uint8_t& here = outputs_[edge.u];
  ++here;
  ++there;
  if (here > max_graph_ports || there > max_graph_ports) require_ports(graph_);
}

std::size_t NodeNames::place(std::string_view name, std::size_t line) {
  const auto [found, is_new] = places_.try_emplace(std::string(name), graph_.nodes.size());
  if (is_new) {
    require_node_count(graph_.nodes.size() + 1, graph_.file, line);
    GraphDescription::Node node;
    node.name = std::string(name);
    node.line = line;
    graph_.nodes.push_back(std::move(node));
  }
  return found->second;
}

}  // namespace allport
