// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/json_text.h"

namespace allport {

Json parsed_json(const std::string& text) {
  constexpr int deepest = 100;
  bool is_deep = false;
  const Json::parser_callback_t watch = [&is_deep](int depth, Json::parse_event_t, const Json&) {
    is_deep = is_deep || depth > deepest;
    return true;
  };
  Json json = Json::parse(text, watch, false);
  return is_deep ? Json(Json::value_t::discarded) : json;
}

}  // namespace allport
