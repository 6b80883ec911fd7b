// SPDX-License-Identifier: Apache-2.0
#include "tests/properties/reference/history.h"

namespace allport::reference {

const Visit& History::visit(const VisitKey& key) const {
  static const Visit nothing;
  const auto found = visits.find(key);
  return found == visits.end() ? nothing : found->second;
}

const Front* History::front(const Buffer& buffer, Cycle cycle) const {
  if (cycle < 0) return nullptr;
  const auto& fronts = cycles.at(static_cast<std::size_t>(cycle)).fronts;
  const auto found = fronts.find(buffer);
  return found == fronts.end() ? nullptr : &found->second;
}

std::vector<Station> History::way_to(int message, int hops, int node, int output) const {
  std::vector<Station> way(static_cast<std::size_t>(hops) + 1);
  for (; hops >= 0; --hops) {
    const Visit& head = visits.at({message, 0, hops, node});
    way[static_cast<std::size_t>(hops)] = {{node, head.input, head.vc}, output};
    if (hops == 0) break;
    node = neighbour(shape, node, head.input);
    output = far_port(shape, head.input);
  }
  return way;
}

const PortNote& History::port(const MessageNotes& message, Cycle cycle) const {
  return cycles.at(static_cast<std::size_t>(cycle))
      .ports.at({message.name.u, message.port, message.message_class});
}

int History::injecting(const MessageNotes& message, Cycle cycle) const {
  const auto& all = cycles.at(static_cast<std::size_t>(cycle)).injecting;
  const auto found = all.find({message.name.u, message.port});
  return found == all.end() ? none : found->second;
}

Cycle History::injection(int message, int sequence) const {
  return visit({message, sequence, 0, messages.at(message).name.u}).arrival;
}

int History::injected(int message, Cycle cycle) const {
  int flits = 0;
  while (flits < messages.at(message).flits && injection(message, flits) <= cycle) ++flits;
  return flits;
}

bool History::is_for_whole_messages() const {
  return config.mode == Mode::cut_through || config.mode == Mode::store_and_forward;
}

std::string History::output_place(int node, int output, int vc) const {
  const std::string router = std::to_string(node) + ":";
  if (output >= shape.ports) return router + "ej" + std::to_string(output - shape.ports);
  return router + "out" + std::to_string(output) + "." + std::to_string(vc);
}

std::string History::injection_place(const MessageNotes& message) {
  return std::to_string(message.name.u) + ":inj" + std::to_string(message.port);
}

std::string History::processor_place(const MessageNotes& message) {
  return std::to_string(message.name.u) + ":proc";
}

}  // namespace allport::reference
