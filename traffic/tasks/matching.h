// SPDX-License-Identifier: Apache-2.0
// Matching finds out which receive takes which message, by the rule of MPI (docs/programs.md): the
// messages of one sender do not overtake one another, however they come. A receive takes, of the
// messages of one sender that it wants, the one sent first, and waits for it; among several senders
// it takes the one whose next such message came first. A message goes to the receive posted first
// of those that want it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rtl_model/base/ids.h"

namespace allport {

class Matching {
 public:
  static constexpr std::uint32_t none = UINT32_MAX;
  /// The rank or tag of a receive that takes any.
  static constexpr std::uint32_t any = UINT32_MAX;

  /// The receiver as which a rank takes the messages of collectives, or all others: receives of any
  /// rank or tag take messages of their own kind only.
  static std::uint32_t context(std::uint32_t rank, bool is_of_collective) {
    return 2 * rank + (is_of_collective ? 1 : 0);
  }

  /// When a message was sent: the cycle, and the place among what its sender sends in one cycle.
  struct Sent {
    Cycle cycle = 0;
    std::uint32_t place = 0;
    friend bool operator<(const Sent& a, const Sent& b) {
      return a.cycle != b.cycle ? a.cycle < b.cycle : a.place < b.place;
    }
  };

  /// Forgets everything. `has_any`: whether there will be receives of any rank or any tag.
  void reset(bool has_any);
  /// Notes that a message is sent; returns its ticket, which is valid until a receive takes it. Of
  /// one sender the cycles must not fall.
  std::uint32_t send(std::uint32_t receiver, std::uint32_t from, std::uint32_t tag,
                     const Sent& sent);
  /// Posts `receive` (any number of the caller's) at `receiver`. Returns the message that it takes,
  /// or `none`: then it waits.
  std::uint32_t post(std::uint32_t receiver, std::uint32_t from, std::uint32_t tag,
                     std::uint32_t receive);
  /// Takes back the receive posted last at `receiver` with this sender and tag; it must be waiting.
  void withdraw(std::uint32_t receiver, std::uint32_t from, std::uint32_t tag);
  /// Notes that the message with `ticket` has come, as `message` (any number of the caller's).
  /// Calls `has(message)` for it and for those behind it, as soon as all messages of the same
  /// sender and tag that were sent before have come; then `match(receive, message)` for each
  /// receive that now takes a message.
  template <class Has, class Match>
  void arrive(std::uint32_t ticket, std::uint32_t message, Has has, Match match) {
    note_arrival(ticket, message);
    for (const std::uint32_t one : in_order_) has(one);
    for (const auto& [receive, taken] : matched_) match(receive, taken);
  }
  /// The number of messages that have come and that no receive has taken.
  std::uint64_t waiting_messages() const { return waiting_; }

 private:
  struct Key {
    std::uint32_t receiver = 0;
    std::uint32_t from = 0;
    std::uint32_t tag = 0;
    friend bool operator==(const Key& a, const Key& b) {
      return a.receiver == b.receiver && a.from == b.from && a.tag == b.tag;
    }
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };
  // A message in two queues: that of its sender and tag, and, if there are receives of any, that of
  // its sender.
  enum Line : std::uint8_t { of_tag, of_sender };
  struct Links {
    std::uint32_t before = none;
    std::uint32_t after = none;
  };
  struct Queue;
  struct Message {  // sent, and not taken
    Key key;
    Sent sent;
    std::uint64_t arrival = 0;  // in the order in which they came; 0: it has not come
    std::uint32_t number = none;
    bool is_in_order = false;     // all before it in its line of_tag have come
    std::array<Links, 2> links;   // by line
    std::array<Queue*, 2> lines;  // the same
  };
  struct Posted {
    std::uint32_t receive = 0;
    std::uint32_t next = none;
    std::uint64_t number = 0;  // in the order in which they were posted
  };
  struct Queue {
    std::uint32_t first_message = none;
    std::uint32_t last_message = none;
    std::uint32_t first_receive = none;
    std::uint32_t last_receive = none;
  };
  // Of several senders: their first messages that have come, by arrival.
  using Fronts = std::set<std::pair<std::uint64_t, std::uint32_t>>;

  static Key line_key(const Key& key, Line line) {
    return line == of_tag ? key : Key{key.receiver, key.from, any};
  }
  static Key fronts_key(const Key& line) { return {line.receiver, any, line.tag}; }

  void note_arrival(std::uint32_t ticket, std::uint32_t message);
  void put_in_order(std::uint32_t ticket);
  void match_all(std::uint32_t ticket);
  void match_line(Queue& queue);
  bool match_first(std::uint32_t receiver, std::uint32_t from);
  std::optional<Key> first_wish(std::uint32_t ticket) const;
  void add_to_line(std::uint32_t ticket, Line line);
  void take_out_of_line(std::uint32_t ticket, Line line);
  std::uint32_t take(std::uint32_t ticket);
  std::uint32_t first_arrived(const Key& line) const;
  std::uint32_t front_for(const Key& wanted) const;
  void note_front(std::uint32_t ticket, const Key& line, bool is_front);
  std::uint32_t take_receive(Queue& queue);
  void erase_if_empty(const Queue& queue, const Key& key);

  bool has_any_ = false;
  std::uint64_t posted_count_ = 0;
  std::uint64_t arrival_count_ = 0;
  std::uint64_t waiting_ = 0;
  std::unordered_map<Key, Queue, Hash> queues_;
  std::unordered_map<Key, Fronts, Hash> fronts_;
  std::vector<Message> messages_;
  std::vector<Posted> posted_;
  std::vector<std::uint32_t> free_messages_;
  std::vector<std::uint32_t> free_posted_;
  // Of the last arrival:
  std::vector<std::uint32_t> tags_;  // of the lines in which the first message has changed
  std::vector<std::uint32_t> fronts_of_lines_;
  std::vector<std::uint32_t> in_order_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> matched_;  // receives and messages
};

}  // namespace allport
