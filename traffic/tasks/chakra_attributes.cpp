// SPDX-License-Identifier: Apache-2.0
#include "traffic/tasks/chakra_attributes.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <vector>

#include "rtl_model/base/quote.h"

namespace allport {

namespace {

namespace format = execution_trace;

bool communicates(const format::Node& node) {
  return node.kind() == format::SEND || node.kind() == format::RECEIVE ||
         node.kind() == format::COLLECTIVE;
}

// The words of a name: those of `commGroup_ids` are comm, group and ids.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_letter = std::isalpha(byte) != 0;
    const bool begins = std::isupper(byte) != 0 && !words.back().empty() &&
                        std::islower(static_cast<unsigned char>(words.back().back())) != 0;
    if (!is_letter || begins) words.emplace_back();
    if (is_letter) words.back() += c;
  }
  for (std::string& word : words) {
    std::transform(word.begin(), word.end(), word.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  }
  return words;
}

// Whether a name speaks of ranks, of dimensions or of an algorithm.
bool says_who_or_how(std::string_view name) {
  constexpr std::array<std::string_view, 23> subjects{
      "rank", "root",        "group",    "pg",      "world",    "member", "peer",  "npu",
      "src",  "dst",         "source",   "dest",    "split",    "algo",   "axis",  "axe",
      "dim",  "destination", "topology", "process", "processe", "gpu",    "worker"};
  constexpr std::array<std::string_view, 5> beginnings{"dimension", "algorithm", "participa",
                                                       "involve", "communicator"};
  const std::vector<std::string> words = words_of(name);
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    if (std::any_of(beginnings.begin(), beginnings.end(), [&](std::string_view beginning) {
          return word.substr(0, beginning.size()) == beginning;
        })) {
      return true;
    }
    if (word.size() > 3 && word.back() == 's' && word != "process") word.remove_suffix(1);
    return std::find(subjects.begin(), subjects.end(), word) != subjects.end();
  });
}

// Whether the reader carries the attribute out at such a node, or it describes what others name.
bool is_known(std::string_view name, format::Kind kind) {
  if (name == "pg_name" || name == "pg_desc" || name == "involved_dim") return true;
  const bool is_collective = kind == format::COLLECTIVE;
  return is_collective ? name == "root_rank" : name == "comm_src" || name == "comm_dst";
}

// The number, or the largest one of 63 bits, which is beyond every range.
std::int64_t at_most(std::uint64_t number) {
  return static_cast<std::int64_t>(
      std::min<std::uint64_t>(number, std::numeric_limits<std::int64_t>::max()));
}

const format::Flags* flags_of(const format::Attribute& attribute) {
  switch (attribute.value_case()) {
    case format::Attribute::kAsInt32S:
      return &attribute.as_int32s();
    case format::Attribute::kAsInt64S:
      return &attribute.as_int64s();
    case format::Attribute::kAsUint32S:
      return &attribute.as_uint32s();
    case format::Attribute::kAsUint64S:
      return &attribute.as_uint64s();
    case format::Attribute::kAsBools:
      return &attribute.as_bools();
    default:
      return nullptr;
  }
}

// Whether there is nothing in it: no text, or a list without elements.
bool is_empty(const format::Attribute& attribute) {
  if (const format::Flags* flags = flags_of(attribute)) return flags->values().empty();
  const std::optional<std::string> text = text_of(attribute);
  return text && (text->empty() || *text == "[]");
}

// A collective is one of all dimensions, which needs no list of them.
std::string involved_fault(const format::Attribute& attribute) {
  if (attribute.value_case() == format::Attribute::kAsBool && attribute.as_bool()) return {};
  const format::Flags* flags = flags_of(attribute);
  if (flags == nullptr) {
    return "involved_dim must be a list of truth values, one for each dimension";
  }
  const auto& values = flags->values();
  const auto absent = std::find(values.begin(), values.end(), 0U);
  if (absent == values.end()) return {};
  return "involved_dim leaves dimension " + std::to_string(absent - values.begin()) +
         " out, but a collective is among all ranks, or those that name the same pg_name";
}

}  // namespace

const format::Attribute* find_attribute(const format::Node& node, std::string_view name) {
  for (const format::Attribute& one : node.attributes()) {
    if (one.name() == name) return &one;
  }
  return nullptr;
}

std::optional<std::int64_t> integer_of(const format::Attribute& attribute) {
  switch (attribute.value_case()) {
    case format::Attribute::kAsInt32:
      return attribute.as_int32();
    case format::Attribute::kAsInt64:
      return attribute.as_int64();
    case format::Attribute::kAsUint32:
      return attribute.as_uint32();
    case format::Attribute::kAsUint64:
      return at_most(attribute.as_uint64());
    case format::Attribute::kAsSint32:
      return attribute.as_sint32();
    case format::Attribute::kAsSint64:
      return attribute.as_sint64();
    case format::Attribute::kAsFixed32:
      return attribute.as_fixed32();
    case format::Attribute::kAsFixed64:
      return at_most(attribute.as_fixed64());
    case format::Attribute::kAsSfixed32:
      return attribute.as_sfixed32();
    case format::Attribute::kAsSfixed64:
      return attribute.as_sfixed64();
    case format::Attribute::kAsBool:
      return attribute.as_bool() ? 1 : 0;
    default:
      return std::nullopt;
  }
}

std::optional<std::string> text_of(const format::Attribute& attribute) {
  switch (attribute.value_case()) {
    case format::Attribute::kAsString:
      return attribute.as_string();
    case format::Attribute::kAsBytes:
      return attribute.as_bytes();
    case format::Attribute::kAsUint64:
      return std::to_string(attribute.as_uint64());
    case format::Attribute::kAsFixed64:
      return std::to_string(attribute.as_fixed64());
    case format::Attribute::kAsBool:
      return std::nullopt;
    default:
      break;
  }
  const std::optional<std::int64_t> number = integer_of(attribute);
  return number ? std::optional<std::string>(std::to_string(*number)) : std::nullopt;
}

std::string attribute_fault(const format::Node& node) {
  std::vector<std::string_view> names;
  for (const format::Attribute& one : node.attributes()) names.emplace_back(one.name());
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) return "it has the attribute " + in_quotes(*twice) + " twice";
  if (!communicates(node)) return {};
  for (const format::Attribute& one : node.attributes()) {
    const bool is_plain = is_known(one.name(), node.kind()) || !says_who_or_how(one.name());
    if (is_plain || is_empty(one)) continue;
    return "its attribute " + in_quotes(one.name()) +
           " says who takes part or how, and is not carried out";
  }
  const format::Attribute* involved = find_attribute(node, "involved_dim");
  return involved == nullptr ? "" : involved_fault(*involved);
}

}  // namespace allport
