// SPDX-License-Identifier: Apache-2.0
// The kinds of fields that an option of a run may be: numbers, words, flags, files, shapes and
// nodes. Each function here makes the OptionField of a kind from the field's place in a request.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "rtl_model/base/byte_length.h"
#include "testbench/plan/option_values.h"
#include "testbench/plan/run_options.h"

namespace allport::option_fields {

using Text = std::string_view;
using Words = std::vector<std::string_view>;
using Options = std::vector<RunOption>;

// A field of a request, by the members on the way to it.
template <class... Members>
auto at(Members... members) {
  return [members...](auto& request) -> auto& { return (request.*....*members); };
}

template <class Place>
OptionField integer(Place place, const Range& range) {
  return {[=](RunRequest& request, Text text) {
            auto& value = place(request);
            value = static_cast<std::decay_t<decltype(value)>>(parse_integer(text, range));
          },
          [=](const RunRequest& request) { return Json(place(request)); },
          {},
          range};
}

// A number of which 0 means that there is none.
inline OptionField unless_zero(OptionField field) {
  field.get = [get = std::move(field.get)](const RunRequest& request) {
    Json value = get(request);
    return value == 0 ? Json() : value;
  };
  return field;
}

template <class Place>
OptionField bytes(Place place, const Range& range) {
  OptionField field = integer(place, range);
  field.set = [=](RunRequest& request, Text text) {
    auto& value = place(request);
    value = static_cast<std::decay_t<decltype(value)>>(parse_bytes(text, range));
  };
  return field;
}

template <class Place>
OptionField decimal(Place place, double low, double high) {
  return {[=](RunRequest& request, Text text) { place(request) = parse_decimal(text, low, high); },
          [=](const RunRequest& request) { return Json(place(request)); }};
}

template <class Place>
OptionField flag(Place place) {
  return {[=](RunRequest& request, Text text) { place(request) = parse_flag(text); },
          [=](const RunRequest& request) { return Json(place(request)); }};
}

// A flag in two words, of which the second one means that it is set.
template <class Place>
OptionField either(const char* what, Place place, const char* no, const char* yes) {
  const Words words{no, yes};
  return {[=](RunRequest& request, Text text) {
            place(request) = parse_word(what, text, words) == yes;
          },
          [=](const RunRequest& request) { return Json(place(request) ? yes : no); }, words};
}

// A value of an enumeration, by the names in its table.
template <class Place, class E>
void set_word(Place place, RunRequest& request, const char* what, Text text, const Words& words) {
  place(request) = *value_named<E>(parse_word(what, text, words));
}

template <class Place>
using PlaceOf = std::decay_t<decltype(std::declval<Place>()(std::declval<RunRequest&>()))>;

template <class Place>
OptionField word(const char* what, Place place, Words words = names_of<PlaceOf<Place>>()) {
  return {[=](RunRequest& request, Text text) {
            set_word<Place, PlaceOf<Place>>(place, request, what, text, words);
          },
          [=](const RunRequest& request) { return Json(to_string(place(request))); }, words};
}

template <class Place>
OptionField path(Place place) {
  return {[=](RunRequest& request, Text text) { place(request) = parse_path(text); },
          [=](const RunRequest& request) {
            const std::string& name = place(request);
            return name.empty() ? Json() : Json(name);
          }};
}

template <class Place>
OptionField shape(Place place, Words words) {
  return {[=](RunRequest& request, Text text) { place(request) = parse_topology(text); },
          [=](const RunRequest& request) {
            return place(request) == nullptr ? Json() : Json(place(request)->name());
          },
          std::move(words)};
}

inline Json json_of(const std::vector<NodeNumber>& nodes) {
  if (nodes.empty()) return {};
  Json list = Json::array();
  for (const NodeNumber& node : nodes) list.push_back(node.id);
  return list;
}

template <class Place>
OptionField nodes(Place place) {
  return {[=](RunRequest& request, Text text) {
            place(request) = parse_nodes(text, request.fabric.topology.get());
          },
          [=](const RunRequest& request) { return json_of(place(request)); }};
}

inline Json text_or_null(std::string text) { return text.empty() ? Json() : Json(std::move(text)); }

// A number for all dimensions, or a list.
inline Json one_or_list(const std::vector<int>& numbers) {
  if (numbers.empty()) return {};
  return numbers.size() == 1 ? Json(numbers.front()) : Json(numbers);
}

inline const Words shapes{"hypercube:", "torus:", "mesh:", "ring:"};

// The options of each table.
Options fabric_options();
Options router_options();
Options message_options();
Options node_options();
Options traffic_options();

}  // namespace allport::option_fields
