// SPDX-License-Identifier: Apache-2.0
// A trial as data to be drawn: the fabric, what its channels do over time, who waits for whom, and
// the messages with every cycle of theirs (docs/explain.md). The page's scripts read it.
#pragma once

#include <cstddef>

#include "rtl_model/base/stop_flag.h"
#include "rtl_model/topology/topology.h"
#include "testbench/explain/explained_trial.h"
#include "testbench/results/explanation.h"
#include "testbench/results/json.h"

namespace allport {

/// How much of a trial is drawn.
struct PictureSize {
  std::size_t stretches = 60;  ///< of equal length, in which the channels are shown
  std::size_t channel_stretches = std::size_t{1} << 22;  ///< for all channels together
  std::size_t entries = 60000;            ///< channels that are not idle, over the stretches
  std::size_t message_stretches = 40000;  ///< successive cycles of a message with one cause
  std::size_t branches = 300;             ///< of a congestion tree
};

/// `path`: its messages are drawn whatever the size. Throws Stopped once `stop` is set.
///
/// The value has `fabric`, `cycles`, `causes` (their names), `stretches` (of each: `uses` [line,
/// used, lost, no_credit, empty, flits, most_waiting], `waits` [line, cause, cycles, blamed
/// cycles], `tree`: `cycle`, `waiting` and `branches` [cause, line, VC or -1, parent or -1,
/// messages]), `names` of messages, `messages` ([name, source, receiver, created, the message that
/// it depends on or -1, stretches of [cause, cycles, line or -1, blamed name or -1]]) and
/// `received`, the number of all messages.
Json trial_picture(const ShownTrial& trial, const Topology& topology,
                   const std::vector<PathMessage>& path, const PictureSize& size, StopFlag stop);

}  // namespace allport
