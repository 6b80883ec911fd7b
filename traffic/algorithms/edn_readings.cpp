// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/edn_readings.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <utility>

namespace allport {

namespace {

constexpr int side = 4;
constexpr std::size_t members = 4;  // S and the receivers of the first step

// All displacements of at most three hops, in the order in which a node handles them.
constexpr std::array<Offset, 20> offsets{
    {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {2, 0},  {-1, 1},  {-1, -1}, {-2, 0},
     {0, 2}, {0, -2}, {1, 2}, {1, -2}, {2, 1}, {2, -1}, {-1, 2}, {-1, -2}, {-2, 1},  {-2, -1}}};

int hops(Offset offset) { return std::abs(offset.x) + std::abs(offset.y); }

Offset shifted(Offset node, Offset by) {
  return {(node.x + by.x + side) % side, (node.y + by.y + side) % side};
}

std::uint16_t bit(Offset node) {
  return static_cast<std::uint16_t>(1U << (node.x + side * node.y));
}

// What three messages of one node reach and occupy.
struct Step {
  std::array<Offset, 3> sends{};
  std::uint16_t reached = 0;   // a bit for each node
  std::uint64_t channels = 0;  // a bit for each node and port
  int longest = 0;             // hops

  // Adds message number `i`; whether it shares neither a node nor a channel with those before.
  bool add(std::size_t i, Offset from, Offset by) {
    Offset node = from;
    bool is_free = true;
    const auto go = [&](int distance, Offset hop, unsigned port) {
      for (int k = 0; k < distance; ++k) {
        const auto place = static_cast<unsigned>(node.x + side * node.y);
        const std::uint64_t channel = std::uint64_t{1} << (4 * place + port);
        is_free = is_free && (channels & channel) == 0;
        channels |= channel;
        node = shifted(node, hop);
      }
    };
    go(std::abs(by.x), {by.x > 0 ? 1 : -1, 0}, by.x > 0 ? 0 : 1);
    go(std::abs(by.y), {0, by.y > 0 ? 1 : -1}, by.y > 0 ? 2 : 3);
    is_free = is_free && (reached & bit(node)) == 0;
    reached = static_cast<std::uint16_t>(reached | bit(node));
    sends.at(i) = by;
    longest = std::max(longest, hops(by));
    return is_free;
  }
};

// All steps of node `from` that reach none of `informed` and have no route longer than `most_hops`.
std::vector<Step> steps_from(Offset from, std::uint16_t informed, int most_hops) {
  std::vector<Step> list;
  for (std::size_t a = 0; a < offsets.size(); ++a) {
    for (std::size_t b = a + 1; b < offsets.size(); ++b) {
      for (std::size_t c = b + 1; c < offsets.size() && hops(offsets.at(c)) <= most_hops; ++c) {
        Step step;
        const bool is_free = step.add(0, from, offsets.at(a)) && step.add(1, from, offsets.at(b)) &&
                             step.add(2, from, offsets.at(c));
        if (is_free && (step.reached & informed) == 0) list.push_back(step);
      }
    }
  }
  return list;
}

// Chooses a second step for each member in turn.
class Search {
 public:
  Search(const Step& first, int second_hops, std::vector<TorusBlock>& found)
      : first_(first), second_hops_(second_hops), found_(found) {
    const auto informed = static_cast<std::uint16_t>(bit({0, 0}) | first.reached);
    options_.at(0) = steps_from({0, 0}, informed, second_hops);
    for (std::size_t i = 1; i < members; ++i) {
      options_.at(i) = steps_from(shifted({0, 0}, first.sends.at(i - 1)), informed, second_hops);
    }
  }

  void extend(std::size_t member = 0, std::uint16_t reached = 0, std::uint64_t channels = 0) {
    if (member == members) return add();
    for (const Step& step : options_.at(member)) {
      if ((step.reached & reached) != 0 || (step.channels & channels) != 0) continue;
      chosen_.at(member) = &step;
      extend(member + 1, static_cast<std::uint16_t>(reached | step.reached),
             channels | step.channels);
    }
  }

 private:
  // The longest chain of messages that ends with a member's own in the second step.
  void add() {
    const auto is_longest = [this](const Step* step) { return step->longest == second_hops_; };
    if (std::none_of(chosen_.begin(), chosen_.end(), is_longest)) return;
    TorusBlock block{member_of({0, 0}, *chosen_.front())};
    for (std::size_t i = 1; i < members; ++i) {
      block.push_back(member_of(first_.sends.at(i - 1), *chosen_.at(i)));
    }
    std::stable_sort(block.begin() + 1, block.end(), [](const auto& a, const auto& b) {
      return std::pair(hops(a.place), hops(a.second_step.back())) <
             std::pair(hops(b.place), hops(b.second_step.back()));
    });
    found_.push_back(std::move(block));
  }

  static BlockMember member_of(Offset place, const Step& step) {
    return {place, {step.sends.begin(), step.sends.end()}};
  }

  const Step& first_;
  int second_hops_;
  std::vector<TorusBlock>& found_;
  std::array<std::vector<Step>, members> options_;
  std::array<const Step*, members> chosen_{};
};

using Pattern = std::set<std::pair<int, int>>;

Pattern mirrored(const std::vector<Offset>& sends, int x, int y) {
  Pattern pattern;
  for (const Offset one : sends) pattern.emplace(x * one.x, y * one.y);
  return pattern;
}

}  // namespace

std::vector<TorusBlock> edn_blocks(int first_hops, int second_hops) {
  std::vector<TorusBlock> found;
  for (const Step& first : steps_from({0, 0}, bit({0, 0}), first_hops)) {
    if (first.longest == first_hops) Search(first, second_hops, found).extend();
  }
  return found;
}

const std::vector<TorusBlock>& edn_readings() {
  static const std::vector<TorusBlock> readings = [] {
    std::vector<TorusBlock> all;
    for (const auto& [first, second] : {std::pair{2, 2}, std::pair{3, 1}, std::pair{1, 3}}) {
      for (TorusBlock& block : edn_blocks(first, second)) all.push_back(std::move(block));
    }
    return all;
  }();
  return readings;
}

const TorusBlock& edn_block() {
  static const TorusBlock block{{{0, 0}, {{-1, 0}, {0, 1}, {2, 0}}},
                                {{1, 1}, {{1, 0}, {0, -1}, {-2, 0}}},
                                {{-1, -1}, {{-1, 0}, {0, -1}, {2, 0}}},
                                {{0, 2}, {{1, 0}, {0, 1}, {-2, 0}}}};
  return block;
}

bool has_one_pattern(const TorusBlock& block) {
  const Pattern own = mirrored(block.front().second_step, 1, 1);
  return std::all_of(block.begin(), block.end(), [&own](const BlockMember& member) {
    for (const int x : {1, -1}) {
      for (const int y : {1, -1}) {
        if (mirrored(member.second_step, x, y) == own) return true;
      }
    }
    return false;
  });
}

}  // namespace allport
