// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/waves/wave_selection.h"

#include <algorithm>
#include <tuple>

namespace allport {

namespace {

constexpr int screen_lines = 40;
constexpr int closed_lines = 13;  // of these, lines for closed routers, if there are enough routers
constexpr std::size_t max_routers = 48;  // those with ports: GTKWave reads all their signals

// The rank of a router: a smaller one is more worth seeing.
auto rank(const RouterActivity& router) {
  const bool has_contention = router.first_contention >= 0;
  const int group = has_contention ? 0 : router.is_source ? 1 : 2;
  const bool in_circle = router.circle_since >= 0;
  const bool has_finding = in_circle || router.has_focus;
  const int first_group = router.difference ? 0 : has_finding ? 1 : router.has_twin ? 2 : 3;
  return std::make_tuple(first_group, in_circle ? router.circle_since : 0, group,
                         has_contention ? router.first_contention : 0, ~router.flits,
                         router.first_flit, router.node);
}

}  // namespace

bool differs_at(const RouterActivity& router, bool is_input, int port) {
  return router.difference && router.difference->is_input == is_input &&
         router.difference->port == port;
}

bool is_concerned(const RouterActivity& router) {
  return router.circle_since >= 0 || router.first_contention >= 0;
}

bool is_shown_input(const RouterActivity& router, const RouterConfig& config, int input) {
  bool is_used = differs_at(router, true, input);
  for (int vc = 0; vc < config.vcs_of(input); ++vc) {
    const auto channel_vc = static_cast<std::size_t>(config.channel_vc(input, vc));
    is_used = is_used || router.input_flits[channel_vc] > 0 || router.has_waited[channel_vc];
  }
  return is_used;
}

bool is_shown_output(const RouterActivity& router, int output) {
  const auto place = static_cast<std::size_t>(output);
  return router.output_flits[place] > 0 || router.output_contention[place] ||
         (router.circle_outputs >> output & 1U) != 0 || differs_at(router, false, output);
}

int open_lines(const RouterActivity& router, const RouterConfig& config) {
  const int acks = config.switching == Switching::circuit ? 1 : 0;  // lines per VC
  int lines = 2;  // its own line and the end of the group
  if (router.first_contention >= 0) ++lines;
  if (router.has_join) ++lines;
  for (int input = 0; input < config.ports(); ++input) {
    for (int vc = 0; vc < config.vcs_of(input); ++vc) {
      if (router.has_waited[static_cast<std::size_t>(config.channel_vc(input, vc))]) ++lines;
    }
    const bool differs = differs_at(router, true, input);
    if (is_shown_input(router, config, input)) ++lines;
    if (differs) lines += 4 + (3 + acks) * config.vcs_of(input);
  }
  for (int output = 0; output < config.ports(); ++output) {
    if (is_shown_output(router, output)) ++lines;
    if (router.output_contention[static_cast<std::size_t>(output)]) ++lines;
    if (differs_at(router, false, output)) lines += 4 + (4 + acks) * config.vcs_of(output);
  }
  return router.has_twin ? 1 + 2 * lines : lines;
}

namespace {

// The routers that had anything to do, by rank; at most `max_routers`, unless more must be seen.
std::vector<RouterActivity> ranked(std::vector<RouterActivity> routers) {
  const auto is_unused = [](const RouterActivity& router) {
    return router.first_flit < 0 && !router.difference && !is_concerned(router);
  };
  routers.erase(std::remove_if(routers.begin(), routers.end(), is_unused), routers.end());
  std::sort(routers.begin(), routers.end(),
            [](const RouterActivity& a, const RouterActivity& b) { return rank(a) < rank(b); });
  const auto first_left = std::find_if_not(
      routers.begin() + static_cast<std::ptrdiff_t>(std::min(routers.size(), max_routers)),
      routers.end(), is_concerned);
  routers.erase(first_left, routers.end());
  return routers;
}

// The number of lines to keep free for the routers after `router` in rank that are worth as much.
int kept_lines(const std::vector<RouterActivity>& routers, std::size_t router) {
  const auto behind = routers.begin() + static_cast<std::ptrdiff_t>(router) + 1;
  const auto count = is_concerned(routers[router])
                         ? std::count_if(behind, routers.end(), is_concerned)
                         : routers.end() - behind;
  return static_cast<int>(std::min<std::ptrdiff_t>(count, closed_lines));
}

}  // namespace

std::vector<ShownRouter> select_routers(std::vector<RouterActivity> routers,
                                        const RouterConfig& config, int lines_above) {
  routers = ranked(std::move(routers));
  std::vector<ShownRouter> shown;
  int lines = lines_above;
  for (std::size_t i = 0; i < routers.size(); ++i) {
    lines += open_lines(routers[i], config);
    const bool is_open =
        i == 0 || routers[i].circle_since >= 0 || lines + kept_lines(routers, i) <= screen_lines;
    if (!is_open) lines = screen_lines;  // no router after it is opened
    shown.push_back({routers[i], is_open, is_open || i < max_routers});
  }
  const auto is_in_front = [](const ShownRouter& router) {
    return router.is_open || is_concerned(router.activity);
  };
  const auto others = std::stable_partition(shown.begin(), shown.end(), is_in_front);
  std::stable_partition(shown.begin(), others,
                        [](const ShownRouter& router) { return router.is_open; });
  std::sort(others, shown.end(), [](const ShownRouter& a, const ShownRouter& b) {
    return std::make_tuple(a.activity.first_flit, a.activity.node) <
           std::make_tuple(b.activity.first_flit, b.activity.node);
  });
  return shown;
}

}  // namespace allport
