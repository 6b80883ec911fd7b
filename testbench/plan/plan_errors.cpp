// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/plan_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "rtl_model/base/quote.h"
#include "rtl_model/graphs/graph.h"

namespace allport {

namespace {

// A router by its name; on a hypercube 0b01 is one, too.
std::optional<NodeId> router_called(std::string_view name, const Topology& topology) {
  if (const auto node = topology.find_node(name)) return node;
  if (topology.is_graph()) return static_cast<const Graph&>(topology).meant_by(name);
  if (!topology.is_hypercube() || name.substr(0, 2) != "0b") return std::nullopt;
  std::size_t number = 0;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + 2, end, number, 2);
  const bool is_node = error == std::errc{} && stop == end && number < topology.node_count();
  return is_node ? std::make_optional(node_id(number)) : std::nullopt;
}

Channel channel_of(const ErrorPlaces::Place& place, const RunPlan& plan) {
  const Topology& topology = plan.routing.topology();
  const auto node = router_called(place.node, topology);
  if (!node) {
    throw std::invalid_argument(fmt::format("{} is not a node of {}; {}", in_quotes(place.node),
                                            topology.name(), topology.nodes_in_words()));
  }
  const Channel channel{*node, port_id(static_cast<std::size_t>(place.port))};
  require_channel(topology, channel);
  if (std::binary_search(plan.missing.begin(), plan.missing.end(), channel)) {
    throw std::invalid_argument("the link of this channel is missing");
  }
  return channel;
}

// Calls `use` with each place and its channel, and says where a place stands that is wrong.
template <class Use>
void for_each_place(const ErrorPlaces& places, const char* option, const RunPlan& plan,
                    const Use& use) {
  for (const ErrorPlaces::Place& place : places.listed) {
    try {
      use(place, channel_of(place, plan));
    } catch (const std::invalid_argument& error) {
      const std::string where =
          place.line == 0 ? "" : fmt::format("{}:{}: ", shown_input(places.path), place.line);
      throw std::invalid_argument(
          fmt::format("{}: {}{}: {}", option, where, in_quotes(place.text), error.what()));
    }
  }
}

double rate_of(const RunPlan& plan) {
  const LinkErrorRequest& asked = plan.request.router.errors;
  if (asked.bit_rate == 0) return asked.flit_rate;
  const int bits = 8 * plan.simulation.flit_bytes;
  const double rate = -std::expm1(bits * std::log1p(-asked.bit_rate));
  if (rate <= LinkErrors::most_rate) return rate;
  const double most = -std::expm1(std::log1p(-LinkErrors::most_rate) / bits);
  constexpr double digits = 1e4;  // of what is offered, which must not be more
  throw std::invalid_argument(fmt::format(
      "--bit-error-rate {}: a share of {:.3g} of the flits of {} bits would be in error, and {} may be at most: it must be 0..{}",
      asked.bit_rate, rate, bits, LinkErrors::most_rate, std::floor(most * digits) / digits));
}

}  // namespace

LinkErrors planned_errors(const RunPlan& plan) {
  const LinkErrorRequest& asked = plan.request.router.errors;
  LinkErrors errors;
  errors.rate = rate_of(plan);
  for_each_place(
      asked.flits, "--flit-errors", plan, [&](const ErrorPlaces::Place& place, Channel channel) {
        const FlitError error{channel, place.cycle};
        const auto at = std::lower_bound(errors.listed.begin(), errors.listed.end(), error);
        if (at != errors.listed.end() && *at == error) {
          throw std::invalid_argument("it is named twice");
        }
        errors.listed.insert(at, error);
      });
  for_each_place(
      asked.credits, "--lose-credit", plan, [&](const ErrorPlaces::Place& place, Channel channel) {
        const LostCredit lost{channel, place.vc, place.cycle, place.is_next};
        if (place.vc >= plan.router.vcs) {
          throw std::invalid_argument(
              fmt::format("the virtual channels of a channel are 0..{}", plan.router.vcs - 1));
        }
        const auto is_same = [&](const LostCredit& one) {
          return !lost.is_next && !one.is_next && one.channel == lost.channel &&
                 one.vc == lost.vc && one.cycle == lost.cycle;
        };
        const std::vector<LostCredit>& others = errors.lost_credits;
        if (std::any_of(others.begin(), others.end(), is_same)) {
          throw std::invalid_argument("it is named twice, and a channel has one credit in a cycle");
        }
        errors.lost_credits.push_back(lost);
      });
  return errors;
}

std::string in_words(const FlitError& error, const Topology& topology) {
  return fmt::format("{}.{}@{}", topology.node_name(error.channel.node), index(error.channel.port),
                     error.cycle);
}

std::string in_words(const LostCredit& credit, const Topology& topology) {
  return fmt::format("{}.{}.{}@{}{}", topology.node_name(credit.channel.node),
                     index(credit.channel.port), credit.vc, credit.is_next ? "+" : "",
                     credit.cycle);
}

}  // namespace allport
