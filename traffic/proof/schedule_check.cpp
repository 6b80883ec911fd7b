// SPDX-License-Identifier: Apache-2.0
#include "traffic/proof/schedule_check.h"

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "rtl_model/base/in_order.h"
#include "rtl_model/graphs/node_ports.h"
#include "traffic/proof/block_check.h"
#include "traffic/proof/block_contention.h"
#include "traffic/proof/channel_users.h"
#include "traffic/proof/contention.h"
#include "traffic/proof/delivery_check.h"
#include "traffic/proof/program_order.h"
#include "traffic/proof/worm_check.h"
#include "traffic/schedule/collective.h"
#include "traffic/schedule/delivery_tree.h"
#include "traffic/schedule/joins.h"
#include "traffic/schedule/reception.h"
#include "traffic/schedule/step_assignment.h"

namespace allport {

namespace {

void require_request(const CheckRequest& request) {
  const Topology& topology = request.routing.topology();
  require_internal_ports(request.internal_ports, topology);
  for (const NodeId node : request.sources) require_node(topology, index(node), "source");
  for (const NodeId node : request.destinations) require_node(topology, index(node), "destination");
}

void add_to(UnicastList& list, const std::vector<Unicast>& unicasts, const Topology& topology) {
  list.reserve(list.size() + unicasts.size());
  for (const Unicast& unicast : unicasts) {
    if (unicast.step < 1) {
      throw std::invalid_argument(describe(unicast, topology) + ": steps are 1, 2, ...");
    }
    list.push_back(&unicast);
  }
  put_in_order(list.begin(), list.end(), [](const Unicast* a, const Unicast* b) {
    return std::tie(a->step, a->u, a->order) < std::tie(b->step, b->u, b->order);
  });
}

UnicastList by_step(const Schedule& schedule, const Topology& topology) {
  UnicastList sorted;
  add_to(sorted, schedule.unicasts, topology);
  return sorted;
}

Finding check_causality(const UnicastList& unicasts, const std::vector<StepIndex>& received,
                        const Topology& topology) {
  Finding finding;
  for (const Unicast* unicast : unicasts) {
    const std::string fault = causality_fault(*unicast, received, topology);
    if (!fault.empty()) finding.add(fault);
  }
  return finding;
}

Finding check_port_rule(const Sends& sends, const Topology& topology, int internal_ports) {
  Finding finding;
  std::vector<const Unicast*> users;  // user of each injection port in the current node and step
  for (std::size_t i = 0; i < sends.size(); ++i) {
    const Unicast& send = sends[i];
    const bool is_new = i == 0 || send.u != sends[i - 1].u || send.step != sends[i - 1].step;
    if (is_new) users.assign(static_cast<std::size_t>(internal_ports), nullptr);
    const auto port = static_cast<std::size_t>(
        internal_port_of(topology, send.u, sends.first_channel(i), internal_ports));
    if (users[port] != nullptr) {
      finding.add("node " + topology.node_name(send.u) + " sends on injection port " +
                  std::to_string(port) + " twice in step " + std::to_string(send.step) + ": to " +
                  topology.node_name(users[port]->v) + " and to " + topology.node_name(send.v));
    }
    users[port] = &send;
  }
  return finding;
}

Sends sends_of(const UnicastList& unicasts, const Schedule& schedule, const Routing& routing) {
  Sends sends(schedule);
  sends.reserve(unicasts.size());
  for (const Unicast* unicast : unicasts) {
    const bool is_on_port_0 = goes_to_all(unicast->kind) || is_join(unicast->kind);
    sends.add(*unicast, ties_of_valid(*unicast, routing),
              is_on_port_0 ? PortId{} : first_port(*unicast, routing));
  }
  return sends;
}

}  // namespace

bool ScheduleReport::ok() const {
  const bool has_worms_ok =
      !worms || (worms->contention.ok() && worms->circle.empty() && worms->joins.ok());
  return exactly_once.ok() && causality.ok() && port_rule.ok() && routes_valid.ok() &&
         stepwise.ok() && stepwise_vc.ok() && definition4.ok() && theorem1.ok() &&
         collective.ok() && has_worms_ok;
}

bool ScheduleReport::is_contention_free() const {
  if (worms) return routes_valid.ok() && worms->contention.ok();
  return exactly_once.ok() && causality.ok() && routes_valid.ok() && theorem1.ok();
}

namespace {

void take(ContentionFindings&& contention, ScheduleReport& report) {
  report.stepwise = std::move(contention.stepwise);
  report.stepwise_vc = std::move(contention.stepwise_vc);
  report.definition4 = std::move(contention.definition4);
  report.theorem1 = std::move(contention.theorem1);
}

// In a schedule with joins every sender has a message of its own from the start.
void judge_joins(const UnicastList& unicasts, const CheckRequest& request, ScheduleReport& report) {
  std::vector<bool> receives(request.routing.topology().node_count());
  for (const Unicast* unicast : planned_receptions(unicasts)) {
    for (const NodeId node : receivers(*unicast, request.routing)) receives[index(node)] = true;
  }
  for (const NodeId node : request.destinations) {
    if (receives[index(node)]) continue;
    report.exactly_once.add("node " + request.routing.topology().node_name(node) +
                            ", a destination, never receives");
  }
}

void judge_message(const UnicastList& unicasts, const CheckRequest& request, const Sends& sends,
                   bool has_unicasts_only, ScheduleReport& report) {
  const StopFlag stop = request.limits.stop;
  const UnicastList deliveries = planned_receptions(unicasts);
  const std::vector<StepIndex> received =
      first_receptions(deliveries, request.routing, request.sources);
  heed(stop);
  report.exactly_once = check_exactly_once(deliveries, request);
  heed(stop);
  report.causality = check_causality(unicasts, received, request.routing.topology());
  if (!has_unicasts_only) return;
  ChannelUsers users(sends, request.routing, request.vcs);
  heed(stop);
  const DeliveryTree tree(sends, received);
  heed(stop);
  take(find_contention(sends, tree, users, request.limits), report);
}

// `schedule` and, behind its messages, transfers.
Schedule with(const std::vector<Unicast>& transfers, const Schedule& schedule) {
  Schedule all = schedule;
  all.unicasts.insert(all.unicasts.end(), transfers.begin(), transfers.end());
  return all;
}

// Carries out one of each kind of alike blocks; none: there is no such proof, or it fails.
std::optional<SymmetryProof> prove_by_symmetry(const Schedule& schedule,
                                               const CheckRequest& request) {
  if (carried_blocks(schedule) < request.limits.least_by_symmetry) return std::nullopt;
  const Topology& topology = request.routing.topology();
  const Collective& all = *request.collective;
  const std::optional<AlikeBlocks> alike = find_alike_blocks(schedule, all, topology);
  if (!alike) return std::nullopt;
  const Collective some = all.of_blocks(alike->blocks);
  const BlockFlow flow(alike->ways, some, &topology);
  const BlockFindings findings = check_blocks(alike->ways, some, flow, topology);
  const bool is_proved =
      findings.exactly_once.ok() && findings.causality.ok() && findings.collective.ok();
  if (!is_proved) return std::nullopt;
  return SymmetryProof{alike->shift, alike->blocks.size(), all.full_block_count()};
}

void judge_blocks(const Schedule& schedule, const CheckRequest& request, const Sends& sends,
                  bool has_unicasts_only, bool may_use_symmetry, ScheduleReport& report) {
  const Topology& topology = request.routing.topology();
  std::optional<BlockFlow> flow;
  const auto whole_flow = [&]() -> const BlockFlow& {
    if (!flow) flow.emplace(schedule, *request.collective, &topology);
    heed(request.limits.stop);
    return *flow;
  };
  if (may_use_symmetry) report.symmetry = prove_by_symmetry(schedule, request);
  if (!report.symmetry) {
    BlockFindings findings = check_blocks(schedule, *request.collective, whole_flow(), topology);
    report.exactly_once = std::move(findings.exactly_once);
    report.causality = std::move(findings.causality);
    report.collective = std::move(findings.collective);
  }
  if (!has_unicasts_only) return;
  take(find_block_contention(sends, whole_flow, request.routing, request.vcs, request.limits),
       report);
}

bool has_unicasts_only(const UnicastList& unicasts) {
  return std::all_of(unicasts.begin(), unicasts.end(),
                     [](const Unicast* one) { return one->kind == MessageKind::unicast; });
}

// Everything except the contention of worms and of several collectives.
ScheduleReport judge(const SoundPart& part, const LeftOut& left_out, bool is_alone) {
  const CheckRequest& request = part.request;
  const Schedule& schedule = part.schedule;
  require_request(request);
  heed(request.limits.stop);
  UnicastList unicasts = by_step(schedule, request.routing.topology());
  ScheduleReport report;
  report.routes_valid = left_out.faults;
  const bool judges_unicasts = is_alone && has_unicasts_only(unicasts) && !left_out.has_worms;
  const Sends sends = sends_of(unicasts, schedule, request.routing);
  heed(request.limits.stop);
  report.port_rule = check_port_rule(sends, request.routing.topology(), request.internal_ports);
  heed(request.limits.stop);
  const std::vector<Unicast>& transfers = left_out.transfers;
  add_to(unicasts, transfers, request.routing.topology());
  if (request.collective != nullptr) {
    report.order_note = order_note(std::move(unicasts),
                                   request.routing.topology());  // which gives their memory back
    if (transfers.empty()) {
      judge_blocks(schedule, request, sends, judges_unicasts, is_alone, report);
    } else {
      judge_blocks(with(transfers, schedule), request, sends, judges_unicasts, false, report);
    }
  } else if (has_joins(schedule)) {
    judge_joins(unicasts, request, report);
  } else {
    judge_message(unicasts, request, sends, judges_unicasts, report);
    report.order_note = order_note(std::move(unicasts), request.routing.topology());
  }
  report.collective.add(report.causality);
  report.collective.add(report.exactly_once);
  if (is_alone && !judges_unicasts) report.worms = check_worms({part}, false);
  return report;
}

// The schedules of `parts`, judged, and the way back from their messages to the lines.
class SoundParts {
 public:
  /// `parts` must outlive them.
  explicit SoundParts(const std::vector<CheckedPart>& parts) {
    for (const CheckedPart& part : parts) {
      const SoundSchedule& sound = schedules_.emplace_back(part.schedule, part.request.routing);
      parts_.emplace_back(sound, part.request, part.phase);
      left_out_.push_back(sound.left_out());
      if (part.request.left_out != nullptr) left_out_.back().add(*part.request.left_out);
    }
  }

  const std::vector<SoundPart>& parts() const { return parts_; }
  const LeftOut& left_out(std::size_t part) const { return left_out_[part]; }

  /// Lets what `report` found of messages name their lines.
  void name_lines(ScheduleReport& report) const {
    for (Finding* finding :
         {&report.stepwise, &report.stepwise_vc, &report.definition4, &report.theorem1}) {
      name_lines(*finding);
    }
    if (!report.worms) return;
    name_lines(report.worms->contention);
    for (WormWait& wait : report.worms->circle) wait.message = line_of(wait.message);
  }

 private:
  void name_lines(Finding& finding) const {
    for (PairViolation& pair : finding.pairs) {
      pair.a = line_of(pair.a);
      pair.b = line_of(pair.b);
    }
  }

  // Messages and lines are counted on from schedule to schedule.
  std::size_t line_of(std::size_t message) const {
    std::size_t first_line = 0;
    auto one = schedules_.begin();
    for (; message >= one->schedule().unicasts.size(); ++one) {
      message -= one->schedule().unicasts.size();
      first_line += one->line_count();
    }
    return first_line + one->line_of(message);
  }

  std::deque<SoundSchedule> schedules_;
  std::vector<SoundPart> parts_;
  std::vector<LeftOut> left_out_;
};

}  // namespace

ScheduleReport check_schedule(const Schedule& schedule, const CheckRequest& request) {
  const std::vector<CheckedPart> parts{{schedule, request, 0}};
  const SoundParts sound(parts);
  ScheduleReport report = judge(sound.parts().front(), sound.left_out(0), true);
  sound.name_lines(report);
  return report;
}

ScheduleReport check_together(const std::vector<CheckedPart>& parts) {
  const SoundParts sound(parts);
  ScheduleReport all;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    ScheduleReport one = judge(sound.parts()[i], sound.left_out(i), false);
    const std::string name = "collective " + std::to_string(i) + ": ";
    const auto take_from = [&](Finding ScheduleReport::*finding) {
      for (std::string& sentence : (one.*finding).first) sentence.insert(0, name);
      (all.*finding).add(one.*finding);
    };
    take_from(&ScheduleReport::exactly_once);
    take_from(&ScheduleReport::causality);
    take_from(&ScheduleReport::port_rule);
    take_from(&ScheduleReport::routes_valid);
    take_from(&ScheduleReport::collective);
    if (all.order_note.empty() && !one.order_note.empty()) all.order_note = name + one.order_note;
  }
  // A barrier waits for one copy for each node: a second copy may arrive after it.
  const bool has_barriers = all.collective.ok() && parts.back().phase > 0;
  all.worms = check_worms(sound.parts(), has_barriers);
  sound.name_lines(all);
  return all;
}

void require_runnable(const Schedule& schedule, const CheckRequest& request) {
  require_request(request);
  const SoundSchedule sound(schedule, request.routing);
  if (!sound.left_out().is_empty()) {
    throw std::invalid_argument(sound.left_out().faults.first.front());
  }
  if (has_joins(schedule)) return;  // each sender has a message of its own
  const UnicastList unicasts = by_step(schedule, request.routing.topology());
  const std::vector<StepIndex> received =
      first_receptions(unicasts, request.routing, request.sources);
  for (const Unicast* unicast : unicasts) {
    const std::string fault = causality_fault(*unicast, received, request.routing.topology());
    if (!fault.empty()) throw std::invalid_argument(fault);
  }
}

}  // namespace allport
