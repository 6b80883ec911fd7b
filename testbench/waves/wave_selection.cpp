// SPDX-License-Identifier: Apache-2.0
#include "testbench/waves/wave_selection.h"

#include <algorithm>
#include <tuple>

namespace allport {

namespace {

constexpr int max_open_lines = 24;  // of some 37 that fit the window
constexpr std::size_t max_routers = 48;

// Smaller is more worth seeing.
auto rank(const RouterActivity& router) {
  const bool has_contention = router.first_contention >= 0;
  const int group = has_contention ? 0 : router.is_source ? 1 : 2;
  const int twin_group = router.difference ? 0 : router.has_twin ? 1 : 2;
  return std::make_tuple(twin_group, group, has_contention ? router.first_contention : 0,
                         ~router.flits, router.first_flit, router.node);
}

}  // namespace

bool differs_at(const RouterActivity& router, bool is_input, int port) {
  return router.difference && router.difference->is_input == is_input &&
         router.difference->port == port;
}

int open_lines(const RouterActivity& router, const RouterConfig& config) {
  const int acks = config.switching == Switching::circuit ? 1 : 0;  // a VC's
  int lines = 2;  // its own line and the end of the group
  if (router.first_contention >= 0) ++lines;
  for (int input = 0; input < config.ports(); ++input) {
    std::uint64_t flits = 0;
    for (int vc = 0; vc < config.vcs_of(input); ++vc) {
      const auto channel_vc = static_cast<std::size_t>(config.channel_vc(input, vc));
      flits += router.input_flits[channel_vc];
      if (router.has_waited[channel_vc]) ++lines;
    }
    const bool differs = differs_at(router, true, input);
    if (flits > 0 || differs) ++lines;
    if (differs) lines += 4 + (3 + acks) * config.vcs_of(input);
  }
  for (std::size_t output = 0; output < router.output_flits.size(); ++output) {
    const bool differs = differs_at(router, false, static_cast<int>(output));
    if (router.output_flits[output] > 0 || differs) ++lines;
    if (router.output_contention[output]) ++lines;
    if (differs) lines += 4 + (4 + acks) * config.vcs_of(static_cast<int>(output));
  }
  return router.has_twin ? 1 + 2 * lines : lines;
}

std::vector<ShownRouter> select_routers(std::vector<RouterActivity> routers,
                                        const RouterConfig& config) {
  const auto is_unused = [](const RouterActivity& router) {
    return router.first_flit < 0 && !router.difference;
  };
  routers.erase(std::remove_if(routers.begin(), routers.end(), is_unused), routers.end());
  std::sort(routers.begin(), routers.end(),
            [](const RouterActivity& a, const RouterActivity& b) { return rank(a) < rank(b); });
  if (routers.size() > max_routers) routers.resize(max_routers);

  std::vector<ShownRouter> shown;
  int lines = 0;
  for (RouterActivity& router : routers) {
    lines += open_lines(router, config);
    const bool is_open = shown.empty() || lines <= max_open_lines;
    if (!is_open) lines = max_open_lines;
    shown.push_back({std::move(router), is_open});
  }
  const auto first_closed = std::stable_partition(
      shown.begin(), shown.end(), [](const ShownRouter& router) { return router.is_open; });
  std::sort(first_closed, shown.end(), [](const ShownRouter& a, const ShownRouter& b) {
    return std::make_tuple(a.activity.first_flit, a.activity.node) <
           std::make_tuple(b.activity.first_flit, b.activity.node);
  });
  return shown;
}

}  // namespace allport
