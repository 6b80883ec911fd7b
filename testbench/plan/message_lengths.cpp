// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/message_lengths.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "rtl_model/base/range.h"
#include "testbench/plan/plan_run.h"
#include "testbench/plan/requirements.h"

namespace allport {

namespace {

std::string names_of_listing_algorithms() {
  std::string names;
  for (const Algorithm& algorithm : algorithms()) {
    if (!algorithm.needs_lists()) continue;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", algorithm.name);
  }
  return names;
}

// Why no message of `planned` has a list; empty: they may have them.
std::string list_fault(const PlannedCollective& planned, const Algorithm* algorithm,
                       const Topology& topology) {
  if (algorithm != nullptr && !algorithm->needs_lists()) {
    if (algorithm->operation != Operation::bcast) {
      return fmt::format("{} is for {}", algorithm->name, to_string(algorithm->operation));
    }
    return algorithm->kind == MessageKind::unicast
               ? fmt::format("the nodes of {} know by its rule what they send", algorithm->name)
               : fmt::format("{} sends worms to several nodes", algorithm->name);
  }
  if (planned.goal != nullptr) return "this message is sent in pieces or blocks";
  for (const Unicast& unicast : planned.schedule.unicasts) {
    if (unicast.kind != MessageKind::unicast) return describe(unicast, topology) + " is no unicast";
  }
  return {};
}

}  // namespace

BlockLengths block_lengths(const PlannedCollective& collective, const SimulationConfig& config) {
  return {*collective.goal, config.flits, config.flit_bytes, config.bytes};
}

MessageLengths::MessageLengths(const PlannedCollective& collective, const SimulationConfig& config)
    : collective_(collective) {
  if (collective.goal != nullptr) {
    blocks_ = block_lengths(collective, config);
    return;
  }
  const std::size_t bytes = message_bytes(collective, config);
  whole_ = static_cast<std::int64_t>((bytes - 1) / static_cast<unsigned>(config.flit_bytes) + 1);
}

std::int64_t MessageLengths::flits_of(const Unicast& unicast) const {
  if (blocks_) return blocks_->flits_of(unicast);
  return whole_ + collective_.address_fields.flits_of(unicast);
}

std::int64_t MessageLengths::longest() const {
  if (!blocks_) return whole_ + collective_.address_fields.longest();
  std::int64_t most = 0;
  for (const Unicast& unicast : collective_.schedule.unicasts) {
    most = std::max(most, blocks_->flits_of(unicast));
  }
  return most;
}

void add_address_fields(PlannedCollective& planned, const Algorithm* algorithm,
                        const RunRequest& request, const Topology& topology) {
  const int flits = request.message.address_flits;
  if (flits == 0) return;
  const std::string fault = list_fault(planned, algorithm, topology);
  if (!fault.empty()) {
    throw std::invalid_argument(fmt::format(
        "--address-flits {}: it is for multicasts by unicasts that carry the whole message and a list of destinations ({}, or a schedule); {}",
        flits, names_of_listing_algorithms(), fault));
  }
  try {
    planned.address_fields =
        AddressFields(planned.schedule, topology.node_count(), planned.destinations, flits);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("--address-flits {}: {}", flits, error.what()));
  }
}

void require_lists_fit(const RunPlan& plan) {
  std::int64_t most = 0;
  for (const std::vector<PlannedCollective>& trial : plan.trials()) {
    for (const PlannedCollective& one : trial) {
      if (one.address_fields.is_empty()) continue;
      most = std::max(most, MessageLengths(one, plan.simulation).longest());
    }
  }
  const Range& range = plan.simulation.is_transaction_level ? limits::flits : limits::router_flits;
  if (most <= range.high) return;
  throw std::invalid_argument(fmt::format(
      "--address-flits {}: a message has {} flits with its list; the model {} moves messages of up to {}",
      plan.request.message.address_flits, most, to_string(plan.request.model), range.high));
}

}  // namespace allport
