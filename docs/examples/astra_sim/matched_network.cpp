// SPDX-License-Identifier: Apache-2.0
#include "matched_network.h"

#include <cmath>
#include <deque>
#include <functional>
#include <map>
#include <stdexcept>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "network_scenario.h"
#include "testbench/network/network.h"

using allport::Cycle;
using allport::Network;

namespace {

using Time = MatchedNetwork::Time;
using Call = MatchedNetwork::Call;
using Message = MatchedNetwork::Message;

// A message and its receive, of which one may not be there yet.
struct Pair {
  Call sent, received;
  bool has_arrived = false;
};

// Messages that are sent and whose receives are not there, or the other way round.
struct Unmatched {
  bool are_receives = false;
  std::deque<std::shared_ptr<Pair>> pairs;
};

struct Before {
  bool operator()(const Message& a, const Message& b) const {
    return std::tie(a.source, a.destination, a.tag, a.bytes) <
           std::tie(b.source, b.destination, b.tag, b.bytes);
  }
};

// Cycles have a whole number of femtoseconds, so that times are exact.
Time length_of_cycle(double clock_ghz) {
  constexpr double femtoseconds = 1e6;
  return static_cast<Time>(std::llround(femtoseconds / clock_ghz));
}

std::string words(const Message& message) {
  return std::to_string(message.bytes) + " bytes with tag " + std::to_string(message.tag);
}

}  // namespace

struct MatchedNetwork::Inside {
  explicit Inside(const NetworkScenario& read)
      : scenario(read), network(read.network), cycle(length_of_cycle(read.clock_ghz)) {}

  const allport::Topology& topology() const { return network.topology(); }

  void require_rank(const char* role, int rank) const {
    if (rank >= 0 && static_cast<std::size_t>(rank) < topology().node_count()) return;
    throw std::invalid_argument(std::string(role) + " " + std::to_string(rank) + ": " +
                                topology().name() + " has the nodes 0.." +
                                std::to_string(topology().node_count() - 1));
  }

  void require_ranks(const Message& message) const {
    require_rank("source", message.source);
    require_rank("destination", message.destination);
  }

  // The first cycle that begins at `time` or later.
  Cycle cycle_from(Time time) const { return time / cycle + (time % cycle == 0 ? 0 : 1); }

  // The half of a pair that was there first, if any.
  std::shared_ptr<Pair> take_half(const Message& message, bool are_receives) {
    const auto found = halves.find(message);
    if (found == halves.end() || found->second.are_receives != are_receives) return nullptr;
    std::shared_ptr<Pair> pair = std::move(found->second.pairs.front());
    found->second.pairs.pop_front();
    if (found->second.pairs.empty()) halves.erase(found);
    return pair;
  }

  void keep_half(const Message& message, bool is_receive, std::shared_ptr<Pair> pair) {
    Unmatched& all = halves[message];
    all.are_receives = is_receive;
    all.pairs.push_back(std::move(pair));
  }

  // A reception: the sender hears of it first.
  void arrive(const std::shared_ptr<Pair>& pair, std::uint64_t of_bytes) {
    ++messages;
    bytes += of_bytes;
    pair->has_arrived = true;
    const Call received = pair->received;
    pair->sent.handler(pair->sent.argument);
    if (received.handler != nullptr) received.handler(received.argument);
  }

  bool hear_next_reception() {
    if (next_reception == receptions.size()) return false;
    const std::uint64_t id = receptions[next_reception++];
    const auto found = under_way.find(id);
    const auto [pair, of_bytes] = found->second;
    under_way.erase(found);
    arrive(pair, of_bytes);
    return true;
  }

  // Lets the network come to its next receptions, those before cycle `end` only.
  bool advance_to_receptions(Cycle end) {
    if (network.now() >= end || network.next_event() >= end) return false;
    receptions.clear();
    next_reception = 0;
    Time time = now;
    for (const allport::NetworkDelivery& one : network.advance_to_delivery(end - 1)) {
      receptions.push_back(one.id);
      time = one.tail * cycle;
    }
    now = time;
    return !receptions.empty();
  }

  const NetworkScenario scenario;
  Network network;
  const Time cycle;
  Time now = 0;
  std::multimap<Time, std::function<void()>> calendar;  // of one time in the order of insertion
  std::map<Message, Unmatched, Before> halves;
  std::unordered_map<std::uint64_t, std::pair<std::shared_ptr<Pair>, std::uint64_t>> under_way;
  std::vector<std::uint64_t> receptions;  // of the present cycle
  std::size_t next_reception = 0;
  std::uint64_t messages = 0, bytes = 0;
};

MatchedNetwork::MatchedNetwork(const std::string& scenario, const std::string& name)
    : inside_(new Inside(read_network_scenario(scenario, name))) {}
MatchedNetwork::~MatchedNetwork() = default;

const std::vector<int>& MatchedNetwork::sides() const { return inside_->topology().sides(); }

std::size_t MatchedNetwork::node_count() const { return inside_->topology().node_count(); }

double MatchedNetwork::bandwidth(std::size_t dimension) const {
  const NetworkScenario& scenario = inside_->scenario;
  if (dimension >= sides().size()) {
    throw std::invalid_argument("dimension " + std::to_string(dimension) + ": " +
                                inside_->topology().name() + " has " +
                                std::to_string(sides().size()));
  }
  const int flit_bytes = scenario.network.flit_bytes;
  const std::vector<int>& widths = scenario.network.router.link_widths;
  const int width = widths.empty() ? flit_bytes : widths[widths.size() == 1 ? 0 : dimension];
  const int cycles = (flit_bytes - 1) / width + 1;  // for which a flit occupies a channel
  return flit_bytes * scenario.clock_ghz / cycles;
}

MatchedNetwork::Time MatchedNetwork::now() const { return inside_->now; }

void MatchedNetwork::schedule(Time delta, Call call) {
  Inside& in = *inside_;
  if (delta < 0 || delta > last - in.now) {
    throw std::invalid_argument("an event " + std::to_string(delta) + " fs from now: must be 0.." +
                                std::to_string(last - in.now));
  }
  in.calendar.emplace(in.now + delta, [call] { call.handler(call.argument); });
}

void MatchedNetwork::send(const Message& message, Call sent) {
  Inside& in = *inside_;
  in.require_ranks(message);
  if (message.source == message.destination) {
    std::shared_ptr<Pair> pair = in.take_half(message, true);
    if (pair == nullptr) in.keep_half(message, false, pair = std::make_shared<Pair>());
    pair->sent = sent;
    in.calendar.emplace(in.now, [&in, pair, bytes = message.bytes] { in.arrive(pair, bytes); });
    return;
  }
  allport::NetworkMessage unicast;
  unicast.source = allport::node_id(static_cast<std::size_t>(message.source));
  unicast.destination = allport::node_id(static_cast<std::size_t>(message.destination));
  unicast.bytes = message.bytes;
  const std::uint64_t id = in.network.send(unicast, in.cycle_from(in.now));
  std::shared_ptr<Pair> pair = in.take_half(message, true);
  if (pair == nullptr) in.keep_half(message, false, pair = std::make_shared<Pair>());
  pair->sent = sent;
  in.under_way.emplace(id, std::pair(pair, message.bytes));
}

void MatchedNetwork::receive(const Message& message, Call received) {
  Inside& in = *inside_;
  in.require_ranks(message);
  std::shared_ptr<Pair> pair = in.take_half(message, false);
  if (pair == nullptr) in.keep_half(message, true, pair = std::make_shared<Pair>());
  pair->received = received;
  if (pair->has_arrived) schedule(0, received);
}

bool MatchedNetwork::proceed() {
  Inside& in = *inside_;
  if (in.hear_next_reception()) return true;
  const bool has_event = !in.calendar.empty();
  const Time next = has_event ? in.calendar.begin()->first : last;
  const Cycle end = has_event ? in.cycle_from(next) : next / in.cycle + 1;
  if (in.advance_to_receptions(end)) return in.hear_next_reception();
  if (!has_event) {
    if (in.under_way.empty()) return false;
    throw std::runtime_error(
        "time ends " + std::to_string(last) +
        " fs after it begins, with messages under way: " + std::to_string(in.under_way.size()));
  }
  const std::function<void()> call = std::move(in.calendar.begin()->second);
  in.calendar.erase(in.calendar.begin());
  in.now = next;
  call();
  return true;
}

std::optional<std::string> MatchedNetwork::unmatched() const {
  const auto of = [this](bool are_receives) -> std::optional<std::string> {
    for (const auto& [message, all] : inside_->halves) {
      if (all.are_receives != are_receives) continue;
      const std::string source = "rank " + std::to_string(message.source);
      const std::string destination = "rank " + std::to_string(message.destination);
      if (are_receives) {
        return destination + " waits for " + words(message) + " of " + source +
               ", which has sent no more of them";
      }
      return source + " has sent " + words(message) + " to " + destination +
             ", which receives no more of them";
    }
    return std::nullopt;
  };
  const std::optional<std::string> receive = of(true);
  return receive ? receive : of(false);
}

std::uint64_t MatchedNetwork::messages() const { return inside_->messages; }
std::uint64_t MatchedNetwork::bytes() const { return inside_->bytes; }

MatchedNetwork::Time MatchedNetwork::from_nanoseconds(long double nanoseconds) {
  const long double femtoseconds = nanoseconds * nanosecond;
  if (femtoseconds >= 0 && femtoseconds <= last) {
    return static_cast<Time>(std::llround(femtoseconds));
  }
  throw std::invalid_argument("a time of " + std::to_string(nanoseconds) + " ns: must be 0.." +
                              std::to_string(last / nanosecond));
}

long double MatchedNetwork::in_nanoseconds(Time time) {
  return static_cast<long double>(time) / nanosecond;
}
