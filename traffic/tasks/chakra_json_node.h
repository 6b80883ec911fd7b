// SPDX-License-Identifier: Apache-2.0
// A node of a Chakra trace in JSON: its keys are the fields of the binary form, as the JSON of
// Protocol Buffers names them or as the format's feeder does, and any other key is an attribute.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "execution_trace.pb.h"

namespace allport {

/// The node of `object`; throws std::invalid_argument, a sentence that begins with `where`.
execution_trace::Node read_chakra_node(const std::string& where, const nlohmann::json& object);

/// `ctrl_deps`, `ctrlDeps` and `CtrlDeps` are one key: `ctrldeps`.
std::string plain_key(std::string_view key);

inline bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace allport
