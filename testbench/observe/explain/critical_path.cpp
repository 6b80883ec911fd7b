// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/explain/critical_path.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace allport {

namespace {

std::uint64_t key_of(NodeId source, int order) {
  return std::uint64_t{index(source)} << 32 | static_cast<std::uint32_t>(order);
}

}  // namespace

Dependencies::Dependencies(const std::vector<Reception>& receptions,
                           const std::vector<PlannedCollective>& collectives, const MessageLog& log)
    : receptions_(receptions),
      collectives_(collectives),
      log_(log),
      order_(receptions.size()),
      unicasts_(collectives.size()) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  const auto key = [&](std::size_t at) {
    const Reception& one = receptions_[at];
    const MessageRecord& record = log_[one.message];
    return std::tuple(record.collective, one.receiver, one.has, record.source, record.order);
  };
  std::sort(order_.begin(), order_.end(),
            [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  for (std::size_t i = 0; i < collectives.size(); ++i) {
    if (collectives[i].goal == nullptr && !collectives[i].has_joins()) continue;
    for (const Unicast& one : collectives[i].schedule.unicasts) {
      unicasts_[i].emplace(key_of(one.u, one.order), &one);
    }
  }
}

const Unicast& Dependencies::unicast_of(const MessageRecord& record) const {
  const auto collective = static_cast<std::size_t>(record.collective);
  return *unicasts_[collective].at(key_of(record.source, record.order));
}

const Reception* Dependencies::before(MessageId message, NodeId node) const {
  const MessageRecord& sent = log_.sent(message, node);
  const auto key = [&](std::size_t at) {
    const Reception& one = receptions_[at];
    return std::tuple(log_[one.message].collective, one.receiver, one.has);
  };
  const auto wanted = std::tuple(sent.collective, sent.source, sent.created);
  auto at = std::partition_point(order_.begin(), order_.end(),
                                 [&](std::size_t one) { return key(one) < wanted; });
  for (; at != order_.end() && key(*at) == wanted; ++at) {
    if (is_needed(receptions_[*at].message, sent)) return &receptions_[*at];
  }
  return nullptr;
}

// Whether `sent` carries what its sender got with `received`; with joins it waits for all of the
// steps before its own.
bool Dependencies::is_needed(MessageId received, const MessageRecord& sent) const {
  const PlannedCollective& collective = collectives_[static_cast<std::size_t>(sent.collective)];
  const bool has_joins = collective.goal == nullptr && collective.has_joins();
  if (collective.goal == nullptr && !has_joins) return true;
  const Unicast& before = unicast_of(log_[received]);
  const Unicast& after = unicast_of(sent);
  if (has_joins) return before.step < after.step;
  if (collective.goal->is_reduction() && before.step >= after.step) return false;
  return std::any_of(before.blocks.begin(), before.blocks.end(), [&](BlockId block) {
    return std::find(after.blocks.begin(), after.blocks.end(), block) != after.blocks.end();
  });
}

MessageId cut_idle(MessageId message, NodeId node, const MessageLog& log,
                   const ProcessorLog& processors, Waits::List& waits) {
  if (waits.empty() || waits.back().cause != Cause::processor) return message;
  Wait one = waits.back();
  waits.pop_back();
  one.messages = 1;
  MessageId depends = message;
  const auto tell = [&](MessageId blamed, Cycle first, Cycle cycles) {
    const bool is_idle = log.sent(blamed, node).begun >= first + cycles;
    if (is_idle) {
      depends = blamed;
      return false;
    }
    one.blamed = blamed;
    one.first = first;
    one.cycles = cycles;
    waits.push_back(one);
    return true;
  };
  processors.visit_waits(message, node, log.sent(message, node).begun, tell);
  return depends;
}

}  // namespace allport
