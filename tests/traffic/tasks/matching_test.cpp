// SPDX-License-Identifier: Apache-2.0
#include "traffic/tasks/matching.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "rtl_model/base/split_mix.h"

namespace allport {
namespace {

constexpr std::uint32_t any = Matching::any;
constexpr std::uint32_t none = Matching::none;

using Numbers = std::vector<std::uint32_t>;
using Matches = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // receives and messages

struct Outcome {
  Numbers in_order;
  Matches matches;
  friend bool operator==(const Outcome& a, const Outcome& b) {
    return a.in_order == b.in_order && a.matches == b.matches;
  }
};

Outcome arrive(Matching& matching, std::uint32_t ticket, std::uint32_t message) {
  Outcome outcome;
  matching.arrive(
      ticket, message, [&](std::uint32_t one) { outcome.in_order.push_back(one); },
      [&](std::uint32_t receive, std::uint32_t one) {
        outcome.matches.emplace_back(receive, one);
      });
  return outcome;
}

TEST(Matching, MessagesOfOneSenderDoNotOvertake) {
  for (const bool has_any : {false, true}) {
    Matching matching;
    matching.reset(has_any);
    const std::uint32_t first = matching.send(0, 5, 1, {10, 0});
    const std::uint32_t second = matching.send(0, 5, 1, {20, 1});
    EXPECT_EQ(matching.post(0, 5, 1, 7), none);
    EXPECT_EQ(arrive(matching, second, 101), (Outcome{{}, {}}));
    EXPECT_EQ(matching.waiting_messages(), 1U);
    EXPECT_EQ(matching.post(0, 5, 1, 8), none);
    EXPECT_EQ(arrive(matching, first, 100), (Outcome{{100, 101}, {{7, 100}, {8, 101}}}));
    EXPECT_EQ(matching.waiting_messages(), 0U);
  }
}

TEST(Matching, AReceiveThatIsTakenBackTakesNothing) {
  Matching matching;
  matching.reset(true);
  const std::uint32_t first = matching.send(0, 5, 1, {10, 0});
  const std::uint32_t second = matching.send(0, 5, 1, {20, 1});
  for (const std::uint32_t receive : {7U, 8U, 9U}) EXPECT_EQ(matching.post(0, 5, 1, receive), none);
  EXPECT_EQ(matching.post(0, any, 1, 10), none);
  matching.withdraw(0, 5, 1);  // the last of three
  matching.withdraw(0, any, 1);
  EXPECT_EQ(arrive(matching, first, 100), (Outcome{{100}, {{7, 100}}}));
  matching.withdraw(0, 5, 1);  // the only one
  EXPECT_EQ(arrive(matching, second, 101), (Outcome{{101}, {}}));
  EXPECT_EQ(matching.post(0, 5, 1, 11), 101U);
}

TEST(Matching, OfOneCycleThePlaceCounts) {
  Matching matching;
  matching.reset(false);
  const std::uint32_t second = matching.send(0, 5, 1, {10, 1});
  const std::uint32_t first = matching.send(0, 5, 1, {10, 0});
  EXPECT_EQ(arrive(matching, second, 101), Outcome{});
  EXPECT_EQ(matching.post(0, 5, 1, 7), none);
  EXPECT_EQ(arrive(matching, first, 100), (Outcome{{100, 101}, {{7, 100}}}));
  EXPECT_EQ(matching.post(0, 5, 1, 8), 101U);
}

TEST(Matching, OtherTagsDelayOnlyReceivesOfAnyTag) {
  Matching matching;
  matching.reset(true);
  const std::uint32_t first = matching.send(0, 5, 1, {10, 0});
  const std::uint32_t second = matching.send(0, 5, 2, {20, 1});
  const std::uint32_t third = matching.send(0, 5, 2, {30, 2});
  EXPECT_EQ(arrive(matching, second, 101), (Outcome{{101}, {}}));
  EXPECT_EQ(matching.post(0, 5, any, 7), none);  // waits for the first one
  EXPECT_EQ(matching.post(0, any, any, 8), none);
  EXPECT_EQ(matching.post(0, any, 2, 9), 101U);
  EXPECT_EQ(arrive(matching, third, 102), (Outcome{{102}, {}}));
  EXPECT_EQ(arrive(matching, first, 100), (Outcome{{100}, {{7, 100}, {8, 102}}}));
}

TEST(Matching, AmongSeveralSendersTheFirstToComeCounts) {
  Matching matching;
  matching.reset(true);
  const std::uint32_t late = matching.send(0, 5, 1, {10, 0});
  const std::uint32_t overtaking = matching.send(0, 5, 1, {20, 1});
  const std::uint32_t other = matching.send(0, 6, 1, {50, 0});
  EXPECT_EQ(arrive(matching, overtaking, 101), Outcome{});
  EXPECT_EQ(arrive(matching, other, 102), (Outcome{{102}, {}}));
  EXPECT_EQ(arrive(matching, late, 100), (Outcome{{100, 101}, {}}));
  EXPECT_EQ(matching.post(0, any, 1, 7), 102U);
  EXPECT_EQ(matching.post(0, any, any, 8), 100U);
  EXPECT_EQ(matching.post(0, any, any, 9), 101U);
}

// The rule as it is told: lists that are searched from the front.
class Simple {
 public:
  struct Receive {
    std::uint32_t receiver, from, tag, number;
  };
  struct Message {
    std::uint32_t receiver, from, tag;
    Matching::Sent sent;
    std::uint64_t arrival = 0;
    bool is_taken = false;
    bool is_in_order = false;
  };

  std::vector<Message> messages;  // by number
  std::vector<Receive> receives;

  std::uint32_t post(const Receive& receive) {
    std::uint32_t best = none;
    for (std::uint32_t from = 0; from < 4; ++from) {
      const std::uint32_t first = first_for(receive, from);
      if (first == none || messages[first].arrival == 0) continue;
      if (best == none || messages[first].arrival < messages[best].arrival) best = first;
    }
    if (best == none) {
      receives.push_back(receive);
    } else {
      messages[best].is_taken = true;
    }
    return best;
  }
  Outcome arrive(std::uint32_t number) {
    messages[number].arrival = ++arrivals_;
    Outcome outcome;
    const Numbers line = sent_by(messages[number].receiver, messages[number].from);
    for (const std::uint32_t one : line) {
      const bool same = messages[one].tag == messages[number].tag;
      if (!same || messages[one].is_in_order) continue;
      const bool has_all = std::all_of(line.begin(), line.end(), [&](std::uint32_t other) {
        return messages[other].tag != messages[one].tag || messages[other].arrival > 0 ||
               messages[one].sent < messages[other].sent;
      });
      if (!has_all) continue;
      messages[one].is_in_order = true;
      outcome.in_order.push_back(one);
    }
    while (match(line, outcome.matches)) {
    }
    return outcome;
  }
  std::size_t waiting() const {
    return static_cast<std::size_t>(
        std::count_if(messages.begin(), messages.end(),
                      [](const Message& one) { return one.arrival > 0 && !one.is_taken; }));
  }

 private:
  Numbers sent_by(std::uint32_t receiver, std::uint32_t from) const {
    Numbers line;
    for (std::uint32_t i = 0; i < messages.size(); ++i) {
      if (messages[i].receiver == receiver && messages[i].from == from) line.push_back(i);
    }
    std::sort(line.begin(), line.end(), [&](std::uint32_t a, std::uint32_t b) {
      return messages[a].sent < messages[b].sent;
    });
    return line;
  }
  std::uint32_t first_for(const Receive& receive, std::uint32_t from) const {
    if (receive.from != any && receive.from != from) return none;
    for (const std::uint32_t one : sent_by(receive.receiver, from)) {
      const bool fits = receive.tag == any || receive.tag == messages[one].tag;
      if (fits && !messages[one].is_taken) return one;
    }
    return none;
  }
  bool match(const Numbers& line, Matches& matches) {
    for (const std::uint32_t one : line) {
      if (messages[one].arrival == 0 || messages[one].is_taken) continue;
      for (auto receive = receives.begin(); receive != receives.end(); ++receive) {
        if (receive->receiver != messages[one].receiver) continue;
        if (first_for(*receive, messages[one].from) != one) continue;
        messages[one].is_taken = true;
        matches.emplace_back(receive->number, one);
        receives.erase(receive);
        return true;
      }
    }
    return false;
  }
  std::uint64_t arrivals_ = 0;
};

TEST(Matching, IsTheRuleOfMpi) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SplitMix64 draw(seed);
    const auto number = [&](std::uint64_t below) {
      return static_cast<std::uint32_t>(draw.next() % below);
    };
    const bool has_any = number(4) != 0;
    Matching matching;
    matching.reset(has_any);
    Simple simple;
    Numbers tickets;
    Numbers on_their_way;
    std::set<std::uint32_t> places;  // of the present cycle
    Cycle now = 0;
    for (std::uint32_t i = 0; i < 300; ++i) {
      if (number(3) == 0) ++now, places.clear();
      const std::uint32_t what = number(3);
      if (what == 0) {
        const std::uint32_t place = number(1000);
        if (!places.insert(place).second) continue;
        Simple::Message message{number(2), number(3), number(3), {now, place}};
        tickets.push_back(matching.send(message.receiver, message.from, message.tag, message.sent));
        on_their_way.push_back(static_cast<std::uint32_t>(simple.messages.size()));
        simple.messages.push_back(message);
      } else if (what == 1 && !on_their_way.empty()) {
        const std::size_t at = number(std::min<std::size_t>(on_their_way.size(), 6));
        const std::uint32_t one = on_their_way[at];
        if (simple.messages[one].sent.cycle == now) continue;  // what is sent with it may follow
        on_their_way.erase(on_their_way.begin() + static_cast<std::ptrdiff_t>(at));
        ASSERT_EQ(arrive(matching, tickets[one], one), simple.arrive(one))
            << "seed " << seed << ", call " << i;
      } else if (what == 2) {
        Simple::Receive receive{number(2), number(3), number(3), i};
        if (has_any && number(4) == 0) receive.from = any;
        if (has_any && number(4) == 0) receive.tag = any;
        ASSERT_EQ(matching.post(receive.receiver, receive.from, receive.tag, i),
                  simple.post(receive))
            << "seed " << seed << ", call " << i;
      }
      ASSERT_EQ(matching.waiting_messages(), simple.waiting());
    }
  }
}

}  // namespace
}  // namespace allport
