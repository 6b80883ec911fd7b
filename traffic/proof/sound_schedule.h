// SPDX-License-Identifier: Apache-2.0
// A SoundSchedule has the lines of a schedule whose routes are valid, and says what is wrong with
// the others. Lines are judged here, once: whatever comes after takes sound schedules only, and so
// may index by the numbers in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rtl_model/topology/routing.h"
#include "traffic/proof/finding.h"
#include "traffic/schedule/schedule.h"

namespace allport {

/// The lines of a schedule that are not sound.
struct LeftOut {
  Finding faults;  ///< their route_fault()s
  /// Those that are unicasts from one node of the fabric to another, with nothing that says how
  /// they get there: what they carry counts as received, but they are on no channel.
  std::vector<Unicast> transfers;
  bool has_worms = false;  ///< whether some of them are no unicasts

  bool is_empty() const { return faults.ok(); }
  void add(const LeftOut& other);
};

class SoundSchedule {
 public:
  /// `lines` must outlive it; they are copied only where some of them are left out.
  SoundSchedule(const Schedule& lines, const Routing& routing);
  SoundSchedule(const SoundSchedule&) = delete;
  SoundSchedule& operator=(const SoundSchedule&) = delete;

  const Schedule& schedule() const { return left_out_.is_empty() ? lines_ : sound_; }
  const LeftOut& left_out() const { return left_out_; }
  /// The index in `lines` of a message of schedule().
  std::size_t line_of(std::size_t message) const {
    return left_out_.is_empty() ? message : places_[message];
  }
  std::size_t line_count() const { return lines_.unicasts.size(); }

 private:
  void leave_out(const Unicast& line, const std::string& fault, std::size_t nodes);

  const Schedule& lines_;
  Schedule sound_;                     // if some are left out
  std::vector<std::uint32_t> places_;  // in lines_, of its messages
  LeftOut left_out_;
};

/// Leaves in `schedule` what is sound, and returns the rest.
LeftOut take_left_out(Schedule& schedule, const Routing& routing);

}  // namespace allport
