// SPDX-License-Identifier: Apache-2.0
// trial_picture() turns a trial into data to be drawn: the fabric, what its channels do over time,
// who waits for whom, and the messages with every cycle of theirs (docs/explain.md). The page's
// scripts read it.
#pragma once

#include <vector>

#include "rtl_model/base/stop_flag.h"
#include "rtl_model/topology/topology.h"
#include "testbench/observe/explain/explained_trial.h"
#include "testbench/results/explanation.h"
#include "testbench/results/json.h"
#include "testbench/show/picture/picture_size.h"

namespace allport {

/// `path`: its messages are drawn whatever the size. An interrupt, which sets `stop`, leaves the
/// quicker messages out (patience.h).
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
