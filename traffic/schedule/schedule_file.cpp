// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedule/schedule_file.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <istream>
#include <limits>
#include <nlohmann/json.hpp>
#include <ostream>
#include <stdexcept>
#include <string_view>

#include "rtl_model/base/names.h"
#include "rtl_model/base/quote.h"

namespace allport {

namespace {

using Json = nlohmann::json;

constexpr std::int64_t largest_int = std::numeric_limits<int>::max();
constexpr std::int64_t largest_id = std::numeric_limits<std::uint32_t>::max();
// Depth of nesting; a list in the object of a line has depth two. JSON is printed and copied by
// recursion, so deeper input must be rejected before.
constexpr int deepest = 8;

// One line of the file: its object, and `FILE:LINE: ` to begin a complaint with.
class Line {
 public:
  Line(const std::string& text, std::string where) : where_(std::move(where)) {
    std::vector<std::string> keys;
    const auto note_key = [&](int depth, Json::parse_event_t event, const Json& parsed) {
      if (depth > deepest) {
        reject("lists and objects are nested more than " + std::to_string(deepest) + " deep");
      }
      if (event != Json::parse_event_t::key || depth != 1) return true;
      const std::string key = parsed.get<std::string>();
      if (std::count(keys.begin(), keys.end(), key) > 0)
        reject("key " + in_quotes(key) + " is given twice");
      keys.push_back(key);
      return true;
    };
    try {
      object_ = Json::parse(text, note_key);
    } catch (const Json::parse_error& error) {
      reject("torn or malformed JSON at column " + std::to_string(error.byte));
    } catch (const Json::out_of_range&) {
      reject("a number is beyond the range of a double, which ends at 1.8e308");
    }
    if (!object_.is_object()) reject(R"(expected an object like {"u":0,"v":1,"step":1,"order":0})");
  }

  [[noreturn]] void reject(const std::string& why) const {
    throw std::invalid_argument(where_ + why);
  }

  bool has(const char* key) const { return object_.contains(key); }
  const Json& operator[](const char* key) const {
    if (!has(key)) reject(std::string("key '") + key + "' is missing");
    return object_[key];
  }
  const Json& object() const { return object_; }

  std::int64_t integer(const char* key, const Json& value, std::int64_t low,
                       std::int64_t high) const {
    const bool is_small = value.is_number_integer() &&
                          (!value.is_number_unsigned() ||
                           value.get<std::uint64_t>() <= static_cast<std::uint64_t>(high));
    const std::int64_t number = is_small ? value.get<std::int64_t>() : low;
    if (!is_small || number < low || number > high) {
      reject(std::string(key) + " must be an integer in " + std::to_string(low) + ".." +
             std::to_string(high) + ", not " +
             shown(value.dump(-1, ' ', true, Json::error_handler_t::replace), 100));
    }
    return number;
  }
  std::int64_t integer(const char* key, std::int64_t low, std::int64_t high) const {
    return integer(key, (*this)[key], low, high);
  }

 private:
  std::string where_;
  Json object_;
};

MessageKind read_kind(const Line& line) {
  if (!line.has("kind")) return MessageKind::unicast;
  if (!line["kind"].is_string()) line.reject("kind must be a string");
  const std::string name = line["kind"].get<std::string>();
  std::vector<std::string_view> names;
  for (const MessageKind kind : message_kinds) {
    if (to_string(kind) == name) return kind;
    names.emplace_back(to_string(kind));
  }
  line.reject(unknown_name("kind", name, names));
}

void reject_unknown_keys(const Line& line) {
  static const std::vector<std::string_view> known{"u",    "v",      "step", "order",
                                                   "kind", "dx",     "dy",   "displacement",
                                                   "via",  "blocks", "adds", "first_dimension"};
  for (const auto& item : line.object().items()) {
    if (std::find(known.begin(), known.end(), item.key()) == known.end()) {
      line.reject(unknown_name("key", item.key(), known));
    }
  }
}

std::vector<int> read_displacement(const Line& line, std::size_t dimensions) {
  const bool has_pair = line.has("dx") || line.has("dy");
  if (!has_pair && !line.has("displacement")) return {};
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

// A worm that goes to all nodes has no destination.
NodeId read_destination(const Line& line, MessageKind kind) {
  if (!goes_to_all(kind)) {
    return node_id(static_cast<std::size_t>(line.integer("v", 0, largest_id)));
  }
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

std::vector<NodeId> read_via(const Line& line) {
  if (!line.has("via")) return {};
  const Json& list = line["via"];
  if (!list.is_array()) line.reject("via must be a list of nodes");
  std::vector<NodeId> via;
  for (const Json& value : list) {
    via.push_back(node_id(static_cast<std::size_t>(line.integer("via", value, 0, largest_id))));
  }
  return via;
}

Unicast read_unicast(const Line& line, std::size_t dimensions) {
  Unicast unicast;
  unicast.kind = read_kind(line);
  reject_unknown_keys(line);
  unicast.u = node_id(static_cast<std::size_t>(line.integer("u", 0, largest_id)));
  unicast.v = read_destination(line, unicast.kind);
  unicast.step = static_cast<StepIndex>(line.integer("step", 1, largest_int));
  unicast.order = static_cast<int>(line.integer("order", 0, largest_int));
  unicast.displacement = read_displacement(line, dimensions);
  unicast.blocks = read_blocks(line);
  unicast.adds = read_adds(line);
  unicast.via = read_via(line);
  if (line.has("first_dimension")) {
    unicast.first_dimension =
        static_cast<int>(line.integer("first_dimension", 0, max_grid_dimensions - 1));
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

void write_via(std::ostream& out, const std::vector<NodeId>& via) {
  if (via.empty()) return;
  Json list = Json::array();
  for (const NodeId node : via) list.push_back(index(node));
  out << ",\"via\":" << list;
}

}  // namespace

namespace {

constexpr std::size_t longest_line = std::size_t{1} << 20;

// The next line without its end, and whether there is one; of a line that is too long only the
// beginning.
bool next_line(std::istream& in, std::string& line) {
  std::array<char, std::size_t{1} << 14> block{};
  for (line.clear(); line.size() <= longest_line;) {
    in.getline(block.data(), static_cast<std::streamsize>(block.size()));
    const auto count = static_cast<std::size_t>(in.gcount());
    if (in.good()) {  // with its end
      line.append(block.data(), count - 1);
      return true;
    }
    line.append(block.data(), count);
    const bool is_full = !in.eof() && !in.bad() && count + 1 == block.size();
    if (!is_full) return !line.empty();
    in.clear();
  }
  return true;
}

}  // namespace

Schedule read_schedule(std::istream& in, const std::string& name, const Topology& topology,
                       const std::string& begun) {
  Schedule schedule;
  const std::string place = shown_path(name);
  std::string text;
  const std::size_t last = begun.rfind('\n') + 1;  // where the line begins that `in` goes on with
  auto number = static_cast<std::size_t>(1 + std::count(begun.begin(), begun.end(), '\n'));
  for (std::string before = begun.substr(last); next_line(in, text); ++number, before.clear()) {
    text.insert(0, before);
    if (text.size() > longest_line) {
      throw std::invalid_argument(place + ":" + std::to_string(number) +
                                  ": the line has more than a million characters");
    }
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    const Line line(text, place + ":" + std::to_string(number) + ": ");
    schedule.unicasts.push_back(read_unicast(line, topology.dimension_count()));
  }
  if (in.bad()) throw std::invalid_argument(place + ": it cannot be read to its end");
  if (schedule.unicasts.empty())
    throw std::invalid_argument(place + ": the schedule holds no unicasts");
  schedule.sort();
  return schedule;
}

void write_schedule(std::ostream& out, const Schedule& schedule, const Topology& topology) {
  Schedule sorted = schedule;
  sorted.sort();
  for (const Unicast& unicast : sorted.unicasts) {
    out << "{\"u\":" << index(unicast.u) << ",\"v\":";
    out << (goes_to_all(unicast.kind) ? "null" : std::to_string(index(unicast.v)));
    out << ",\"step\":" << unicast.step << ",\"order\":" << unicast.order;
    write_displacement(out, unicast.displacement, topology.dimension_count());
    if (unicast.kind != MessageKind::unicast) {
      out << R"(,"kind":")" << to_string(unicast.kind) << '"';
    }
    write_via(out, unicast.via);
    if (unicast.first_dimension >= 0) {
      out << ",\"first_dimension\":" << unicast.first_dimension;
    }
    if (!unicast.blocks.empty()) out << ",\"blocks\":" << Json(unicast.blocks);
    if (unicast.adds) out << ",\"adds\":true";
    out << "}\n";
  }
}

}  // namespace allport
