// SPDX-License-Identifier: Apache-2.0
#include "traffic/planning/block_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "rtl_model/base/quote.h"
#include "rtl_model/topology/grid.h"
#include "traffic/schedule/schedule_file.h"

namespace allport {

namespace {

constexpr std::size_t units = std::size_t{block_side} * block_side;
constexpr StepIndex most_steps = units - 1;  // as many as messages

using Messages = std::vector<TimedUnicast>;

class BlockReader {
 public:
  BlockReader(const std::string& name, const Routing& routing) : name_(name), routing_(routing) {}

  UnitBlock block(Messages messages) {
    for (const TimedUnicast& one : messages) require_message(one);
    for (const TimedUnicast& one : messages) receive(one);
    require_source(messages);
    for (const TimedUnicast& one : messages) require_order(one);
    place(messages);
    std::stable_sort(messages.begin(), messages.end(), [](const auto& a, const auto& b) {
      return std::tie(a.unicast.u, a.unicast.order) < std::tie(b.unicast.u, b.unicast.order);
    });
    UnitBlock block;
    for (const TimedUnicast& one : messages) {
      block.sends.push_back({places_[index(one.unicast.u)], offset_of(one), one.unicast.step});
    }
    return block;
  }

 private:
  [[noreturn]] void reject(const TimedUnicast& one, const std::string& why) const {
    throw std::invalid_argument(fmt::format("{}:{}: {}", shown_path(name_), one.line, why));
  }
  [[noreturn]] void reject(const std::string& why) const {
    throw std::invalid_argument(fmt::format("{}: {}", shown_path(name_), why));
  }

  void require_message(const TimedUnicast& one) const {
    const Unicast& unicast = one.unicast;
    if (one.is_timed) {
      reject(one,
             "flits, at and class are for a file that is run; the messages of a block have none");
    }
    if (unicast.kind != MessageKind::unicast) {
      reject(one, fmt::format("the kind {}: a block is of unicasts", to_string(unicast.kind)));
    }
    if (!unicast.blocks.empty()) {
      reject(one, "blocks: every message of a block is the whole one");
    }
    if (const std::string fault = route_fault(unicast, routing_); !fault.empty()) {
      reject(one, fault);
    }
    if (unicast.step > most_steps) {
      reject(one, fmt::format("step {}: the steps of a block are 1..{}, for it has {} messages",
                              unicast.step, most_steps, most_steps));
    }
  }

  void receive(const TimedUnicast& one) {
    const TimedUnicast*& way = received_[index(one.unicast.v)];
    if (way != nullptr) {
      const auto [first, second] = std::minmax(way->line, one.line);
      throw std::invalid_argument(fmt::format(
          "{}:{}: node {} receives again, after line {}; a block informs each node once",
          shown_path(name_), second, index(one.unicast.v), first));
    }
    way = &one;
  }

  // Of the nodes that do not receive, the first one that sends is the source.
  void require_source(const Messages& messages) {
    for (const TimedUnicast& one : messages) {
      if (received_[index(one.unicast.u)] != nullptr) continue;
      if (!source_) source_ = one.unicast.u;
      if (*source_ != one.unicast.u) {
        reject(one, fmt::format(
                        "node {} sends and never receives, but the source of the block is node {}",
                        index(one.unicast.u), index(*source_)));
      }
    }
    if (!source_) reject("every node that sends receives too, so that none is the block's source");
    std::string missed;
    for (std::size_t node = 0; node < units; ++node) {
      if (received_[node] != nullptr || node_id(node) == *source_) continue;
      missed += (missed.empty() ? "" : ", ") + std::to_string(node);
    }
    if (missed.empty()) return;
    reject(fmt::format("no message goes to {} {}; a block informs each of the nodes 0..{} of {}",
                       missed.find(',') == std::string::npos ? "node" : "nodes", missed, units - 1,
                       routing_.topology().name()));
  }

  void require_order(const TimedUnicast& one) const {
    const TimedUnicast* before = received_[index(one.unicast.u)];
    if (before == nullptr || before->unicast.step < one.unicast.step) return;
    reject(
        one,
        fmt::format(
            "node {} sends in step {}, but receives in step {}, by line {}; it can send from step {} on",
            index(one.unicast.u), one.unicast.step, before->unicast.step, before->line,
            before->unicast.step + 1));
  }

  // In the order of the steps, in which the sender's place is known.
  void place(const Messages& messages) {
    for (const TimedUnicast& one : messages) {
      const Offset from = places_[index(one.unicast.u)];
      const Offset by = offset_of(one);
      places_[index(one.unicast.v)] = {from.x + by.x, from.y + by.y};
    }
  }

  Offset offset_of(const TimedUnicast& one) const {
    const std::vector<int>& displacement = one.unicast.displacement;
    if (!displacement.empty()) return {displacement[0], displacement[1]};
    return {shortest(one.unicast, 0), shortest(one.unicast, 1)};
  }

  int shortest(const Unicast& unicast, std::size_t dimension) const {
    const auto& torus = static_cast<const Grid&>(routing_.topology());
    const int up = (torus.coordinate(unicast.v, dimension) -
                    torus.coordinate(unicast.u, dimension) + block_side) %
                   block_side;
    return up > block_side / 2 ? up - block_side : up;
  }

  const std::string& name_;
  const Routing& routing_;
  std::array<const TimedUnicast*, units> received_{};  // by node; null: none
  std::optional<NodeId> source_;
  std::array<Offset, units> places_{};  // by node, from the source
};

}  // namespace

UnitBlock read_block(std::istream& in, const std::string& name) {
  const Routing routing = square_torus(block_side);
  return BlockReader(name, routing).block(read_messages(in, name, routing.topology()));
}

}  // namespace allport
