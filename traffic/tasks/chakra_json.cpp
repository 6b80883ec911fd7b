// SPDX-License-Identifier: Apache-2.0
#include "traffic/tasks/chakra_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/quote.h"
#include "traffic/tasks/chakra_json_node.h"

namespace allport {

namespace {

using Json = nlohmann::json;

constexpr int deepest = 64;  // a deeper value would be copied by too deep a recursion

// The values of a text, one after the other; between them there may be commas.
class Values {
 public:
  explicit Values(std::string_view text) : text_(text) {}

  // The next value's text; none: there is no other one. A value that does not end is torn.
  std::optional<std::string_view> next() {
    begin_ = text_.find_first_not_of(" \t\r\n,", end_);
    if (begin_ == std::string_view::npos) return std::nullopt;
    end_ = begin_ + length(text_.substr(begin_));
    return text_.substr(begin_, end_ - begin_);
  }
  std::size_t line() const {
    const auto begin = static_cast<std::ptrdiff_t>(std::min(begin_, text_.size()));
    return 1 + static_cast<std::size_t>(std::count(text_.begin(), text_.begin() + begin, '\n'));
  }

 private:
  // Up to the bracket that closes the first one, or to the end.
  static std::size_t length(std::string_view text) {
    int depth = 0;
    bool is_text = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (is_text) {
        if (c == '\\') ++i;
        is_text = c != '"';
      } else if (c == '"') {
        is_text = true;
      } else if (c == '{' || c == '[') {
        ++depth;
      } else if ((c == '}' || c == ']') && --depth <= 0) {
        return i + 1;
      }
    }
    return text.size();
  }

  std::string_view text_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

// The first key of the first object says what the file is.
class FirstKey : public nlohmann::json_sax<Json> {
 public:
  bool is_empty = false;  // an object without keys
  std::string first;

  bool null() override { return false; }
  bool boolean(bool /*value*/) override { return false; }
  bool number_integer(number_integer_t /*value*/) override { return false; }
  bool number_unsigned(number_unsigned_t /*value*/) override { return false; }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return false; }
  bool string(string_t& /*value*/) override { return false; }
  bool binary(binary_t& /*value*/) override { return false; }
  bool start_object(std::size_t /*count*/) override { return true; }
  bool key(string_t& key) override {
    first = key;
    return false;
  }
  bool end_object() override {
    is_empty = true;
    return false;
  }
  bool start_array(std::size_t /*count*/) override { return true; }
  bool end_array() override { return false; }
  bool parse_error(std::size_t /*place*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& /*fault*/) override {
    return false;
  }
};

class JsonFile {
 public:
  explicit JsonFile(const TraceFile& file) : file_(file), values_(file.text) {}

  std::vector<ChakraNode> read() {
    std::optional<Json> first = next();
    if (!first) throw std::invalid_argument(shown_path(file_.name) + ": there is nothing in it");
    require_chakra(*first);
    if (first->is_object() && first->contains("workload_graph")) {
      add_all((*first)["workload_graph"], "workload_graph");
    } else if (first->is_array()) {
      if (!first->empty() && is_metadata(first->front())) first->erase(first->begin());
      add_all(*first, "the list");
    } else if (!is_metadata(*first)) {
      add(*first);
    }
    while (const auto one = next()) add(*one);
    return std::move(nodes_);
  }

 private:
  // What a host records is linked with what its devices record before it is a Chakra trace.
  void require_chakra(const Json& value) const {
    if (!value.is_object() || !value.contains("nodes") || !value.contains("schema")) return;
    throw std::invalid_argument(
        shown_path(file_.name) +
        ": it is what PyTorch recorded of a host or linked, and not yet a Chakra trace; chakra_trace_link and chakra_converter make one of it");
  }

  // It has no key of a node; JSON leaves an id 0 out.
  static bool is_metadata(const Json& value) {
    if (!value.is_object()) return false;
    for (const auto& [key, unused] : value.items()) {
      if (!is_one_of(plain_key(key), {"version", "attr"})) return false;
    }
    return true;
  }

  std::optional<Json> next() {
    const auto text = values_.next();
    if (!text) return std::nullopt;
    const auto shallow = [&](int depth, Json::parse_event_t /*event*/, const Json& /*parsed*/) {
      if (depth > deepest) reject("lists and objects are nested more than 64 deep");
      return true;
    };
    try {
      return Json::parse(text->begin(), text->end(), shallow);
    } catch (const Json::exception&) {
      reject("torn or malformed JSON");
    }
  }
  [[noreturn]] void reject(const std::string& why) const {
    throw std::invalid_argument(shown_path(file_.name) + ": what begins in line " +
                                std::to_string(values_.line()) + ": " + why);
  }

  void add_all(const Json& list, const char* what) {
    if (!list.is_array()) {
      throw std::invalid_argument(shown_path(file_.name) + ": " + what +
                                  " must be a list of nodes");
    }
    for (const Json& one : list) add(one);
  }
  void add(const Json& object) {
    const auto number = static_cast<std::uint32_t>(nodes_.size() + 1);
    nodes_.emplace_back(number, read_chakra_node(chakra_place(file_, number), object));
  }

  const TraceFile& file_;
  Values values_;
  std::vector<ChakraNode> nodes_;
};

}  // namespace

bool is_chakra_json(std::string_view text) {
  Values values(text);
  const auto first = values.next();
  if (!first || (first->front() != '{' && first->front() != '[')) return false;
  FirstKey found;
  Json::sax_parse(first->begin(), first->end(), &found);
  if (found.is_empty) return values.next().has_value();
  return is_one_of(plain_key(found.first),
                   {"workloadgraph", "version", "attr", "schema", "nodes", "id", "type", "nodetype",
                    "ctrldeps", "datadeps", "durationmicros", "runtime"});
}

std::vector<ChakraNode> read_chakra_json(const TraceFile& file) { return JsonFile(file).read(); }

}  // namespace allport
