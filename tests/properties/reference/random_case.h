// SPDX-License-Identifier: Apache-2.0
// These functions run random fabrics, routers and traffic on the SystemC model and on the reference
// model.
#pragma once

#include <cstdint>
#include <string>

#include "tests/properties/reference/fabric.h"

namespace allport::test {

struct DrawnCase;

/// What kind of traffic a case has.
enum class Traffic {
  schedule,         ///< random trees of unicasts from one source
  kinds,            ///< several sources, worms of all kinds among unicasts: may deadlock
  modes,            ///< the same in any switching mode, or unicasts on adaptive routes
  groups,           ///< joins, join-trees, trees of groups and unicasts: may deadlock
  tables,           ///< the same along the tree of a table, on graphs too: may deadlock
  uniform,          ///< synthetic uniform traffic
  uniform_modes,    ///< the same in any switching mode, on adaptive routes or not
  narrow,           ///< as modes, on channels narrower than a flit
  uniform_narrow,   ///< as uniform_modes, on channels narrower than a flit
  mixed,            ///< uniform, short messages among long ones, on long wires and in deep buffers
  narrow_schedule,  ///< as schedule, on channels narrower than a flit
  narrow_pattern,   ///< as uniform, on channels narrower than a flit
  narrow_mixed,     ///< as mixed, on channels narrower than a flit
};

/// The case drawn from `seed`, in words.
std::string describe_case(Traffic traffic, std::uint64_t seed);

/// Runs the case on both models, each simulation in a process of its own. Empty if every delivery,
/// contention event, latency and count agrees; otherwise the first difference. Not for `mixed` and
/// `narrow_mixed`, because the reference model does not draw their lengths. Latencies of `groups`
/// and `tables` are not compared.
std::string compare_case(const DrawnCase& drawn, Traffic traffic);
std::string compare_case(Traffic traffic, std::uint64_t seed);
/// The same for the fabric of worms, if the case is for them.
std::string compare_worm_case(const DrawnCase& drawn, Traffic traffic);
std::string compare_worm_case(Traffic traffic, std::uint64_t seed);

/// What the reference model alone says of the case, with the accounts of its deliveries. Not for
/// `mixed`.
reference::Results explain_case(Traffic traffic, std::uint64_t seed, reference::Config* config);

/// The same with a reference model that misreads the switching mode, that routes deterministically
/// if routes are adaptive, or whose channels are as wide as a flit where they are not. Empty if the
/// case has nothing of this, or shows no difference.
std::string compare_misread_case(Traffic traffic, std::uint64_t seed);

/// The same with a reference model that takes each delay of a pipeline for the next one. Empty if
/// all are the same.
std::string compare_misread_pipeline(Traffic traffic, std::uint64_t seed);

/// Runs the case, some with messages of many hundred flits, on the fabric of routers and on that of
/// worms, which move none on adaptive routes, and none that routers store and hold: those cases are
/// without. Empty if all their results are the same, otherwise the first line that differs.
std::string compare_machines(Traffic traffic, std::uint64_t seed);

}  // namespace allport::test
