// SPDX-License-Identifier: Apache-2.0
#include "testbench/simulation/collective_trial.h"

#include <algorithm>
#include <cstdint>

#include "rtl_model/base/stop_flag.h"
#include "testbench/plan/message_lengths.h"
#include "testbench/plan/requirements.h"
#include "testbench/simulation/contribution.h"

namespace allport {

Cycle CollectiveTrial::on_received(const MessageExtension& extension, Cycle now) {
  const bool is_counted = completions_.counts(extension.collective);
  if (is_counted && !completions_.receive(extension)) {
    latencies_.receive(now);
    return -1;
  }
  const bool is_first = latencies_.receive(extension.collective, extension.receiver, now);
  if (!is_first) {
    ++core_.results.repeated_deliveries;
    return -1;
  }
  on_complete(extension);
  return now - latencies_.start_of(extension.collective);
}

Cycle CollectiveTrial::cycles() const {
  return core_.end_of(std::max(core_.machine().last_movement() + 1, latencies_.last_reception()));
}

void CollectiveTrial::require_runnable(const std::vector<PlannedCollective>& collectives) const {
  require_kinds(collectives, core_.router.switching, core_.routing);
  require_room(collectives, core_.config);
}

// The message of a multicast, acquired once.
tlm::tlm_generic_payload& CollectiveTrial::whole_message(int collective) {
  const SimulationConfig& config = core_.config;
  tlm::tlm_generic_payload& payload =
      core_.pool.allocate(config.payload_is_symbolic ? 1 : config.bytes);
  if (config.payload_is_symbolic) message_extension(payload)->stands_for = config.bytes;
  fill_payload(payload, static_cast<std::uint64_t>(collective));
  return payload;
}

// What `source` contributes to a collective with joins, acquired once.
tlm::tlm_generic_payload& CollectiveTrial::contribution(int collective, NodeId source,
                                                        bool has_floats) {
  const std::size_t bytes = message_bytes(planned(collective), core_.config);
  const std::size_t symbol = 8;  // bytes, a row of lanes of any type
  const std::size_t kept = core_.config.payload_is_symbolic ? std::min(bytes, symbol) : bytes;
  tlm::tlm_generic_payload& payload = core_.pool.allocate(kept);
  if (kept != bytes) message_extension(payload)->stands_for = bytes;
  fill_contribution(payload, has_floats, static_cast<std::uint64_t>(collective), source);
  return payload;
}

tlm::tlm_generic_payload& CollectiveTrial::message_at_start(NodeId node, int collective) {
  if (!planned(collective).has_joins()) return whole_message(collective);
  return contribution(collective, node, joins_floats(planned(collective).schedule));
}

void CollectiveTrial::reset(const std::vector<PlannedCollective>& collectives, int trial) {
  core_.reset(static_cast<std::uint64_t>(trial));
  collectives_ = &collectives;
}

void CollectiveTrial::fill_memory(const std::vector<PlannedCollective>& collectives) {
  memory_.reset(core_.nodes(), collectives.size());
  const Stoppable heeds(core_.watch.stop_flag());
  for (std::size_t i = 0; i < collectives.size(); ++i) {
    const auto& goal = collectives[i].goal;
    if (goal == nullptr) continue;
    memory_.add(static_cast<int>(i), goal, collectives[i].schedule,
                block_lengths(collectives[i], core_.config),
                core_.config.payload_is_symbolic ? BlockBytes::symbol : BlockBytes::all);
  }
}

void CollectiveTrial::load(const ProgramTable& programs,
                           const std::vector<PlannedCollective>& collectives) {
  try {
    fill_memory(collectives);
  } catch (const Stopped&) {  // then nothing is sent in the trial
    memory_.reset(core_.nodes(), collectives.size());
  }
  std::size_t messages = 0;
  for (const PlannedCollective& one : collectives) messages += one.schedule.unicasts.size();
  core_.log.reserve(messages);
  core_.deliveries.reserve(messages);
  schedule_.load(programs, &memory_);
  completions_.begin_trial(collectives, programs, core_.routing);
  latencies_.begin_trial(core_.nodes(), collectives.size(), programs.places());
}

}  // namespace allport
