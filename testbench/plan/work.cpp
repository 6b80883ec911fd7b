// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/work.h"

namespace allport {

namespace {

template <class Kind>
const TrafficRequest* background_of(const Work& work) {
  const auto* const own = std::get_if<Kind>(&work);
  return own == nullptr || !own->background ? nullptr : &*own->background;
}

}  // namespace

static_assert(name_table<Processors>.size() == std::variant_size_v<Work>,
              "each kind of work has its value and its word in Processors");

Processors processors_of(const Work& work) { return static_cast<Processors>(work.index()); }

const Trials& trials_of(const Work& work) {
  static const Trials none;
  if (const auto* const own = std::get_if<CollectiveWork>(&work)) return own->trials;
  if (const auto* const own = std::get_if<LoadWork>(&work)) return own->trials;
  return none;
}

const TrafficRequest* traffic_of(const Work& work) {
  if (const auto* const own = std::get_if<PatternWork>(&work)) return &own->traffic;
  if (const auto* const own = std::get_if<ClosedLoopWork>(&work)) return &own->traffic;
  if (const TrafficRequest* const own = background_of<LoadWork>(work)) return own;
  if (const TrafficRequest* const own = background_of<TaskWork>(work)) return own;
  return background_of<ProgramWork>(work);
}

}  // namespace allport
