// SPDX-License-Identifier: Apache-2.0
#include "traffic/pattern.h"

#include <sstream>
#include <stdexcept>
#include <string>

#include "traffic/names.h"

namespace allport {

namespace {

// Beyond all trials, so that no pattern repeats the draws of a jitter.
constexpr std::uint64_t pattern_trial = std::uint64_t{1} << 20;

double checked_probability(const TrafficRequest& request) {
  if (request.flits < 1) {
    throw std::invalid_argument("flits " + std::to_string(request.flits) + " must be at least 1");
  }
  const double probability = request.rate / request.flits;
  if (!(probability >= 0 && probability <= 1)) {
    std::ostringstream message;
    message << "rate " << request.rate << " must be 0.." << request.flits
            << " flits per node and cycle, one message a cycle at most";
    throw std::invalid_argument(message.str());
  }
  return probability;
}

// The draws x with x / 2^64 < probability are those below this number: the quotient, rounded to a
// double, never falls as x grows.
std::uint64_t start_threshold(double probability) {
  std::uint64_t threshold = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 63; bit != 0; bit >>= 1) {
    if (static_cast<double>(threshold + bit - 1) * 0x1p-64 < probability) threshold += bit;
  }
  return threshold;
}

}  // namespace

UniformPattern::UniformPattern(const TrafficRequest& request, NodeId node)
    : generator_(node_seed(request.seed, pattern_trial, index(node))),
      threshold_(start_threshold(checked_probability(request))),
      others_(request.node_count - 1),
      node_(node),
      cycles_(request.cycles) {}

std::optional<Start> UniformPattern::next() {
  if (threshold_ == 0) return std::nullopt;  // the rate is 0
  while (cycle_ < cycles_) {
    const Cycle cycle = cycle_++;
    if (generator_.next() >= threshold_) continue;
    const auto drawn = static_cast<std::size_t>(generator_.next() % others_);
    return Start{cycle, node_id(drawn < index(node_) ? drawn : drawn + 1)};
  }
  return std::nullopt;
}

const std::vector<Pattern>& patterns() {
  static const std::vector<Pattern> table{
      {"uniform", "every other node is as likely a destination"},
  };
  return table;
}

const Pattern& find_pattern(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Pattern& pattern : patterns()) {
    if (pattern.name == name) return pattern;
    names.push_back(pattern.name);
  }
  throw std::invalid_argument(unknown_name("pattern", name, names));
}

}  // namespace allport
