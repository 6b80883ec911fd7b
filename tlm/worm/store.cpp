// SPDX-License-Identifier: Apache-2.0
#include "tlm/worm/store.h"

namespace allport {

namespace {

std::uint32_t count(int number) { return static_cast<std::uint32_t>(number); }

}  // namespace

WormStore::WormStore(const RouterConfig& given, const Routing& routes)
    : config(given),
      routing(routes),
      nodes(static_cast<std::uint32_t>(routes.topology().node_count())),
      first_injection(1 + nodes * count(given.external_ports * given.vcs)),
      first_ejection(first_injection + nodes * count(given.internal_ports)),
      passages(1),
      channels(first_ejection + std::size_t{nodes} * count(given.internal_ports)) {}

void WormStore::reset() {
  passages.assign(1, Passage{});
  channels.clear();
  worms.clear();
  noted.clear();
  present_calendar.clear();
}

}  // namespace allport
