// SPDX-License-Identifier: Apache-2.0
// reaches_destinations() says whether a processor may send a message to the destinations that it
// names, by one rule for all fabrics.
#pragma once

#include <algorithm>
#include <tlm>
#include <vector>

#include "rtl_model/topology/label_order.h"
#include "tlm/message/message.h"

namespace allport {

/// Whether `message` of `source`, which is no join, names destinations as its kind does: all of
/// them are nodes, none is the source or is named twice, and those of a label worm go by the
/// labels, with the hop that was chosen.
inline bool reaches_destinations(const tlm::tlm_generic_payload& message, NodeId source,
                                 const Routing& routing) {
  const auto& extension = *message.get_extension<MessageExtension>();
  const std::size_t nodes = routing.topology().node_count();
  if (!goes_by_list(extension.kind) && !extension.via.empty()) return false;
  if (goes_to_all(extension.kind)) return true;
  if (message.get_address() >= nodes) return false;
  const auto last = static_cast<NodeId>(message.get_address());
  if (!goes_by_list(extension.kind)) return last != source;
  std::vector<NodeId> stops = extension.via.nodes();
  stops.push_back(last);
  std::vector<NodeId> all = stops;
  all.push_back(source);
  std::sort(all.begin(), all.end());
  if (index(all.back()) >= nodes) return false;
  if (std::adjacent_find(all.begin(), all.end()) != all.end()) return false;
  return extension.kind != MessageKind::label ||
         label_fault(routing.topology(), source, stops, extension.ties).empty();
}

}  // namespace allport
