// SPDX-License-Identifier: Apache-2.0
// These tests check programs on nodes: their data, their cycles (docs/timing.md, section 2), and
// what is said of those that go wrong. Each run is in a process of its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "rtl_model/base/split_mix.h"
#include "testbench/simulation/run_programs.h"
#include "tests/support/forked.h"
#include "tests/testbench/simulation/program_outcome.h"

namespace allport {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

using test::Body;
using test::Function;
using test::outcome;
using test::request_on;

// 7 cycles to compute; eight bytes are two flits: 7 + 10 + 1 + 2 + 5 = 25 there, the same back: 50,
// but for the 7 cycles, so the answer is there in 25 + 18 = 43.
TEST(ProgramRun, ThereAndBack) {
  std::ostringstream said;
  const auto body = [&](Processor& self) {
    if (self.rank() == 0) {
      self.compute(7);
      self.send(1, std::vector<std::int64_t>{42}, 3);
      said << self.now() << " " << self.receive_values<std::int64_t>(1, 4).front() << " in "
           << self.now() << "; ";
    } else if (self.rank() == 1) {
      const ReceivedMessage message = self.receive();
      self.send(message.from, std::vector<std::int64_t>{2 * message.as<std::int64_t>().front()}, 4);
    }
  };
  EXPECT_THAT(outcome("hypercube:2", body, said), StartsWith("17 84 in 43; makespan 43; digest"));
}

TEST(ProgramRun, ReceivesByRankAndTag) {
  std::ostringstream said;
  const auto body = [&](Processor& self) {
    if (self.rank() > 0) {
      self.send(0, std::vector<std::uint32_t>{self.rank()}, self.rank() % 2);
      return;
    }
    std::uint32_t odd = 0;
    for (int i = 0; i < 4; ++i) odd += self.receive_values<std::uint32_t>(Processor::any, 1)[0];
    std::uint32_t even = 0;
    for (int i = 0; i < 3; ++i) even += self.receive_values<std::uint32_t>(Processor::any, 0)[0];
    said << odd << " " << even << "; ";
  };
  EXPECT_THAT(outcome("hypercube:3", body, said), StartsWith("16 12; makespan"));
}

TEST(ProgramRun, CollectivesCarryTheData) {
  for (const std::string shape : {"hypercube:4", "torus:4x4", "mesh:3x5"}) {
    std::ostringstream said;
    const auto body = [&](Processor& self) {
      std::vector<std::int64_t> values{self.rank() == 3 ? 7 : 0, 1};
      self.broadcast_values(3, values);
      if (values != std::vector<std::int64_t>{7, 1}) throw std::runtime_error("not the root's");
      std::vector<std::int64_t> sums{self.rank(), 1};
      self.barrier();
      self.reduce(2, sums);
      if (self.rank() == 2) said << sums[0] << " of " << sums[1] << "; ";
    };
    const auto nodes = static_cast<std::int64_t>(parse_topology(shape)->node_count());
    EXPECT_THAT(outcome(shape, body, said),
                StartsWith(std::to_string(nodes * (nodes - 1) / 2) + " of " +
                           std::to_string(nodes) + "; makespan"))
        << shape;
  }
}

TEST(ProgramRun, ABarrierHoldsEverybody) {
  std::ostringstream said;
  const auto body = [&](Processor& self) {
    self.compute(self.rank() == 5 ? 1000 : 1);
    self.barrier();
    if (self.now() < 1000) throw std::runtime_error("left before rank 5 came");
  };
  EXPECT_THAT(outcome("hypercube:3", body, said), testing::Not(HasSubstr("broken")));
}

TEST(ProgramRun, NamesWhatAProgramThrew) {
  std::ostringstream said;
  const auto body = [&](Processor& self) {
    if (self.rank() == 2) throw std::runtime_error("no bread");
    if (self.rank() == 1) self.compute(-1);
    if (self.rank() == 0) self.send(9, nullptr, 0);
    self.compute(50);
  };
  const std::string outcome_of_all = outcome("hypercube:2", body, said);
  EXPECT_THAT(outcome_of_all, StartsWith("makespan 50; broken rank"));
}

TEST(ProgramRun, BytesAreThere) {
  std::ostringstream said;
  const auto body = [](Processor& self) {
    if (self.rank() == 0) self.send(1, nullptr, 8);
  };
  EXPECT_THAT(outcome("hypercube:2", body, said),
              HasSubstr("broken rank 0: send: the data are null, and 8 bytes are to be sent"));
}

TEST(ProgramRun, NamesWhoWaitsForWhom) {
  std::ostringstream said;
  const auto in_circle = [&](Processor& self) {
    if (self.rank() < 2) self.receive(1 - self.rank(), 7);
  };
  EXPECT_THAT(
      outcome("hypercube:2", in_circle, said),
      HasSubstr(
          "rank 0 waits since cycle 0 for a message from rank 1, tag 7; rank 1 waits since cycle 0 for a message from rank 0, tag 7"));
  std::ostringstream other;
  const auto ended = [&](Processor& self) {
    if (self.rank() == 0) self.receive(1);
    if (self.rank() == 1) self.send(2, nullptr, 0);
  };
  EXPECT_THAT(
      outcome("hypercube:2", ended, other),
      HasSubstr(
          "rank 0 waits since cycle 0 for a message from rank 1, whose program has ended; unreceived 1"));
}

TEST(ProgramRun, ComputesAsLongAsTasksDo) {
  for (const bool is_first : {true, false}) {
    std::ostringstream said;
    const auto body = [is_first](Processor& self) {
      if (self.rank() > 0) return;
      if (!is_first) self.compute(10);
      self.compute(INT64_MAX);
    };
    EXPECT_THAT(
        outcome("hypercube:2", body, said),
        StartsWith(
            std::string(is_first ? "makespan 0" : "makespan 10") +
            "; broken rank 0: compute: cycles 9223372036854775807: must be 0..1000000000000; digest"));
  }
  std::ostringstream said;
  const auto for_ever = [](Processor& self) {
    for (;;) self.compute(1'000'000'000'000);
  };
  EXPECT_THAT(
      outcome("ring:2", for_ever, said),
      StartsWith(
          "makespan 1000000000000000000; broken rank 0: from cycle 1000000000000000000 on it is busy for 1000000000000 cycles, and a run ends by cycle 10^18"));
}

TEST(ProgramRun, NamesCollectivesThatDoNotAgree) {
  const auto words = [](const Body& body) {
    std::ostringstream said;
    return outcome("hypercube:2", body, said);
  };
  const auto calls = [](Processor& self, bool broadcasts, std::uint32_t root) {
    Processor::Bytes data{1, 2};
    if (broadcasts) return self.broadcast(root, data);
    self.barrier();
  };
  EXPECT_THAT(
      words([&](Processor& self) { calls(self, self.rank() == 0, 0); }),
      HasSubstr(
          "broken rank 1 calls barrier by exchange-barrier where rank 0 calls broadcast with root 0 by wsort, as collective 1 of both"));
  EXPECT_THAT(
      words([&](Processor& self) {
        self.barrier();
        calls(self, true, self.rank() == 3 ? 3 : 1);
      }),
      HasSubstr(
          "broken rank 3 calls broadcast with root 3 by wsort where rank 0 calls broadcast with root 1 by wsort, as collective 2 of both"));
  EXPECT_THAT(
      words([&](Processor& self) {
        Processor::Bytes data{1};
        self.broadcast(0, data, self.rank() == 2 ? "sbt" : "wsort");
      }),
      HasSubstr(
          "broken rank 2 calls broadcast with root 0 by sbt where rank 0 calls broadcast with root 0 by wsort"));
  EXPECT_THAT(
      words([&](Processor& self) {
        std::vector<double> reals{1};
        std::vector<std::int64_t> integers{1};
        self.rank() == 1 ? self.reduce(0, integers) : self.reduce(0, reals);
      }),
      HasSubstr(
          "broken rank 1 calls reduce of 1 integer with root 0 by sbt-reduce where rank 0 calls reduce of 1 double with root 0 by sbt-reduce"));
  EXPECT_THAT(
      words([&](Processor& self) {
        if (self.rank() == 0) calls(self, true, 0);
      }),
      HasSubstr(
          "broken rank 0 calls broadcast with root 0 by wsort as collective 1, but rank 1 calls only 0"));
  // By its name the default algorithm is the same one.
  EXPECT_THAT(
      words([&](Processor& self) { self.barrier(self.rank() == 0 ? "exchange-barrier" : ""); }),
      testing::Not(HasSubstr("broken")));
}

// Rank 0 lets the message of another collective end it, and so do those that wait for it.
TEST(ProgramRun, AMessageOfAnotherCollectiveEndsItsReceiver) {
  std::ostringstream said;
  const auto body = [&](Processor& self) {
    Processor::Bytes data{7};
    try {
      if (self.rank() == 0) {
        self.broadcast(0, data);
      } else {
        self.broadcast(0, data, "sbt");
      }
    } catch (const std::logic_error& error) {
      if (self.rank() == 1) said << error.what() << "; ";
    }
  };
  EXPECT_THAT(
      outcome("hypercube:2", body, said),
      StartsWith(
          "its collective 1 is broadcast with root 0 by sbt, and that of rank 0 is broadcast with root 0 by wsort; makespan"));
}

TEST(ProgramRun, NamesAMessageThatNobodyReceives) {
  std::ostringstream said;
  const auto body = [](Processor& self) {
    if (self.rank() == 3) self.send(1, nullptr, 0, 8);
    if (self.rank() == 2) self.send(1, nullptr, 0, 7);
  };
  EXPECT_THAT(
      outcome("hypercube:2", body, said),
      HasSubstr(
          "broken rank 2 sends rank 1 a message with tag 7 that nobody receives, and there is 1 other such message; unreceived 2"));
}

TEST(ProgramRun, NamesAllThatWaitForEver) {
  const auto body = [](Processor& self) {
    if (self.rank() == 2) throw std::runtime_error("no bread");
    self.receive(self.rank() == 0 ? 2 : 0);
  };
  std::ostringstream few;
  EXPECT_THAT(
      outcome("hypercube:2", body, few),
      HasSubstr(
          "broken rank 2: no bread; rank 1 waits since cycle 0 for a message from rank 0; rank 3 waits since cycle 0 for a message from rank 0; rank 0 waits since cycle 0 for a message from rank 2, whose program has ended; digest"));
  std::ostringstream many;
  EXPECT_THAT(
      outcome("hypercube:4", body, many),
      HasSubstr(
          "rank 9 waits since cycle 0 for a message from rank 0; 6 other programs of 16 wait for ever too; rank 0 waits since cycle 0 for a message from rank 2, whose program has ended; digest"));
}

/// Touches `used` bytes of its stack, of `stack` that it asks for.
class Deep final : public Program {
 public:
  Deep(std::size_t used, std::size_t stack) : used_(used), stack_(stack) {}
  std::size_t stack_bytes() const override { return stack_; }
  void run(Processor& self) override {
    self.compute(touch(used_));
    self.barrier();
  }

 private:
  static Cycle touch(std::size_t left) {
    constexpr std::size_t step = 10000;
    volatile unsigned char local[step];
    for (std::size_t i = 0; i < step; i += 1000) local[i] = 1;
    const Cycle below = left > step ? touch(left - step) : 0;
    return below + local[left % step / 1000 * 1000];
  }
  const std::size_t used_;
  const std::size_t stack_;
};

std::string deep_outcome(std::size_t used, std::size_t stack) {
  return test::forked([&] {
    try {
      const Results results =
          run_programs(request_on("hypercube:2", Model::worm),
                       [&](std::uint32_t) { return std::make_unique<Deep>(used, stack); });
      return std::string(results.is_complete() ? "complete" : "not complete");
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
  });
}

TEST(ProgramRun, AStackIsAsLargeAsTheProgramSays) {
  EXPECT_EQ(deep_outcome(400'000, Program::default_stack), "complete");
  EXPECT_EQ(deep_outcome(15'000'000, std::size_t{1} << 24), "complete");
  EXPECT_THAT(deep_outcome(2'000'000, Program::default_stack), StartsWith("crashed"));
  EXPECT_EQ(deep_outcome(10, 1000), "rank 0: stack_bytes 1000: must be 131072..1073741824");
  EXPECT_EQ(deep_outcome(10, SIZE_MAX),
            "rank 0: stack_bytes 9223372036854775807: must be 131072..1073741824");
}

// What is said of ranks without a program, and of a host that is `host`.
std::string refusal(bool has_program, const Host& host) {
  return test::forked([&] {
    const auto make = [&](std::uint32_t) {
      return has_program ? std::make_unique<Deep>(10, Program::default_stack) : nullptr;
    };
    try {
      run_programs(request_on("hypercube:2", Model::worm), make, host);
      return std::string("none");
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
  });
}

// What is said of programs that run with what `change` asks for besides.
std::string refusal_with(const std::function<void(RunRequest&)>& change) {
  return test::forked([&] {
    RunRequest request = request_on("hypercube:2", Model::worm);
    change(request);
    try {
      run_programs(request, [](std::uint32_t) {
        return std::make_unique<Deep>(10, Program::default_stack);
      });
      return std::string("none");
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
  });
}

TEST(ProgramRun, WhatProgramsDoNotHeedIsRefused) {
  EXPECT_EQ(refusal_with([](RunRequest&) {}), "none");
  EXPECT_EQ(refusal_with([](RunRequest& request) { request.node.jitter = 3; }),
            "the programs and --jitter exclude each other");
  EXPECT_EQ(refusal_with([](RunRequest& request) { request.message.bytes = 64; }),
            "the programs and --bytes exclude each other");
  EXPECT_EQ(refusal_with([](RunRequest& request) { request.traffic.trials = 2; }),
            "the programs and --trials exclude each other");
  EXPECT_EQ(refusal_with([](RunRequest& request) { request.traffic.rate = 0.1; }),
            "--rate and the programs exclude each other");
}

TEST(ProgramRun, APatternBesideProgramsIsAsOneBesideTasks) {
  const auto with_pattern = [](RunRequest& request) {
    request.traffic.pattern = "uniform";
    request.traffic.rate = 0.1;
  };
  EXPECT_EQ(refusal_with([&](RunRequest& request) {
              with_pattern(request);
              request.node.model.receive_occupies = true;
            }),
            "none");
  EXPECT_THAT(refusal_with([&](RunRequest& request) {
                with_pattern(request);
                request.router.classes = 2;
              }),
              HasSubstr("--classes 2 and a pattern beside tasks"));
}

TEST(ProgramRun, AProgramIsThereAndAHostTakesItsTime) {
  const auto deep = [] { return std::make_unique<Deep>(10, Program::default_stack); };
  EXPECT_EQ(refusal(true, Host{{100, 2}, deep()}), "none");
  EXPECT_EQ(refusal(false, Host{{100, 2}, deep()}), "rank 0: it has no program, but null");
  EXPECT_EQ(refusal(true, Host{{100, 2}, nullptr}), "the host: it has no program, but null");
  EXPECT_EQ(refusal(true, Host{{-100, 2}, deep()}),
            "the host: start_up -100: must be 0..1000000000");
  EXPECT_THAT(refusal(true, Host{{100, std::nan("")}, deep()}), StartsWith("the host: per_byte "));
}

// A transfer of eight bytes takes 100 + 2 * 8 = 116. The host sends two, to 116 and 232; the
// answers of ranks 0 and 1 wait for these and for each other: to 348 and 464. Node 2 uses the
// fabric alone: its message is at rank 3 in 10 + 1 + 2 + 5 = 18.
TEST(ProgramRun, AHostHasAChannelOfItsOwn) {
  for (const Model model : {Model::systemc, Model::worm}) {
    std::ostringstream said;
    const Body at_node = [&](Processor& self) {
      if (self.rank() == 2) self.send(3, std::vector<std::int64_t>{1});
      if (self.rank() == 3) {
        self.receive(2);
        said << self.now() << "; ";
      }
      if (self.rank() > 1) return;
      const auto value = self.receive_values<std::int64_t>(Processor::host).front();
      said << self.rank() << " has " << value << " in " << self.now() << "; ";
      self.send(Processor::host, std::vector<std::int64_t>{value * value});
    };
    const Body at_host = [&](Processor& self) {
      for (std::uint32_t rank = 0; rank < 2; ++rank) {
        self.send(rank, std::vector<std::int64_t>{rank + 3});
      }
      for (std::uint32_t rank = 0; rank < 2; ++rank) {
        said << self.receive_values<std::int64_t>(rank).front() << " in " << self.now() << "; ";
      }
    };
    const std::string text = test::forked([&] {
      const Results results = run_programs(
          request_on("hypercube:2", model),
          [&](std::uint32_t) { return std::make_unique<Function>(at_node); },
          Host{{100, 2}, std::make_unique<Function>(at_host)});
      said << "makespan " << results.tasks->makespan << results.broken_invariant;
      return said.str();
    });
    EXPECT_EQ(text, "18; 0 has 3 in 116; 1 has 4 in 232; 9 in 348; 16 in 464; makespan 464");
  }
}

// Both models agree on random exchanges under every node model.
TEST(ProgramRun, BothModelsAgree) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    std::ostringstream said;
    const auto body = [seed](Processor& self) {
      SplitMix64 draw(seed * 1000 + self.rank());
      const std::uint32_t size = self.size();
      for (std::uint32_t round = 1; round < 5; ++round) {
        self.compute(static_cast<Cycle>(draw.next() % 40));
        const std::vector<std::uint32_t> values(draw.next() % 30, self.rank());
        self.send((self.rank() + round) % size, values, round);
        for (const std::uint32_t one : self.receive_values<std::uint32_t>(Processor::any, round)) {
          if (one != (self.rank() + size - round) % size) throw std::runtime_error("not mine");
        }
      }
      self.barrier();
    };
    const auto change = [seed](RunRequest& request) {
      request.node.model.send_blocks = seed % 2 == 0;
      request.node.model.receive_occupies = seed / 2 % 2 == 0;
      request.node.model.startup_per_port = seed / 4 % 2 == 0;
      request.node.model.tr_per_flit = static_cast<Cycle>(seed % 3);
    };
    EXPECT_THAT(outcome(seed % 2 == 0 ? "torus:4x4" : "hypercube:3", body, said, change),
                testing::Not(HasSubstr("broken")))
        << seed;
  }
}

TEST(ProgramRun, AThousandNodesAreNoMatter) {
  RunRequest request = request_on("hypercube:10", Model::worm);
  std::ostringstream said;
  const Body body = [](Processor& self) { self.barrier(); };
  const std::string text = test::forked([&] {
    const Results results =
        run_programs(request, [&](std::uint32_t) { return std::make_unique<Function>(body); });
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const bool is_small = used.ru_maxrss < 1000000;  // kB
    return std::string(results.is_complete() ? "complete" : "not complete") +
           (is_small ? ", small" : ", large: " + std::to_string(used.ru_maxrss));
  });
  EXPECT_EQ(text, "complete, small");
}

}  // namespace
}  // namespace allport
