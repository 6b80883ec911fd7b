// SPDX-License-Identifier: Apache-2.0
// A copy of a network goes on as the network does, from any state, and nothing that is done to one
// is seen in the other, nor that one is gone: by night this runs under the address sanitizer.
// ALLPORT_CASES and ALLPORT_NIGHTLY_SEED choose other cases (scripts/nightly).
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "testbench/network/network.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/testbench/network/network_cases.h"

namespace allport::test {
namespace {

// A client that sends, lets cycles pass and takes at random; all that it hears is noted.
class Client {
 public:
  Client(Network network, const std::string& options)
      : network_(std::move(network)),
        takes_(read_network_request(options).reception_limit.has_value()),
        classes_(classes_of(options)) {}

  /// The same client with a copy of the network.
  Client copy() const { return {*this, network_.copy()}; }

  void act(Draw& draw, int steps) {
    for (int step = 0; step < steps && !is_over_; ++step) {
      for (int count = draw.below(4); count > 0; --count) send(draw);
      const Cycle to = network_.now() + draw.one_of<int>({0, 0, 1, 5, 30, 300});
      const std::vector<NetworkDelivery>& received =
          draw.below(2) == 0 ? network_.advance(to) : network_.advance_to_delivery(to);
      for (const NetworkDelivery& one : received) {
        heard_.push_back(told(one));
        ids_.push_back(one.id);
        if (takes_) untaken_.push_back(one);
      }
      while (!untaken_.empty() && draw.below(3) != 0) take(draw);
      is_over_ = network_.deadlock().has_value();
      states_.push_back({network_.now(), network_.next_event(), network_.queued(node_id(0)),
                         network_.is_idle() ? 1 : 0, is_over_ ? 1 : 0});
    }
  }

  /// All that it has heard and seen.
  bool knows_what(const Client& other) const {
    return heard_ == other.heard_ && ids_ == other.ids_ && states_ == other.states_ &&
           network_.results().digest == other.network_.results().digest &&
           network_.results().flit_hops == other.network_.results().flit_hops &&
           network_.results().contention.blocked_cycles ==
               other.network_.results().contention.blocked_cycles;
  }
  std::size_t heard() const { return heard_.size(); }
  const Network& network() const { return network_; }

 private:
  Client(const Client& other, Network network)
      : network_(std::move(network)),
        takes_(other.takes_),
        classes_(other.classes_),
        is_over_(other.is_over_),
        heard_(other.heard_),
        ids_(other.ids_),
        untaken_(other.untaken_),
        states_(other.states_) {}

  void send(Draw& draw) {
    const auto nodes = static_cast<int>(network_.topology().node_count());
    const auto source = static_cast<std::size_t>(draw.below(nodes));
    const std::size_t destination = (source + 1 + static_cast<std::size_t>(draw.below(nodes - 1))) %
                                    static_cast<std::size_t>(nodes);
    const auto flits = draw.one_of<int>({1, 2, 5, 16, 150});
    const bool is_tree = draw.below(12) == 0;
    NetworkMessage message =
        is_tree ? tree(source, flits) : unicast(source, destination, flits, heard_.size());
    message.message_class = draw.below(classes_);
    network_.try_send(message, network_.now() + draw.one_of<int>({0, 0, 0, 3, 100}));
  }

  void take(Draw& draw) {
    const auto which = static_cast<std::size_t>(draw.below(static_cast<int>(untaken_.size())));
    network_.take(untaken_[which].id, untaken_[which].destination);
    untaken_.erase(untaken_.begin() + static_cast<std::ptrdiff_t>(which));
  }

  Network network_;
  bool takes_;
  int classes_;
  bool is_over_ = false;  // the network is deadlocked
  std::vector<Told> heard_;
  std::vector<std::uint64_t> ids_;
  std::vector<NetworkDelivery> untaken_;
  std::vector<std::vector<Cycle>> states_;  // after each step
};

std::string draw_copied_options(Draw& draw) {
  std::string options = draw_options(draw) + " record=true";
  if (draw.below(3) == 0) options += " queue_limit=300";
  if (draw.below(3) == 0) options += " reception_limit=" + draw.one_of<std::string>({"150", "400"});
  return options;
}

TEST(NetworkCopy, GoesOnAsTheNetworkDoes) {
  const RandomCases cases(400);
  std::size_t heard = 0;
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Draw draw(seed + 2000000);
    const std::string options = draw_copied_options(draw);
    auto original = std::make_unique<Client>(network_of(options), options);
    original->act(draw, draw.below(20));
    Client copied = original->copy();
    ASSERT_TRUE(copied.knows_what(*original)) << "seed " << seed << ": " << options;
    Draw first(seed + 2100000);
    Draw second(seed + 2100000);
    copied.act(first, 10);
    original->act(second, 10);
    ASSERT_TRUE(copied.knows_what(*original)) << "seed " << seed << ": " << options;
    Client again = copied.copy();
    original.reset();
    copied.act(first, 5);
    again.act(second, 5);
    ASSERT_TRUE(again.knows_what(copied)) << "seed " << seed << ": " << options;
    heard += again.heard();
  }
  EXPECT_GT(heard, 10 * (cases.end - cases.first));  // the test has something to see
}

TEST(NetworkCopy, ThatIsDrivenOtherwiseChangesNothing) {
  const RandomCases cases(200);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Draw draw(seed + 2200000);
    Draw same(seed + 2200000);
    const std::string options = draw_copied_options(draw);
    draw_copied_options(same);
    Client original(network_of(options), options);
    Client alone(network_of(options), options);
    for (int i = 0; i < 4; ++i) {
      original.act(draw, 5);
      alone.act(same, 5);
      Client copied = original.copy();
      Draw other(seed + 2300000 + static_cast<std::uint64_t>(i));
      copied.act(other, 5);
    }
    ASSERT_TRUE(original.knows_what(alone)) << "seed " << seed << ": " << options;
  }
}

TEST(NetworkCopy, HasTheMessagesThatAreSentForLater) {
  Network network = network_of("topology=mesh:4");
  network.send(unicast(0, 3, 4, 7), 50);
  Network copied = network.copy();
  EXPECT_EQ(copied.queued(node_id(0)), 4);
  EXPECT_EQ(copied.send(unicast(1, 3), 20), 1U);  // the next number
  EXPECT_EQ(network.send(unicast(2, 3), 20), 1U);
  EXPECT_EQ(copied.advance(100).at(1).user, 7U);
  EXPECT_EQ(network.advance(100).at(0).source, node_id(2));
}

TEST(NetworkCopy, KnowsWhatIsAwaited) {
  Network network = network_of("topology=mesh:2 ports=1 buffer_depth=2 reception_limit=2");
  network.send(unicast(0, 1, 2), 0);
  const std::uint64_t second = network.send(unicast(0, 1, 2), 0);
  network.advance(50);
  network.waits_for(node_id(1), 0, second);
  Network copied = network.copy();
  EXPECT_TRUE(copied.deadlock());
  copied.take(0, node_id(1));
  EXPECT_EQ(copied.advance(100).size(), 1U);
  EXPECT_TRUE(copied.is_idle());
  EXPECT_TRUE(network.deadlock());
}

TEST(NetworkCopy, HasNoCallBackAndNobodyWhoWaits) {
  Network network = network_of("topology=ring:4 ports=1 queue_limit=8");
  int calls = 0;
  std::string sentence;
  network.on_space([&](NodeId, int) {
    ++calls;
    sentence = sentence_of_call([&] { network.copy(); });
  });
  network.send(unicast(0, 1, 8), 0);
  ASSERT_FALSE(network.try_send(unicast(0, 1, 8), 0));
  Network copied = network.copy();
  copied.advance(100);
  EXPECT_EQ(calls, 0);
  network.advance(100);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(sentence, "a call-back that is told of room may send, but copies no network");
  int others = 0;
  copied.on_space([&](NodeId, int) { ++others; });
  copied.send(unicast(0, 1, 8), copied.now());
  ASSERT_FALSE(copied.try_send(unicast(0, 1, 8), copied.now()));
  copied.advance(200);
  EXPECT_EQ(others, 1);
  EXPECT_EQ(calls, 1);
}

// What an exception has kept from the client of the original both clients hear.
TEST(NetworkCopy, TellsWhatACallThatWasLeftHasReceived) {
  Network network = network_of("topology=ring:4 ports=1 queue_limit=8");
  network.on_space([](NodeId, int) { throw std::runtime_error("the client has failed"); });
  network.send(unicast(1, 2, 1, 5), 0);
  network.send(unicast(0, 1, 8), 0);
  ASSERT_FALSE(network.try_send(unicast(0, 1, 8), 0));
  EXPECT_THROW(network.advance(100), std::runtime_error);
  ASSERT_LT(network.now(), 100);
  Network copied = network.copy();
  EXPECT_EQ(copied.advance(100).size(), 2U);
  EXPECT_EQ(network.advance(100).size(), 2U);
  EXPECT_EQ(network.copy().advance(200).size(), 0U);
}

}  // namespace
}  // namespace allport::test
