// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/monitors/worm_router.h"

#include <algorithm>
#include <utility>

namespace allport {

namespace {

WormIndex number(int value) { return static_cast<WormIndex>(value); }

// The flits of `passage` that have left its buffer.
std::int32_t left_by(const WormStore& store, const Passage& passage) {
  return passage.junction == 0 ? passage.sent : store.left(store.junctions[passage.junction]);
}

// Flits arrive in every cycle until the last one, and nothing moves any more.
std::int32_t arrived_at(const Passage& passage) {
  return passage.is_arriving ? passage.length : passage.arrived;
}

}  // namespace

WormRouter::WormRouter(const WormStore& store, NodeId node) : store_(store), node_(node) {
  const RouterConfig& config = store.config;
  for (int input = 0; input < config.ports(); ++input) {
    for (int vc = 0; vc < config.vcs_of(input); ++vc) {
      if (const WormIndex channel = channel_into(input, vc); channel != 0) {
        fill(config.channel_vc(input, vc), channel);
      }
    }
  }
}

// The virtual channel whose flits are in the buffer; 0: none leads there.
WormIndex WormRouter::channel_into(int input, int vc) const {
  const RouterConfig& config = store_.config;
  const auto here = static_cast<WormIndex>(index(node_));
  if (!config.is_external(input)) {
    return store_.known_vc(store_.injection_channel(here, input - config.external_ports)) +
           number(vc);
  }
  const Topology& topology = store_.routing.topology();
  const PortId port = port_id(static_cast<std::size_t>(input));
  const std::optional<Channel> from = topology.incoming(node_, port);
  if (!from) return 0;
  const auto physical = static_cast<WormIndex>(index(from->node)) * number(config.external_ports) +
                        static_cast<WormIndex>(index(from->port));
  return store_.known_vc(physical) + number(vc);
}

WormIndex WormRouter::channel_out_of(int output_vc) const {
  const RouterConfig& config = store_.config;
  const auto here = static_cast<WormIndex>(index(node_));
  const int output = config.port_of(output_vc);
  const WormIndex channel = config.is_external(output)
                                ? here * number(config.external_ports) + number(output)
                                : store_.ejection_channel(here, output - config.external_ports);
  return store_.known_vc(channel) + number(output_vc - config.channel_vc(output, 0));
}

void WormRouter::fill(int input_vc, WormIndex channel) {
  const bool heads_carry_length = store_.config.heads_carry_length();
  Buffer buffer;
  for (WormIndex id = store_.channels[channel].front; id != 0; id = store_.passages[id].behind) {
    const Passage& passage = store_.passages[id];
    for (std::int32_t at = left_by(store_, passage); at < arrived_at(passage); ++at) {
      Flit flit;
      flit.message = passage.message;
      flit.head = at == 0;
      flit.tail = at + 1 == passage.length;
      flit.length = heads_carry_length ? static_cast<std::uint16_t>(passage.length) : 0;
      if (buffer.flits.empty()) buffer.front = id;
      buffer.flits.push_back(flit);
    }
  }
  if (!buffer.flits.empty()) buffers_.emplace(input_vc, std::move(buffer));
}

int WormRouter::buffered(int input_vc) const {
  const auto found = buffers_.find(input_vc);
  return found == buffers_.end() ? 0 : static_cast<int>(found->second.flits.size());
}

// Whether it is an operand of a join for which another one speaks.
bool WormRouter::speaks_for_none(const Passage& front) const {
  return front.junction != 0 && front.output == no_output &&
         &front != &store_.passages[store_.junctions[front.junction].first];
}

// Calls `visit` with the passages by which the first flit of the buffer leaves.
template <class Visit>
void WormRouter::visit_branches(int input_vc, Visit visit) const {
  const auto found = buffers_.find(input_vc);
  if (found == buffers_.end()) return;
  const Passage& front = store_.passages[found->second.front];
  if (speaks_for_none(front)) return;
  if (front.junction == 0) {
    visit(front);
    return;
  }
  const WormJunction& junction = store_.junctions[front.junction];
  for (WormIndex id = junction.first_branch(); id < junction.end(); ++id) {
    visit(store_.passages[id]);
  }
}

bool WormRouter::has_operands(const WormJunction& junction) const {
  const std::int32_t gone = store_.left(junction);
  for (WormIndex id = junction.first; id < junction.first_branch(); ++id) {
    const Passage& operand = store_.passages[id];
    if (arrived_at(operand) <= gone || store_.channels[operand.in].front != id) return false;
  }
  return true;
}

std::optional<Cycle> WormRouter::still_since() const {
  bool is_stalled = false;
  Cycle last = store_.activity.last_of(static_cast<std::uint32_t>(index(node_)));
  for (const auto& [input_vc, buffer] : buffers_) {
    const Passage& front = store_.passages[buffer.front];
    if (speaks_for_none(front)) continue;
    const WormJunction& junction = store_.junctions[front.junction];
    if (front.junction != 0 && !has_operands(junction)) continue;
    is_stalled = true;
    const bool is_tail = left_by(store_, front) + 1 == front.length;
    if (front.junction != 0 && is_tail) last = std::max(last, junction.tail_ready);
  }
  if (!is_stalled) return std::nullopt;
  return last + 1;
}

PortMask WormRouter::outputs(int input_vc) const {
  PortMask mask = 0;
  visit_branches(input_vc, [&](const Passage& branch) { mask |= PortMask{1} << branch.output; });
  return mask;
}

PortMask WormRouter::pending(int input_vc) const {
  PortMask mask = 0;
  visit_branches(input_vc, [&](const Passage& branch) {
    if (branch.sent == left_by(store_, branch)) mask |= PortMask{1} << branch.output;
  });
  return mask;
}

PortMask WormRouter::owned(int input_vc) const {
  PortMask mask = 0;
  visit_branches(input_vc, [&](const Passage& branch) {
    if (branch.has_channel && !branch.is_done) mask |= PortMask{1} << branch.output;
  });
  return mask;
}

int WormRouter::output_vc(int input_vc, int output) const {
  int vc = 0;
  visit_branches(input_vc, [&](const Passage& branch) {
    if (branch.output != output) return;
    const WormIndex first = store_.known_vc(branch.out_channel);
    vc = branch.has_channel ? static_cast<int>(branch.out - first) : store_.wanted_vc(branch);
  });
  return store_.config.channel_vc(output, vc);
}

std::uint32_t WormRouter::candidates(int input_vc, int output) const {
  std::uint32_t vcs = 0;
  visit_branches(input_vc, [&](const Passage& branch) {
    if (branch.output == output) vcs |= branch.candidates;
  });
  return vcs;
}

int WormRouter::owner(int output_vc) const {
  const WormIndex owner = store_.channels[channel_out_of(output_vc)].owner;
  return owner == 0 ? -1 : store_.passages[owner].input_vc;
}

MessageId WormRouter::owner_message(int output_vc) const {
  const WormIndex owner = store_.channels[channel_out_of(output_vc)].owner;
  return owner == 0 ? no_message : store_.passages[owner].message;
}

int WormRouter::credits(int output_vc) const {
  const WormChannel& channel = store_.channels[channel_out_of(output_vc)];
  const bool is_ejection = !store_.config.is_external(store_.config.port_of(output_vc));
  const bool is_endless = is_ejection && store_.ejects_at_will();
  return store_.config.buffer_depth - (is_endless ? 0 : channel.used);
}

}  // namespace allport
