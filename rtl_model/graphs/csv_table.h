// SPDX-License-Identifier: Apache-2.0
// Attributes in the tables in CSV of this folder.
#pragma once

#include <cstddef>
#include <string>

#include "rtl_model/base/csv_columns.h"
#include "rtl_model/graphs/attributes.h"
#include "rtl_model/graphs/readers.h"

namespace allport {

/// Sets all attributes of a node, an edge or a link that a line has.
template <class Item>
void set_attributes(Item& item, const CsvColumns& columns, const CsvCells& cells,
                    const std::string& path, std::size_t line) {
  at_line(path, line, [&] {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (!cells[i].empty()) set_attribute(item, columns[i], cells[i]);
    }
  });
}

}  // namespace allport
