// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/graphs/graph_file.h"

#include <algorithm>
#include <stdexcept>

#include "rtl_model/base/quote.h"
#include "rtl_model/graphs/readers.h"

namespace allport {

namespace {

bool ends_in(std::string_view path, std::string_view ending) {
  return path.size() > ending.size() && path.substr(path.size() - ending.size()) == ending;
}

bool begins_with_word(std::string_view text, std::string_view word) {
  return text.substr(0, word.size()) == word &&
         (text.size() == word.size() ||
          text.find_first_of(" \t\r\n{\"", word.size()) == word.size());
}

}  // namespace

GraphFormat graph_format(std::string_view path, std::string_view text) {
  if (ends_in(path, ".graphml") || ends_in(path, ".xml")) return GraphFormat::graphml;
  if (ends_in(path, ".dot") || ends_in(path, ".gv")) return GraphFormat::dot;
  if (ends_in(path, ".csv")) return GraphFormat::edges;
  const std::size_t first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  const std::string_view begin = first == std::string_view::npos ? "" : text.substr(first);
  if (begin.substr(0, 1) == "<") return GraphFormat::graphml;
  for (const std::string_view word : {"graph", "digraph", "strict"}) {
    if (begins_with_word(begin, word)) return GraphFormat::dot;
  }
  return GraphFormat::edges;
}

std::string nodes_file_of(const std::string& path) {
  const bool has_ending = ends_in(path, ".csv");
  return (has_ending ? path.substr(0, path.size() - 4) : path) + ".nodes.csv";
}

GraphDescription read_graph(const std::string& path, std::string_view text,
                            const std::string* nodes) {
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

void reject_graph(const std::string& path, std::size_t line, const std::string& why) {
  throw std::invalid_argument(shown_path(path) + (line == 0 ? "" : ":" + std::to_string(line)) +
                              ": " + why);
}

std::size_t NodeNames::place(std::string_view name, std::size_t line) {
  const auto [found, is_new] = places_.try_emplace(std::string(name), graph_.nodes.size());
  if (is_new) {
    GraphDescription::Node node;
    node.name = std::string(name);
    node.line = line;
    graph_.nodes.push_back(std::move(node));
  }
  return found->second;
}

}  // namespace allport
