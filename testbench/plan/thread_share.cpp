// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/thread_share.h"

#include <fmt/format.h>

#include <cstdint>

#include "rtl_model/base/cores.h"
#include "rtl_model/base/words.h"
#include "rtl_model/router/router_parts.h"

namespace allport {

namespace {

// Why the run is one thread's, whatever the fabric and the machine; empty: it is not.
std::string why_whole(const RunPlan& plan) {
  if (plan.simulation.is_transaction_level) return "worms are moved in order";
  if (plan.router.retry || plan.simulation.errors.has_any()) return RouterParts::whole_by_errors;
  const bool is_told_in_order = plan.routing.is_adaptive() || plan.simulation.explain.is_any();
  return is_told_in_order ? RouterParts::whole_by_observers : "";
}

std::size_t channels_of(const Topology& topology) {
  std::size_t channels = 0;
  for (std::size_t node = 0; node < topology.router_count(); ++node) {
    for (std::size_t port = 0; port < topology.port_count(); ++port) {
      if (topology.neighbour(node_id(node), port_id(port))) ++channels;
    }
  }
  return channels;
}

}  // namespace

ThreadShare thread_share(const RunPlan& plan, int cores) {
  ThreadShare share{plan.request.threads, {}};
  if (share.most == 1) return share;
  if (const std::string why = why_whole(plan); !why.empty()) return {1, why};
  const Topology& topology = plan.routing.topology();
  const std::size_t channels = channels_of(topology);
  const int useful = RouterParts::most_useful(topology.router_count(), channels);
  if (useful < share.most) {
    share = {useful,
             fmt::format("{} and {} have too little to do at once for more",
                         counted(topology.router_count(), "router"), counted(channels, "channel"))};
  }
  if (cores < share.most) {
    share = {cores, "the run has " + counted(static_cast<std::uint64_t>(cores), "core")};
  }
  return share;
}

ThreadShare thread_share(const RunPlan& plan) { return thread_share(plan, usable_cores()); }

std::string in_words(const ThreadShare& share) {
  if (share.most == 1) return "one thread does all of it: " + share.why;
  return fmt::format(
      "{} threads take part at most{}", share.most,
      share.why.empty() ? ", in cycles in which enough routers are busy" : ": " + share.why);
}

}  // namespace allport
