// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/monitors/deadlock_words.h"

#include <fmt/format.h>

#include "rtl_model/topology/channel_words.h"
#include "traffic/schedule/joins.h"

namespace allport {

namespace {

std::string awaited_place(bool is_input, Channel channel, int vc, const RouterConfig& router,
                          const Topology& topology) {
  const std::optional<int> among = vc_among(router.vcs, vc);
  return is_input ? input_in_words(topology, channel, among)
                  : output_in_words(topology, channel, among);
}

}  // namespace

std::string in_words(const MessageName& name, const Topology& topology) {
  if (name.join) {
    PlannedJoin join;
    join.kind = name.join->kind;
    join.root = name.u;
    join.free = name.join->free;
    join.join = JoinTag(name.join->tag, {}, {});
    return describe(join, topology);
  }
  return fmt::format("{} -> {}", topology.node_name(name.u),
                     name.v ? topology.node_name(*name.v) : "all");
}

const char* reason_in_words(const Deadlock& deadlock) {
  return deadlock.lost_credits.empty() ? "a processor has not sent" : "a credit was lost";
}

std::string place_in_words(const WaitEdge& wait, const RouterConfig& router,
                           const Topology& topology) {
  return awaited_place(is_at_input(wait.waits_for), wait.channel, wait.vc, router, topology);
}

std::string awaited_in_words(const DeadlockWait& wait, const RouterConfig& router,
                             const Topology& topology) {
  const bool is_input = is_at_input(wait.waits_for) || wait.is_queued;
  const std::string where = awaited_place(is_input, wait.channel, wait.vc, router, topology);
  if (wait.waits_for == "take") return where + ", where nothing is taken";
  if (wait.waits_for == "vc") return where;
  if (wait.waits_for == "join") return "the turn of a contribution at " + where;
  if (wait.waits_for == "credit") return "a credit of " + where;
  return "its turn in the buffer of " + where;
}

}  // namespace allport
