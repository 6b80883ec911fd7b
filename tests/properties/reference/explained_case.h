// SPDX-License-Identifier: Apache-2.0
// These functions run random cases whose latencies are explained (docs/explain.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "testbench/observe/explain/explained_trial.h"
#include "testbench/results/explanation.h"
#include "tests/properties/reference/drawn_case.h"
#include "tests/properties/reference/drawn_classes.h"
#include "tests/properties/reference/random_case.h"

namespace allport::test {

/// Runs the case with its latencies explained. Empty if the causes of every message sum to its
/// latency, all that docs/explain.md says of them holds, and the chains that pictures show end at
/// the roots that are counted; otherwise the first message for which something does not hold.
std::string check_explanation(const DrawnCase& drawn, Traffic traffic);
std::string check_explanation(Traffic traffic, std::uint64_t seed);

/// Explains the case on the fabric of routers and on that of worms. Empty if every message has the
/// same causes on both, otherwise the first line that differs. Not for `kinds`.
std::string compare_explanations(Traffic traffic, std::uint64_t seed);

/// Explains the case on the fabric of routers and on the reference model, which walks on its own.
/// Empty if all messages have the same causes, and all blamed cycles the same roots; otherwise the
/// first line that differs.
std::string compare_with_reference(const DrawnCase& drawn, Traffic traffic);
std::string compare_with_reference(Traffic traffic, std::uint64_t seed);

/// The same of unicasts with message classes, as tasks, whose causes must sum and whose channels
/// must do something in every cycle, too; in wormhole mode worms must say what routers do.
std::string compare_with_reference(const DrawnClasses& drawn);

/// Whether messages of a run without collectives have the causes, and all blamed cycles the roots,
/// that the reference model says; empty if they do, otherwise the first lines that differ.
std::string compare_accounts(const Explanation& explanation,
                             const std::vector<reference::Account>& accounts);

/// Whether the chain that is shown of each wait ends at the root that is counted for it, in its
/// first cycle; empty if it does.
std::string fault_of_chains(const ShownTrial& shown);

}  // namespace allport::test
