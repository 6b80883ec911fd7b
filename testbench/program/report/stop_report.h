// SPDX-License-Identifier: Apache-2.0
// These functions give a deadlock as it was found, to be drawn: who waits for what, since when, and
// who holds it; and say what would break it, as far as that is known.
#pragma once

#include <string>
#include <vector>

#include "testbench/plan/plan_run.h"
#include "testbench/results/json.h"
#include "testbench/results/results.h"

namespace allport {

/// `names` of the messages that can never be delivered, as `keys` of the pictures and in words; all
/// `waits` but those behind a message's own worm, those of the circle first and in its order, and
/// how many there are.
Json stop_json(const RunPlan& plan, const Deadlock& deadlock);

/// What a remedy is known to end: of `every_circle` it follows for all messages that can never be
/// delivered, of `its_circle` for those of the circle that was found.
enum class Ends { unknown, its_circle, every_circle };

/// What takes away the waits of a circle, or may do so.
struct StopRemedy {
  std::string option;         ///< key of the option that it is about: `buffer_depth`
  std::string words;          ///< the option with a value: `--barrier 0`
  std::string reason;         ///< a sentence
  Ends ends = Ends::unknown;  ///< what cannot come about with it
};
/// Those that are certain first.
std::vector<StopRemedy> stop_remedies(const RunPlan& plan, const Deadlock& deadlock);

/// Sentences: what the messages of the circle have that makes it possible; no remedies.
std::vector<std::string> stop_circumstances(const RunPlan& plan, const Deadlock& deadlock);

/// Both as sentences, and who tries the remedies.
std::vector<std::string> stop_findings(const RunPlan& plan, const Deadlock& deadlock);

/// `the circle of waits closes in cycle 2, the last flit moves in cycle 19, and from cycle 21 on no
/// credit is on its way`
std::string stop_times_in_words(const Deadlock& deadlock);

/// How many of the messages that can never be delivered are in the circle, in words: `each waits
/// for the next, in a circle`.
std::string circle_counts_in_words(const Deadlock& deadlock);

/// A message in words, its place in the program of its sender told apart.
std::string told_apart(const MessageName& name, const Topology& topology);

}  // namespace allport
