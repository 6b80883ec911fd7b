// SPDX-License-Identifier: Apache-2.0
#include "testbench/picture/trial_picture.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "testbench/explain/channel_uses.h"
#include "testbench/explain/roots.h"
#include "testbench/monitors/contention_monitor.h"
#include "testbench/picture/congestion_tree.h"
#include "testbench/picture/folded_fabric.h"

namespace allport {

namespace {

using Place = FabricChannels::Number;

/// What the channels of a line do in a stretch.
struct LineUse {
  std::array<Cycle, 4> cycles{};  // used, lost, no credit, empty
  Cycle flits = 0;
  std::size_t most_waiting = 0;

  bool is_idle() const { return cycles == std::array<Cycle, 4>{} && most_waiting == 0; }
  void add(const ChannelUse& use) {
    const std::array<Cycle, 4> more{use.used, use.lost, use.no_credit, use.empty};
    for (std::size_t i = 0; i < more.size(); ++i) cycles[i] += more[i];
    flits += use.flits;
    most_waiting = std::max(most_waiting, use.most_waiting);
  }
};

struct Waiting {
  Cycle cycles = 0;
  Cycle blamed = 0;
};

class TrialPicture {
 public:
  TrialPicture(const ShownTrial& trial, const Topology& topology,
               const std::vector<PathMessage>& path, const PictureSize& size, StopFlag stop)
      : trial_(trial),
        history_(trial.explained.history),
        channels_(history_.channels()),
        topology_(topology),
        size_(size),
        stop_(std::move(stop)),
        fabric_(topology, channels_),
        roots_(trial.explained.waits, trial.log),
        cycles_(std::max<Cycle>(trial.end, 1)) {
    for (const PathMessage& one : path) {
      path_.emplace(one.account.source, one.account.destination, one.account.order);
    }
    find_uses();
    waits_.resize(uses_.size());
    trees_.resize(uses_.size());
  }

  Json take() {
    look_at_messages();
    Json messages = messages_json();  // it adds to the names
    return {{"fabric", fabric_json()},
            {"cycles", trial_.end},
            {"causes", causes_json()},
            {"stretches", stretches_json()},
            {"names", std::move(names_)},
            {"messages", std::move(messages)},
            {"received", trial_.receptions.size()}};
  }

 private:
  using Uses = std::vector<std::vector<LineUse>>;  // by stretch, then line

  const MessageRecord& record(const Reception& one) const { return trial_.log[one.message]; }

  // As many stretches as the size allows.
  void find_uses() {
    const auto most = static_cast<Cycle>(
        std::clamp(size_.channel_stretches / channels_.size(), std::size_t{1}, size_.stretches));
    for (Cycle count = std::min(most, cycles_);; count = (count + 1) / 2) {
      heed(stop_);
      every_ = (cycles_ + count - 1) / count;
      uses_ = line_uses();
      std::size_t entries = 0;
      for (const auto& stretch : uses_) {
        entries += static_cast<std::size_t>(std::count_if(
            stretch.begin(), stretch.end(), [](const auto& u) { return !u.is_idle(); }));
      }
      if (entries <= size_.entries || count == 1) return;
    }
  }

  Uses line_uses() const {
    Uses uses(static_cast<std::size_t>((cycles_ + every_ - 1) / every_),
              std::vector<LineUse>(fabric_.line_count()));
    for (const ChannelUse& one : channel_uses(history_, trial_.log, cycles_, every_)) {
      uses[static_cast<std::size_t>(one.from / every_)][fabric_.line_of(place_of(one.spot))].add(
          one);
    }
    return uses;
  }

  Place place_of(const Spot& spot) const {
    switch (spot.kind) {
      case Spot::Kind::channel:
        return channels_.output(spot.node, spot.port, 0);
      case Spot::Kind::injection:
        return channels_.injection(spot.node, spot.port);
      case Spot::Kind::ejection:
        return channels_.output(spot.node, channels_.config().external_ports + spot.port, 0);
      case Spot::Kind::processor:
        break;
    }
    return channels_.processor(spot.node);
  }

  // The messages of the critical path first, then the slowest ones.
  std::vector<const Reception*> in_order() const {
    std::vector<std::pair<bool, const Reception*>> order;
    for (const Reception& one : trial_.receptions) {
      const MessageRecord& sent = record(one);
      order.emplace_back(path_.count({sent.source, one.receiver, sent.order}) == 0, &one);
    }
    std::stable_sort(order.begin(), order.end(), [this](const auto& a, const auto& b) {
      const auto key = [this](const auto& one) {
        return std::tuple(one.first, record(*one.second).created - one.second->has);
      };
      return key(a) < key(b);
    });
    std::vector<const Reception*> list;
    for (const auto& [is_other, one] : order) list.push_back(one);
    return list;
  }

  void look_at_messages() {
    std::size_t stretches = 0;
    for (const Reception* one : in_order()) {
      heed(stop_);
      const Waits::List& waits = trial_.explained.explain(*one);
      for (const Wait& wait : waits) {
        if (is_waiting(wait.cause)) add_wait(wait);
      }
      const bool is_of_path =
          path_.count({record(*one).source, one->receiver, record(*one).order}) != 0;
      if (stretches >= size_.message_stretches && !is_of_path) continue;
      shown_.push_back({one, message_stretches(waits)});
      stretches += shown_.back().second.size();
    }
  }

  void add_wait(const Wait& wait) {
    const std::size_t line = fabric_.line_of(wait.place);
    const Cycle end = std::min(wait.first + wait.cycles, cycles_);
    for (Cycle from = std::max<Cycle>(wait.first, 0); from < end;) {
      const auto stretch = static_cast<std::size_t>(from / every_);
      const Cycle to = std::min(end, (static_cast<Cycle>(stretch) + 1) * every_);
      Waiting& waiting = waits_[stretch][{line, wait.cause}];
      waiting.cycles += to - from;
      if (wait.blamed != no_message) {
        waiting.blamed += to - from;
        const Cycle shown = tree_cycle(stretch);
        if (from <= shown && shown < to) trees_[stretch].add(roots_.chain(wait, shown));
      }
      from = to;
    }
  }

  // The cycle of a stretch whose congestion tree is shown: its middle.
  Cycle tree_cycle(std::size_t stretch) const {
    const Cycle from = static_cast<Cycle>(stretch) * every_;
    return from + (std::min(every_, cycles_ - from) - 1) / 2;
  }

  // The first cycles first; where a message moves, or is prepared, the place is left out.
  Json message_stretches(const Waits::List& waits) {
    Json list = Json::array();
    for (auto wait = waits.rbegin(); wait != waits.rend(); ++wait) {
      const bool waits_here = is_waiting(wait->cause);
      const auto cause = static_cast<int>(wait->cause);
      const std::int64_t line =
          waits_here ? static_cast<std::int64_t>(fabric_.line_of(wait->place)) : -1;
      const std::int64_t blamed = wait->blamed == no_message ? -1 : name_of(wait->blamed);
      Json* last = list.empty() ? nullptr : &list.back();
      if (last != nullptr && (*last)[0] == cause && (*last)[2] == line && (*last)[3] == blamed) {
        (*last)[1] = (*last)[1].get<Cycle>() + wait->cycles;
      } else if (wait->cycles > 0) {
        list.push_back(Json::array({cause, wait->cycles, line, blamed}));
      }
    }
    return list;
  }

  std::int64_t name_of(MessageId message) {
    const auto [known, is_new] = name_numbers_.try_emplace(message, names_.size());
    if (is_new) names_.push_back(name_in_words(message_name(trial_.log[message])));
    return static_cast<std::int64_t>(known->second);
  }

  Json messages_json() {
    std::unordered_map<const Reception*, std::int64_t> places;
    for (const auto& [one, stretches] : shown_) {
      places.emplace(one, static_cast<std::int64_t>(places.size()));
    }
    Json list = Json::array();
    for (auto& [one, stretches] : shown_) {
      const Reception* before =
          trial_.dependencies == nullptr ? nullptr : trial_.dependencies->before(one->message);
      const auto place = places.find(before);
      list.push_back(
          Json::array({name_of(one->message), index(record(*one).source), index(one->receiver),
                       record(*one).created, place == places.end() ? -1 : place->second,
                       std::move(stretches)}));
    }
    return list;
  }

  Json fabric_json() const {
    Json nodes = Json::array();
    for (const NodeId node : fabric_.first_nodes()) nodes.push_back(index(node));
    Json lines = Json::array();
    for (const FoldedFabric::Line& line : fabric_.lines()) {
      lines.push_back({line.from, line.to, line.dimension, line.direction, line.channels});
    }
    return {{"name", topology_.name()},     {"hypercube", topology_.is_hypercube()},
            {"wraps", topology_.wraps()},   {"sides", fabric_.sides()},
            {"factors", fabric_.factors()}, {"nodes", std::move(nodes)},
            {"lines", std::move(lines)}};
  }

  static Json causes_json() {
    Json list = Json::array();
    for (const Cause cause : causes()) list.push_back(to_string(cause));
    return list;
  }

  Json uses_json(const std::vector<LineUse>& uses) const {
    Json list = Json::array();
    for (std::size_t line = 0; line < uses.size(); ++line) {
      const LineUse& use = uses[line];
      if (use.is_idle()) continue;
      list.push_back(Json::array({line, use.cycles[0], use.cycles[1], use.cycles[2], use.cycles[3],
                                  use.flits, use.most_waiting}));
    }
    return list;
  }

  Json tree_json(std::size_t stretch) const {
    Json branches = Json::array();
    for (const CongestionTree::Branch& one : trees_[stretch].largest(size_.branches)) {
      const Place place = one.at.place;
      const bool has_vc = !channels_.is_processor(place) && channels_.is_external(place) &&
                          channels_.config().vcs > 1;
      branches.push_back(Json::array(
          {static_cast<int>(one.at.cause), fabric_.line_of(place),
           has_vc ? channels_.sender(place).vc : -1,
           one.parent == CongestionTree::no_parent ? -1 : static_cast<std::int64_t>(one.parent),
           one.messages}));
    }
    return {{"cycle", tree_cycle(stretch)},
            {"waiting", trees_[stretch].waiting()},
            {"branches", std::move(branches)}};
  }

  Json stretches_json() const {
    Json list = Json::array();
    for (std::size_t i = 0; i < uses_.size(); ++i) {
      const Cycle from = static_cast<Cycle>(i) * every_;
      Json waits = Json::array();
      for (const auto& [what, waiting] : waits_[i]) {
        waits.push_back(Json::array(
            {what.first, static_cast<int>(what.second), waiting.cycles, waiting.blamed}));
      }
      list.push_back({{"from", from},
                      {"cycles", std::min(every_, cycles_ - from)},
                      {"uses", uses_json(uses_[i])},
                      {"waits", std::move(waits)},
                      {"tree", tree_json(i)}});
    }
    return list;
  }

  const ShownTrial& trial_;
  const History& history_;
  const FabricChannels& channels_;
  const Topology& topology_;
  const PictureSize& size_;
  const StopFlag stop_;
  const FoldedFabric fabric_;
  Roots roots_;
  const Cycle cycles_;
  Cycle every_ = 1;
  std::set<std::tuple<NodeId, NodeId, int>> path_;
  Uses uses_;
  std::vector<std::map<std::pair<std::size_t, Cause>, Waiting>> waits_;  // by stretch
  std::vector<CongestionTree> trees_;
  std::vector<std::pair<const Reception*, Json>> shown_;
  std::unordered_map<MessageId, std::size_t> name_numbers_;
  Json names_ = Json::array();
};

}  // namespace

Json trial_picture(const ShownTrial& trial, const Topology& topology,
                   const std::vector<PathMessage>& path, const PictureSize& size, StopFlag stop) {
  return TrialPicture(trial, topology, path, size, std::move(stop)).take();
}

}  // namespace allport
