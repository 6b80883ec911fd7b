// SPDX-License-Identifier: Apache-2.0
// A plan of blocks is proved twice, by symmetry where it has one and as a whole, and what is found
// must be the same.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/traffic/algorithms/planning.h"
#include "traffic/proof/block_check.h"
#include "traffic/proof/block_symmetry.h"

namespace allport {

struct BlockPlan {
  Schedule schedule;
  Collective goal;
};

inline ScheduleReport report_on(const BlockPlan& one, const Routing& routing, int ports,
                                bool by_symmetry) {
  CheckLimits limits;
  limits.least_by_symmetry = by_symmetry ? 0 : std::numeric_limits<std::size_t>::max();
  return check_schedule(one.schedule, {routing, ports, {}, {}, &one.goal, limits});
}

/// All that a report finds, and so all that is printed of it but for the symmetry.
inline std::string told(const ScheduleReport& report) {
  std::ostringstream text;
  for (const Finding* finding : {&report.exactly_once, &report.causality, &report.port_rule,
                                 &report.routes_valid, &report.collective, &report.stepwise,
                                 &report.stepwise_vc, &report.definition4, &report.theorem1}) {
    text << finding->violations << (finding->is_truncated ? "+" : "") << '\n';
    for (const std::string& sentence : finding->first) text << sentence << '\n';
    for (const PairViolation& pair : finding->pairs) {
      text << pair.a << ' ' << pair.b << ' ' << index(pair.channel.node) << ' '
           << index(pair.channel.port) << '\n';
    }
  }
  if (!report.judges_unicasts()) text << "worms\n";
  return text.str() + report.order_note;
}

/// The same, or the sentence by which a check is refused.
inline std::string told_or_refused(const BlockPlan& one, const Routing& routing, int ports,
                                   bool by_symmetry) {
  try {
    return told(report_on(one, routing, ports, by_symmetry));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

/// The plan that `planned` makes; none: it is larger than any plan may be.
template <class Planned>
std::optional<BlockPlan> if_it_fits(Planned planned) {
  try {
    return planned();
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("is too large for this collective"), std::string::npos)
        << error.what();
    return std::nullopt;
  }
}

/// A message is left out, sent in another step, to another node, with another block, twice, or
/// instead of being added.
template <class Generator>
void break_one(Schedule& schedule, const Topology& topology, std::size_t blocks, Generator& draw) {
  std::vector<Unicast>& all = schedule.unicasts;
  Unicast& one = all[draw() % all.size()];
  std::vector<BlockId> carried = one.blocks.values();
  BlockId& changed = carried[draw() % carried.size()];
  switch (draw() % 8) {
    case 0:
      all.erase(all.begin() + (&one - all.data()));
      break;
    case 1:
      one.step += 1;
      break;
    case 2:
      one.step = std::max(1, one.step - 1);
      break;
    case 3:
      one.v = node_id(draw() % topology.node_count());
      one.displacement.clear();
      break;
    case 4:
      changed = static_cast<BlockId>(draw() % blocks);
      std::sort(carried.begin(), carried.end());
      carried.erase(std::unique(carried.begin(), carried.end()), carried.end());
      one.blocks = carried;
      break;
    case 5:
      carried.erase(carried.begin() + (&changed - carried.data()));
      if (!carried.empty()) one.blocks = carried;
      break;
    case 6:
      all.push_back(one);
      all.back().order = static_cast<int>(all.size());
      break;
    default:
      one.adds = !one.adds;
  }
  schedule.sort();
}

/// Whether the proof is one by symmetry; both must tell the same.
inline bool is_proved_alike(const BlockPlan& one, const Routing& routing, int ports,
                            const std::string& name) {
  const ScheduleReport report = report_on(one, routing, ports, true);
  const ScheduleReport whole = report_on(one, routing, ports, false);
  EXPECT_EQ(told(report), told(whole)) << name;
  EXPECT_FALSE(whole.symmetry) << name;
  if (!report.symmetry) return false;
  EXPECT_TRUE(whole.exactly_once.ok() && whole.causality.ok() && whole.collective.ok()) << name;
  EXPECT_LE(2 * report.symmetry->proved, report.symmetry->blocks) << name;
  return true;
}

inline bool has_sound_blocks(const Schedule& schedule, const Collective& goal,
                             const Topology& topology) {
  const BlockFlow flow(schedule, goal, &topology);
  const BlockFindings found = check_blocks(schedule, goal, flow, topology);
  return found.exactly_once.ok() && found.causality.ok() && found.collective.ok();
}

/// The same, of the blocks alone, which is all that a symmetry has a say in: contention is looked
/// for in the same messages either way, and takes most of the time where there are many. If it
/// `is_known`, the whole proof has been made, and has no finding.
inline bool has_blocks_proved_alike(const BlockPlan& one, const Topology& topology,
                                    const std::string& name, bool is_known = false) {
  const auto alike = find_alike_blocks(one.schedule, one.goal, topology);
  if (!alike) return false;  // the whole proof is the only one
  if (!has_sound_blocks(alike->ways, one.goal.of_blocks(alike->blocks), topology)) return false;
  EXPECT_LE(2 * alike->blocks.size(), one.goal.full_block_count()) << name;
  EXPECT_TRUE(is_known || has_sound_blocks(one.schedule, one.goal, topology)) << name;
  return true;
}

}  // namespace allport
