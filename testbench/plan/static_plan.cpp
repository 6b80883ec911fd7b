// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/static_plan.h"

namespace allport {

namespace {

// The collective as a part of its own: one message from each source.
Schedule worm_schedule(const PlannedCollective& collective) {
  Schedule schedule;
  for (const NodeId source : collective.sources) {
    Unicast worm;
    worm.u = source;
    worm.kind = collective.kind;
    worm.free = collective.free;
    schedule.unicasts.push_back(worm);
  }
  return schedule;
}

}  // namespace

StaticPlan::StaticPlan(const std::vector<PlannedCollective>& collectives,
                       const CheckedFabric& fabric, Succession succession) {
  int phase = 0;
  int barrier_phase = 1;
  for (const PlannedCollective& one : collectives) {
    if (one.is_one_message()) worms_.push_back(worm_schedule(one));
    const CheckRequest request{fabric.routing,   fabric.internal_ports, one.sources,
                               one.destinations, one.goal.get(),        fabric.limits,
                               fabric.vcs,       fabric.join_vcs,       one.left_out.get()};
    int& own = one.is_barrier ? barrier_phase : phase;
    parts_.push_back({one.is_one_message() ? worms_.back() : one.schedule, request, own});
    if (succession != Succession::at_once) own += 2;
  }
  if (succession != Succession::at_once) return;
  for (CheckedPart& part : parts_) part.phase = 0;
}

ScheduleReport StaticPlan::check() const {
  if (parts_.size() == 1) return check_schedule(parts_[0].schedule, parts_[0].request);
  return check_together(parts_);
}

Schedule StaticPlan::messages() const {
  Schedule all;
  for (const CheckedPart& part : parts_) {
    all.unicasts.insert(all.unicasts.end(), part.schedule.unicasts.begin(),
                        part.schedule.unicasts.end());
  }
  return all;
}

std::vector<std::size_t> StaticPlan::begins() const {
  std::vector<std::size_t> begins;
  std::size_t begin = 0;
  for (const CheckedPart& part : parts_) {
    begins.push_back(begin);
    begin += part.schedule.unicasts.size();
  }
  return begins;
}

Succession succession_of(const RunPlan& plan) {
  if (plan.simulation.barrier_messages) return Succession::barrier_messages;
  return plan.simulation.barrier ? Succession::barrier : Succession::at_once;
}

}  // namespace allport
