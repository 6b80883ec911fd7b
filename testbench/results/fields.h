// SPDX-License-Identifier: Apache-2.0
// fields_of() lists the fields of a plain structure, so that whoever goes over all of them names
// none. The compiler counts them by how many values the structure can be made of.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace allport {
namespace fields {

// It can be made into any field, and is never made.
struct Anything {
  template <class Field>
  operator Field() const;
};

template <class Structure, class Numbers, class = void>
struct TakesThatMany : std::false_type {};
template <class Structure, std::size_t... i>
struct TakesThatMany<Structure, std::index_sequence<i...>,
                     std::void_t<decltype(Structure{(void(i), Anything{})...})>> : std::true_type {
};

template <class Structure, std::size_t known = 0>
constexpr std::size_t count() {
  if constexpr (TakesThatMany<Structure, std::make_index_sequence<known + 1>>::value) {
    return count<Structure, known + 1>();
  } else {
    return known;
  }
}

// C++17 has to name the fields that it binds: a line for each number of them.
#define BIND(number, ...)                                                       \
  template <class Structure>                                                    \
  auto bind(Structure& one, std::integral_constant<std::size_t, number> /**/) { \
    auto& [__VA_ARGS__] = one;                                                  \
    return std::tie(__VA_ARGS__);                                               \
  }
BIND(1, a)
BIND(2, a, b)
BIND(3, a, b, c)
BIND(4, a, b, c, d)
BIND(5, a, b, c, d, e)
BIND(6, a, b, c, d, e, f)
BIND(7, a, b, c, d, e, f, g)
BIND(8, a, b, c, d, e, f, g, h)
BIND(9, a, b, c, d, e, f, g, h, i)
BIND(10, a, b, c, d, e, f, g, h, i, j)
BIND(11, a, b, c, d, e, f, g, h, i, j, k)
BIND(12, a, b, c, d, e, f, g, h, i, j, k, l)
BIND(13, a, b, c, d, e, f, g, h, i, j, k, l, m)
BIND(14, a, b, c, d, e, f, g, h, i, j, k, l, m, n)
BIND(15, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o)
BIND(16, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
BIND(17, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q)
BIND(18, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r)
BIND(19, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s)
BIND(20, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t)
BIND(21, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u)
BIND(22, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v)
BIND(23, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w)
BIND(24, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x)
BIND(25, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y)
BIND(26, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z)
BIND(27, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A)
BIND(28, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B)
BIND(29, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B, C)
BIND(30, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B, C, D)
BIND(31, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B, C, D,
     E)
BIND(32, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B, C, D,
     E, F)
#undef BIND
constexpr std::size_t most = 32;

}  // namespace fields

/// References to the fields of `one`, an aggregate of at most fields::most, in their order.
template <class Structure>
auto fields_of(Structure& one) {
  using Plain = std::remove_const_t<Structure>;
  static_assert(std::is_aggregate_v<Plain>, "only a plain structure has fields that can be listed");
  static_assert(fields::count<Plain>() <= fields::most, "fields.h needs a line for as many fields");
  return fields::bind(one, std::integral_constant<std::size_t, fields::count<Plain>()>{});
}

}  // namespace allport
