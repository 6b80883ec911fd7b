// SPDX-License-Identifier: Apache-2.0
// Sends has the unicasts of a schedule that have valid routes, as the contention checks see them. A
// send takes 8 bytes beside its unicast, for the proof of a large schedule is a matter of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rtl_model/topology/topology.h"
#include "traffic/schedule/schedule.h"

namespace allport {

class Sends {
 public:
  /// None yet of `schedule`, which must outlive them.
  explicit Sends(const Schedule& schedule) : unicasts_(schedule.unicasts) {}

  void reserve(std::size_t count) { sends_.reserve(count); }
  /// Appends `unicast`, one of the schedule: its ties, and the first channel of its route.
  void add(const Unicast& unicast, TieMask ties, PortId first_channel);

  std::size_t size() const { return sends_.size(); }
  const Unicast& operator[](std::size_t send) const { return unicasts_[sends_[send].index]; }
  /// Its index into Schedule::unicasts.
  std::uint32_t index_of(std::size_t send) const { return sends_[send].index; }
  TieMask ties(std::size_t send) const { return sends_[send].ties; }
  PortId first_channel(std::size_t send) const { return sends_[send].first_channel; }
  bool have_ties() const { return have_ties_; }
  /// Whether each send so far has the index of its unicast.
  bool have_own_indices() const { return have_own_indices_; }

 private:
  struct Send {
    std::uint32_t index;
    std::uint16_t ties;
    PortId first_channel;
  };
  static_assert(max_grid_dimensions <= 16, "a tie of each dimension has a bit");

  const std::vector<Unicast>& unicasts_;
  std::vector<Send> sends_;
  bool have_ties_ = false;
  bool have_own_indices_ = true;
};

inline void Sends::add(const Unicast& unicast, TieMask ties, PortId first_channel) {
  const auto index = static_cast<std::uint32_t>(&unicast - unicasts_.data());
  have_ties_ = have_ties_ || ties != 0;
  have_own_indices_ = have_own_indices_ && index == sends_.size();
  sends_.push_back({index, static_cast<std::uint16_t>(ties), first_channel});
}

}  // namespace allport
