// SPDX-License-Identifier: Apache-2.0
// The oracle's routing by tables, written from docs/router.md, section 6: the rows of a file, and
// how a head looks one up.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "tests/properties/reference/routing.h"

namespace allport::reference {

struct TableEntry {
  int port = none;   // none: the head is at its destination
  int layer = none;  // of the channel there
};

struct Table {
  bool is_there = false;
  int layers = 1;                                          // 1 + the highest that it names
  std::map<std::tuple<int, int, int>, TableEntry> rows{};  // by router, layer, destination

  /// That of a head at `node` for `destination`; `layer` is that on which it came, none: it is
  /// injected here.
  const TableEntry& look_up(int node, int layer, int destination) const;
};

/// The table of the rows of `text`: none if it is empty.
Table read_table(const std::string& text, const Shape& shape);

/// The way of a head from `u` to `v`, with the layers of its channels.
std::vector<Hop> table_path(const Shape& shape, const Table& table, int u, int v);

/// T: the layers of `table`, or the next number that divides the `vcs` virtual channels of a
/// message class.
int layers_among(const Table& table, int vcs);

}  // namespace allport::reference
