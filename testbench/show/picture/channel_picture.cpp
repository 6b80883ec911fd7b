// SPDX-License-Identifier: Apache-2.0
#include "testbench/show/picture/channel_picture.h"

#include <algorithm>
#include <cstdint>

#include "rtl_model/topology/message_kind.h"
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

void ChannelPicture::LineUse::add(const LineUse& use) {
  for (std::size_t i = 0; i < cycles.size(); ++i) cycles[i] += use.cycles[i];
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
  for (Cycle count = std::min(most, cycles_);;) {
    every_ = (cycles_ + count - 1) / count;
    stretches_ = used_stretches();
    std::size_t entries = 0;
    for (const Stretch& one : stretches_) {
      entries += one.uses.size() - static_cast<std::size_t>(std::count_if(
                                       one.uses.begin(), one.uses.end(),
                                       [](const auto& use) { return use.is_idle(); }));
    }
    if (entries <= size.entries || count == 1 || patience.is_over()) break;
    // Entries grow with the stretches, or a little slower.
    count =
        std::max<Cycle>(1, count * static_cast<Cycle>(size.entries) / static_cast<Cycle>(entries));
  }
  find_shared();
}

// The cycles in which flits of trees, paths and joins, and of the like, are on external channels.
void ChannelPicture::find_shared() {
  const History& history = trial_.explained.history;
  const Movement& movement = history.movement();
  for (CrossingIndex one = 1; one < movement.size(); ++one) {
    const Crossing& at = movement[one];
    const bool is_shared = trial_.log[at.message].kind != MessageKind::unicast;
    if (!is_shared || !channels_.is_external(at.channel) || at.sent == 0) continue;
    const Cycle last = std::min(history.sent(one, at.sent - 1), cycles_ - 1);
    int before = 0;
    for (auto i = static_cast<std::size_t>(history.sent(one, 0) / every_);
         i < stretches_.size() && first_of(i) <= last; ++i) {
      const int by_now = history.sent_by(one, std::min(last, first_of(i + 1) - 1));
      stretches_[i].shared += Cycle{by_now - before} * channels_.phits(at.channel);
      before = by_now;
    }
  }
}

std::vector<ChannelPicture::Stretch> ChannelPicture::used_stretches() const {
  Stretch idle;
  idle.uses.resize(fabric_.line_count());
  idle.port_uses.resize(static_cast<std::size_t>(channels_.config().internal_ports));
  std::vector<Stretch> stretches(static_cast<std::size_t>((cycles_ + every_ - 1) / every_), idle);
  const std::vector<ChannelUse> uses =
      channel_uses(trial_.explained, trial_.log, cycles_, {0, cycles_}, every_);
  for (const ChannelUse& one : uses) {
    Stretch& stretch = stretches[static_cast<std::size_t>(one.from / every_)];
    stretch.uses[fabric_.line_of(place_of(one.resource))].add(one);
    if (one.resource.kind != Resource::Kind::injection) continue;
    stretch.port_uses[static_cast<std::size_t>(one.resource.port)] += one.used;
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

void ChannelPicture::add(const Waits::List& waits, std::size_t sender,
                         std::optional<std::size_t> receiver) {
  for (const Wait& wait : waits) {
    add_work(wait, sender, receiver);
    if (is_waiting(wait.cause)) add_waiting(wait);
  }
}

void ChannelPicture::add_work(const Wait& wait, std::size_t sender,
                              std::optional<std::size_t> receiver) {
  const Cycle end = std::min(wait.first + wait.cycles, cycles_);
  for (Cycle from = wait.earliest(); from < end;) {
    const auto number = static_cast<std::size_t>(from / every_);
    const Cycle to = std::min(end, first_of(number + 1));
    const Cycle cycles = wait.cycles_before(to) - wait.cycles_before(from);
    from = to;
    if (cycles == 0) continue;
    stretches_[number].sent[{sender, wait.cause}] += cycles;
    if (receiver) stretches_[number].received[{*receiver, wait.cause}] += cycles;
  }
}

void ChannelPicture::add_waiting(const Wait& wait) {
  const std::size_t line = fabric_.line_of(wait.place);
  const int port = fabric_.injection_port_of(wait.place);
  const Cycle end = std::min(wait.first + wait.cycles, cycles_);
  for (Cycle from = wait.earliest(); from < end;) {
    const auto number = static_cast<std::size_t>(from / every_);
    const Cycle to = std::min(end, first_of(number + 1));
    const Cycle cycles = wait.cycles_before(to) - wait.cycles_before(from);
    const bool is_here = from <= tree_cycle(number) && tree_cycle(number) < to;
    from = to;
    if (cycles == 0) continue;
    Stretch& stretch = stretches_[number];
    Waiting& waiting = stretch.waits[{line, port, wait.cause}];
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

std::size_t ChannelPicture::external_channels() const {
  std::size_t count = 0;
  for (const FoldedFabric::Line& line : fabric_.lines()) count += line.channels;
  return count;
}

std::vector<ChannelPicture::Moment> ChannelPicture::moments() const {
  const std::vector<FoldedFabric::Line>& lines = fabric_.lines();
  std::vector<Moment> list;
  for (std::size_t i = 0; i < stretches_.size(); ++i) {
    Moment moment;
    moment.from = first_of(i);
    moment.cycles = length_of(i);
    moment.shared = stretches_[i].shared;
    double most = 0;
    for (std::size_t line = 0; line < lines.size(); ++line) {
      const LineUse& use = stretches_[i].uses[line];
      moment.used += use.cycles[0];
      moment.blocked += use.blocked();
      const double each =
          static_cast<double>(use.cycles[0]) / static_cast<double>(lines[line].channels);
      if (each <= most) continue;
      most = each;
      moment.busiest = line;
      moment.busiest_used = use.cycles[0];
    }
    list.push_back(moment);
  }
  return list;
}

std::vector<ChannelPicture::LineUse> ChannelPicture::whole() const {
  std::vector<LineUse> sum(fabric_.line_count());
  for (const Stretch& stretch : stretches_) {
    for (std::size_t line = 0; line < sum.size(); ++line) sum[line].add(stretch.uses[line]);
  }
  return sum;
}

void ChannelPicture::put_branches(const std::vector<CongestionTree::Branch>& branches,
                                  PackedTable& table) const {
  for (const CongestionTree::Branch& one : branches) {
    const FabricChannels::Number place = one.at.place;
    const bool has_vc = !channels_.is_processor(place) && channels_.is_external(place) &&
                        channels_.config().vcs > 1;
    const bool is_root = one.parent == CongestionTree::no_parent;
    table.add({static_cast<int>(one.at.cause), static_cast<std::int64_t>(fabric_.line_of(place)),
               fabric_.injection_port_of(place), has_vc ? channels_.sender(place).vc : -1,
               is_root ? -1 : static_cast<std::int64_t>(one.parent),
               static_cast<std::int64_t>(one.messages)});
  }
}

Json ChannelPicture::take() const {
  PackedTable stretches({"from+", "cycles", "uses+", "waits+", "branches+", "sent+", "received+",
                         "tree_cycle+", "waiting", "busiest", "busiest_used", "used", "blocked",
                         "shared"});
  PackedTable uses({"line+", "used", "lost", "no_credit", "empty", "flits", "most"});
  PackedTable waits({"line+", "port", "cause", "cycles", "blamed"});
  PackedTable branches({"cause", "line", "port", "vc", "parent", "messages"});
  PackedTable sent({"cell+", "cause", "cycles"});
  PackedTable received({"cell+", "cause", "cycles"});
  PackedTable port_uses({"used"});
  const auto put_work = [](const auto& work, PackedTable& table) {
    for (const auto& [what, cycles] : work) {
      table.add({static_cast<std::int64_t>(what.first), static_cast<int>(what.second), cycles});
    }
  };
  const auto rows = [](const PackedTable& table) {
    return static_cast<std::int64_t>(table.rows());
  };
  const std::vector<Moment> all = moments();
  for (std::size_t i = 0; i < stretches_.size(); ++i) {
    const Stretch& one = stretches_[i];
    const Moment& moment = all[i];
    for (std::size_t line = 0; line < one.uses.size(); ++line) {
      const LineUse& use = one.uses[line];
      if (use.is_idle()) continue;
      uses.add({static_cast<std::int64_t>(line), use.cycles[0], use.cycles[1], use.cycles[2],
                use.cycles[3], use.flits, static_cast<std::int64_t>(use.most_waiting)});
    }
    for (const auto& [what, waiting] : one.waits) {
      const auto& [line, port, cause] = what;
      waits.add({static_cast<std::int64_t>(line), port, static_cast<int>(cause), waiting.cycles,
                 waiting.blamed});
    }
    for (const Cycle used : one.port_uses) port_uses.add({used});
    put_branches(one.tree.largest(size_.branches), branches);
    put_work(one.sent, sent);
    put_work(one.received, received);
    stretches.add({moment.from, moment.cycles, rows(uses), rows(waits), rows(branches), rows(sent),
                   rows(received), tree_cycle(i), static_cast<std::int64_t>(one.tree.waiting()),
                   static_cast<std::int64_t>(moment.busiest), moment.busiest_used, moment.used,
                   moment.blocked, moment.shared});
  }
  return {{"every", every_},
          {"stretches", stretches.take()},
          {"uses", uses.take()},
          {"waits", waits.take()},
          {"branches", branches.take()},
          {"sent", sent.take()},
          {"received", received.take()},
          {"port_uses", port_uses.take()}};
}

}  // namespace allport
