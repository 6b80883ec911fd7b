// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedule/schedule_file.h"

#include <algorithm>
#include <cstdint>
#include <istream>
#include <limits>
#include <nlohmann/json.hpp>
#include <ostream>
#include <stdexcept>
#include <string_view>
#include <tuple>

#include "rtl_model/base/bits.h"
#include "rtl_model/base/in_order.h"
#include "rtl_model/base/names.h"
#include "rtl_model/base/quote.h"
#include "rtl_model/base/range.h"
#include "rtl_model/base/stop_flag.h"
#include "traffic/schedule/json_line.h"

namespace allport {

namespace {

using Json = nlohmann::json;

constexpr std::int64_t largest_int = std::numeric_limits<int>::max();
constexpr std::int64_t largest_id = std::numeric_limits<std::uint32_t>::max();

// One line of the file.
class Line final : public JsonLine {
 public:
  Line(const std::string& text, std::string where)
      : JsonLine(text, std::move(where), R"({"u":0,"v":1,"step":1,"order":0})") {}
};

// The value that the word of `key` names; the first one where there is none.
template <class Value>
Value read_word(const Line& line, const char* key) {
  if (!line.has(key)) return name_table<Value>.front().value;
  if (!line[key].is_string()) line.reject(std::string(key) + " must be a string");
  const std::string name = line[key].get<std::string>();
  if (const std::optional<Value> value = value_named<Value>(name)) return *value;
  line.reject(unknown_name(key, name, names_of<Value>()));
}

void reject_unknown_keys(const Line& line) {
  static const std::vector<std::string_view> known{
      "u",         "v",      "step", "order",           "kind",  "dx", "dy",   "displacement",
      "via",       "blocks", "adds", "first_dimension", "flits", "at", "free", "tag",
      "operation", "type",   "class"};
  line.require_known_keys(known);
}

std::vector<int> read_displacement(const Line& line, std::size_t dimensions) {
  const bool has_pair = line.has("dx") || line.has("dy");
  if (!has_pair && !line.has("displacement")) return {};
  if (dimensions == 0) {
    line.reject(std::string(has_pair ? "dx and dy are" : "displacement is") +
                " for grids and hypercubes: a graph has no dimensions");
  }
  if (has_pair && line.has("displacement")) line.reject("give dx and dy or displacement, not both");
  const auto offset = [&](const char* key, const Json& value) {
    return static_cast<int>(line.integer(key, value, -largest_int, largest_int));
  };
  if (has_pair) {
    if (dimensions != 2) {
      line.reject("dx and dy are for two dimensions; give displacement, a list of " +
                  std::to_string(dimensions));
    }
    return {offset("dx", line["dx"]), offset("dy", line["dy"])};
  }
  const Json& list = line["displacement"];
  if (!list.is_array() || list.size() != dimensions) {
    line.reject("displacement must be a list of " + std::to_string(dimensions) + " integers");
  }
  std::vector<int> displacement;
  for (const Json& value : list) displacement.push_back(offset("displacement", value));
  return displacement;
}

std::vector<BlockId> read_blocks(const Line& line) {
  if (!line.has("blocks")) return {};
  const Json& list = line["blocks"];
  if (!list.is_array() || list.empty()) line.reject("blocks must be a list of at least one number");
  std::vector<BlockId> blocks;
  for (const Json& value : list) {
    blocks.push_back(static_cast<BlockId>(line.integer("blocks", value, 0, largest_id)));
  }
  return blocks;
}

// Numbers beyond a fabric of which no nodes are missing are read as they are, for the proof to find
// them.
NodeId read_node(const Line& line, const char* key, const Json& value, const Topology& topology) {
  const auto number = static_cast<std::size_t>(line.integer(key, value, 0, largest_id));
  if (const std::optional<NodeId> node = topology.find_number(number)) return *node;
  if (topology.has_all_numbers()) return node_id(number);
  line.reject(std::string(key) + ": there is no node " + std::to_string(number) + " in " +
              topology.name());
}

// A worm that goes to all nodes has no destination.
NodeId read_destination(const Line& line, MessageKind kind, const Topology& topology) {
  if (!goes_to_all(kind)) return read_node(line, "v", line["v"], topology);
  if (line.has("v") && !line["v"].is_null()) {
    line.reject("a " + std::string(to_string(kind)) +
                " worm goes to all nodes, so v must be null or left out");
  }
  return NodeId{};
}

bool read_adds(const Line& line) {
  if (!line.has("adds")) return false;
  if (!line["adds"].is_boolean()) line.reject("adds must be true or false");
  const bool adds = line["adds"].get<bool>();
  if (adds && !line.has("blocks")) {
    line.reject("adds is for a message with blocks, and this one has none");
  }
  return adds;
}

std::vector<NodeId> read_via(const Line& line, const Topology& topology) {
  if (!line.has("via")) return {};
  const Json& list = line["via"];
  if (!list.is_array()) line.reject("via must be a list of nodes");
  std::vector<NodeId> via;
  for (const Json& value : list) {
    via.push_back(read_node(line, "via", value, topology));
  }
  return via;
}

// The free dimensions of a group; those of the whole fabric are written as 0.
DimensionMask read_free(const Line& line, std::size_t dimensions) {
  if (!line.has("free")) return 0;
  if (dimensions == 0) line.reject("free is for grids and hypercubes: a graph has no dimensions");
  const Json& list = line["free"];
  if (!list.is_array() || list.empty()) {
    line.reject("free must be a list of at least one dimension: a group without a free dimension " +
                std::string("is one node"));
  }
  DimensionMask free = 0;
  for (const Json& value : list) {
    const auto largest = static_cast<std::int64_t>(dimensions) - 1;
    const DimensionMask bit = DimensionMask{1} << line.integer("free", value, 0, largest);
    if ((free & bit) != 0) line.reject("free names dimension " + value.dump() + " twice");
    free |= bit;
  }
  return free + 1 == DimensionMask{1} << dimensions ? 0 : free;
}

JoinTag read_join(const Line& line, MessageKind kind) {
  for (const char* key : {"tag", "operation", "type"}) {
    if (!line.has(key) || is_join(kind)) continue;
    line.reject(std::string(key) + " is for the kinds join and join-tree, not for " +
                to_string(kind));
  }
  if (!is_join(kind)) return {};
  const int tag = line.has("tag") ? static_cast<int>(line.integer("tag", 0, JoinTag::max_tag)) : 0;
  return {tag, read_word<JoinOperation>(line, "operation"), read_word<LaneType>(line, "type")};
}

Unicast read_unicast(const Line& line, const Topology& topology) {
  const std::size_t dimensions = topology.dimension_count();
  Unicast unicast;
  unicast.kind = read_word<MessageKind>(line, "kind");
  reject_unknown_keys(line);
  unicast.u = read_node(line, "u", line["u"], topology);
  unicast.v = read_destination(line, unicast.kind, topology);
  unicast.step = static_cast<StepIndex>(line.integer("step", 1, largest_int));
  unicast.order = static_cast<int>(line.integer("order", 0, largest_int));
  unicast.displacement = read_displacement(line, dimensions);
  unicast.blocks = read_blocks(line);
  unicast.adds = read_adds(line);
  unicast.via = read_via(line, topology);
  unicast.free = read_free(line, dimensions);
  unicast.join = read_join(line, unicast.kind);
  if (line.has("first_dimension")) {
    unicast.first_dimension =
        static_cast<std::int8_t>(line.integer("first_dimension", 0, max_grid_dimensions - 1));
  }
  return unicast;
}

void write_displacement(std::ostream& out, const std::vector<int>& displacement,
                        std::size_t dimensions) {
  if (displacement.empty()) return;
  if (dimensions == 2) {
    out << ",\"dx\":" << displacement[0] << ",\"dy\":" << displacement[1];
    return;
  }
  out << ",\"displacement\":" << Json(displacement);
}

void write_via(std::ostream& out, const std::vector<NodeId>& via, const Topology& topology) {
  if (via.empty()) return;
  Json list = Json::array();
  for (const NodeId node : via) list.push_back(topology.number_of(node));
  out << ",\"via\":" << list;
}

void write_group(std::ostream& out, const Unicast& unicast) {
  if (unicast.free != 0) {
    Json list = Json::array();
    for (const int dimension : bits(unicast.free)) {
      list.push_back(dimension);
    }
    out << ",\"free\":" << list;
  }
  if (!is_join(unicast.kind)) return;
  out << ",\"tag\":" << unicast.join.tag() << R"(,"operation":")"
      << to_string(unicast.join.operation()) << R"(","type":")" << to_string(unicast.join.type())
      << '"';
}

bool is_before(const TimedUnicast& one, const TimedUnicast& other) {
  const Unicast& a = one.unicast;
  const Unicast& b = other.unicast;
  return std::tie(a.step, a.u, a.order, a.v, one.flits, one.at, one.message_class) <
         std::tie(b.step, b.u, b.order, b.v, other.flits, other.at, other.message_class);
}

}  // namespace

std::vector<TimedUnicast> read_messages(std::istream& in, const std::string& name,
                                        const Topology& topology) {
  std::vector<TimedUnicast> messages;
  LineReader lines(in, name);
  for (std::string text; lines.next(text);) {
    heed_stop();
    const Line line(text, lines.where());
    TimedUnicast one{read_unicast(line, topology)};
    one.line = lines.number();
    one.is_timed = line.has("flits") || line.has("at") || line.has("class");
    if (line.has("flits")) {
      one.flits = static_cast<int>(line.integer("flits", limits::flits.low, limits::flits.high));
    }
    if (line.has("at")) one.at = line.integer("at", 0, limits::cycles.high);
    if (line.has("class")) {
      one.message_class =
          static_cast<std::uint8_t>(line.integer("class", 0, limits::classes.high - 1));
    }
    messages.push_back(std::move(one));
  }
  if (messages.empty())
    throw std::invalid_argument(shown_path(name) + ": the schedule holds no unicasts");
  put_in_order(messages.begin(), messages.end(), is_before);
  return messages;
}

Schedule schedule_of(const std::vector<TimedUnicast>& messages, const std::string& name) {
  Schedule schedule;
  schedule.unicasts.reserve(messages.size());
  for (const TimedUnicast& one : messages) {
    if (one.is_timed) {
      throw std::invalid_argument(
          shown_path(name) + ":" + std::to_string(one.line) +
          ": flits, at and class are for runs, not for checks of a collective");
    }
    schedule.unicasts.push_back(one.unicast);
  }
  schedule.sort();
  return schedule;
}

Schedule read_schedule(std::istream& in, const std::string& name, const Topology& topology) {
  return schedule_of(read_messages(in, name, topology), name);
}

void write_schedule(std::ostream& out, const Schedule& schedule, const Topology& topology) {
  Schedule sorted = schedule;
  sorted.sort();
  for (const Unicast& unicast : sorted.unicasts) {
    out << "{\"u\":" << topology.number_of(unicast.u) << ",\"v\":";
    out << (goes_to_all(unicast.kind) ? "null" : std::to_string(topology.number_of(unicast.v)));
    out << ",\"step\":" << unicast.step << ",\"order\":" << unicast.order;
    write_displacement(out, unicast.displacement, topology.dimension_count());
    if (unicast.kind != MessageKind::unicast) {
      out << R"(,"kind":")" << to_string(unicast.kind) << '"';
    }
    write_group(out, unicast);
    write_via(out, unicast.via, topology);
    if (unicast.first_dimension >= 0) {
      out << ",\"first_dimension\":" << int{unicast.first_dimension};
    }
    if (!unicast.blocks.empty()) out << ",\"blocks\":" << Json(unicast.blocks);
    if (unicast.adds) out << ",\"adds\":true";
    out << "}\n";
  }
}

}  // namespace allport
