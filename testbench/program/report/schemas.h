// SPDX-License-Identifier: Apache-2.0
// This header has the JSON Schemas (draft 2020-12) of what the program reads and prints: those of
// scenarios and grids follow from the table of options, the others stand in schemas/, beside the
// code that writes what they describe, with words like "<traffic>" where the rows of a table of
// statistics belong. A schema is strict: it knows every key of its version, and
// no other.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "testbench/results/json.h"

namespace allport {

/// A document that has a schema.
struct SchemaName {
  std::string_view name;
  std::string_view summary;  ///< what the schema describes, a noun phrase
};

/// All of them, in the order of the help.
const std::vector<SchemaName>& schema_names();

/// The schema called `name`, one of schema_names(), whole: every definition that it refers to is in
/// its `$defs`.
Json schema(std::string_view name);

}  // namespace allport
