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
/// The value has `fabric`, `cycles`, `causes` (their names), `meanings` of these, `every` (cycles
/// of a stretch), `names` of messages, `shown` and `receptions`, the numbers of those drawn one by
/// one and of all that were received; and tables (packed_table.h):
/// * `stretches`: where each begins, its length, up to which row of the tables below it goes, the
///   cycle of its congestion tree and how many messages wait in it, and what all external channels
///   do (ChannelPicture::Moment);
/// * `uses` of lines, `waits` for lines with the cycles that blame a message, `branches` of the
///   trees (line, VC or -1, parent or -1), and the cycles of all messages by cause and cell of
///   their sender (`sent`) and receiver (`received`);
/// * `port_uses`: for each stretch and internal port the cycles in which flits are on the injection
///   channels of that port, of all nodes, of which the fabric has as many as `injections` says;
/// * `messages` (the message that it depends on or -1; how many stretches it has) and their
///   `message_stretches` (line or -1, name of the blamed one or -1).
/// A `port` beside a line is the internal port of an injection channel, or -1.
/// `moments` and `channels` are what tables of text show, and no picture.
Json trial_picture(const ShownTrial& trial, const Topology& topology,
                   const std::vector<PathMessage>& path, const PictureSize& size, StopFlag stop);

}  // namespace allport
