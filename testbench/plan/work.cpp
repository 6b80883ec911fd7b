// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/work.h"

#include <array>

namespace allport {

namespace {

// Which data a kind has.
template <class Kind, class = void>
constexpr bool has_trials = false;
template <class Kind>
constexpr bool has_trials<Kind, std::void_t<decltype(Kind::trials)>> = true;
template <class Kind, class = void>
constexpr bool has_traffic = false;
template <class Kind>
constexpr bool has_traffic<Kind, std::void_t<decltype(Kind::traffic)>> = true;
template <class Kind, class = void>
constexpr bool has_background = false;
template <class Kind>
constexpr bool has_background<Kind, std::void_t<decltype(Kind::background)>> = true;

template <class... Kinds>
const WorkKind& kind_at(std::size_t place, const std::variant<Kinds...>* /*all*/) {
  static constexpr std::array kinds{&Kinds::kind...};
  return *kinds.at(place);
}

}  // namespace

const WorkKind& kind_of(Processors made_for) {
  return kind_at(static_cast<std::size_t>(made_for), static_cast<const Work*>(nullptr));
}

const Trials& trials_of(const Work& work) {
  static const Trials none;
  return std::visit(
      [](const auto& own) -> const Trials& {
        if constexpr (has_trials<std::decay_t<decltype(own)>>) {
          return own.trials;
        } else {
          return none;
        }
      },
      work);
}

const TrafficRequest* background_of(const Work& work) {
  return std::visit(
      [](const auto& own) -> const TrafficRequest* {
        if constexpr (has_background<std::decay_t<decltype(own)>>) {
          return own.background ? &*own.background : nullptr;
        } else {
          return nullptr;
        }
      },
      work);
}

const TrafficRequest* traffic_of(const Work& work) {
  return std::visit(
      [&](const auto& own) -> const TrafficRequest* {
        if constexpr (has_traffic<std::decay_t<decltype(own)>>) {
          return &own.traffic;
        } else {
          return background_of(work);
        }
      },
      work);
}

}  // namespace allport
