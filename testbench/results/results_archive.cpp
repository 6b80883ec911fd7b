// SPDX-License-Identifier: Apache-2.0
#include "testbench/results/results_archive.h"

#include <cereal/archives/binary.hpp>
#include <cereal/types/array.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <sstream>
#include <stdexcept>

namespace allport {

// Every structure is decomposed by name, so that a field added there but not here does not compile.

template <typename Archive>
void serialize(Archive& archive, Channel& channel) {
  auto& [node, port] = channel;
  archive(node, port);
}

template <typename Archive>
void serialize(Archive& archive, JoinName& name) {
  auto& [kind, free, tag] = name;
  archive(kind, free, tag);
}

template <typename Archive>
void serialize(Archive& archive, MessageName& name) {
  auto& [u, v, order, join] = name;
  archive(u, v, order, join);
}

template <typename Archive>
void serialize(Archive& archive, Delivery& delivery) {
  auto& [source, destination, message, head, tail] = delivery;
  archive(source, destination, message, head, tail);
}

template <typename Archive>
void serialize(Archive& archive, ContentionEvent& event) {
  auto& [trial, cycle, cycles, channel, waiting, holding] = event;
  archive(trial, cycle, cycles, channel, waiting, holding);
}

template <typename Archive>
void serialize(Archive& archive, Contention& contention) {
  auto& [list, events, blocked_cycles, is_truncated] = contention;
  archive(list, events, blocked_cycles, is_truncated);
}

template <typename Archive>
void serialize(Archive& archive, DeadlockWait& wait) {
  auto& [message, waits_for, held_by, channel, vc, flit, since] = wait;
  archive(message, waits_for, held_by, channel, vc, flit, since);
}

template <typename Archive>
void serialize(Archive& archive, WaitEdge& edge) {
  auto& [waits_for, held_by, channel, vc, since, is_in_cycle] = edge;
  archive(waits_for, held_by, channel, vc, since, is_in_cycle);
}

template <typename Archive>
void serialize(Archive& archive, WaitingFlit& flit) {
  auto& [message, input, vc, taken, waits, is_queued] = flit;
  archive(message, input, vc, taken, waits, is_queued);
}

template <typename Archive>
void serialize(Archive& archive, Deadlock& deadlock) {
  auto& [trial, cycle, waits, stuck_messages, messages, flits] = deadlock;
  archive(trial, cycle, waits, stuck_messages, messages, flits);
}

template <typename Archive>
void serialize(Archive& archive, LatencySummary& latency) {
  auto& [max, mean] = latency;
  archive(max, mean);
}

template <typename Archive>
void serialize(Archive& archive, DestinationLatency& latency) {
  auto& [node, cycles] = latency;
  archive(node, cycles);
}

template <typename Archive>
void serialize(Archive& archive, CollectiveLatency& collective) {
  auto& [latency, destinations, missing] = collective;
  archive(latency, destinations, missing);
}

template <typename Archive>
void serialize(Archive& archive, LatencyDistribution& latency) {
  auto& [mean, p50, p95, p99, max] = latency;
  archive(mean, p50, p95, p99, max);
}

template <typename Archive>
void serialize(Archive& archive, ChannelLoad& load) {
  auto& [mean, max, busiest, flits, cycles] = load;
  archive(mean, max, busiest, flits, cycles);
}

template <typename Archive>
void serialize(Archive& archive, TrafficResults& traffic) {
  auto& [offered, accepted, queue_growth, growing_sources, latency, network_latency, channel_load,
         processor_load, saturated, telling_cycles, latency_histogram] = traffic;
  archive(offered, accepted, queue_growth, growing_sources, latency, network_latency, channel_load,
          processor_load, saturated, telling_cycles, latency_histogram);
}

template <typename Archive>
void serialize(Archive& archive, LoadResults& load) {
  auto& [collectives, unfinished, offered, accepted, accepted_flits, under_way, growth,
         growing_sources, latency, completion, saturated, telling_cycles, latency_histogram] = load;
  archive(collectives, unfinished, offered, accepted, accepted_flits, under_way, growth,
          growing_sources, latency, completion, saturated, telling_cycles, latency_histogram);
}

template <typename Archive>
void serialize(Archive& archive, Spot& spot) {
  auto& [kind, node, port, vc] = spot;
  archive(kind, node, port, vc);
}

template <typename Archive>
void serialize(Archive& archive, CauseSum& sum) {
  auto& [cycles, contended] = sum;
  archive(cycles, contended);
}

template <typename Archive>
void serialize(Archive& archive, Blame& blame) {
  auto& [cause, blamed, cycles, messages] = blame;
  archive(cause, blamed, cycles, messages);
}

template <typename Archive>
void serialize(Archive& archive, MessageAccount& account) {
  auto& [trial, source, destination, contributor, order, collective, flits, hops, created, prepared,
         injected, head, tail, has, causes, blames] = account;
  archive(trial, source, destination, contributor, order, collective, flits, hops, created,
          prepared, injected, head, tail, has, causes, blames);
}

template <typename Archive>
void serialize(Archive& archive, UnfinishedMessage& message) {
  auto& [trial, name, flits, created, until, spot, causes, blames] = message;
  archive(trial, name, flits, created, until, spot, causes, blames);
}

template <typename Archive>
void serialize(Archive& archive, PathStretch& stretch) {
  auto& [cause, first, cycles, spot, blamed] = stretch;
  archive(cause, first, cycles, spot, blamed);
}

template <typename Archive>
void serialize(Archive& archive, PathMessage& message) {
  auto& [account, stretches] = message;
  archive(account, stretches);
}

template <typename Archive>
void serialize(Archive& archive, RootShare& share) {
  auto& [cause, spot, cycles] = share;
  archive(cause, spot, cycles);
}

template <typename Archive>
void serialize(Archive& archive, ChannelUse& use) {
  auto& [trial, spot, from, cycles, used, lost, no_credit, empty, idle, flits, messages,
         most_waiting] = use;
  archive(trial, spot, from, cycles, used, lost, no_credit, empty, idle, flits, messages,
          most_waiting);
}

template <typename Archive>
void serialize(Archive& archive, ChannelWaits& waits) {
  auto& [spot, causes] = waits;
  archive(spot, causes);
}

template <typename Archive>
void serialize(Archive& archive, SourceWaits& waits) {
  auto& [source, receipts, causes] = waits;
  archive(source, receipts, causes);
}

template <typename Archive>
void serialize(Archive& archive, GroupWaits& group) {
  auto& [receipts, causes] = group;
  archive(receipts, causes);
}

template <typename Archive>
void serialize(Archive& archive, Explanation& explanation) {
  auto& [receipts, causes, nearest, messages, unfinished, unexplained, tied, path, roots,
         by_channel, by_source, by_hops, slowest, channels, missing_uses] = explanation;
  archive(receipts, causes, nearest, messages, unfinished, unexplained, tied, path, roots,
          by_channel, by_source, by_hops, slowest, channels, missing_uses);
}

template <typename Archive>
void serialize(Archive& archive, RankResults& rank) {
  auto& [node, compute, communicate, wait, end] = rank;
  archive(node, compute, communicate, wait, end);
}

template <typename Archive>
void serialize(Archive& archive, CallResults& calls) {
  auto& [count, mean, max, measured, algorithm, bus, best_bus] = calls;
  archive(count, mean, max, measured, algorithm, bus, best_bus);
}

template <typename Archive>
void serialize(Archive& archive, HostResults& host) {
  auto& [transfers, bytes, busy, end] = host;
  archive(transfers, bytes, busy, end);
}

template <typename Archive>
void serialize(Archive& archive, TaskResults& results) {
  auto& [makespan, tasks, unended, waits_in_circle, waits, ranks, calls, host, unreceived] =
      results;
  archive(makespan, tasks, unended, waits_in_circle, waits, ranks, calls, host, unreceived);
}

template <typename Archive>
void serialize(Archive& archive, CombineResults& results) {
  auto& [lanes, differing_lanes, largest_difference, checksums] = results;
  archive(lanes, differing_lanes, largest_difference, checksums);
}

template <typename Archive>
void serialize(Archive& archive, Results& results) {
  auto& [latency, trials, last_starts, by_destination, by_collective, latency_histogram,
         destinations, missing, steps, cycles, flit_hops, messages, repeated_deliveries, contention,
         reception, deadlock, traffic, load, tasks, combine, broken_invariant, overrun,
         was_interrupted, digest, deliveries, explanation, wall_seconds, startup_seconds] = results;
  archive(latency, trials, last_starts, by_destination, by_collective, latency_histogram,
          destinations, missing, steps, cycles, flit_hops, messages, repeated_deliveries,
          contention, reception, deadlock, traffic, load, tasks, combine, broken_invariant, overrun,
          was_interrupted, digest, deliveries, explanation, wall_seconds, startup_seconds);
}

std::string to_bytes(const Results& results) {
  std::ostringstream stream;
  cereal::BinaryOutputArchive archive(stream);
  archive(results);
  return stream.str();
}

Results results_of(const std::string& bytes) {
  std::istringstream stream(bytes);
  Results results;
  try {
    cereal::BinaryInputArchive archive(stream);
    archive(results);
  } catch (const cereal::Exception&) {
    throw std::runtime_error("the results of a simulation ended too early");
  }
  return results;
}

}  // namespace allport
