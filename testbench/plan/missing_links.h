// SPDX-License-Identifier: Apache-2.0
// A fabric may have links missing: no message of a run may cross their channels. Everything here
// throws std::invalid_argument with one sentence.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/plan/planned_collective.h"
#include "testbench/plan/run_request.h"

namespace allport {

/// Whether links are missing: random:0 names none.
bool has_missing_links(const RunRequest& request);
/// Whether links or nodes that are missing are drawn by the seed of the run.
bool draws_missing_by_seed(const RunRequest& request);

/// The missing channels, sorted. Random links are drawn so that ways remain between all nodes,
/// unless they may cut the fabric apart.
std::vector<Channel> missing_channels(const RunRequest& request, const Topology& topology);
/// The same under a routing, which must not be adaptive.
std::vector<Channel> missing_channels(const RunRequest& request, const Routing& routing);

/// Which message of `planned` crosses one of the `missing` channels, in one sentence; empty if none
/// does. All routes must be valid.
std::string missing_link_fault(const PlannedCollective& planned, const Routing& routing,
                               const std::vector<Channel>& missing);

/// The --routing by which messages go around missing links, in words.
inline constexpr std::string_view tables_around_missing_links = "table:updown or table:shortest";

/// Whether routes by table:updown may take the place of those that are built in, because links are
/// missing and no routing was chosen.
bool may_go_around(const RunRequest& request);
/// Whether they do whatever is sent, because the messages are not known beforehand.
bool goes_around_at_once(const RunRequest& request);
/// The same request with these routes.
RunRequest going_around(RunRequest request);

/// A message crosses a missing link.
class MissingLinkFault : public std::invalid_argument {
 public:
  /// `fault`: which message crosses which link; `advice`: what goes around it.
  MissingLinkFault(const std::string& fault, const std::string& advice)
      : std::invalid_argument(fault + "; " + advice), fault_(fault) {}

  const std::string& fault() const { return fault_; }

 private:
  std::string fault_;
};

/// Throws a MissingLinkFault with the missing_link_fault, and names the algorithms that go around
/// missing links.
void require_links(const PlannedCollective& planned, Operation operation, const Routing& routing,
                   const std::vector<Channel>& missing);

}  // namespace allport
