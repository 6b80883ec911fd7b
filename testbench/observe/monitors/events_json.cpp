// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/monitors/events_json.h"

#include <utility>

#include "testbench/observe/monitors/name_json.h"

namespace allport {

namespace {

Json contention_json(const Contention& contention, bool with_trials, const Topology& topology,
                     const EventGroups& groups) {
  Json list = Json::array();
  for (const ContentionEvent& event : contention.list) {
    Json entry;
    if (with_trials) entry["trial"] = event.trial;
    entry["cycle"] = event.cycle;
    entry["cycles"] = event.cycles;
    entry["channel"] = channel_json(event.channel, topology);
    entry["waiting"] = name_json(event.waiting, topology);
    entry["holding"] = name_json(event.holding, topology);
    if (groups) {
      if (const auto both = groups(event)) entry["groups"] = *both;
    }
    list.push_back(std::move(entry));
  }
  Json json{{"events", contention.events},
            {"blocked_cycles", contention.blocked_cycles},
            {"list", std::move(list)}};
  if (contention.is_truncated) json["list_truncated"] = true;
  return json;
}

Json deadlock_json(const Deadlock& deadlock, bool with_trials, const Topology& topology) {
  Json waits = Json::array();
  for (const DeadlockWait& wait : deadlock.waits) {
    Json entry;
    if (with_trials) entry["trial"] = deadlock.trial;
    entry["message"] = ordered_name_json(wait.message, topology);
    entry["waits_for"] = wait.waits_for;
    entry["held_by"] = ordered_name_json(wait.held_by, topology);
    entry["channel"] = channel_json(wait.channel, topology);
    entry["vc"] = wait.vc;
    waits.push_back(std::move(entry));
  }
  return waits;
}

Json edge_json(const WaitEdge& wait, const Topology& topology) {
  return {{"waits_for", wait.waits_for},
          {"held_by", ordered_name_json(wait.held_by, topology)},
          {"channel", channel_json(wait.channel, topology)},
          {"vc", wait.vc},
          {"since", wait.since},
          {"in_circle", wait.is_in_cycle}};
}

// The whole wait-for graph: `messages`, and `flits` with everything that each of them waits for at
// once.
Json wait_for_json(const Deadlock& deadlock, const Topology& topology) {
  Json messages = Json::array();
  for (const MessageName& name : deadlock.messages) {
    messages.push_back(ordered_name_json(name, topology));
  }
  Json flits = Json::array();
  for (const WaitingFlit& flit : deadlock.flits) {
    Json taken = Json::array();
    for (const PortId port : flit.taken) taken.push_back(index(port));
    Json waits = Json::array();
    for (const WaitEdge& wait : flit.waits) waits.push_back(edge_json(wait, topology));
    flits.push_back({{"message", ordered_name_json(flit.message, topology)},
                     {"channel", channel_json(flit.input, topology)},
                     {"vc", flit.vc},
                     {"queued", flit.is_queued},
                     {"taken", std::move(taken)},
                     {"all_of", std::move(waits)}});
  }
  return {{"messages", std::move(messages)}, {"flits", std::move(flits)}};
}

}  // namespace

void add_contention(Json& json, const Results& results, bool with_trials, const Topology& topology,
                    const EventGroups& groups) {
  json["contention"] = contention_json(results.contention, with_trials, topology, groups);
  json["contention"]["reception"] =
      contention_json(results.reception, with_trials, topology, groups);
}

void add_deadlock(Json& json, const Results& results, bool with_trials, const Topology& topology) {
  json["deadlock"] = nullptr;
  if (!results.deadlock) return;
  json["deadlock"] = deadlock_json(*results.deadlock, with_trials, topology);
  json["deadlock_cycle"] = results.deadlock->cycle;
  json["wait_for"] = wait_for_json(*results.deadlock, topology);
}

}  // namespace allport
