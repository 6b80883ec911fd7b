// SPDX-License-Identifier: Apache-2.0
// The language DOT of Graphviz (graphviz.org/doc/info/lang.html), as far as it describes nodes,
// edges and attributes; what is drawn how counts for nothing.
#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <stdexcept>
#include <vector>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/stop_flag.h"
#include "rtl_model/graphs/attributes.h"
#include "rtl_model/graphs/readers.h"

namespace allport {

namespace {

struct Token {
  enum class Kind { end, name, sign };  // a sign is one of { } [ ] ; , = : -> --
  Kind kind = Kind::end;
  std::string text;
  bool is_quoted = false;  // a quoted name is no key word
  std::size_t line = 1;

  bool is(std::string_view sign) const { return kind == Kind::sign && text == sign; }
  bool is_word(std::string_view word) const {
    return kind == Kind::name && !is_quoted && text.size() == word.size() &&
           std::equal(text.begin(), text.end(), word.begin(), [](char a, char b) {
             return std::tolower(static_cast<unsigned char>(a)) == b;
           });
  }
};

class DotTokens {
 public:
  DotTokens(const std::string& path, std::string_view text) : path_(path), rest_(text) { next(); }

  const Token& front() const { return front_; }
  Token take() {
    Token taken = front_;
    next();
    return taken;
  }
  bool take(std::string_view sign) {
    if (!front_.is(sign)) return false;
    next();
    return true;
  }
  void demand(std::string_view sign) {
    if (!take(sign)) reject("expected " + std::string(sign) + ", not " + front_in_words());
  }
  std::string demand_name() {
    if (front_.kind != Token::Kind::name) reject("expected a name, not " + front_in_words());
    return take().text;
  }
  [[noreturn]] void reject(const std::string& why) const { reject_graph(path_, front_.line, why); }
  std::string front_in_words() const {
    return front_.kind == Token::Kind::end ? "the end" : in_quotes(front_.text);
  }

 private:
  static bool is_of_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' ||
           static_cast<unsigned char>(c) >= 0x80;
  }

  void skip(std::size_t count) {
    line_ += static_cast<std::size_t>(
        std::count(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(count), '\n'));
    rest_.remove_prefix(count);
  }

  // Blanks, comments, and lines of a preprocessor.
  void skip_blanks() {
    for (;;) {
      const std::size_t blanks = std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size());
      const bool begins_line = line_ != line_of_sign_ || blanks > 0;
      skip(blanks);
      if (rest_.substr(0, 3) == "\xef\xbb\xbf") {
        rest_.remove_prefix(3);
      } else if (rest_.substr(0, 2) == "//" || (begins_line && rest_.substr(0, 1) == "#")) {
        skip(std::min(rest_.find('\n'), rest_.size()));
      } else if (rest_.substr(0, 2) == "/*") {
        const std::size_t end = rest_.find("*/", 2);
        if (end == std::string_view::npos) reject_graph(path_, line_, "a comment does not end");
        skip(end + 2);
      } else {
        return;
      }
    }
  }

  void next() {
    skip_blanks();
    front_ = {};
    front_.line = line_;
    line_of_sign_ = line_;
    if (rest_.empty()) return;
    front_.kind = Token::Kind::sign;
    if (rest_.substr(0, 2) == "->" || rest_.substr(0, 2) == "--") {
      front_.text = rest_.substr(0, 2);
      skip(2);
    } else if (std::string_view("{}[];,=:+").find(rest_.front()) != std::string_view::npos) {
      front_.text = rest_.front();
      skip(1);
    } else if (rest_.front() == '"') {
      take_string();
    } else if (rest_.front() == '<') {
      reject_graph(path_, line_, "a name in HTML is not read");
    } else {
      take_name();
    }
  }

  void take_name() {
    front_.kind = Token::Kind::name;
    std::size_t size = rest_.front() == '-' ? 1 : 0;
    while (size < rest_.size() && is_of_name(rest_[size])) ++size;
    if (size == 0 || (size == 1 && rest_.front() == '-')) {
      reject_graph(path_, line_, in_quotes(rest_.substr(0, 1)) + " is not of the language DOT");
    }
    front_.text = rest_.substr(0, size);
    skip(size);
  }

  void take_string() {
    front_.kind = Token::Kind::name;
    front_.is_quoted = true;
    std::size_t at = 1;
    for (; at < rest_.size() && rest_[at] != '"'; ++at) {
      if (rest_[at] != '\\' || at + 1 == rest_.size()) {
        front_.text += rest_[at];
        continue;
      }
      ++at;
      if (rest_[at] == '\n') continue;
      if (rest_[at] != '"') front_.text += '\\';
      front_.text += rest_[at];
    }
    if (at >= rest_.size()) reject_graph(path_, line_, "a name in quotes does not end");
    skip(at + 1);
  }

  const std::string& path_;
  std::string_view rest_;
  std::size_t line_ = 1;
  std::size_t line_of_sign_ = 0;
  Token front_;
};

using Attributes = std::map<std::string, std::string>;

class Dot {
 public:
  Dot(const std::string& path, std::string_view text)
      : path_(path), tokens_(path, text), names_(graph_), edges_(graph_) {
    graph_.file = path;
  }

  GraphDescription read() {
    if (tokens_.front().is_word("strict")) {
      is_strict_ = true;
      tokens_.take();
    }
    graph_.is_directed = tokens_.front().is_word("digraph");
    if (!graph_.is_directed && !tokens_.front().is_word("graph")) {
      tokens_.reject("expected graph or digraph, not " + tokens_.front_in_words());
    }
    tokens_.take();
    if (tokens_.front().kind == Token::Kind::name) tokens_.take();
    read_block({}, {});
    if (tokens_.front().kind != Token::Kind::end) tokens_.reject("it goes on behind the graph");
    return std::move(graph_);
  }

 private:
  using Places = std::vector<std::size_t>;

  // `{ .. }`: returns the nodes in it.
  Places read_block(Attributes of_nodes, Attributes of_edges) {
    constexpr int deepest = 64;
    if (++depth_ > deepest) tokens_.reject("subgraphs are nested more than 64 times");
    tokens_.demand("{");
    Places nodes;
    while (!tokens_.take("}")) {
      heed_stop();
      read_statement(of_nodes, of_edges, nodes);
      tokens_.take(";");
    }
    --depth_;
    return nodes;
  }

  void read_statement(Attributes& of_nodes, Attributes& of_edges, Places& nodes) {
    for (const auto& [word, attributes] :
         {std::pair{"node", &of_nodes}, std::pair{"edge", &of_edges}}) {
      if (!tokens_.front().is_word(word)) continue;
      tokens_.take();
      read_attributes(*attributes);
      return;
    }
    if (tokens_.front().is_word("graph")) {
      tokens_.take();
      Attributes ignored;
      read_attributes(ignored);
      return;
    }
    const std::size_t line = tokens_.front().line;
    bool is_node = false;
    Places ends = read_end(of_nodes, of_edges, is_node);
    if (ends.empty() && is_node) return;  // name = value
    nodes.insert(nodes.end(), ends.begin(), ends.end());
    const char* const sign = graph_.is_directed ? "->" : "--";
    const std::size_t first = graph_.edges.size();
    bool has_edges = false;
    while (tokens_.take(sign)) {
      has_edges = true;
      Places others = read_end(of_nodes, of_edges, is_node);
      add_edges(ends, others, line);
      nodes.insert(nodes.end(), others.begin(), others.end());
      ends = std::move(others);
    }
    if (tokens_.front().is(graph_.is_directed ? "--" : "->")) {
      tokens_.reject(std::string("an edge of a ") + (graph_.is_directed ? "digraph" : "graph") +
                     " is written " + sign);
    }
    Attributes own = has_edges ? of_edges : Attributes();
    read_attributes(own);
    if (has_edges) {
      for (std::size_t i = first; i < graph_.edges.size(); ++i) set(graph_.edges[i], own, line);
    } else if (is_node) {
      set(graph_.nodes[ends.front()], own, line);
    }
  }

  // A node, or the nodes of a subgraph; none if it is `name = value`.
  Places read_end(const Attributes& of_nodes, const Attributes& of_edges, bool& is_node) {
    is_node = false;
    if (tokens_.front().is_word("subgraph")) {
      tokens_.take();
      if (tokens_.front().kind == Token::Kind::name) tokens_.take();
      return read_block(of_nodes, of_edges);
    }
    if (tokens_.front().is("{")) return read_block(of_nodes, of_edges);
    is_node = true;
    const std::size_t line = tokens_.front().line;
    const std::string name = tokens_.demand_name();
    if (tokens_.take("=")) {
      tokens_.demand_name();
      return {};
    }
    if (name.empty()) reject_graph(path_, line, "the name of a node is empty");
    for (int i = 0; i < 2 && tokens_.take(":"); ++i) tokens_.demand_name();  // a place at the node
    const bool is_new = !names_.has(name);
    const std::size_t place = names_.place(name, line);
    if (is_new) set(graph_.nodes[place], of_nodes, line);
    return {place};
  }

  void add_edges(const Places& from, const Places& to, std::size_t line) {
    for (const std::size_t u : from) {
      for (const std::size_t v : to) {
        const auto pair =
            graph_.is_directed ? std::pair(u, v) : std::pair(std::min(u, v), std::max(u, v));
        if (is_strict_ && !seen_.insert(pair).second) continue;
        GraphDescription::Edge edge;
        edge.u = u;
        edge.v = v;
        edge.line = line;
        edges_.add(edge);
      }
    }
  }

  void read_attributes(Attributes& attributes) {
    while (tokens_.take("[")) {
      while (!tokens_.take("]")) {
        const std::string name = tokens_.demand_name();
        tokens_.demand("=");
        attributes[name] = tokens_.demand_name();
        if (!tokens_.take(";")) tokens_.take(",");
      }
    }
  }

  template <class Item>
  void set(Item& item, const Attributes& attributes, std::size_t line) {
    at_line(path_, line, [&] {
      for (const auto& [name, value] : attributes) set_attribute(item, name, value);
    });
  }

  const std::string& path_;
  DotTokens tokens_;
  GraphDescription graph_;
  NodeNames names_;
  EdgeCounts edges_;
  bool is_strict_ = false;
  int depth_ = 0;
  std::set<std::pair<std::size_t, std::size_t>> seen_;  // edges of a strict graph
};

}  // namespace

GraphDescription read_dot(const std::string& path, std::string_view text) {
  return Dot(path, text).read();
}

}  // namespace allport
