// SPDX-License-Identifier: Apache-2.0
// The attributes of a node of a Chakra trace have a name, and a value of one of many types. What a
// reader asks for is found here whatever its type is, and what would change who takes part in a
// communication, and is not carried out, is refused.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "execution_trace.pb.h"

namespace allport {

/// The attribute `name` of `node`; null: it has none.
const execution_trace::Attribute* find_attribute(const execution_trace::Node& node,
                                                 std::string_view name);

/// Its value as an integer; none: it has a value of another type.
std::optional<std::int64_t> integer_of(const execution_trace::Attribute& attribute);

/// Its value as a text, an integer in digits; none: it has a value of another type.
std::optional<std::string> text_of(const execution_trace::Attribute& attribute);

/// What is wrong with the attributes of `node`, whatever their values are used for, in one clause;
/// empty: nothing. A fault is one that is there twice, and, at a node that communicates, one that
/// says which ranks take part, over which dimensions or by which algorithm, and is not carried out.
std::string attribute_fault(const execution_trace::Node& node);

}  // namespace allport
