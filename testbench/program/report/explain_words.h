// SPDX-License-Identifier: Apache-2.0
// These functions put into words what is said of an explanation (docs/explain.md), on the terminal
// as well as on a page.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "testbench/plan/plan_run.h"
#include "testbench/results/explanation.h"
#include "testbench/results/results.h"

namespace allport {

/// `channel 5 -> 6 (+x, VC 0)`, `injection channel 0 of node 5`
std::string in_words(const RunPlan& plan, const Resource& resource, bool with_vc);

/// The causes with cycles, those with most of them first.
std::vector<Cause> longest_first(const CauseSum& sum);

/// `channel 12, hop 3`: those that are not 0, the longest first.
std::string causes_in_words(const CauseSum& sum);

/// The messages in the way, `most` of them.
std::string in_words(const std::vector<Blame>& blames, std::size_t most, const Topology& topology);

/// `5>9#0`, by the receiver.
std::string name_in_words(const MessageAccount& account, const Topology& topology);

/// `299 in steps 1 to 7, 9 in step 8, 3 in others`: the steps that have most of a part; empty: none
/// has any.
std::string steps_in_words(const ExcessPart& part);

/// `part` of `whole` in percent; 0 of nothing.
double percentage(Cycle part, Cycle whole);

/// What follows from the explanation of `results`: sentences, each with its numbers.
std::vector<std::string> explanation_findings(const RunPlan& plan, const Results& results);

}  // namespace allport
