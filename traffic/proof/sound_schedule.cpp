// SPDX-License-Identifier: Apache-2.0
#include "traffic/proof/sound_schedule.h"

#include <string>
#include <utility>

namespace allport {

void LeftOut::add(const LeftOut& other) {
  faults.add(other.faults);
  transfers.insert(transfers.end(), other.transfers.begin(), other.transfers.end());
  has_worms = has_worms || other.has_worms;
}

SoundSchedule::SoundSchedule(const Schedule& lines, const Routing& routing) : lines_(lines) {
  const std::vector<Unicast>& all = lines.unicasts;
  const std::size_t nodes = routing.topology().node_count();
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const std::string fault = route_fault(all[i], routing);
    if (!fault.empty()) {
      if (left_out_.is_empty()) {  // up to here all were sound
        sound_.unicasts.assign(all.begin(), all.begin() + i);
        for (std::uint32_t k = 0; k < i; ++k) places_.push_back(k);
      }
      leave_out(all[i], fault, nodes);
    } else if (!left_out_.is_empty()) {
      sound_.unicasts.push_back(all[i]);
      places_.push_back(i);
    }
  }
}

void SoundSchedule::leave_out(const Unicast& line, const std::string& fault, std::size_t nodes) {
  left_out_.faults.add(fault);
  if (line.kind != MessageKind::unicast) {
    left_out_.has_worms = true;
    return;
  }
  if (index(line.u) >= nodes || index(line.v) >= nodes || line.u == line.v) return;
  Unicast transfer;
  transfer.u = line.u;
  transfer.v = line.v;
  transfer.step = line.step;
  transfer.order = line.order;
  transfer.blocks = line.blocks;
  transfer.adds = line.adds;
  left_out_.transfers.push_back(std::move(transfer));
}

LeftOut take_left_out(Schedule& schedule, const Routing& routing) {
  const SoundSchedule sound(schedule, routing);
  if (sound.left_out().is_empty()) return {};
  Schedule kept = sound.schedule();
  LeftOut left_out = sound.left_out();
  schedule = std::move(kept);
  return left_out;
}

}  // namespace allport
