// SPDX-License-Identifier: Apache-2.0
// WormMessages has the messages of one or several collectives with their routes, and what each
// waits for: the receptions without which its sender has nothing to send, and the message before it
// in the program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "traffic/proof/schedule_check.h"
#include "traffic/proof/worm_routes.h"

namespace allport {

struct WormMessage {
  const Unicast* unicast = nullptr;
  std::uint32_t part = 0;
  std::uint32_t index = 0;  ///< into the schedules one after another
  std::uint32_t queue = 0;  ///< number of its sender, program and first channel, ascending
};

class WormMessages {
 public:
  /// Takes all messages but contributions to joins.
  explicit WormMessages(const std::vector<SoundPart>& parts);

  const WormRoutes& routes() const { return routes_; }
  /// The same fabric without messages.
  const WormRoutes& no_routes() const { return no_routes_; }
  std::size_t size() const { return messages_.size(); }
  /// The messages by part, sender, first channel and place in the program.
  const WormMessage& operator[](std::size_t i) const { return messages_[i]; }
  /// Whether all are unicasts.
  bool are_unicasts() const { return are_unicasts_; }

  /// The copies that `message` waits for: ejections of other messages at its sender.
  const std::vector<std::uint32_t>& waits_for(std::size_t message) const {
    return waits_for_[message];
  }
  /// The messages in an order in which they may be sent; those that never can be sent come last.
  const std::vector<std::uint32_t>& order() const { return order_; }
  /// The message before it in its program; WormRoutes::none: it is the first.
  std::uint32_t predecessor(std::size_t message) const { return predecessors_[message]; }

 private:
  void collect(const std::vector<SoundPart>& parts);
  void link_programs();
  void wait_for_message(const SoundPart& part, std::uint32_t number);
  void wait_for_blocks(const SoundPart& part, std::uint32_t number, std::uint32_t first_index);
  void find_order();

  WormRoutes no_routes_;
  WormRoutes routes_;
  std::vector<WormMessage> messages_;
  bool are_unicasts_ = true;
  std::vector<std::vector<std::uint32_t>> waits_for_;
  std::vector<std::uint32_t> predecessors_;
  std::vector<std::uint32_t> order_;
};

}  // namespace allport
