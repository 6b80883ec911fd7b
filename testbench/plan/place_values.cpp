// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/place_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/text_encoding.h"
#include "rtl_model/graphs/graph.h"
#include "rtl_model/graphs/graph_file.h"
#include "rtl_model/graphs/link_attributes.h"
#include "rtl_model/router/router_config.h"
#include "rtl_model/tables/make_table.h"
#include "rtl_model/topology/topology.h"
#include "testbench/files/whole_file.h"
#include "testbench/plan/option_fields.h"
#include "testbench/plan/option_values.h"

namespace allport {

namespace {

constexpr Range side_range{1, static_cast<std::int64_t>(max_node_count)};
constexpr Range coordinate_range{0, static_cast<std::int64_t>(max_node_count) - 1};
constexpr std::size_t max_file_bytes = std::size_t{1} << 26;
constexpr std::string_view random_cut = "random-cut:";

bool starts_with(std::string_view text, std::string_view word) {
  return text.substr(0, word.size()) == word;
}

// The numbers between the separators, each in `range`.
std::vector<int> parse_numbers(std::string_view text, char separator, const Range& range) {
  std::vector<int> numbers;
  for (std::string_view rest = text;;) {
    const std::size_t end = rest.find(separator);
    numbers.push_back(static_cast<int>(parse_integer(rest.substr(0, end), range)));
    if (end == std::string_view::npos) return numbers;
    rest.remove_prefix(end + 1);
  }
}

// Nodes separated by blanks, or by one comma with blanks around it.
std::vector<NodeNumber> parse_line(std::string_view line, const Topology* topology = nullptr) {
  constexpr std::string_view blank = " \t\r\f\v";
  constexpr std::string_view separators = " \t\r\f\v,";
  std::vector<NodeNumber> nodes;
  const auto is_blank = [&](std::size_t place) {
    return blank.find(line[place]) != std::string_view::npos;
  };
  bool needs_node = false;  // whether a comma stands before this place
  for (std::size_t at = 0; at < line.size();) {
    if (is_blank(at)) {
      ++at;
    } else if (line[at] == ',') {
      if (needs_node || nodes.empty()) break;
      needs_node = true;
      ++at;
    } else {
      const std::size_t end = std::min(line.find_first_of(separators, at), line.size());
      const std::vector<NodeNumber> some = parse_nodes(line.substr(at, end - at), topology);
      nodes.insert(nodes.end(), some.begin(), some.end());
      needs_node = false;
      at = end;
    }
    if (at == line.size() && !needs_node) return nodes;
  }
  if (line.find_first_not_of(blank) == std::string_view::npos) return {};
  throw std::invalid_argument(fmt::format("'{}' has a comma with no item before or after it",
                                          shown(std::string(line), 40)));
}

// Calls `use(line, number)` for each line of the file. `values`: what the option may be.
template <class Use>
void for_each_line(std::string_view path, std::string_view values, const Use& use) {
  const std::optional<std::string> text = whole_input(parse_path(path), max_file_bytes);
  if (!text) {
    throw std::invalid_argument(fmt::format("the file {} cannot be read: {}; give {}",
                                            shown_input(path), reading_fault(errno, max_file_bytes),
                                            values));
  }
  std::string_view rest = *text;
  if (is_wide_text(rest)) {
    throw std::invalid_argument(fmt::format("{}: it is {}", shown_input(path), wide_text_in_words));
  }
  constexpr std::string_view mark = "\xef\xbb\xbf";  // of UTF-8
  if (starts_with(rest, mark)) rest.remove_prefix(mark.size());
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    try {
      use(rest.substr(0, end), number);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(
          fmt::format("{}:{}: {}", shown_input(path), number, error.what()));
    }
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
}

// `values`: what else the option may be, for a text that is none of it and no file.
NodeLines read_lines(std::string_view path, std::string_view values) {
  NodeLines file{parse_path(path), {}};
  std::size_t count = 0;
  for_each_line(
      file.path, fmt::format("{} or a file of nodes", values),
      [&](std::string_view line, std::size_t number) {
        std::vector<NodeNumber> nodes = parse_line(line);
        count += nodes.size();
        if (count > max_node_count) {
          throw std::invalid_argument(fmt::format(
              "here is one node more than the {} that a fabric has at most", max_node_count));
        }
        if (!nodes.empty()) file.lines.push_back({number, std::move(nodes)});
      });
  if (file.lines.empty()) {
    throw std::invalid_argument(fmt::format("the file {} names no node", shown_input(path)));
  }
  return file;
}

bool is_digit(char one) { return one >= '0' && one <= '9'; }

// `0-1` is both directions of a link, `0>1` is one.
MissingLinks::Link parse_link(std::string_view text) {
  const std::size_t at = text.find_first_of("->");
  if (at == 0 || at >= text.size() - 1) {
    throw std::invalid_argument(in_quotes(text) + " must be two nodes, as in 0-1 or '0>1'");
  }
  const auto node = [](std::string_view one) { return parse_nodes(one).front(); };
  MissingLinks::Link link;
  link.text = std::string(text);
  link.is_one_way = text.find('>') != std::string_view::npos;
  if (is_digit(text.front()) && text.find_first_not_of("0123456789b->") == std::string_view::npos) {
    link.from = node(text.substr(0, at));
    link.to = node(text.substr(at + 1));
  }
  return link;
}

bool are_neighbours(NodeId from, NodeId to, const Topology& topology) {
  for (std::size_t port = 0; port < topology.port_count(); ++port) {
    if (topology.neighbour(from, port_id(port)) == to) return true;
  }
  return false;
}

constexpr std::string_view link_separators = ", \t\r\f\v";

// How many signs of `text` are its first link by the names of a graph's nodes, which may have
// blanks and commas in them: the shortest one between neighbours, or else the shortest one that
// names two nodes; none if nothing does.
std::optional<std::size_t> first_link(std::string_view text, const Topology& graph) {
  std::optional<std::size_t> of_others;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = text.find_first_of(link_separators, end + 1);
    const std::size_t size = std::min(end, text.size());
    const auto link = link_of_graph(text.substr(0, size), graph);
    if (link && are_neighbours(link->from, link->to, graph)) return size;
    if (link && !of_others) of_others = size;
  }
  return of_others;
}

// The end of a link that is a node which is missing; empty: neither is.
std::string missing_end(std::string_view link, const Graph& graph) {
  for (const std::string& node : graph.description().missing) {
    const auto is = [&node](std::string_view end) { return end == node; };
    const std::size_t middle = link.find_first_of("->");
    if (middle == std::string_view::npos) break;
    if (is(link.substr(0, middle)) || is(link.substr(middle + 1))) return node;
  }
  return "";
}

// Whether the ends of a link are nodes of the whole fabric, one of which is missing at least.
bool has_gone(std::string_view link, const Graph& graph) {
  const std::vector<std::string>& missing = graph.description().missing;
  const auto is_missing = [&](std::string_view end) {
    return std::find(missing.begin(), missing.end(), end) != missing.end();
  };
  for (std::size_t at = link.find_first_of("->"); at != std::string_view::npos;
       at = link.find_first_of("->", at + 1)) {
    const std::string_view u = link.substr(0, at);
    const std::string_view v = link.substr(at + 1);
    const bool is_u_missing = is_missing(u);
    const bool is_v_missing = is_missing(v);
    const bool are_known =
        (is_u_missing || graph.find_node(u)) && (is_v_missing || graph.find_node(v));
    if (are_known && (is_u_missing || is_v_missing)) return true;
  }
  return false;
}

// Links between blanks and commas. Links of nodes that are missing have gone with them, and may
// stand in a file (`line` > 0), which may tell of the whole fabric. Returns how many there are.
std::size_t add_links(MissingLinks& links, std::string_view text, std::size_t line,
                      const Topology* topology) {
  std::size_t count = 0;
  const bool has_names = topology != nullptr && topology->is_graph();
  for (std::size_t begin = text.find_first_not_of(link_separators);
       begin != std::string_view::npos;) {
    std::size_t end = text.find_first_of(link_separators, begin);
    if (has_names) {
      const auto size = first_link(text.substr(begin), *topology);
      if (!size) {
        const std::string_view named = text.substr(begin, end - begin);
        if (line > 0 && has_gone(named, static_cast<const Graph&>(*topology))) {
          ++count;
          begin = text.find_first_not_of(link_separators, end);
          continue;
        }
        const std::string missing = missing_end(named, static_cast<const Graph&>(*topology));
        throw std::invalid_argument(
            missing.empty()
                ? fmt::format("{} does not name two nodes; {}", in_quotes(named),
                              topology->nodes_in_words())
                : fmt::format("{} has no link, for node {} is missing", in_quotes(named), missing));
      }
      end = begin + *size;
    }
    const std::string_view link = text.substr(begin, end - begin);
    links.listed.push_back(has_names ? MissingLinks::Link{{}, {}, false, std::string(link)}
                                     : parse_link(link));
    links.listed.back().line = line;
    ++count;
    begin = text.find_first_not_of(link_separators, end);
  }
  return count;
}

// `4x4@0,2`, without a corner for partitions.
void parse_box(std::string_view text, GroupRequest& request) {
  request.kind = GroupRequest::Kind::box;
  const std::size_t at = text.find('@');
  request.sides = parse_numbers(text.substr(0, at), 'x', side_range);
  if (at == std::string_view::npos) return;
  if (request.is_partition) {
    throw std::invalid_argument("a box of --groups is everywhere, and so has no corner");
  }
  request.corner = parse_numbers(text.substr(at + 1), ',', coordinate_range);
}

std::string parse_pattern(std::string_view text) {
  if (starts_with(text, "0b") && text.size() > 2 &&
      text.find_first_not_of("01x", 2) == std::string_view::npos) {
    return std::string(text.substr(2));
  }
  throw std::invalid_argument(in_quotes(text) +
                              " must be 0b and, for each dimension, 0, 1 or x, as in 0b0xx1x");
}

}  // namespace

std::string settled_place(std::string_view text) {
  const bool is_list = !text.empty() && is_digit(text.front());
  const bool has_numbers = is_list || starts_with(text, "box:") || starts_with(text, "dim:") ||
                           starts_with(text, "dims:") || is_drawn(text);
  if (!has_numbers) return std::string(text);
  std::string settled;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_digit(text[end])) ++end;
    const bool is_binary = end == at + 1 && text[at] == '0' && text.substr(end, 1) == "b";
    if (is_binary) end = std::min(text.find_first_not_of("01", end + 1), text.size());
    if (!is_binary) {
      while (at + 1 < end && text[at] == '0') ++at;
    }
    if (end == at) ++end;
    settled += text.substr(at, end - at);
    at = end;
  }
  return settled;
}

bool is_drawn(std::string_view text) {
  return starts_with(text, "random:") || starts_with(text, random_cut);
}

bool draws_none(std::string_view text) {
  if (!is_drawn(text)) return false;
  const std::string settled = settled_place(text);
  const std::string_view rest = std::string_view(settled).substr(settled.find(':') + 1);
  return rest.substr(0, rest.find(':')) == "0";
}

bool is_list_of_places(std::string_view text) {
  return !text.empty() && is_digit(text.front()) && text.find(',') != std::string_view::npos;
}

PlaceRequest parse_place(std::string_view text) {
  constexpr std::string_view random = "random:";
  if (text == "identity") return {PlaceRequest::Kind::identity};
  if (text == "gray") return {PlaceRequest::Kind::gray};
  if (text == "snake") return {PlaceRequest::Kind::snake};
  if (text == "groups") return {PlaceRequest::Kind::groups};
  if (text == "random") return {PlaceRequest::Kind::random};
  PlaceRequest request;
  if (starts_with(text, random)) {
    request.kind = PlaceRequest::Kind::random;
    request.seed = parse_seed(text.substr(random.size()));
    return request;
  }
  request.kind = PlaceRequest::Kind::file;
  if (is_list_of_places(text)) {
    request.file.path = text;
    request.file.lines = {{1, parse_nodes(text, nullptr)}};
  } else {
    request.file =
        read_lines(text, "identity, gray, snake, groups, random[:SEED], a list of nodes");
  }
  return request;
}

std::shared_ptr<const Topology> read_topology(std::string_view text) {
  constexpr std::string_view kind = "graph:";
  constexpr std::size_t max_graph_bytes = std::size_t{1} << 30;
  if (text.find(';') != std::string_view::npos) {
    throw std::invalid_argument(
        in_quotes(text) +
        ": several fabrics, with semicolons, are for `allport compare`; a sweep takes them with commas");
  }
  const auto begins = [&](std::string_view shape) { return starts_with(text, shape); };
  if (std::any_of(option_fields::shapes.begin(), option_fields::shapes.end(), begins)) {
    return parse_topology(text);
  }
  if (!starts_with(text, kind)) {
    throw std::invalid_argument(
        fmt::format("topology {}: expected {}", in_quotes(text), fabrics_in_words));
  }
  const std::string path = parse_path(text.substr(kind.size()));
  const std::optional<std::string> graph = whole_input(path, max_graph_bytes);
  if (!graph) {
    throw std::invalid_argument(
        fmt::format("graph: the file {} cannot be read: {}; give GraphML, DOT or a list of edges",
                    shown_input(path), reading_fault(errno, max_graph_bytes)));
  }
  const std::string nodes_path = nodes_file_of(path);
  const bool is_list = path != "-" && graph_format(path, *graph) == GraphFormat::edges;
  std::optional<std::string> nodes;
  if (is_list && std::filesystem::exists(nodes_path)) {
    nodes = whole_text(nodes_path, max_graph_bytes);
    if (!nodes) {
      throw std::invalid_argument(fmt::format("graph: the file of nodes {} cannot be read: {}",
                                              shown_path(nodes_path),
                                              reading_fault(errno, max_graph_bytes)));
    }
  }
  return std::make_shared<Graph>(read_graph(path, *graph, nodes ? &*nodes : nullptr));
}

TableChoice parse_table(std::string_view text) {
  TableChoice table{std::string(text)};
  if (is_table_rule(table.rule)) return table;
  constexpr std::size_t max_table_bytes = std::size_t{1} << 31;
  table.rule = parse_path(text);
  std::optional<std::string> whole = whole_input(table.rule, max_table_bytes);
  if (!whole) {
    throw std::invalid_argument(fmt::format(
        "table: the file {} cannot be read: {}; give dimension, updown[:ROOT], shortest, fattree, dragonfly or a file of rows",
        shown_input(text), reading_fault(errno, max_table_bytes)));
  }
  table.text = std::make_shared<const std::string>(std::move(*whole));
  return table;
}

namespace {

// Whether they are drawn, as in random:N[:SEED] or random-cut:N[:SEED], of at most `most`.
bool are_drawn(std::string_view text, std::size_t most, MissingParts& parts) {
  parts.text = settled_place(text);
  if (!is_drawn(text)) return false;
  parts.may_cut = starts_with(text, random_cut);
  const std::string_view rest = text.substr(text.find(':') + 1);
  const std::size_t colon = rest.find(':');
  parts.count = parse_count(rest.substr(0, colon), {0, static_cast<std::int64_t>(most)});
  if (colon != std::string_view::npos) parts.seed = parse_seed(rest.substr(colon + 1));
  return true;
}

// The nodes of a line of a file. Names of a graph may have blanks, so commas separate them.
std::vector<NodeNumber> named_in_line(std::string_view line, const Topology& topology) {
  if (!topology.is_graph()) return parse_line(line, &topology);
  constexpr std::string_view blank = " \t\r\f\v";
  const std::size_t first = line.find_first_not_of(blank);
  if (first == std::string_view::npos || line[first] == '#') return {};
  return parse_nodes(line.substr(first, line.find_last_not_of(blank) + 1 - first), &topology);
}

}  // namespace

MissingNodes parse_missing_nodes(std::string_view text, const Topology& topology) {
  MissingNodes nodes;
  if (are_drawn(text, topology.node_count() - 1, nodes)) return nodes;
  const auto add = [&nodes](const std::vector<NodeNumber>& numbers, std::size_t line) {
    for (const NodeNumber number : numbers) nodes.listed.push_back({number, line});
  };
  if ((!text.empty() && is_digit(text.front())) || names_nodes(text, &topology)) {
    add(parse_nodes(text, &topology), 0);
    return nodes;
  }
  nodes.path = parse_path(text);
  for_each_line(nodes.path,
                fmt::format("nodes of {}, random:N[:SEED], random-cut:N[:SEED], or a file of nodes",
                            topology.name()),
                [&](std::string_view line, std::size_t number) {
                  add(named_in_line(line, topology), number);
                });
  if (!nodes.listed.empty()) return nodes;
  throw std::invalid_argument(fmt::format("the file {} names no node", shown_input(nodes.path)));
}

std::optional<GraphLink> link_of_graph(std::string_view text, const Topology& graph) {
  std::optional<GraphLink> found;
  for (std::size_t at = 1; at + 1 < text.size(); ++at) {
    if (text[at] != '-' && text[at] != '>') continue;
    const auto from = graph.find_node(text.substr(0, at));
    const auto to = graph.find_node(text.substr(at + 1));
    if (!from || !to) continue;
    const GraphLink link{*from, *to, text[at] == '>'};
    if (are_neighbours(*from, *to, graph)) return link;
    if (!found) found = link;
  }
  return found;
}

MissingLinks parse_missing_links(std::string_view text, const Topology* topology) {
  MissingLinks links;
  if (are_drawn(text, 1'000'000, links)) return links;
  const bool begins_with_number = !text.empty() && is_digit(text.front());
  const bool has_ends = text != "-" && text.find_first_of("->") != std::string_view::npos;
  if (begins_with_number || (has_ends && !std::filesystem::exists(std::string(text)))) {
    add_links(links, text, 0, topology);
    return links;
  }
  links.path = parse_path(text);
  std::size_t count = 0;
  for_each_line(links.path,
                "links such as 0-1,'2>3', random:N[:SEED], random-cut:N[:SEED], or a file of links",
                [&](std::string_view line, std::size_t number) {
                  const std::size_t first = line.find_first_not_of(link_separators);
                  const bool is_comment = first != std::string_view::npos && line[first] == '#';
                  if (!is_comment) count += add_links(links, line, number, topology);
                });
  if (count > 0) return links;
  throw std::invalid_argument(fmt::format("the file {} names no link", shown_input(links.path)));
}

std::shared_ptr<const LinkAttributes> parse_link_attributes(std::string_view text) {
  const std::string path = parse_path(text);
  const std::optional<std::string> table = whole_input(path, max_file_bytes);
  if (!table) {
    throw std::invalid_argument(
        fmt::format("the file {} cannot be read: {}; give a table u,v,delay,width[,from_port]",
                    shown_input(path), reading_fault(errno, max_file_bytes)));
  }
  return std::make_shared<LinkAttributes>(read_link_attributes(path, *table));
}

namespace {

constexpr std::string_view error_form = "NODE.PORT@CYCLE, as in 0.2@17";
constexpr std::string_view credit_form =
    "NODE.PORT.VC@CYCLE, as in 5.2.0@400, or 5.2.0@+400 for the next credit from that cycle on";

// What stands behind the last point of `text`, which then ends before it.
std::optional<int> cut_number(std::string_view& text, const Range& range) {
  const std::size_t point = text.rfind('.');
  if (point == std::string_view::npos || point + 1 == text.size()) return std::nullopt;
  const auto number = static_cast<int>(parse_integer(text.substr(point + 1), range));
  text = text.substr(0, point);
  return number;
}

ErrorPlaces::Place parse_error_place(std::string_view text, bool is_credit) {
  ErrorPlaces::Place place;
  place.text = text;
  const auto reject = [&] {
    throw std::invalid_argument(
        fmt::format("{} must be {}", in_quotes(text), is_credit ? credit_form : error_form));
  };
  const std::size_t at = text.rfind('@');
  if (at == std::string_view::npos) reject();
  std::string_view cycle = text.substr(at + 1);
  place.is_next = is_credit && starts_with(cycle, "+");
  if (place.is_next) cycle.remove_prefix(1);
  if (cycle.empty() || !is_digit(cycle.front())) reject();
  place.cycle = parse_integer(cycle, limits::cycles);
  std::string_view where = text.substr(0, at);
  constexpr Range ports{0, static_cast<std::int64_t>(max_external_ports) - 1};
  const auto vc = is_credit ? cut_number(where, {0, limits::vcs.high - 1}) : std::optional<int>(0);
  const auto port = vc ? cut_number(where, ports) : std::nullopt;
  if (!port || where.empty()) reject();
  place.vc = *vc;
  place.port = *port;
  place.node = where;
  return place;
}

// Between commas, with blanks around them; a `#` begins a comment.
void add_error_places(ErrorPlaces& places, std::string_view text, bool is_credit,
                      std::size_t line) {
  constexpr std::string_view blank = " \t\r\f\v";
  const auto trimmed = [&](std::string_view item) {
    const std::size_t first = std::min(item.find_first_not_of(blank), item.size());
    return item.substr(first, item.find_last_not_of(blank) + 1 - first);
  };
  if (line > 0) text = text.substr(0, text.find('#'));
  if (line > 0 && trimmed(text).empty()) return;
  for (const std::string_view item : parse_list(text)) {
    places.listed.push_back(parse_error_place(trimmed(item), is_credit));
    places.listed.back().line = line;
  }
}

}  // namespace

ErrorPlaces parse_flit_errors(std::string_view text) {
  ErrorPlaces places;
  places.text = text;
  const bool is_list = text.find('@') != std::string_view::npos;
  if (is_list && !std::filesystem::exists(std::string(text))) {
    add_error_places(places, text, false, 0);
    return places;
  }
  places.path = parse_path(text);
  for_each_line(places.path, fmt::format("a list of {}, or a file of them", error_form),
                [&](std::string_view line, std::size_t number) {
                  add_error_places(places, line, false, number);
                });
  if (!places.listed.empty()) return places;
  throw std::invalid_argument(fmt::format("the file {} names no error", shown_input(places.path)));
}

ErrorPlaces parse_lost_credits(std::string_view text) {
  ErrorPlaces places;
  places.text = text;
  add_error_places(places, text, true, 0);
  return places;
}

GroupRequest parse_group(std::string_view text, const Topology* topology) {
  constexpr std::string_view box = "box:";
  constexpr std::string_view subcube = "subcube:";
  GroupRequest request;
  request.text = settled_place(text);
  if (starts_with(text, box)) {
    parse_box(text.substr(box.size()), request);
  } else if (starts_with(text, subcube)) {
    request.kind = GroupRequest::Kind::subcube;
    request.pattern = parse_pattern(text.substr(subcube.size()));
  } else if ((!text.empty() && is_digit(text.front())) || names_nodes(text, topology)) {
    request.listed = parse_nodes(text, topology);
  } else {
    request.kind = GroupRequest::Kind::file;
    request.file = read_lines(text, "a list of nodes, box:4x4@0,2, subcube:0b0xx1x");
  }
  return request;
}

GroupRequest parse_groups(std::string_view text) {
  constexpr std::string_view box = "box:";
  GroupRequest request;
  request.text = settled_place(text);
  request.is_partition = true;
  if (starts_with(text, box)) {
    parse_box(text.substr(box.size()), request);
    return request;
  }
  for (const std::string_view along : {"dim:", "dims:"}) {
    if (!starts_with(text, along)) continue;
    request.kind = GroupRequest::Kind::along;
    for (const int one : parse_numbers(text.substr(along.size()), ',', {0, 31})) {
      request.dimensions.push_back(static_cast<std::size_t>(one));
    }
    return request;
  }
  request.kind = GroupRequest::Kind::file;
  request.file = read_lines(text, "dim:0, dims:0,1, box:4x4");
  return request;
}

}  // namespace allport
