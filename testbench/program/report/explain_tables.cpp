// SPDX-License-Identifier: Apache-2.0
// This file puts explanations into tables.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>

#include "testbench/program/report/explain_report.h"
#include "testbench/results/statistics.h"

namespace allport {

namespace {

using Out = std::back_insert_iterator<fmt::memory_buffer>;

// The names of the statistics of a message, a comma after each.
void add_names(Presence presence, Out out) {
  for (const Statistic<MessageAccount>& one : statistics_of<MessageAccount>()) {
    if (one.presence == presence) fmt::format_to(out, "{},", one.name);
  }
}

// Its values, which are whole numbers or not there.
void add_values(const MessageAccount& message, const Topology& topology, Presence presence,
                Out out) {
  for (const Statistic<MessageAccount>& one : statistics_of<MessageAccount>()) {
    if (one.presence != presence) continue;
    if (one.is_there == nullptr || (message.*one.is_there)()) {
      fmt::format_to(out, "{}", one.value(message, &topology).get<std::int64_t>());
    }
    fmt::format_to(out, ",");
  }
}

// The column of a cause, which has another name than those of the statistics.
std::string column_of(Cause cause) {
  const Statistics<MessageAccount>& rows = statistics_of<MessageAccount>();
  const std::string name = to_string(cause);
  const bool is_taken =
      std::any_of(rows.begin(), rows.end(), [&](const auto& one) { return name == one.name; });
  return is_taken ? "waiting_" + name : name;
}

// In place of the last comma.
void end_line(fmt::memory_buffer& text) { text[text.size() - 1] = '\n'; }

}  // namespace

std::string messages_csv(const std::vector<MessageAccount>& messages, const Topology& topology) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  add_names(Presence::always, out);
  for (const Cause cause : causes()) fmt::format_to(out, "{},", column_of(cause));
  fmt::format_to(out, "contended,");
  add_names(Presence::at_times, out);
  end_line(text);
  for (const MessageAccount& one : messages) {
    add_values(one, topology, Presence::always, out);
    for (const Cause cause : causes()) fmt::format_to(out, "{},", one.causes[cause]);
    fmt::format_to(out, "{},", one.causes.contended);
    add_values(one, topology, Presence::at_times, out);
    end_line(text);
  }
  return fmt::to_string(text);
}

std::string channels_csv(const std::vector<ChannelUse>& channels, const Topology& topology) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  fmt::format_to(
      out,
      "trial,from,cycles,channel,node,port,flits,load,used,lost,no_credit,empty,idle,messages,most_waiting\n");
  for (const ChannelUse& one : channels) {
    fmt::format_to(out, "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", one.trial, one.from,
                   one.cycles, to_string(one.resource.kind), topology.number_of(one.resource.node),
                   one.resource.port, one.flits,
                   static_cast<double>(one.flits) / static_cast<double>(one.cycles), one.used,
                   one.lost, one.no_credit, one.empty, one.idle, one.messages, one.most_waiting);
  }
  return fmt::to_string(text);
}

}  // namespace allport
