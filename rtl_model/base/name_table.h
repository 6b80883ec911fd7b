// SPDX-License-Identifier: Apache-2.0
// The names of an enumeration stand in one table beside it. Its values as text and back, the words
// that a user may choose, and all of its values follow from the table.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

namespace allport {

/// A value of an enumeration, and its name.
template <class E>
struct Named {
  E value;
  const char* name;
};

/// The names of the values of `E`, to be specialized beside it as an array of `Named<E>`, in the
/// order in which a user sees them.
template <class E>
inline constexpr std::nullptr_t name_table = nullptr;

template <class E>
inline constexpr bool has_name_table =
    !std::is_same_v<std::remove_cv_t<decltype(name_table<E>)>, std::nullptr_t>;

/// The name of `value`.
template <class E, std::enable_if_t<has_name_table<E>, int> = 0>
constexpr const char* to_string(E value) {
  for (const Named<E>& one : name_table<E>) {
    if (one.value == value) return one.name;
  }
  return "";
}

/// The value with this name; none: there is no such value.
template <class E>
constexpr std::optional<E> value_named(std::string_view name) {
  for (const Named<E>& one : name_table<E>) {
    if (one.name == name) return one.value;
  }
  return std::nullopt;
}

/// The names of all values.
template <class E>
std::vector<std::string_view> names_of() {
  std::vector<std::string_view> names;
  for (const Named<E>& one : name_table<E>) names.emplace_back(one.name);
  return names;
}

/// All values that have a name.
template <class E>
constexpr auto values_of() {
  constexpr std::size_t count = name_table<E>.size();
  std::array<E, count> values{};
  for (std::size_t i = 0; i < count; ++i) values[i] = name_table<E>[i].value;
  return values;
}

}  // namespace allport
