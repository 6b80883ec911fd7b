// SPDX-License-Identifier: Apache-2.0
// Json keeps its keys in the order in which they were written.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace allport {

using Json = nlohmann::ordered_json;

/// The text of a JSON file.
std::string json_text(const Json& json);

}  // namespace allport
