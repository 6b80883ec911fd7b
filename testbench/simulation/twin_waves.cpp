// SPDX-License-Identifier: Apache-2.0
#include "testbench/simulation/twin_waves.h"

#include <optional>
#include <utility>
#include <vector>

namespace allport {

RouterTwin twin_of(LockstepRouter& pair) {
  RouterTwin twin;
  twin.state = &pair.rtl().state();
  twin.shows_allocation = pair.rtl().shows_allocation();
  twin.observe = [&pair](FlitObserver* observer) { pair.observe_rtl(observer); };
  twin.difference = [&pair]() -> std::optional<TwinDifference> {
    const std::optional<Difference>& difference = pair.difference();
    if (!difference) return std::nullopt;
    return TwinDifference{difference->cycle, difference->is_credit, difference->port};
  };
  return twin;
}

void show_twins(const RtlNodes& routers, WaveRecorder& recorder) {
  std::vector<RouterTwin> twins;
  for (const auto& pair : routers.pairs()) twins.push_back(twin_of(*pair));
  recorder.add_twins(std::move(twins));
}

}  // namespace allport
