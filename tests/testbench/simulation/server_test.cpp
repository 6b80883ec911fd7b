// SPDX-License-Identifier: Apache-2.0
// These tests check programs that do not know what will come: receives that do not wait, or not for
// ever, and servers, which end when nobody is left to ask (docs/programs.md, section 3).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "rtl_model/base/split_mix.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/testbench/simulation/program_outcome.h"

namespace allport {
namespace {

using test::Body;
using test::Function;
using test::outcome;
using test::request_on;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Eight bytes are two flits: they are there in 10 + 1 + 2 + 5 = 18.
TEST(Server, TriesInEveryCycle) {
  std::ostringstream said;
  const auto body = [&](Processor& self) {
    if (self.rank() == 1) self.send(0, std::vector<std::int64_t>{42}, 3);
    if (self.rank() > 0) return;
    std::optional<ReceivedMessage> message;
    while (!(message = self.try_receive(1))) self.compute(1);
    said << message->from << " " << message->tag << " " << message->as<std::int64_t>().front()
         << " in " << self.now() << "; ";
    if (self.try_receive()) said << "two; ";
  };
  EXPECT_THAT(outcome("hypercube:2", body, said), StartsWith("1 3 42 in 18; makespan 18; digest"));
}

TEST(Server, WhatComesInTheLastCycleIsTaken) {
  for (const Cycle limit : {0, 1, 17, 18, 19, 1000}) {
    std::ostringstream said;
    const auto body = [&](Processor& self) {
      if (self.rank() == 1) self.send(0, std::vector<std::int64_t>{42});
      if (self.rank() > 0) return;
      const bool came = self.try_receive_for(limit).has_value();
      said << came << " in " << self.now() << "; ";
      if (!came) self.receive();  // what has found nothing takes nothing
      said << self.now() << "; ";
    };
    const std::string expected =
        limit < 18 ? "0 in " + std::to_string(limit) + "; 18" : "1 in 18; 18";
    EXPECT_THAT(outcome("hypercube:2", body, said), StartsWith(expected + "; makespan 18; digest"));
  }
}

TEST(Server, ALimitHoldsForWhatIsWanted) {
  std::ostringstream said;
  const auto body = [&](Processor& self) {
    if (self.rank() == 1) self.send(0, nullptr, 0, 7);
    if (self.rank() > 0) return;
    said << self.try_receive_for(50, 1, 8).has_value() << self.try_receive_for(50, 2).has_value()
         << self.try_receive_for(50, 1, 7).has_value() << " in " << self.now() << "; ";
  };
  EXPECT_THAT(outcome("hypercube:2", body, said), StartsWith("001 in 100; makespan 100; digest"));
}

// A message of its own rank that takes no time is there at once.
TEST(Server, TriesWhatItHasSentItself) {
  std::ostringstream said;
  const auto body = [&](Processor& self) {
    if (self.rank() > 0) return;
    self.send(0, std::vector<std::int64_t>{5});
    said << self.try_receive().has_value() << "; ";
  };
  const auto no_time = [](RunRequest& request) { request.node.ts = request.node.tr = 0; };
  EXPECT_THAT(outcome("hypercube:2", body, said, no_time), StartsWith("1; makespan 0; digest"));
}

/// Answers each request by twice its number, and says when it ends.
void serve(Processor& self, std::ostringstream& said) {
  int requests = 0;
  while (const auto request = self.receive_or_end()) {
    ++requests;
    self.send(request->from, std::vector<std::int64_t>{2 * request->as<std::int64_t>().front()},
              request->tag);
  }
  said << requests << " until " << self.now() << "; ";
}

void ask(Processor& self, std::uint32_t server, std::int64_t number) {
  self.send(server, std::vector<std::int64_t>{number}, 1);
  if (self.receive_values<std::int64_t>(server, 1).front() != 2 * number) {
    throw std::runtime_error("a wrong answer");
  }
}

// The only client asks three times, each time 36 cycles there and back, and ends in cycle 108 + 40.
TEST(Server, EndsWhenNobodyIsLeftToAsk) {
  std::ostringstream said;
  const auto body = [&](Processor& self) {
    if (self.rank() == 0) return serve(self, said);
    if (self.rank() > 1) return;
    for (int i = 0; i < 3; ++i) ask(self, 0, i);
    self.compute(40);
  };
  EXPECT_THAT(outcome("hypercube:2", body, said), StartsWith("3 until 148; makespan 148; digest"));
}

TEST(Server, AMessageUnderWayIsWaitedFor) {
  std::ostringstream said;
  const auto body = [&](Processor& self) {
    if (self.rank() == 0) {
      int requests = 0;
      while (self.receive_or_end(Processor::any, 1)) ++requests;
      said << requests << " until " << self.now() << "; ";
    } else if (self.rank() == 3) {
      self.send(0, nullptr, 0, 1);
    }
  };
  // Rank 3 ends in cycle 10; its flit is there in 10 + 2 + 1 + 5.
  EXPECT_THAT(outcome("hypercube:2", body, said), StartsWith("1 until 18; makespan 18; digest"));
}

// Those who serve ask each other: none ends before the clients, and all end together.
TEST(Server, ServersMayAskServers) {
  std::ostringstream said;
  const auto body = [&](Processor& self) {
    if (self.rank() == 0) return serve(self, said);
    if (self.rank() == 1) {
      int requests = 0;
      while (const auto request = self.receive_or_end(Processor::any, 1)) {
        ++requests;
        self.send(0, request->bytes, 2);
        self.send(request->from, self.receive(0, 2).bytes, 1);
      }
      said << requests << " until " << self.now() << "; ";
      return;
    }
    for (std::uint32_t i = 0; i < self.rank(); ++i) ask(self, 1, i);
  };
  EXPECT_THAT(outcome("torus:4x4", body, said),
              testing::MatchesRegex("119 until ([0-9]+); 119 until [0-9]+; makespan .*"));
}

TEST(Server, WhoIsLeftIsNamed) {
  std::ostringstream said;
  const auto body = [&](Processor& self) {
    if (self.rank() == 0) return serve(self, said);
    if (self.rank() == 2) self.receive(1);
  };
  EXPECT_THAT(
      outcome("hypercube:2", body, said),
      AllOf(
          HasSubstr(
              "rank 2 waits since cycle 0 for a message from rank 1, whose program has ended"),
          HasSubstr(
              "rank 0 waits since cycle 0 for a message from any rank, until nobody is left to ask")));
}

TEST(Server, AskingWithoutEndIsNamed) {
  for (const bool serves : {false, true}) {
    std::ostringstream said;
    const auto body = [&](Processor& self) {
      if (self.rank() != 3) return;
      self.compute(7);
      for (;;) serves ? self.receive_or_end() : self.try_receive();
    };
    EXPECT_THAT(
        outcome("hypercube:2", body, said),
        HasSubstr(
            "broken rank 3: it asks for a message 1000000 times in cycle 7 in vain; time passes only where it computes, sends or waits"));
  }
}

TEST(Server, ComputingForNoTimeWithoutEndIsNamed) {
  std::ostringstream said;
  const auto body = [&](Processor& self) {
    while (self.rank() == 2) self.compute(0);
  };
  EXPECT_THAT(
      outcome("hypercube:2", body, said),
      HasSubstr(
          "broken rank 2: it computes for 0 cycles 1000000 times in cycle 0; time passes only where it computes, sends or waits"));
}

TEST(Server, LimitsAreCycles) {
  for (const Cycle limit : {Cycle{-1}, Cycle{INT64_MAX}}) {
    std::ostringstream said;
    const auto body = [&](Processor& self) { self.try_receive_for(limit); };
    EXPECT_THAT(outcome("hypercube:2", body, said),
                HasSubstr("broken rank 0: try_receive_for: limit " + std::to_string(limit) +
                          ": must be 0..1000000000000"));
  }
}

// The host asks over its channel, in 116 cycles there and as many back.
TEST(Server, ServesTheHost) {
  for (const Model model : {Model::systemc, Model::worm}) {
    std::ostringstream said;
    const Body at_node = [&](Processor& self) {
      if (self.rank() == 0) serve(self, said);
    };
    const Body at_host = [](Processor& self) { ask(self, 0, 21); };
    const std::string text = test::forked([&] {
      const Results results = run_programs(
          request_on("hypercube:2", model),
          [&](std::uint32_t) { return std::make_unique<Function>(at_node); },
          Host{{100, 2}, std::make_unique<Function>(at_host)});
      said << "makespan " << results.tasks->makespan << results.broken_invariant;
      return said.str();
    });
    EXPECT_EQ(text, "1 until 232; makespan 232");
  }
}

// Random clients and servers, of which some lose patience: both models agree, and all that is asked
// is answered once.
Body random_body(std::uint64_t seed) {
  return [seed](Processor& self) {
    SplitMix64 draw(seed * 1000 + self.rank());
    const std::uint32_t servers = 1 + static_cast<std::uint32_t>(seed % 3);
    if (self.rank() < servers) {
      while (const auto request = self.receive_or_end(Processor::any, 1)) {
        self.compute(static_cast<Cycle>(draw.next() % 30));
        self.send(request->from, request->bytes, 2);
      }
      return;
    }
    for (std::uint64_t round = 0; round < 2 + seed % 4; ++round) {
      const auto server = static_cast<std::uint32_t>(draw.next() % servers);
      const std::vector<std::uint32_t> values(1 + draw.next() % 20, self.rank());
      self.send(server, values, 1);
      std::optional<ReceivedMessage> answer;
      const auto patience = static_cast<Cycle>(draw.next() % 50);
      while (!(answer = self.try_receive_for(patience, server, 2))) self.compute(1);
      if (answer->as<std::uint32_t>() != values) throw std::runtime_error("a wrong answer");
    }
  };
}

TEST(Server, BothModelsAgree) {
  const test::RandomCases cases(24);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    const auto change = [seed](RunRequest& request) {
      request.node.model.send_blocks = seed % 2 == 0;
      request.node.model.receive_occupies = seed / 2 % 2 == 0;
      request.node.model.startup_per_port = seed / 4 % 2 == 0;
      request.node.model.tr_per_flit = static_cast<Cycle>(seed % 3);
    };
    std::ostringstream said;
    const std::string shape = seed % 3 == 0   ? "torus:4x4"
                              : seed % 3 == 1 ? "hypercube:3"
                                              : "ring:7";
    const std::string text = outcome(shape, random_body(seed), said, change);
    EXPECT_THAT(text, Not(HasSubstr("broken"))) << "seed " << seed;
    EXPECT_THAT(text, Not(HasSubstr("waits"))) << "seed " << seed;
  }
}

}  // namespace
}  // namespace allport
