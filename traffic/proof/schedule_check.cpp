// SPDX-License-Identifier: Apache-2.0
#include "traffic/proof/schedule_check.h"

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "traffic/proof/block_check.h"
#include "traffic/proof/block_contention.h"
#include "traffic/proof/channel_users.h"
#include "traffic/proof/contention.h"
#include "traffic/schedule/collective.h"
#include "traffic/schedule/delivery_tree.h"
#include "traffic/schedule/reception.h"
#include "traffic/schedule/step_assignment.h"

namespace allport {

namespace {

using UnicastList = std::vector<const Unicast*>;

constexpr std::size_t max_listed = 10;  // sentences of a finding

void require_request(const CheckRequest& request) {
  const Topology& topology = request.routing.topology();
  require_internal_ports(request.internal_ports, topology);
  for (const NodeId node : request.sources) require_node(topology, node, "source");
  for (const NodeId node : request.destinations) require_node(topology, node, "destination");
}

UnicastList by_step(const Schedule& schedule) {
  UnicastList sorted;
  for (const Unicast& unicast : schedule.unicasts) {
    if (unicast.step < 1) throw std::invalid_argument(describe(unicast) + ": steps are 1, 2, ...");
    sorted.push_back(&unicast);
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const Unicast* a, const Unicast* b) {
    return std::tie(a->step, a->u, a->order) < std::tie(b->step, b->u, b->order);
  });
  return sorted;
}

// The unicasts that plan a reception at a node of the fabric, whatever else is wrong with them.
UnicastList receptions(const UnicastList& unicasts, const Topology& topology) {
  UnicastList list;
  for (const Unicast* unicast : unicasts) {
    const bool is_inside = index(unicast->v) < topology.node_count();
    if (is_inside && unicast->u != unicast->v) list.push_back(unicast);
  }
  return list;
}

std::string senders_of(NodeId node, const UnicastList& receptions) {
  std::string words;
  for (const Unicast* unicast : receptions) {
    if (unicast->v != node) continue;
    words += words.empty() ? ": " : ", ";
    words += "from " + std::to_string(index(unicast->u)) + " in step ";
    words += std::to_string(unicast->step);
    if (words.size() > 100) return words + ", ...";
  }
  return words;
}

Finding check_exactly_once(const UnicastList& receptions, const CheckRequest& request) {
  const std::size_t node_count = request.routing.topology().node_count();
  std::vector<std::size_t> counts(node_count);
  std::vector<bool> is_source(node_count);
  std::vector<bool> is_destination(node_count);
  for (const Unicast* unicast : receptions) ++counts[index(unicast->v)];
  for (const NodeId node : request.sources) is_source[index(node)] = true;
  for (const NodeId node : request.destinations) is_destination[index(node)] = true;

  Finding finding;
  for (std::size_t i = 0; i < node_count; ++i) {
    const std::string node = "node " + std::to_string(i);
    if (counts[i] > (is_source[i] ? 0 : 1)) {
      const bool is_listed = finding.first.size() < 10;
      finding.add(node + (is_source[i] ? ", a source," : "") + " receives " +
                  std::to_string(counts[i]) + (counts[i] == 1 ? " time" : " times") +
                  (is_listed ? senders_of(node_id(i), receptions) : ""));
    } else if (counts[i] == 0 && is_destination[i] && !is_source[i]) {
      finding.add(node + ", a destination, never receives");
    }
  }
  return finding;
}

Finding check_causality(const UnicastList& unicasts, const std::vector<StepIndex>& received) {
  Finding finding;
  for (const Unicast* unicast : unicasts) {
    if (index(unicast->u) >= received.size()) continue;  // a finding of routes_valid
    const std::string fault = causality_fault(*unicast, received);
    if (!fault.empty()) finding.add(fault);
  }
  return finding;
}

Finding check_port_rule(const std::vector<Send>& sends, int internal_ports) {
  Finding finding;
  std::vector<const Send*> users;  // of each injection port, by the node and step at hand
  for (std::size_t i = 0; i < sends.size(); ++i) {
    const Send& send = sends[i];
    const bool is_new = i == 0 || send.u != sends[i - 1].u || send.step != sends[i - 1].step;
    if (is_new) users.assign(static_cast<std::size_t>(internal_ports), nullptr);
    const std::size_t port = injection_port(send.first_channel, internal_ports);
    if (users[port] != nullptr) {
      finding.add("node " + std::to_string(index(send.u)) + " sends on injection port " +
                  std::to_string(port) + " twice in step " + std::to_string(send.step) + ": to " +
                  std::to_string(index(users[port]->v)) + " and to " +
                  std::to_string(index(send.v)));
    }
    users[port] = &send;
  }
  return finding;
}

// The unicasts on valid routes; what is wrong with the others goes to `routes_valid`.
std::vector<Send> valid_sends(const UnicastList& unicasts, const Schedule& schedule,
                              const Routing& routing, Finding& routes_valid) {
  std::vector<Send> sends;
  for (const Unicast* unicast : unicasts) {
    const std::string fault = route_fault(*unicast, routing);
    if (!fault.empty()) {
      routes_valid.add(fault);
      continue;
    }
    Send send;
    send.u = unicast->u;
    send.v = unicast->v;
    send.step = unicast->step;
    send.ties = ties_of(*unicast, routing);
    send.first_channel = routing.route(send.u, receivers_of(*unicast).front(), send.ties)->port;
    send.index = static_cast<std::size_t>(unicast - schedule.unicasts.data());
    sends.push_back(send);
  }
  return sends;
}

}  // namespace

void Finding::add(const std::string& sentence) {
  ++violations;
  if (first.size() < max_listed) first.push_back(sentence);
}

void Finding::add(const Finding& other) {
  violations += other.violations;
  for (const std::string& sentence : other.first) {
    if (first.size() < max_listed) first.push_back(sentence);
  }
}

bool ScheduleReport::ok() const {
  return exactly_once.ok() && causality.ok() && port_rule.ok() && routes_valid.ok() &&
         stepwise.ok() && definition4.ok() && theorem1.ok() && collective.ok();
}

namespace {

void take(ContentionFindings&& contention, ScheduleReport& report) {
  report.stepwise = std::move(contention.stepwise);
  report.definition4 = std::move(contention.definition4);
  report.theorem1 = std::move(contention.theorem1);
}

void judge_message(const UnicastList& unicasts, const CheckRequest& request,
                   const std::vector<Send>& sends, const ChannelUsers& users,
                   ScheduleReport& report) {
  const UnicastList deliveries = receptions(unicasts, request.routing.topology());
  const std::vector<StepIndex> received =
      first_receptions(deliveries, request.routing, request.sources);
  report.exactly_once = check_exactly_once(deliveries, request);
  report.causality = check_causality(unicasts, received);
  take(find_contention(sends, DeliveryTree(sends, received), users), report);
}

void judge_blocks(const Schedule& schedule, const Collective& collective,
                  const std::vector<Send>& sends, const Routing& routing, ScheduleReport& report) {
  const BlockFlow flow(schedule, collective);
  BlockFindings findings = check_blocks(schedule, collective, flow);
  report.exactly_once = std::move(findings.exactly_once);
  report.causality = std::move(findings.causality);
  report.collective = std::move(findings.collective);
  if (!report.judges_contention) return;
  take(find_block_contention(sends, flow, ChannelUsers(sends, routing)), report);
}

// Whether all are unicasts, of which contention can be judged; throws for kinds that are not
// checked at all.
bool has_unicasts_only(const UnicastList& unicasts, bool has_blocks) {
  bool result = true;
  for (const Unicast* unicast : unicasts) {
    if (unicast->kind == MessageKind::unicast) continue;
    if (!has_blocks || unicast->kind != MessageKind::multidestination) {
      throw std::invalid_argument(
          describe(*unicast) +
          ": the check is for unicasts, and multidestination messages of blocks, only");
    }
    result = false;
  }
  return result;
}

}  // namespace

ScheduleReport check_schedule(const Schedule& schedule, const CheckRequest& request) {
  require_request(request);
  const Routing& routing = request.routing;
  const UnicastList unicasts = by_step(schedule);
  ScheduleReport report;
  report.judges_contention = has_unicasts_only(unicasts, request.collective != nullptr);
  const std::vector<Send> sends = valid_sends(unicasts, schedule, routing, report.routes_valid);
  report.port_rule = check_port_rule(sends, request.internal_ports);
  if (request.collective != nullptr) {
    judge_blocks(schedule, *request.collective, sends, routing, report);
  } else {
    judge_message(unicasts, request, sends, ChannelUsers(sends, routing), report);
  }
  report.collective.add(report.causality);
  report.collective.add(report.exactly_once);
  return report;
}

void require_runnable(const Schedule& schedule, const CheckRequest& request) {
  require_request(request);
  const UnicastList unicasts = by_step(schedule);
  for (const Unicast* unicast : unicasts) {
    const std::string fault = route_fault(*unicast, request.routing);
    if (!fault.empty()) throw std::invalid_argument(fault);
  }
  const std::vector<StepIndex> received =
      first_receptions(unicasts, request.routing, request.sources);
  for (const Unicast* unicast : unicasts) {
    const std::string fault = causality_fault(*unicast, received);
    if (!fault.empty()) throw std::invalid_argument(fault);
  }
}

}  // namespace allport
