// SPDX-License-Identifier: Apache-2.0
// Programs on nodes: their data, their cycles (docs/timing.md, section 2), and what is said of
// those that go wrong. Each run is in a process of its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

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

namespace allport {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

using Body = std::function<void(Processor&)>;

class Function final : public Program {
 public:
  explicit Function(const Body& body) : body_(body) {}
  void run(Processor& self) override { body_(self); }

 private:
  const Body& body_;
};

RunRequest request_on(const std::string& shape, Model model) {
  RunRequest request;
  request.fabric.topology = parse_topology(shape);
  request.node.ts = 10;
  request.node.tr = 5;
  request.model = model;
  return request;
}

std::string run(const RunRequest& request, const Body& body, std::ostringstream& said) {
  return test::forked([&] {
    const Results results =
        run_programs(request, [&](std::uint32_t) { return std::make_unique<Function>(body); });
    said << "makespan " << results.tasks->makespan;
    if (!results.broken_invariant.empty()) said << "; broken " << results.broken_invariant;
    for (const std::string& wait : results.tasks->waits) said << "; " << wait;
    if (results.tasks->unreceived > 0) said << "; unreceived " << results.tasks->unreceived;
    said << "; digest " << results.digest;
    return said.str();
  });
}

/// What `body`, run on every node, leads to: the same on both models. `said` takes its words.
std::string outcome(const std::string& shape, const Body& body, std::ostringstream& said,
                    const std::function<void(RunRequest&)>& change = {}) {
  RunRequest request = request_on(shape, Model::systemc);
  if (change) change(request);
  const std::string flits = run(request, body, said);
  request.model = Model::worm;
  const std::string worms = run(request, body, said);
  EXPECT_EQ(flits, worms);
  return flits;
}

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

TEST(ProgramRun, NamesWhoWaitsForWhom) {
  std::ostringstream said;
  const auto in_circle = [&](Processor& self) {
    if (self.rank() < 2) self.receive(1 - self.rank(), 7);
  };
  EXPECT_THAT(outcome("hypercube:2", in_circle, said),
              HasSubstr("rank 0 waits since cycle 0 for a message from rank 1, tag 7; rank 1 waits "
                        "since cycle 0 for a message from rank 0, tag 7"));
  std::ostringstream other;
  const auto ended = [&](Processor& self) {
    if (self.rank() == 0) self.receive(1);
    if (self.rank() == 1) self.send(2, nullptr, 0);
  };
  EXPECT_THAT(outcome("hypercube:2", ended, other),
              HasSubstr("rank 0 waits since cycle 0 for a message from rank 1, whose program has "
                        "ended; unreceived 1"));
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
