// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <pugixml.hpp>
#include <stdexcept>
#include <vector>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/stop_flag.h"
#include "rtl_model/base/xml_expectation.h"
#include "rtl_model/graphs/attributes.h"
#include "rtl_model/graphs/graph_file.h"
#include "rtl_model/graphs/readers.h"

namespace allport {

namespace {

struct Key {
  std::string name;
  std::string default_value;
  bool has_default = false;
};

// Calls `action` with the place of each element's first tag.
template <class Action>
void for_each_element(std::string_view text, Action action) {
  std::size_t at = 0;
  const auto skip_to = [&](std::string_view end) {
    at = std::min(text.find(end, at), text.size());
  };
  for (skip_to("<"); at < text.size(); skip_to("<")) {
    if (text.compare(at, 4, "<!--") == 0) {
      skip_to("-->");
    } else if (text.compare(at, 9, "<![CDATA[") == 0) {
      skip_to("]]>");
    } else {
      heed_stop();
      if (text.compare(at, 2, "</") != 0) action(at);
      ++at;
    }
  }
}

// Whether the tag `text` begins an element of this name. Texts in UTF-16 have zero bytes in it.
bool is_element(std::string_view text, std::string_view name) {
  std::size_t at = 1;
  const auto next = [&] {
    while (at < text.size() && text[at] == '\0') ++at;
    return at < text.size() ? text[at++] : '>';
  };
  for (const char one : name) {
    if (next() != one) return false;
  }
  return std::string_view(" \t\r\n/>").find(next()) != std::string_view::npos;
}

class GraphMl {
 public:
  GraphMl(const std::string& path, std::string_view text) : path_(path), text_(text) {
    graph_.file = path;
  }

  GraphDescription read() {
    require_size();
    pugi::xml_document document;
    const pugi::xml_parse_result parsed =
        document.load_buffer(text_.data(), text_.size(), pugi::parse_default | pugi::parse_doctype);
    if (!parsed)
      reject(parsed.offset,
             std::string("it is no XML: expected ") + xml_expectation(parsed.status));
    if (const std::size_t zero = reference_to_zero(text_); zero != std::string_view::npos) {
      reject(static_cast<std::ptrdiff_t>(zero),
             "it refers to the character 0, which no XML may have");
    }
    for (const pugi::xml_node& one : document.children()) {
      const bool has_entities =
          one.type() == pugi::node_doctype &&
          std::string_view(one.value()).find("ENTITY") != std::string_view::npos;
      if (has_entities) reject(one, "it has entities of its own, which are not read");
    }
    const pugi::xml_node root = document.child("graphml");
    if (!root) {
      reject_graph(path_, 0,
                   "it is XML without an element graphml; " + std::string(graph_formats_in_words));
    }
    read_keys(root);
    const pugi::xml_node graph = root.child("graph");
    if (!graph) reject(root, "it has no element graph");
    if (graph.next_sibling("graph")) reject(graph.next_sibling("graph"), "it is a second graph");
    const std::string_view direction = graph.attribute("edgedefault").as_string("undirected");
    if (direction != "directed" && direction != "undirected") {
      reject(graph, "edgedefault " + in_quotes(direction) + " must be directed or undirected");
    }
    graph_.is_directed = direction == "directed";
    NodeNames names(graph_);
    read_nodes(graph, names);
    read_edges(graph, names);
    return std::move(graph_);
  }

 private:
  // Counts what the file has before anything is made of it, which takes many times its size.
  void require_size() const {
    constexpr std::size_t most_elements = std::size_t{1} << 26;
    std::size_t elements = 0;
    std::size_t nodes = 0;
    std::size_t edges = 0;
    for_each_element(text_, [&](std::size_t at) {
      if (++elements > most_elements) reject_more("element", most_elements, "that are read", at);
      if (is_element(text_.substr(at), "edge")) ++edges;
      if (!is_element(text_.substr(at), "node")) return;
      ++nodes;
      if (nodes > max_node_count) require_node_count(nodes, path_, line_at(at));
    });
    constexpr std::size_t few = std::size_t{1} << 20;
    const std::size_t most_edges = std::max(nodes * max_graph_ports, few);
    if (edges <= most_edges) return;
    edges = 0;
    for_each_element(text_, [&](std::size_t at) {
      if (!is_element(text_.substr(at), "edge") || ++edges <= most_edges) return;
      reject_more("edge", most_edges, "that so few nodes can have", at);
    });
  }

  [[noreturn]] void reject_more(const char* thing, std::size_t most, const std::string& which,
                                std::size_t at) const {
    reject_graph(path_, line_at(at),
                 std::string("here is one ") + thing + " more than the " + std::to_string(most) +
                     " " + which + " at most");
  }

  std::size_t line_at(std::size_t place) const {
    const auto end = text_.begin() + static_cast<std::ptrdiff_t>(std::min(place, text_.size()));
    return 1 + static_cast<std::size_t>(std::count(text_.begin(), end, '\n'));
  }
  [[noreturn]] void reject(std::ptrdiff_t offset, const std::string& why) const {
    reject_graph(path_, line_at(static_cast<std::size_t>(std::max<std::ptrdiff_t>(offset, 0))),
                 why);
  }
  [[noreturn]] void reject(const pugi::xml_node& node, const std::string& why) const {
    reject(node.offset_debug(), why);
  }

  // Lines are counted on from the last element, since elements come in the order of the file.
  std::size_t line_of(const pugi::xml_node& node) {
    const auto offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0));
    if (offset < counted_) return 0;
    line_ += static_cast<std::size_t>(std::count(
        text_.begin() + static_cast<std::ptrdiff_t>(counted_),
        text_.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text_.size())), '\n'));
    counted_ = offset;
    return line_;
  }

  void read_keys(const pugi::xml_node& root) {
    for (const pugi::xml_node& one : root.children("key")) {
      Key key;
      key.name = one.attribute("attr.name").as_string();
      const pugi::xml_node value = one.child("default");
      key.has_default = value;
      key.default_value = value.text().as_string();
      const std::string_view domain = one.attribute("for").as_string("all");
      const std::string id = one.attribute("id").as_string();
      if (domain == "node" || domain == "all") node_keys_[id] = key;
      if (domain == "edge" || domain == "all") edge_keys_[id] = key;
    }
  }

  template <class Item>
  void set_all(Item& item, const pugi::xml_node& element, const std::map<std::string, Key>& keys) {
    at_line(path_, item.line, [&] {
      for (const auto& [id, key] : keys) {
        if (key.has_default) set_attribute(item, key.name, key.default_value);
      }
      for (const pugi::xml_node& data : element.children("data")) {
        const auto key = keys.find(data.attribute("key").as_string());
        if (key == keys.end()) continue;
        set_attribute(item, key->second.name, data.text().as_string());
      }
    });
  }

  void read_nodes(const pugi::xml_node& graph, NodeNames& names) {
    for (const pugi::xml_node& one : graph.children("node")) {
      heed_stop();
      const pugi::xml_attribute id = one.attribute("id");
      const std::size_t line = line_of(one);
      if (!id || *id.as_string() == '\0') reject_graph(path_, line, "a node has no id");
      if (one.child("graph")) {
        reject_graph(
            path_, line,
            "node " + in_quotes(id.as_string()) + " has a graph of its own, which is not read");
      }
      const std::size_t count = graph_.nodes.size();
      const std::size_t place = names.place(id.as_string(), line);
      if (place < count) {
        reject_graph(path_, line, "node " + in_quotes(id.as_string()) + " is there twice");
      }
      set_all(graph_.nodes[place], one, node_keys_);
    }
  }

  void read_edges(const pugi::xml_node& graph, NodeNames& names) {
    if (graph.child("hyperedge")) reject(graph.child("hyperedge"), "an edge joins two nodes");
    EdgeCounts edges(graph_);
    line_ = 1;  // edges may stand before nodes
    counted_ = 0;
    for (const pugi::xml_node& one : graph.children("edge")) {
      heed_stop();
      GraphDescription::Edge edge;
      edge.line = line_of(one);
      edge.u = end_of(one, "source", names, edge.line);
      edge.v = end_of(one, "target", names, edge.line);
      const pugi::xml_attribute own = one.attribute("directed");
      if (own && own.as_bool() != graph_.is_directed) {
        reject_graph(path_, edge.line, "the edges of a graph are all directed, or none is");
      }
      set_all(edge, one, edge_keys_);
      edges.add(edge);
    }
  }
  std::size_t end_of(const pugi::xml_node& edge, const char* end, NodeNames& names,
                     std::size_t line) const {
    const std::string_view name = edge.attribute(end).as_string();
    if (!names.has(name)) {
      reject_graph(path_, line, std::string(end) + " " + in_quotes(name) + " is not a node");
    }
    return names.place(name, line);
  }

  const std::string& path_;
  std::string_view text_;
  GraphDescription graph_;
  std::map<std::string, Key> node_keys_;
  std::map<std::string, Key> edge_keys_;
  std::size_t line_ = 1;     // of the place ..
  std::size_t counted_ = 0;  // .. up to which line breaks are counted
};

}  // namespace

GraphDescription read_graphml(const std::string& path, std::string_view text) {
  return GraphMl(path, text).read();
}

}  // namespace allport
