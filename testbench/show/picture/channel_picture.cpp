// SPDX-License-Identifier: Apache-2.0
#include "testbench/show/picture/channel_picture.h"

#include <algorithm>
#include <cstdint>

#include "testbench/observe/explain/channel_uses.h"

namespace allport {

bool ChannelPicture::LineUse::is_idle() const {
  return cycles == std::array<Cycle, 4>{} && most_waiting == 0;
}

void ChannelPicture::LineUse::add(const ChannelUse& use) {
  const std::array<Cycle, 4> more{use.used, use.lost, use.no_credit, use.empty};
  for (std::size_t i = 0; i < more.size(); ++i) cycles[i] += more[i];
  flits += use.flits;
  most_waiting = std::max(most_waiting, use.most_waiting);
}

ChannelPicture::ChannelPicture(const ShownTrial& trial, const FoldedFabric& fabric,
                               const PictureSize& size, const Patience& patience)
    : trial_(trial),
      channels_(trial.explained.history.channels()),
      fabric_(fabric),
      size_(size),
      roots_(trial.explained.waits, trial.log),
      cycles_(std::max<Cycle>(trial.end, 1)) {
  const auto most = static_cast<Cycle>(
      std::clamp(size.channel_stretches / channels_.size(), std::size_t{1}, size.stretches));
  for (Cycle count = std::min(most, cycles_);; count = (count + 1) / 2) {
    every_ = (cycles_ + count - 1) / count;
    stretches_ = used_stretches();
    std::size_t entries = 0;
    for (const Stretch& one : stretches_) {
      entries += one.uses.size() - static_cast<std::size_t>(std::count_if(
                                       one.uses.begin(), one.uses.end(),
                                       [](const auto& use) { return use.is_idle(); }));
    }
    if (entries <= size.entries || count == 1 || patience.is_over()) return;
  }
}

std::vector<ChannelPicture::Stretch> ChannelPicture::used_stretches() const {
  Stretch idle;
  idle.uses.resize(fabric_.line_count());
  std::vector<Stretch> stretches(static_cast<std::size_t>((cycles_ + every_ - 1) / every_), idle);
  const std::vector<ChannelUse> uses =
      channel_uses(trial_.explained, trial_.log, cycles_, {0, cycles_}, every_);
  for (const ChannelUse& one : uses) {
    Stretch& stretch = stretches[static_cast<std::size_t>(one.from / every_)];
    stretch.uses[fabric_.line_of(place_of(one.resource))].add(one);
  }
  return stretches;
}

FabricChannels::Number ChannelPicture::place_of(const Resource& resource) const {
  switch (resource.kind) {
    case Resource::Kind::channel:
      return channels_.output(resource.node, resource.port, 0);
    case Resource::Kind::injection:
      return channels_.injection(resource.node, resource.port);
    case Resource::Kind::ejection:
      return channels_.output(resource.node, channels_.config().external_ports + resource.port, 0);
    case Resource::Kind::processor:
      break;
  }
  return channels_.processor(resource.node);
}

void ChannelPicture::add(const Waits::List& waits) {
  for (const Wait& wait : waits) {
    if (is_waiting(wait.cause)) add(wait);
  }
}

void ChannelPicture::add(const Wait& wait) {
  const std::size_t line = fabric_.line_of(wait.place);
  const Cycle end = std::min(wait.first + wait.cycles, cycles_);
  for (Cycle from = wait.earliest(); from < end;) {
    const auto number = static_cast<std::size_t>(from / every_);
    const Cycle to = std::min(end, first_of(number + 1));
    const Cycle cycles = wait.cycles_before(to) - wait.cycles_before(from);
    const bool is_here = from <= tree_cycle(number) && tree_cycle(number) < to;
    from = to;
    if (cycles == 0) continue;
    Stretch& stretch = stretches_[number];
    Waiting& waiting = stretch.waits[{line, wait.cause}];
    waiting.cycles += cycles;
    if (wait.blamed == no_message) continue;
    waiting.blamed += cycles;
    if (!is_here || !wait.has(tree_cycle(number))) continue;
    stretch.tree.add(roots_.chain(wait, tree_cycle(number)));
  }
}

Cycle ChannelPicture::length_of(std::size_t stretch) const {
  return std::min(every_, cycles_ - first_of(stretch));
}

// The cycle of a stretch whose congestion tree is shown: its middle.
Cycle ChannelPicture::tree_cycle(std::size_t stretch) const {
  return first_of(stretch) + (length_of(stretch) - 1) / 2;
}

Json ChannelPicture::uses_json(const Stretch& stretch) {
  Json list = Json::array();
  for (std::size_t line = 0; line < stretch.uses.size(); ++line) {
    const LineUse& use = stretch.uses[line];
    if (use.is_idle()) continue;
    list.push_back(Json::array({line, use.cycles[0], use.cycles[1], use.cycles[2], use.cycles[3],
                                use.flits, use.most_waiting}));
  }
  return list;
}

Json ChannelPicture::waits_json(const Stretch& stretch) {
  Json list = Json::array();
  for (const auto& [what, waiting] : stretch.waits) {
    list.push_back(
        Json::array({what.first, static_cast<int>(what.second), waiting.cycles, waiting.blamed}));
  }
  return list;
}

Json ChannelPicture::tree_json(std::size_t stretch) const {
  const CongestionTree& tree = stretches_[stretch].tree;
  Json branches = Json::array();
  for (const CongestionTree::Branch& one : tree.largest(size_.branches)) {
    const FabricChannels::Number place = one.at.place;
    const bool has_vc = !channels_.is_processor(place) && channels_.is_external(place) &&
                        channels_.config().vcs > 1;
    const std::int64_t parent =
        one.parent == CongestionTree::no_parent ? -1 : static_cast<std::int64_t>(one.parent);
    branches.push_back(
        Json::array({static_cast<int>(one.at.cause), fabric_.line_of(place),
                     has_vc ? channels_.sender(place).vc : -1, parent, one.messages}));
  }
  return {{"cycle", tree_cycle(stretch)},
          {"waiting", tree.waiting()},
          {"branches", std::move(branches)}};
}

Json ChannelPicture::take() const {
  Json list = Json::array();
  for (std::size_t i = 0; i < stretches_.size(); ++i) {
    list.push_back({{"from", first_of(i)},
                    {"cycles", length_of(i)},
                    {"uses", uses_json(stretches_[i])},
                    {"waits", waits_json(stretches_[i])},
                    {"tree", tree_json(i)}});
  }
  return list;
}

}  // namespace allport
