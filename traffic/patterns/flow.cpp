// SPDX-License-Identifier: Apache-2.0
#include "traffic/patterns/flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "rtl_model/base/fnv1a.h"
#include "rtl_model/base/quote.h"
#include "rtl_model/base/words.h"

namespace allport {

namespace {

std::string outside(const char* what, std::int64_t value, const Range& range) {
  return fmt::format("{} {}: must be {}", what, value, range_in_words(range.low, range.high));
}

std::string fault_of(const Flow& flow, const Topology& topology) {
  const Range nodes{0, static_cast<std::int64_t>(topology.node_count()) - 1};
  const auto source = static_cast<std::int64_t>(index(flow.source));
  const auto destination = static_cast<std::int64_t>(index(flow.destination));
  if (!nodes.has(source)) return outside("source", source, nodes) + " on " + topology.name();
  if (!nodes.has(destination)) {
    return outside("destination", destination, nodes) + " on " + topology.name();
  }
  if (source == destination) {
    return fmt::format("node {} is the source of the flow and its destination",
                       topology.node_name(flow.source));
  }
  if (!limits::flits.has(flow.flits)) return outside("flits", flow.flits, limits::flits);
  const bool is_rate = flow.rate >= 0 && flow.rate <= flow.flits;  // which no NaN is
  if (!is_rate) {
    return fmt::format("rate {}: must be 0..{} flits per cycle, at most one message per cycle",
                       flow.rate, flow.flits);
  }
  if (!limits::cycles.has(flow.from)) return outside("from", flow.from, limits::cycles);
  if (flow.to > limits::cycles.high) return outside("to", flow.to, limits::cycles);
  if (flow.to < flow.from) {
    return fmt::format("the last cycle, {}, is before the first one, {}", flow.to, flow.from);
  }
  if (flow.on == 0 && flow.off == 0) return {};
  const Range phases{1, limits::cycles.high};
  if (!phases.has(flow.on)) return outside("on", flow.on, phases);
  return limits::cycles.has(flow.off) ? "" : outside("off", flow.off, limits::cycles);
}

}  // namespace

Cycle Flow::cycles_on(Cycle cycles) const {
  const Cycle all = std::max<Cycle>(std::min(to, cycles - 1) - from + 1, 0);
  if (on == 0) return all;
  const Cycle period = on + off;
  return all / period * on + std::min(all % period, on);
}

Cycle Flow::cycle_on(Cycle i) const { return from + (on == 0 ? i : i / on * (on + off) + i % on); }

std::string FlowTable::place_of(std::size_t flow) const {
  const std::size_t line = flows[flow].line;
  return line == 0 ? fmt::format("flow {}", flow) : fmt::format("{}:{}", shown_path(name), line);
}

std::string FlowTable::digest() const {
  Fnv1a hash;
  const auto add = [&](std::uint64_t value) {
    for (int i = 0; i < 8; ++i, value >>= 8) hash.add(static_cast<unsigned char>(value));
  };
  for (const Flow& flow : flows) {
    std::uint64_t rate = 0;
    std::memcpy(&rate, &flow.rate, sizeof rate);
    add(index(flow.source));
    add(index(flow.destination));
    add(rate);
    for (const Cycle one : {Cycle{flow.flits}, flow.from, flow.to, flow.on, flow.off}) {
      add(static_cast<std::uint64_t>(one));
    }
  }
  return fmt::format("{:016x}", hash.value());
}

std::string flow_fault(const FlowTable& table, const Topology& topology) {
  for (std::size_t i = 0; i < table.flows.size(); ++i) {
    const std::string fault = fault_of(table.flows[i], topology);
    if (!fault.empty()) return table.place_of(i) + ": " + fault;
  }
  return {};
}

}  // namespace allport
