// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/explain/channel_uses.h"

#include <algorithm>
#include <cstddef>

#include "rtl_model/base/bits.h"
#include "testbench/observe/explain/channel_account.h"
#include "testbench/observe/explain/patience.h"

namespace allport {

Resource resource_of(const FabricChannels& channels, FabricChannels::Number channel) {
  if (channels.is_processor(channel)) {
    return {Resource::Kind::processor, node_id(channel - channels.size()), 0, 0};
  }
  const FabricChannels::End end = channels.sender(channel);
  if (channels.is_external(channel)) return {Resource::Kind::channel, end.node, end.port, end.vc};
  const int port = end.port - channels.config().external_ports;
  const bool enters = channels.is_injection(channel);
  return {enters ? Resource::Kind::injection : Resource::Kind::ejection, end.node, port, 0};
}

namespace {

// A head that has not got a channel by the end of the run.
struct Unserved {
  FabricChannels::Number channel = 0;  // the first VC of the physical one
  Cycle first = 0;                     // cycle from which it waits

  friend bool operator<(const Unserved& a, const Unserved& b) { return a.channel < b.channel; }
};

// By channel.
std::vector<Unserved> unserved_heads(const ExplainedTrial& trial, Cycle cycles) {
  const History& history = trial.history;
  const FabricChannels& channels = history.channels();
  const Movement& movement = history.movement();
  std::vector<Unserved> list;
  for (CrossingIndex one = 1; one < movement.size(); ++one) {
    Patience::heed();
    const Crossing& at = movement[one];
    if (channels.is_ejection(at.channel) || history.arrived(one, 0) >= cycles) continue;
    if (history.speaker(one) != one) continue;  // a join waits as one message
    const Cycle first = history.asks_from(one);
    if (first >= cycles) continue;
    const NodeId node = channels.receiver(at.channel).node;
    const bool is_adaptive = trial.arbiters.is_adaptive();
    for (const int output : bits(at.beyond.outputs)) {
      const bool has_won = is_adaptive ? at.onward != 0 : history.branch(one, output) != 0;
      if (has_won) continue;
      const FabricChannels::Number wanted = trial.arbiters.wanted(one, output, cycles - 1);
      list.push_back({channels.output(node, channels.sender(wanted).port, 0), first});
      if (is_adaptive) break;  // it waits for one of them
    }
  }
  std::sort(list.begin(), list.end());
  return list;
}

std::size_t stretch_count(const MeasurementWindow& span, Cycle every) {
  if (span.cycles() <= 0) return 0;
  return every > 0 ? static_cast<std::size_t>((span.cycles() + every - 1) / every) : 1;
}

}  // namespace

std::size_t channel_use_count(const FabricChannels& channels, const MeasurementWindow& span,
                              Cycle every) {
  return stretch_count(span, every) * channels.channel_count();
}

std::vector<ChannelUse> channel_uses(const ExplainedTrial& trial, const MessageLog& log,
                                     Cycle cycles, const MeasurementWindow& span, Cycle every) {
  if (span.cycles() <= 0) return {};
  const History& history = trial.history;
  const FabricChannels& channels = history.channels();
  std::vector<std::vector<ChannelUse>> uses(stretch_count(span, every));
  ChannelAccount account(history, log, cycles, span, every);
  const std::vector<Unserved> unserved = unserved_heads(trial, cycles);
  for (FabricChannels::Number channel = 0; channel < channels.size();) {
    const bool is_external = channels.is_external(channel);
    const int vcs = is_external ? channels.config().vcs : channels.config().classes;
    if (!channels.is_there(channel)) {
      channel += static_cast<FabricChannels::Number>(vcs);
      continue;
    }
    const auto [from, to] =
        std::equal_range(unserved.begin(), unserved.end(), Unserved{channel, 0});
    for (auto one = from; one != to; ++one) account.add_waiting(one->first);
    const Resource resource = resource_of(channels, channel);
    for (int vc = 0; vc < vcs; ++vc, ++channel) {
      for (CrossingIndex one = history.first(channel); one != 0; one = history.after(one)) {
        account.add(one);
      }
    }
    account.write(resource, uses);
  }
  std::vector<ChannelUse> all;
  for (auto& stretch : uses) {
    all.insert(all.end(), stretch.begin(), stretch.end());
    stretch = {};
  }
  return all;
}

}  // namespace allport
