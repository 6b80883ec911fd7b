// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/wave_report.h"

#include <fmt/format.h>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/words.h"
#include "testbench/program/report/explain_report.h"
#include "testbench/program/report/report_lines.h"

namespace allport {

namespace {

// Fewer events may be listed than there were.
std::string without_event(std::size_t number, const Contention& contention) {
  const std::string name = fmt::format("--wave-on contention:{}: ", number);
  if (contention.events == 0) return name + "there was no contention";
  if (number <= contention.events) {
    return name + fmt::format("only the first {} of {} contention events are kept",
                              contention.list.size(), contention.events);
  }
  return name + fmt::format("the run has {}", counted(contention.events, "contention event"));
}

std::string without_message(const MessageName& name, const std::optional<MessageName>& nearest,
                            const Topology& topology) {
  return fmt::format(
      "--wave-on message:{}: {}", name_in_words(name, topology),
      nearest ? "no such message was received; the nearest is " + name_in_words(*nearest, topology)
              : "no message was received");
}

std::string missing(const WaveOn& wanted, const SessionResults& session, const Topology& topology) {
  if (session.results.was_interrupted) return "--wave-on: the run was interrupted";
  switch (wanted.kind) {
    case WaveOn::Kind::contention:
      return without_event(wanted.number, session.results.contention);
    case WaveOn::Kind::deadlock:
      return "--wave-on deadlock: there was no deadlock";
    case WaveOn::Kind::message:
      return without_message(wanted.message, session.found->nearest, topology);
    case WaveOn::Kind::slowest:
      break;
  }
  return "--wave-on slowest: no message was received";
}

}  // namespace

std::string wave_report(const FoundWave& found, const std::string& path, const Topology& topology,
                        const Style& style) {
  std::string nodes;
  for (const NodeId node : found.wave.nodes) {
    nodes += fmt::format("{}{}", nodes.empty() ? "" : ", ", topology.node_name(node));
  }
  const std::string what = found.focus ? found.focus->text : "deadlock";
  const std::string end = found.wave.to == WaveWindow::no_end
                              ? "the end of the run"
                              : fmt::format("cycle {}", found.wave.to);
  return report_line(
      "waves",
      fmt::format("of {}, cycle {} to {}, router{} {}: {}", what, found.wave.from, end,
                  found.wave.nodes.size() == 1 ? "" : "s", nodes, shown_path(path)),
      style);
}

std::string without_wave(const WaveOn& wanted, const SessionResults& session,
                         const Topology& topology) {
  return missing(wanted, session, topology) + "; no waves were written";
}

}  // namespace allport
