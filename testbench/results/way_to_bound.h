// SPDX-License-Identifier: Apache-2.0
// A WayToBound says where the cycles of a run go that its lower bound does without
// (docs/timing.md, from the bound to the run): each of them is in exactly one part. What is said of
// a part stands in its row.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rtl_model/base/ids.h"

namespace allport {

enum class Excess : std::uint8_t {
  startups,
  receipts,
  hops,
  idle_ports,  ///< ports or channels of the bound stay empty
  unfilled,    ///< flits cannot be divided
  unneeded,    ///< flits without which the bound does
  pipeline,    ///< nothing of a step goes through the ports or channels of the bound
  contention,  ///< another message is in the way
  routers,     ///< routers wait, and for nobody
  random,      ///< random starts and delays
};

struct ExcessRow {
  Excess part;
  const char* name;     ///< in texts, in JSON and on pages
  const char* meaning;  ///< of its cycles
};

/// All parts, in the order of their values.
inline constexpr std::array excess_rows{
    ExcessRow{Excess::startups, "start-ups", "processors prepare messages"},
    ExcessRow{Excess::receipts, "receipts", "processors take messages over"},
    ExcessRow{Excess::hops, "hops", "messages cross channels"},
    ExcessRow{Excess::idle_ports, "ports without work",
              "what the bound fills with flits is empty in part"},
    ExcessRow{Excess::unfilled, "flits not filled", "blocks end with a flit, and some are longer"},
    ExcessRow{Excess::unneeded, "unneeded flits", "more flits are sent than the bound counts"},
    ExcessRow{Excess::pipeline, "pipeline", "nothing has come there yet, or all has gone on"},
    ExcessRow{Excess::contention, "contention", "other messages are in the way"},
    ExcessRow{Excess::routers, "routers",
              "delays, credits, errors on links and the switching mode"},
    ExcessRow{Excess::random, "random delays", "random starts, and delays at injection ports"}};
constexpr std::size_t excess_count = excess_rows.size();

constexpr const ExcessRow& row_of(Excess part) {
  return excess_rows.at(static_cast<std::size_t>(part));
}
constexpr const char* to_string(Excess part) { return row_of(part).name; }
static_assert(
    [] {
      for (std::size_t i = 0; i < excess_count; ++i) {
        if (excess_rows[i].part != static_cast<Excess>(i)) return false;
      }
      return true;
    }(),
    "a part has no row, or it is not at its place");

/// The share that a step of the schedule has in a part.
struct ExcessStep {
  StepIndex step = 0;
  Cycle cycles = 0;
  Cycle transfer =
      0;  ///< cycles in which flits of the step follow one another on the critical path
};

struct ExcessPart {
  Excess part = Excess::hops;
  Cycle cycles = 0;
  std::vector<ExcessStep> steps{};  ///< of what depends on steps: those with cycles, ascending
};

struct WayToBound {
  Cycle bound = 0;
  std::string by;                   ///< what binds
  Cycle cycles = 0;                 ///< of the run: `bound` and those of all parts
  std::vector<ExcessPart> parts{};  ///< those with cycles, the largest first
  /// Of blocks that have fewer flits than parts: the flits of the longest block, and its parts; 0:
  /// there are none.
  int block_flits = 0;
  int block_parts = 0;
};

}  // namespace allport
