// SPDX-License-Identifier: Apache-2.0
#include "testbench/results/results_archive.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "testbench/results/fields.h"
#include "tests/support/draw.h"

namespace allport {
namespace {

// What is not a number, a sequence or a structure.
template <class T>
struct Shape {
  static constexpr bool is_optional = false;
  static constexpr bool is_array = false;
  static constexpr bool is_vector = false;
};
template <class T>
struct Shape<std::optional<T>> : Shape<void> {
  static constexpr bool is_optional = true;
};
template <class T, std::size_t size>
struct Shape<std::array<T, size>> : Shape<void> {
  static constexpr bool is_array = true;
};
template <class T>
struct Shape<std::vector<T>> : Shape<void> {
  static constexpr bool is_vector = true;
};

template <class T>
constexpr bool is_structure = std::is_aggregate_v<T> && !Shape<T>::is_array;

// Any values, deep down.
class Filled {
 public:
  explicit Filled(std::uint64_t seed) : draw_(seed) {}

  template <class T>
  void fill(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      value = draw_.below(2) == 1;
    } else if constexpr (std::is_same_v<T, double>) {
      value = draw_.below(1000) / 7.0 - 50;
    } else if constexpr (std::is_enum_v<T>) {
      value = static_cast<T>(draw_.below(8));
    } else if constexpr (std::is_arithmetic_v<T>) {
      value = static_cast<T>(draw_.below(std::numeric_limits<int>::max()));
    } else if constexpr (std::is_same_v<T, std::string>) {
      value = std::string(static_cast<std::size_t>(draw_.below(5)), '\0');
      for (char& one : value) fill(one);
    } else if constexpr (Shape<T>::is_optional) {
      if (draw_.below(3) > 0) fill(value.emplace());
    } else if constexpr (Shape<T>::is_vector) {
      value.resize(static_cast<std::size_t>(draw_.below(3)));
      for (auto& one : value) fill(one);
    } else if constexpr (Shape<T>::is_array) {
      for (auto& one : value) fill(one);
    } else {
      std::apply([this](auto&... fields) { (this->fill(fields), ...); }, fields_of(value));
    }
  }

 private:
  test::Draw draw_;
};

template <class T>
bool is_same(const T& a, const T& b);

template <class Fields, std::size_t... i>
bool are_same(const Fields& a, const Fields& b, std::index_sequence<i...> /*numbers*/) {
  return (is_same(std::get<i>(a), std::get<i>(b)) && ...);
}

template <class T>
bool is_same(const T& a, const T& b) {
  if constexpr (is_structure<T>) {
    const auto fields = fields_of(a);
    return are_same(fields, fields_of(b),
                    std::make_index_sequence<std::tuple_size_v<decltype(fields)>>{});
  } else if constexpr (Shape<T>::is_optional) {
    return a.has_value() == b.has_value() && (!a || is_same(*a, *b));
  } else if constexpr (Shape<T>::is_vector) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const auto& one, const auto& other) { return is_same(one, other); });
  } else {
    return a == b;
  }
}

// Calls `visit` for every structure in `value` that is not a number, deep down.
template <class T, class Visit>
void for_each_structure(const T& value, const Visit& visit) {
  if constexpr (is_structure<T>) {
    visit(value);
    std::apply([&](const auto&... fields) { (for_each_structure(fields, visit), ...); },
               fields_of(value));
  } else if constexpr (Shape<T>::is_optional) {
    if (value) for_each_structure(*value, visit);
  } else if constexpr (Shape<T>::is_vector) {
    for (const auto& one : value) for_each_structure(one, visit);
  }
}

Results drawn(std::uint64_t seed) {
  Results results;
  Filled(seed).fill(results);
  return results;
}

// Nothing but padding lies between the fields of a structure, before them or after them.
TEST(Fields, AreAllThatAStructureHas) {
  for_each_structure(drawn(3), [](const auto& one) {
    const auto* at = reinterpret_cast<const char*>(&one);
    const char* const end = at + sizeof one;
    const auto expect_at = [&](const auto& field) {
      const auto* begin = reinterpret_cast<const char*>(&field);
      EXPECT_GE(begin, at);
      EXPECT_LT(begin - at, static_cast<std::ptrdiff_t>(alignof(decltype(field)))) << sizeof one;
      at = begin + sizeof field;
    };
    std::apply([&](const auto&... fields) { (expect_at(fields), ...); }, fields_of(one));
    EXPECT_LT(end - at, static_cast<std::ptrdiff_t>(alignof(decltype(one)))) << sizeof one;
  });
}

TEST(ResultsArchive, GivesBackWhatItWasGiven) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Results results = drawn(seed);
    EXPECT_TRUE(is_same(results_of(to_bytes(results)), results)) << "seed " << seed;
  }
}

TEST(ResultsArchive, ReadsNothingElse) {
  const std::string bytes = to_bytes(drawn(5));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(results_of(bytes.substr(0, size)), std::runtime_error) << size;
  }
  EXPECT_THROW(results_of(bytes + '\0'), std::runtime_error);
}

// Whatever a length says, no more is read than is there, and no more room is made for it.
TEST(ResultsArchive, BelievesNoLength) {
  const std::string bytes = to_bytes(drawn(8));
  for (const std::size_t size : {~std::size_t{0}, ~std::size_t{0} >> 8, std::size_t{1} << 40}) {
    for (std::size_t at = 0; at + sizeof size <= bytes.size(); ++at) {
      std::string damaged = bytes;
      std::memcpy(&damaged[at], &size, sizeof size);
      try {
        results_of(damaged);
      } catch (const std::runtime_error&) {
        continue;  // its sentence
      }
    }
  }
}

}  // namespace
}  // namespace allport
