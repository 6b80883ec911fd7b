// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/work.h"

#include <array>

namespace allport {

namespace {

template <class... Kinds>
const WorkKind& kind_at(std::size_t place, const std::variant<Kinds...>* /*all*/) {
  static constexpr std::array kinds{&Kinds::kind...};
  return *kinds.at(place);
}

// What a kind of work has of these: of two functions the first is chosen if there is a member.
template <class Kind>
auto trials_in(const Kind& own, int) -> const decltype(own.trials)& {
  return own.trials;
}
template <class Kind>
const Trials& trials_in(const Kind& /*own*/, long) {
  static const Trials none;
  return none;
}

template <class Kind>
auto background_in(const Kind& own, int) -> decltype(&*own.background) {
  return own.background ? &*own.background : nullptr;
}
template <class Kind>
const TrafficRequest* background_in(const Kind& /*own*/, long) {
  return nullptr;
}

template <class Kind>
auto traffic_in(const Kind& own, int) -> decltype(&own.traffic) {
  return &own.traffic;
}
template <class Kind>
const TrafficRequest* traffic_in(const Kind& own, long) {
  return background_in(own, 0);
}

}  // namespace

const WorkKind& kind_of(Processors made_for) {
  return kind_at(static_cast<std::size_t>(made_for), static_cast<const Work*>(nullptr));
}

const Trials& trials_of(const Work& work) {
  return std::visit([](const auto& own) -> const Trials& { return trials_in(own, 0); }, work);
}

const TrafficRequest* background_of(const Work& work) {
  return std::visit([](const auto& own) { return background_in(own, 0); }, work);
}

const TrafficRequest* traffic_of(const Work& work) {
  return std::visit([](const auto& own) { return traffic_in(own, 0); }, work);
}

}  // namespace allport
