// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/reproduce/papers/hou/stepwise.h"

#include <fmt/format.h>

#include <vector>

#include "testbench/studies/reproduce/papers/hou/passages.h"
#include "traffic/algorithms/algorithms.h"
#include "traffic/algorithms/torus_rounds.h"
#include "traffic/patterns/sampling.h"

namespace allport {

std::size_t shared_in_a_step(const Schedule& schedule, const Routing& routing) {
  const std::size_t ports = routing.topology().port_count();
  std::vector<StepIndex> last_use(routing.topology().node_count() * ports, 0);
  std::size_t shared = 0;
  for (const Unicast& one : schedule.unicasts) {  // sorted by step
    for (const Channel channel : channels(one, routing)) {
      StepIndex& step = last_use[index(channel.node) * ports + index(channel.port)];
      if (step == one.step) ++shared;
      step = one.step;
    }
  }
  return shared;
}

namespace {

std::size_t shared_by(const char* algorithm, const Routing& routing, NodeId source) {
  const Multicast goal = broadcast(routing.topology(), source);
  return shared_in_a_step(plan(find_algorithm(algorithm), {routing, 4, goal}), routing);
}

struct Tried {
  std::size_t plans = 0;
  std::size_t shared = 0;  // channels
};

// DCF from all nodes of N x N tori, or from `random` random ones.
Tried dcf_on(const std::vector<int>& sides, std::size_t random = 0) {
  Tried tried;
  for (const int side : sides) {
    const Routing routing = square_torus(side);
    const std::size_t nodes = routing.topology().node_count();
    DestinationSampler sampler(nodes - 1, random > 0 ? random : nodes - 1, 1);
    std::vector<NodeId> sources;
    for (const std::uint32_t one : sampler.next()) sources.push_back(node_id(one));
    if (random == 0) sources.push_back(node_id(0));
    for (const NodeId source : sources) {
      ++tried.plans;
      tried.shared += shared_by("dcf", routing, source);
    }
  }
  return tried;
}

Claim on_dcf(const char* text, const Quotation& source, const std::string& where, const Tried& all,
             const Tried& drawn) {
  return {text, source,
          fmt::format("plans from {} sources, {}: {} channels are used twice in a step",
                      all.plans + drawn.plans, where, all.shared + drawn.shared),
          outcome_of(all.shared + drawn.shared == 0), ""};
}

constexpr int largest_side_of_tseng = 16;

Claim on_tseng() {
  Tried tried;
  std::size_t sharing = 0;
  for (int width = 2; width <= largest_side_of_tseng; ++width) {
    for (int height = 2; height <= largest_side_of_tseng; ++height) {
      const Routing routing(parse_topology(fmt::format("torus:{}x{}", width, height)),
                            RoutingOrder::dimension_ordered);
      const std::size_t shared = shared_by("tseng", routing, node_id(0));
      ++tried.plans;
      tried.shared += shared;
      if (shared > 0) ++sharing;
    }
  }
  return {"Tseng's algorithm can be proved to be stepwise contention-free", hou::proved_stepwise,
          fmt::format("of {} tori from 2x2 to {}x{} this plan uses channels twice in a step on {}",
                      tried.plans, largest_side_of_tseng, largest_side_of_tseng, sharing),
          Outcome::not_tested, "The text does not give Tseng's messages: this plan is allport's"};
}

}  // namespace

Claims stepwise_claims() {
  return {
      on_dcf("the proposed algorithm for a 4^k x 4^k torus network is stepwise contention-free",
             hou::theorem_3, "all of 4x4 and 16x16, 20 random ones of 64x64 and 2 of 256x256",
             dcf_on({4, 16}),
             [] {
               const Tried middle = dcf_on({64}, 20);
               const Tried large = dcf_on({256}, 2);
               return Tried{middle.plans + large.plans, middle.shared + large.shared};
             }()),
      on_dcf("the proposed algorithm for a (2 x 4^k) x (2 x 4^k) torus is stepwise contention-free",
             hou::corollary_3, "all of 2x2 and 8x8, 20 random ones of 32x32 and 128x128 each",
             dcf_on({2, 8}), dcf_on({32, 128}, 20)),
      on_tseng()};
}

}  // namespace allport
