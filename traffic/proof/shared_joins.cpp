// SPDX-License-Identifier: Apache-2.0
// A plan must keep this rule where a join shares its virtual channels with messages of no group
// (docs/joins.md, virtual channels): the join is the only message of a group, on a hypercube or
// mesh, among unicasts, and no node receives anything before it contributes. Then whatever the join
// holds depends on routes alone, which close no circle.
#include <algorithm>
#include <map>
#include <string>

#include "rtl_model/topology/group_routes.h"
#include "traffic/proof/worm_check.h"
#include "traffic/schedule/joins.h"

namespace allport {

namespace {

/// What all parts have together.
struct Mixture {
  std::size_t joins = 0;
  std::size_t trees = 0;
  bool has_others = false;         // messages of no group
  bool has_unicasts_alone = true;  // these are all unicasts
};

Mixture mixture_of(const std::vector<SoundPart>& parts) {
  Mixture all;
  for (const SoundPart& part : parts) {
    all.joins += joins_of(part.schedule).size();
    for (const Unicast& line : part.schedule.unicasts) {
      if (line.kind == MessageKind::tree) ++all.trees;
      if (has_group(line.kind)) continue;
      all.has_others = true;
      if (line.kind != MessageKind::unicast) all.has_unicasts_alone = false;
    }
  }
  return all;
}

/// The smallest step of a reception at each node that receives in `schedule`.
std::map<NodeId, StepIndex> first_receptions_in(const Schedule& schedule, const Routing& routing) {
  std::map<NodeId, StepIndex> first;
  for (const Unicast& line : schedule.unicasts) {
    if (is_join(line.kind) && line.u != line.v) continue;  // a contribution
    for (const NodeId node : receivers(line, routing)) {
      const auto [place, is_new] = first.try_emplace(node, line.step);
      if (!is_new) place->second = std::min(place->second, line.step);
    }
  }
  return first;
}

/// The nodes that receive before they contribute, in `part` or in an earlier one.
class Waiting {
 public:
  explicit Waiting(const std::vector<SoundPart>& parts) : parts_(parts) {
    for (const SoundPart& part : parts) {
      first_.push_back(first_receptions_in(part.schedule, part.request.routing));
    }
  }

  bool waits(const Unicast& contribution, std::size_t part) const {
    StepIndex step = contribution.step;  // the largest up to this line of the program
    for (const Unicast& line : parts_[part].schedule.unicasts) {
      if (line.u == contribution.u && line.order < contribution.order) {
        step = std::max(step, line.step);
      }
    }
    const auto own = first_[part].find(contribution.u);
    if (own != first_[part].end() && own->second < step) return true;
    for (std::size_t i = 0; i < part; ++i) {
      if (first_[i].count(contribution.u) > 0) return true;
    }
    return false;
  }

 private:
  const std::vector<SoundPart>& parts_;
  std::vector<std::map<NodeId, StepIndex>> first_;
};

// What is wrong with the only join, which stands in `parts[part]`.
Finding check_single(const PlannedJoin& join, const std::vector<SoundPart>& parts, std::size_t part,
                     bool has_barriers) {
  Finding finding;
  const Topology& topology = parts[part].request.routing.topology();
  const std::string words =
      describe(join, topology) + " shares virtual channels with other messages, ";
  if (has_barriers && part > 0) {
    finding.add(words + "and follows a barrier of messages, which may wait for it");
    return finding;
  }
  const Waiting waiting(parts);
  for (const std::uint32_t i : join.lines) {
    const Unicast& line = parts[part].schedule.unicasts[i];
    if (!waiting.waits(line, part)) continue;
    finding.add(words + "and node " + std::to_string(index(line.u)) +
                " contributes only after it has received what may wait for the join");
  }
  return finding;
}

}  // namespace

Finding check_shared_joins(const std::vector<SoundPart>& parts, bool has_barriers) {
  Finding finding;
  const CheckRequest& request = parts.front().request;
  if (request.join_vcs > 0) return finding;
  const Mixture all = mixture_of(parts);
  if (all.joins == 0 || !all.has_others) return finding;
  if (need_own_vcs(all.joins, all.trees, request.routing) || !all.has_unicasts_alone) {
    finding.add("joins share virtual channels with other messages: only a single one may, on a " +
                std::string("hypercube or mesh without a table, and only with unicasts"));
    return finding;
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (const PlannedJoin& join : joins_of(parts[i].schedule)) {
      finding.add(check_single(join, parts, i, has_barriers));
    }
  }
  return finding;
}

}  // namespace allport
