// SPDX-License-Identifier: Apache-2.0
#include "traffic/proof/block_contention.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <utility>

namespace allport {

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

// For each origin, a sender with a first channel, the latest step of its sends that something
// depends on; 0: on none.
using Past = std::vector<StepIndex>;

using Pair = std::pair<std::uint32_t, std::uint32_t>;

// The pairs of different steps that share a channel other than the first of both. (Two sends of one
// node by one channel are in order.)
std::vector<Pair> pairs_to_judge(const std::vector<Send>& sends, const ChannelUsers& users,
                                 std::vector<Pair>& same_step) {
  std::vector<Pair> pairs;
  for (std::uint32_t a = 0; a < sends.size(); ++a) {
    for (const std::uint32_t b : users.later_partners(a)) {
      if (sends[a].step == sends[b].step) {
        same_step.emplace_back(a, b);
      } else if (sends[a].u != sends[b].u || sends[a].first_channel != sends[b].first_channel) {
        pairs.emplace_back(a, b);
      }
    }
  }
  return pairs;
}

// The same where all routes are one hop: only sends of one node by one channel can meet.
std::vector<Pair> meetings(const std::vector<Send>& sends) {
  std::vector<Pair> same_step;
  for (std::uint32_t a = 0; a < sends.size(); ++a) {
    for (std::uint32_t b = a + 1; b < sends.size(); ++b) {
      if (sends[b].step != sends[a].step || sends[b].u != sends[a].u) break;
      if (sends[b].first_channel == sends[a].first_channel) same_step.emplace_back(a, b);
    }
  }
  return same_step;
}

// The pasts of all sends, in an order in which they may be carried out.
class Pasts {
 public:
  Pasts(const std::vector<Send>& sends, const BlockFlow& flow, const std::vector<Pair>& pairs)
      : sends_(sends), flow_(flow), origin_(sends.size(), none), past_(sends.size()) {
    for (const Pair& pair : pairs) number_origin(pair.first);
    for (std::uint32_t i = 0; i < sends.size(); ++i) {
      const auto found = origins_.find({index(sends[i].u), index(sends[i].first_channel)});
      if (found != origins_.end()) origin_[i] = found->second;
    }
    follow();
  }

  bool depends_on_sender_of(std::uint32_t b, std::uint32_t a) const {
    if (sends_[b].u == sends_[a].u) return true;
    const auto begin = origins_.lower_bound({index(sends_[a].u), 0});
    for (auto i = begin; i != origins_.end() && i->first.first == index(sends_[a].u); ++i) {
      if ((*past_[b])[i->second] > 0) return true;
    }
    return false;
  }
  bool depends_on(std::uint32_t b, std::uint32_t a) const {
    return (*past_[b])[origin_[a]] >= sends_[a].step;
  }

 private:
  // With all first channels of the sender, for Definition 4.
  void number_origin(std::uint32_t send) {
    const auto number = static_cast<std::uint32_t>(origins_.size());
    origins_.emplace(std::pair{index(sends_[send].u), index(sends_[send].first_channel)}, number);
    senders_[index(sends_[send].u)] = true;
  }

  void follow() {
    for (std::uint32_t i = 0; i < sends_.size(); ++i) {
      if (origin_[i] != none || senders_.count(index(sends_[i].u)) == 0) continue;
      number_origin(i);
      origin_[i] = origins_.at({index(sends_[i].u), index(sends_[i].first_channel)});
    }
    std::vector<std::uint32_t> send_of;  // by index into the schedule
    for (std::uint32_t i = 0; i < sends_.size(); ++i) {
      if (sends_[i].index >= send_of.size()) send_of.resize(sends_[i].index + 1, none);
      send_of[sends_[i].index] = i;
    }
    std::map<std::size_t, std::shared_ptr<const Past>> of_node;
    const auto nothing = std::make_shared<const Past>(origins_.size());
    std::fill(past_.begin(), past_.end(), nothing);
    for (const std::uint32_t unicast : flow_.execution_order()) {
      const std::uint32_t send = unicast < send_of.size() ? send_of[unicast] : none;
      if (send == none) continue;
      std::shared_ptr<const Past>& known = of_node[index(sends_[send].u)];
      if (known == nullptr) known = nothing;
      if (!flow_.waits_for(unicast).empty()) {
        auto past = std::make_shared<Past>(*known);
        for (const std::uint32_t reception : flow_.waits_for(unicast)) {
          if (reception < send_of.size() && send_of[reception] != none) {
            add(*past, send_of[reception]);
          }
        }
        known = std::move(past);
      }
      past_[send] = known;
    }
  }

  void add(Past& past, std::uint32_t send) const {
    const Past& before = *past_[send];
    for (std::size_t i = 0; i < past.size(); ++i) past[i] = std::max(past[i], before[i]);
    if (origin_[send] == none) return;
    StepIndex& latest = past[origin_[send]];
    latest = std::max(latest, sends_[send].step);
  }

  const std::vector<Send>& sends_;
  const BlockFlow& flow_;
  std::map<std::pair<std::size_t, std::size_t>, std::uint32_t> origins_;
  std::map<std::size_t, bool> senders_;
  std::vector<std::uint32_t> origin_;  // of each send; none: of no pair
  std::vector<std::shared_ptr<const Past>> past_;
};

void add(Finding& finding, const Pair& pair, const std::vector<Send>& sends,
         const ChannelUsers& users) {
  constexpr std::size_t listed = 10;
  ++finding.violations;
  if (finding.pairs.size() == listed) return;
  finding.pairs.push_back({sends[pair.first].index, sends[pair.second].index,
                           users.first_shared(pair.first, pair.second)});
}

}  // namespace

ContentionFindings find_block_contention(const std::vector<Send>& sends, const BlockFlow& flow,
                                         const ChannelUsers& users) {
  const Routing& routing = users.routing();
  const bool is_one_hop = std::all_of(sends.begin(), sends.end(), [&](const Send& send) {
    return routing.distance(send.u, send.v) == 1;
  });
  std::vector<Pair> violations;
  std::vector<Pair> pairs;
  if (is_one_hop) {
    violations = meetings(sends);
  } else {
    pairs = pairs_to_judge(sends, users, violations);
  }
  ContentionFindings findings;
  for (const Pair& pair : violations) add(findings.stepwise, pair, sends, users);
  std::vector<Pair> of_definition4 = violations;
  std::vector<Pair> of_theorem1 = violations;
  if (!pairs.empty()) {
    const Pasts pasts(sends, flow, pairs);
    for (const Pair& pair : pairs) {
      if (!pasts.depends_on_sender_of(pair.second, pair.first)) of_definition4.push_back(pair);
      if (!pasts.depends_on(pair.second, pair.first)) of_theorem1.push_back(pair);
    }
  }
  std::sort(of_definition4.begin(), of_definition4.end());
  std::sort(of_theorem1.begin(), of_theorem1.end());
  for (const Pair& pair : of_definition4) add(findings.definition4, pair, sends, users);
  for (const Pair& pair : of_theorem1) add(findings.theorem1, pair, sends, users);
  return findings;
}

}  // namespace allport
