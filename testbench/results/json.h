// SPDX-License-Identifier: Apache-2.0
// Json keeps its keys in the order in which they were written.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "rtl_model/base/ids.h"

namespace allport {

using Json = nlohmann::ordered_json;

/// The text of a JSON file.
std::string json_text(const Json& json);

/// `node` and `port`.
Json channel_json(Channel channel);

}  // namespace allport
