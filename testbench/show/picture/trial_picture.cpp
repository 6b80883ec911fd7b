// SPDX-License-Identifier: Apache-2.0
#include "testbench/show/picture/trial_picture.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "testbench/observe/explain/patience.h"
#include "testbench/observe/monitors/contention_monitor.h"
#include "testbench/show/picture/channel_picture.h"
#include "testbench/show/picture/fabric_picture.h"
#include "testbench/show/picture/folded_fabric.h"

namespace allport {

namespace {

class TrialPicture {
 public:
  TrialPicture(const ShownTrial& trial, const Topology& topology,
               const std::vector<PathMessage>& path, const PictureSize& size, StopFlag stop)
      : trial_(trial),
        topology_(topology),
        size_(size),
        stop_(stop),
        fabric_(topology, trial.explained.history.channels()),
        in_channels_(trial, fabric_, size, Patience(stop)) {
    for (const PathMessage& one : path) {
      path_.emplace(one.account.source, one.account.destination, one.account.order);
    }
  }

  Json take() {
    look_at_messages();
    Json messages = messages_json();  // it adds to the names
    return {{"fabric", fabric_picture(topology_, fabric_)},
            {"cycles", trial_.end},
            {"causes", causes_json()},
            {"stretches", in_channels_.take()},
            {"names", std::move(names_)},
            {"node_names", std::move(node_names_)},
            {"messages", std::move(messages)},
            {"received", trial_.receptions.size()},
            {"unexplained", unexplained_}};
  }

 private:
  struct Shown {
    MessageId message = no_message;
    NodeId sender{};                       // of a join: whose contribution was waited for
    const Reception* reception = nullptr;  // null: it was under way at the end
    Json stretches;
  };

  const MessageRecord& record(const Reception& one) const { return trial_.log[one.message]; }

  // After an interrupt, of a join what its record says.
  Cycle created_of(const Reception& one) const try {
    Patience::heed();
    return trial_.explained.created_of(one, trial_.log);
  } catch (const Stopped&) {
    return record(one).created;
  }

  // The messages of the critical path first, then the slowest ones.
  std::vector<const Reception*> in_order() const {
    std::vector<std::tuple<bool, Cycle, const Reception*>> order;
    order.reserve(trial_.receptions.size());
    for (const Reception& one : trial_.receptions) {
      const MessageRecord& sent = record(one);
      const bool is_other = path_.count({sent.source, one.receiver, sent.order}) == 0;
      const Cycle created = created_of(one);
      order.emplace_back(is_other, created - one.has, &one);
    }
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
      return std::pair(std::get<0>(a), std::get<1>(a)) < std::pair(std::get<0>(b), std::get<1>(b));
    });
    std::vector<const Reception*> list;
    list.reserve(order.size());
    for (const auto& one : order) list.push_back(std::get<const Reception*>(one));
    return list;
  }

  // An interrupt leaves the quicker ones out.
  void look_at_messages() {
    std::size_t stretches = 0;
    const Patience patience(stop_);
    for (const Reception* one : in_order()) {
      if (!look_at(*one, stretches)) ++unexplained_;
    }
    look_at_unfinished(stretches);
  }

  // False: an interrupt left no time.
  bool look_at(const Reception& one, std::size_t& stretches) try {
    Patience::heed();
    const Waits::List& waits = trial_.explained.explain(one);
    in_channels_.add(waits);
    const bool is_of_path = path_.count({record(one).source, one.receiver, record(one).order}) != 0;
    if (stretches >= size_.message_stretches && !is_of_path) return true;
    shown_.push_back(
        Shown{one.message, trial_.explained.walk.sender(), &one, message_stretches(waits)});
    stretches += shown_.back().stretches.size();
    return true;
  } catch (const Stopped&) {
    return false;
  }

  void look_at_unfinished(std::size_t stretches) try {
    const Patience patience(stop_);
    visit_under_way(trial_.explained, trial_.end, [&](CrossingIndex last, const auto& waits) {
      in_channels_.add(waits);
      if (stretches >= size_.message_stretches) return;
      shown_.push_back({trial_.explained.history[last].message, trial_.explained.walk.sender(),
                        nullptr, message_stretches(waits)});
      stretches += shown_.back().stretches.size();
    });
  } catch (const Stopped&) {
  }

  // The first cycles first; where a message moves, or is prepared, the place is left out.
  Json message_stretches(const Waits::List& repeated) {
    const Waits::List waits = Waits::put_together(trial_.explained.walk.one_by_one(repeated));
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
    if (is_new) names_.push_back(name_in_words(message_name(trial_.log[message]), topology_));
    return static_cast<std::int64_t>(known->second);
  }

  // What a graph calls a node of a message, by its number.
  void add_node_name(NodeId node) {
    if (topology_.is_graph()) node_names_[std::to_string(index(node))] = topology_.node_name(node);
  }

  Json messages_json() {
    std::unordered_map<const Reception*, std::int64_t> places;
    for (std::size_t i = 0; i < shown_.size(); ++i) {
      if (shown_[i].reception != nullptr) {
        places.emplace(shown_[i].reception, static_cast<std::int64_t>(i));
      }
    }
    Json list = Json::array();
    for (Shown& one : shown_) {
      const Reception* before = trial_.dependencies == nullptr
                                    ? nullptr
                                    : trial_.dependencies->before(one.message, one.sender);
      const auto place = places.find(before);
      const MessageRecord& sent = trial_.log.sent(one.message, one.sender);
      const std::int64_t receiver =
          one.reception == nullptr ? -1 : static_cast<std::int64_t>(index(one.reception->receiver));
      add_node_name(sent.source);
      if (one.reception != nullptr) add_node_name(one.reception->receiver);
      list.push_back(
          Json::array({name_of(one.message), index(sent.source), receiver, sent.created,
                       place == places.end() ? -1 : place->second, std::move(one.stretches)}));
    }
    return list;
  }

  static Json causes_json() {
    Json list = Json::array();
    for (const Cause cause : causes()) list.push_back(to_string(cause));
    return list;
  }

  const ShownTrial& trial_;
  const Topology& topology_;
  const PictureSize& size_;
  const StopFlag stop_;
  const FoldedFabric fabric_;
  ChannelPicture in_channels_;
  std::set<std::tuple<NodeId, NodeId, int>> path_;
  std::vector<Shown> shown_;
  std::size_t unexplained_ = 0;  // receptions that an interrupt left out
  std::unordered_map<MessageId, std::size_t> name_numbers_;
  Json names_ = Json::array();
  Json node_names_ = Json::object();
};

}  // namespace

Json trial_picture(const ShownTrial& trial, const Topology& topology,
                   const std::vector<PathMessage>& path, const PictureSize& size, StopFlag stop) {
  return TrialPicture(trial, topology, path, size, stop).take();
}

}  // namespace allport
