// SPDX-License-Identifier: Apache-2.0
#include "testbench/network/network_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rtl_model/base/names.h"
#include "rtl_model/base/quote.h"
#include "testbench/plan/missing_links.h"
#include "testbench/plan/option_values.h"
#include "testbench/plan/run_options.h"

namespace allport {

namespace {

constexpr std::string_view blanks = " \t\r\n";

bool is_of_networks(const RunOption& option) { return (option.uses & use::network) != 0; }

std::vector<std::string_view> network_keys() {
  std::vector<std::string_view> keys;
  for (const RunOption& option : run_options()) {
    if (is_of_networks(option)) keys.push_back(option.key);
  }
  for (const NetworkOption& option : own_network_options) keys.push_back(option.key);
  return keys;
}

// Takes KEY="VALUE" from the front of `text`, whose sign is at `sign`; the result has no quotes.
std::string take_quoted(std::string_view& text, std::size_t sign) {
  const std::string_view key = text.substr(0, sign);
  std::string item(text.substr(0, sign + 1));
  std::size_t at = sign + 2;
  for (;; ++at) {
    if (at >= text.size()) {
      throw std::invalid_argument(
          fmt::format("{}: its value in quotes does not end", shown(key, 100)));
    }
    if (text[at] == '"') {
      if (text.substr(at + 1, 1) != "\"") break;
      ++at;
    }
    item += text[at];
  }
  text.remove_prefix(at + 1);
  if (text.empty() || blanks.find(text.front()) != std::string_view::npos) return item;
  throw std::invalid_argument(
      fmt::format("{}: behind its value in quotes comes a blank, and not {}", shown(key, 100),
                  in_quotes(text)));
}

std::vector<std::string> items_of(std::string_view text) {
  std::vector<std::string> items;
  for (;;) {
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return items;
    text.remove_prefix(begin);
    const std::size_t end = std::min(text.find_first_of(blanks), text.size());
    const std::size_t sign = text.substr(0, end).find('=');
    if (sign != std::string_view::npos && text.substr(sign + 1, 1) == "\"") {
      items.push_back(take_quoted(text, sign));
      continue;
    }
    items.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

void set(NetworkRequest& request, RunRequest& run, const std::string& key, std::string_view value) {
  for (const NetworkOption& option : own_network_options) {
    if (key == option.key) option.set(request, value);
  }
  for (const RunOption& option : run_options()) {
    if (option.key == key && is_of_networks(option)) option.field.set(run, value);
  }
}

}  // namespace

NetworkRequest network_request(const RunRequest& run) {
  NetworkRequest request;
  request.fabric = run.fabric;
  request.router = run.router;
  request.ties = run.traffic.ties;
  request.model = run.model;
  request.flit_bytes = run.message.flit_bytes;
  if (request.fabric.missing && !request.fabric.missing->seed) {
    request.fabric.missing->seed = run.traffic.seed;
  }
  return request;
}

const std::array<NetworkOption, 4> own_network_options{
    {{"queue_limit",
      "flits of a message class that may wait at a node for its injection channels; try-send answers null beyond them",
      &NetworkRequest::queue_limit, queue_limits},
     {"reception_limit",
      "flits of the reception buffer of a message class at an ejection channel, B or more: messages fill it until they are taken",
      &NetworkRequest::reception_limit, reception_limits},
     {"record",
      "keep what results tells of; it grows with each message",
      nullptr,
      {0, 0},
      &NetworkRequest::record},
     {"explain",
      "keep what explain tells of, and results: how all flits move",
      nullptr,
      {0, 0},
      &NetworkRequest::explain}}};

void NetworkOption::set(NetworkRequest& request, std::string_view text) const {
  if (is_flag()) {
    request.*flag = parse_flag(text);
  } else {
    request.*flits = parse_integer(text, range);
  }
}

void NetworkOption::copy(const NetworkRequest& from, NetworkRequest& to) const {
  if (is_flag()) {
    to.*flag = from.*flag;
  } else {
    to.*flits = from.*flits;
  }
}

namespace {

using Values = std::vector<std::pair<std::string, std::string>>;

// Files that a network opened by text does not write: who does.
void require_no_file(const std::string& key) {
  const bool is_timeline = key == "timeline";
  if (!is_timeline && key.rfind("wave", 0) != 0) return;
  throw std::invalid_argument(fmt::format(
      "{}: a network that is opened by text writes no {}; `allport network{}` does and, in C++, {}",
      key, is_timeline ? "timeline" : "waves", is_timeline ? "" : " --model systemc",
      is_timeline ? "write_timeline()" : "flit_network()"));
}

// Sets the values. The topology comes first, whose nodes others name, and then what decides which
// nodes are missing.
void set_all(NetworkRequest& request, RunRequest& run, Values values) {
  constexpr std::array<std::string_view, 3> first{"topology", "seed", "replan"};
  const auto rank = [&](const auto& one) {
    return std::find(first.begin(), first.end(), one.first) - first.begin();
  };
  std::stable_sort(values.begin(), values.end(),
                   [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  for (const auto& [key, value] : values) {
    try {
      set(request, run, key, value);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(fmt::format("{}: {}", key, error.what()));
    }
  }
}

// Sets what `text` says of the run's fabric and router in `run`, and what a network has itself in
// `request`.
void read_items(std::string_view text, NetworkRequest& request, RunRequest& run) {
  const std::vector<std::string_view> keys = network_keys();
  std::set<std::string> given;
  Values values;
  for (const std::string& one : items_of(text)) {
    const std::string_view item = one;
    const std::size_t sign = item.find('=');
    if (sign == std::string_view::npos) {
      throw std::invalid_argument(
          fmt::format("{} is not an option: it is KEY=VALUE, without blanks", in_quotes(item)));
    }
    std::string key(item.substr(0, sign));
    std::replace(key.begin(), key.end(), '-', '_');
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
      require_no_file(key);
      throw std::invalid_argument(unknown_name("option", key, keys));
    }
    if (!given.insert(key).second) {
      throw std::invalid_argument(fmt::format("{}: it is given twice", key));
    }
    values.emplace_back(std::move(key), item.substr(sign + 1));
  }
  set_all(request, run, std::move(values));
  if (given.count("seed") > 0 && !draws_missing_by_seed(run)) {
    throw std::invalid_argument(
        "seed: nothing is drawn by it without missing_nodes=random:N or missing_links=random:N");
  }
}

}  // namespace

NetworkRequest read_network_request(std::string_view text) {
  NetworkRequest request;
  RunRequest run;
  run.model = request.model;
  read_items(text, request, run);
  NetworkRequest read = network_request(run);
  for (const NetworkOption& option : own_network_options) option.copy(request, read);
  return read;
}

}  // namespace allport
