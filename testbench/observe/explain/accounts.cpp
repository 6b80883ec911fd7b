// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/explain/accounts.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "testbench/observe/explain/channel_uses.h"
#include "testbench/observe/monitors/contention_monitor.h"

namespace allport {

CauseSum causes_of(const Waits::List& waits) {
  CauseSum causes;
  for (const Wait& wait : waits) {
    causes.add(wait.cause, wait.all_cycles(), wait.blamed != no_message);
  }
  return causes;
}

std::vector<Blame> blames_of(const Waits::List& waits, const MessageLog& log) {
  std::map<std::pair<Cause, MessageId>, Cycle> cycles;
  std::vector<Blame> blames;
  for (const Wait& wait : waits) {
    if (wait.blamed == no_message) continue;
    if (is_queue(wait.cause)) {  // all before it are in its way: it names the last of them
      blames.push_back(
          {wait.cause, message_name(log[wait.blamed]), wait.cycles, std::size_t{wait.messages}});
    } else {
      cycles[{wait.cause, wait.blamed}] += wait.all_cycles();
    }
  }
  for (const auto& [who, count] : cycles) {
    blames.push_back({who.first, message_name(log[who.second]), count});
  }
  // In an order that does not depend on the model, which numbers the messages.
  const auto key = [](const Blame& one) {
    return std::tuple(-one.cycles, one.cause, one.blamed.u, one.blamed.order);
  };
  std::stable_sort(blames.begin(), blames.end(),
                   [&](const Blame& a, const Blame& b) { return key(a) < key(b); });
  return blames;
}

std::vector<UnfinishedMessage> unfinished_messages(ExplainedTrial& trial, const MessageLog& log,
                                                   Cycle end, const std::vector<Reception>* told) {
  std::vector<UnfinishedMessage> list;
  const FabricChannels& channels = trial.history.channels();
  const auto add = [&](CrossingIndex last, int output, const Waits::List& waits) {
    const MessageRecord& record = log[trial.history[last].message];
    const Cycle created = log.sent(trial.history[last].message, trial.walk.sender()).created;
    const FabricChannels::Number at = trial.history[last].channel;
    const FabricChannels::Number toward =
        output < 0 ? at : channels.output(channels.receiver(at).node, output, 0);
    list.push_back({0, message_name(record), record.flits, created, end,
                    resource_of(channels, toward), causes_of(waits), blames_of(waits, log)});
  };
  try {
    visit_under_way(trial, end, add, told);
  } catch (const Stopped&) {  // those so far
  }
  const auto key = [](const UnfinishedMessage& one) {
    return std::tuple(one.name.u, one.name.order, one.resource.kind, one.resource.node,
                      one.resource.port, one.resource.vc);
  };
  std::sort(list.begin(), list.end(),
            [&](const auto& a, const auto& b) { return key(a) < key(b); });
  return list;
}

}  // namespace allport
