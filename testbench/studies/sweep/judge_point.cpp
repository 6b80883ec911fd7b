// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/sweep/judge_point.h"

#include <fmt/format.h>

#include <csignal>
#include <cstring>
#include <string_view>

namespace allport {

namespace {

Json without_lists(const std::string& text) {
  const Json::parser_callback_t keep = [](int, Json::parse_event_t event, Json& parsed) {
    return event != Json::parse_event_t::key || parsed != "list";
  };
  Json json = Json::parse(text, keep, false);
  if (!json.is_object()) return nullptr;
  for (const char* key : {"version", "config", "model"}) json.erase(key);
  return json;
}

std::string last_sentence(std::string_view text) {
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  const std::size_t line = text.rfind('\n');
  if (line != std::string_view::npos) text.remove_prefix(line + 1);
  constexpr std::string_view program = "allport: ";
  if (text.substr(0, program.size()) == program) text.remove_prefix(program.size());
  return std::string(text);
}

std::string killed_by(int signal) {
  std::string text = fmt::format("the run was killed by signal {} ({})", signal, strsignal(signal));
  if (signal == SIGKILL) text += ", perhaps for lack of memory";
  return text;
}

}  // namespace

PointResult judge_point(const ChildEnd& end) {
  constexpr int first_signal = 128;
  constexpr int no_result = 3;
  PointResult result;
  result.exit = end.exit;
  result.result = without_lists(end.out);
  if (end.exit > first_signal) {
    result.error = killed_by(end.exit - first_signal);
  } else if (end.exit != 0) {
    result.error = last_sentence(end.err);
    if (result.error.empty()) result.error = fmt::format("the run ended with status {}", end.exit);
  } else if (result.result.is_null()) {
    result.exit = no_result;
    result.error = "the run printed no result";
  }
  return result;
}

}  // namespace allport
