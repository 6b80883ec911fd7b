// SPDX-License-Identifier: Apache-2.0
#include "traffic/proof/worm_check.h"

#include "traffic/proof/join_order.h"

namespace allport {

WormFindings check_worms(const std::vector<SoundPart>& parts, bool has_barriers) {
  const WormMessages messages(parts);
  WormFindings findings;
  findings.contention = find_worm_contention(messages, parts, has_barriers);
  findings.contention.add(find_join_contention(parts, has_barriers));
  findings.joins = check_join_order(parts, has_barriers);
  findings.joins.add(check_shared_joins(parts, has_barriers));
  for (std::size_t i = 0; i < parts.size() && findings.circle.empty(); ++i) {
    const bool is_judged = i > 0 && (!has_barriers || parts[i].phase % 2 != 0);
    if (is_judged) continue;
    findings.circle = find_waiting_circle(messages, parts, parts[i].phase, has_barriers);
  }
  return findings;
}

}  // namespace allport
