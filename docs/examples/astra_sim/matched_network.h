// SPDX-License-Identifier: Apache-2.0
// A MatchedNetwork is what a simulator of training asks of a network: an allport::Network whose
// messages are matched with receives, and a calendar on the same clock. Time is counted in
// femtoseconds, 0 at first; cycle c of the network begins at c times the length of a cycle.
//
// The n-th send from a source to a destination with a tag and a length is matched with the n-th
// receive of the same four, whichever is called first. Of what is due at one time, events go first,
// in the order of their scheduling, then receptions, by node and ejection channel, then what either
// has scheduled for the same time.
//
// The header knows nothing of allport. What is wrong with a call is thrown as
// std::invalid_argument, one sentence, and changes nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class MatchedNetwork {
 public:
  using Time = std::int64_t;
  static constexpr Time nanosecond = 1'000'000;
  /// The latest time that there is.
  static constexpr Time last = 9'000'000'000'000'000'000;

  /// What is called at a time, as a simulator hands it over.
  struct Call {
    void (*handler)(void* argument) = nullptr;
    void* argument = nullptr;
  };
  /// What is matched. A length of 0 bytes makes one flit.
  struct Message {
    int source = 0;
    int destination = 0;
    int tag = 0;
    std::uint64_t bytes = 0;
  };

  /// `scenario` is TOML, as network_scenario.h says, and `name` what sentences call it.
  MatchedNetwork(const std::string& scenario, const std::string& name);
  ~MatchedNetwork();

  /// Nodes along each dimension of the fabric; those next to one another in dimension 0 have
  /// numbers next to one another.
  const std::vector<int>& sides() const;
  std::size_t node_count() const;
  /// Gigabytes a second of a channel of `dimension`.
  double bandwidth(std::size_t dimension) const;

  Time now() const;
  /// Has `call` called `delta` from now.
  void schedule(Time delta, Call call);
  /// Sends a message in the first cycle that begins now or later. `sent` is called when the
  /// destination has received it. What a node sends to itself is received at once.
  void send(const Message& message, Call sent);
  /// Has `received` called when the message has been received; if it has been already, at once,
  /// after what was scheduled for now before.
  void receive(const Message& message, Call received);

  /// Lets time pass up to what is due next, and makes its calls. False: nothing is due any more.
  bool proceed();

  /// What of a message that has no receive, or of a receive that has no message, one sentence; none
  /// if all are matched. Receives come first.
  std::optional<std::string> unmatched() const;
  /// Messages received so far, and their bytes.
  std::uint64_t messages() const;
  std::uint64_t bytes() const;

  /// A number of nanoseconds as a time, to the nearest femtosecond, and a time in nanoseconds.
  static Time from_nanoseconds(long double nanoseconds);
  static long double in_nanoseconds(Time time);

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};
