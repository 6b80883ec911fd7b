// SPDX-License-Identifier: Apache-2.0
// These tests check the collectives that programs call: what was sent is what arrives, by every
// algorithm, from every root, for every length, and what is said where ranks or lengths do not fit.
// ALLPORT_CASES and ALLPORT_NIGHTLY_SEED choose other cases (scripts/nightly).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "testbench/plan/resolve.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/support/draw.h"
#include "tests/testbench/simulation/program_outcome.h"
#include "traffic/algorithms/algorithms.h"
#include "traffic/tasks/collective_goal.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

using Bytes = Processor::Bytes;
using Integers = std::vector<std::int64_t>;

// What rank `from` has for rank `to` in a call, `length` values.
Integers block(std::uint32_t from, std::uint32_t to, std::size_t length) {
  Integers values(length);
  for (std::size_t i = 0; i < length; ++i) {
    values[i] = static_cast<std::int64_t>(from * 1000003 + to * 10007 + i + 1);
  }
  return values;
}

// Blocks of several ranks, one after another: `of(rank)`.
template <class Of>
Integers all_blocks(std::uint32_t ranks, const Of& of) {
  Integers all;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    const Integers one = of(rank);
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

Bytes narrow(const Integers& values) { return {values.begin(), values.end()}; }

// The sum of what all ranks have for rank `to`.
Integers sum(std::uint32_t ranks, std::uint32_t to, std::size_t length) {
  Integers all(length);
  for (std::uint32_t from = 0; from < ranks; ++from) {
    const Integers one = block(from, to, length);
    for (std::size_t i = 0; i < length; ++i) all[i] += one[i];
  }
  return all;
}

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(std::string("not right: ") + what);
}

struct Call {
  Operation operation = Operation::barrier;
  std::string algorithm{};
  std::uint32_t root = 0;
  std::size_t length = 0;
};

std::string words(const Call& call) {
  return std::string(to_string(call.operation)) + " by " + call.algorithm + " with root " +
         std::to_string(call.root) + " of " + std::to_string(call.length);
}

// Bytes are moved one by one, so that blocks are cut wherever they are.
void carry_out_moves(Processor& self, const Call& call) {
  const std::uint32_t me = self.rank();
  const std::uint32_t ranks = self.size();
  const std::uint32_t root = call.root;
  const std::string& name = call.algorithm;
  const auto of = [&](std::uint32_t from, std::uint32_t to) {
    return block(from, to, call.length);
  };
  const Integers mine = of(me, 0);
  const Integers from_all = all_blocks(ranks, [&](std::uint32_t from) { return of(from, 0); });
  switch (call.operation) {
    case Operation::bcast: {
      Bytes data = me == root ? narrow(of(root, 0)) : Bytes(3, 9);
      self.broadcast(root, data, name);
      return require(data == narrow(of(root, 0)), "the root's data");
    }
    case Operation::scatter: {
      const Integers all =
          all_blocks(me == root ? ranks : 0, [&](std::uint32_t to) { return of(root, to); });
      return require(self.scatter(root, narrow(all), call.length, name) == narrow(of(root, me)),
                     "the root's block for this rank");
    }
    case Operation::gather:
      return require(
          self.gather(root, narrow(mine), name) == (me == root ? narrow(from_all) : Bytes{}),
          "all blocks at the root, and none elsewhere");
    case Operation::allgather:
      return require(self.allgather(narrow(mine), name) == narrow(from_all), "all blocks");
    default: {
      const Integers sent = all_blocks(ranks, [&](std::uint32_t to) { return of(me, to); });
      const Integers got = all_blocks(ranks, [&](std::uint32_t from) { return of(from, me); });
      return require(self.alltoall(narrow(sent), name) == narrow(got), "what all have for this");
    }
  }
}

void carry_out_sums(Processor& self, const Call& call) {
  const std::uint32_t me = self.rank();
  const std::uint32_t ranks = self.size();
  const std::string& name = call.algorithm;
  if (call.operation == Operation::barrier) return self.barrier(name);
  Integers values = block(me, 0, call.length);
  if (call.operation == Operation::reduce_scatter) {
    values = all_blocks(ranks, [&](std::uint32_t to) { return block(me, to, call.length); });
    return require(self.reduce_scatter(values, name) == sum(ranks, me, call.length), "its sum");
  }
  if (call.operation == Operation::reduce) {
    self.reduce(call.root, values, name);
    require(values.size() == call.length, "the length of the sums");
    return require(me != call.root || values == sum(ranks, 0, call.length), "the sums");
  }
  self.allreduce(values, name);
  require(values == sum(ranks, 0, call.length), "the sums at all ranks");
}

void carry_out(Processor& self, const Call& call) {
  const bool moves = call.operation <= Operation::alltoall;
  moves ? carry_out_moves(self, call) : carry_out_sums(self, call);
}

bool has_call(Operation operation) { return !stencil_of(operation); }

std::vector<const Algorithm*> called_algorithms() {
  std::vector<const Algorithm*> all;
  for (const Algorithm& one : algorithms()) {
    if (has_call(one.operation)) all.push_back(&one);
  }
  return all;
}

// Whether programs can call it: it is for the fabric and for all ranks, needs nothing that a call
// does not have, and sends messages to one rank each, which carry a broadcast whole.
bool is_callable(const Algorithm& algorithm, const RunRequest& request) {
  const Topology& topology = *request.fabric.topology;
  if (algorithm.kind != MessageKind::unicast || !algorithm.is_for(topology)) return false;
  if (algorithm.takes_block) return false;  // a file
  if (algorithm.destinations == Destinations::one && topology.node_count() > 2) return false;
  if (algorithm.operation != Operation::bcast) return true;
  const Routing routing = make_routing(request);
  const Multicast goal = broadcast(topology, node_id(0));
  PlanRequest planned{routing, internal_ports(request, topology), goal};
  planned.timing.flits = 1;  // its length is not known
  const Schedule schedule = plan(algorithm, planned);
  return std::all_of(schedule.unicasts.begin(), schedule.unicasts.end(), [](const Unicast& one) {
    return one.blocks.empty() || one.blocks.values() == std::vector<BlockId>{0};
  });
}

// Every algorithm from every root, with these lengths: each rank notes what it is refused, and
// goes on; what is not right ends it.
std::string every_call(const std::string& shape, const std::vector<std::size_t>& lengths,
                       const std::function<void(RunRequest&)>& change = {}) {
  std::ostringstream said;
  std::vector<std::string> refused;
  const auto body = [&](Processor& self) {
    for (const Algorithm* const algorithm : called_algorithms()) {
      const Operation operation = algorithm->operation;
      const std::uint32_t roots = has_root(operation) ? self.size() : 1;
      for (std::uint32_t root = 0; root < roots; ++root) {
        for (const std::size_t length : lengths) {
          const Call call{operation, std::string(algorithm->name), root, length};
          try {
            carry_out(self, call);
          } catch (const std::invalid_argument& error) {
            if (self.rank() + root == 0 && length == lengths.front()) {
              refused.emplace_back(algorithm->name);
            }
          } catch (const std::logic_error& error) {
            throw std::logic_error(words(call) + ": " + error.what());
          }
        }
      }
    }
    if (self.rank() > 0) return;
    for (const std::string& name : refused) said << name << " ";
    said << "are refused; ";
    refused.clear();
  };
  const std::string text = outcome(shape, body, said, change);
  return text.substr(0, text.find("; digest"));
}

std::string expected_refusals(const std::string& shape) {
  std::string names;
  const RunRequest request = request_on(shape, Model::worm);
  for (const Algorithm* const one : called_algorithms()) {
    if (!is_callable(*one, request)) names += std::string(one->name) + " ";
  }
  return names + "are refused; ";
}

class EveryCall : public testing::TestWithParam<const char*> {};

TEST_P(EveryCall, BringsWhatWasSent) {
  const std::string shape = GetParam();
  const std::string text = every_call(shape, {5, 0, 40});
  EXPECT_THAT(text, StartsWith(expected_refusals(shape)));
  EXPECT_THAT(text, Not(HasSubstr("broken")));
  EXPECT_THAT(text, Not(HasSubstr("waits")));
}

INSTANTIATE_TEST_SUITE_P(Shapes, EveryCall,
                         testing::Values("hypercube:1", "hypercube:2", "ring:2", "ring:3", "ring:5",
                                         "torus:2x3", "mesh:2", "mesh:4", "mesh:2x3"));
INSTANTIATE_TEST_SUITE_P(ByNight, EveryCall,
                         testing::Values("hypercube:3", "hypercube:4", "ring:4", "ring:8", "ring:9",
                                         "torus:3x3", "torus:4x4", "torus:2x2x2", "mesh:5",
                                         "mesh:3x3", "mesh:2x2x2", "mesh:3x2x2"));

// ---- Among other ranks, under other models ----

std::vector<NodeNumber> numbers(std::initializer_list<std::size_t> nodes) {
  std::vector<NodeNumber> list;
  for (const std::size_t node : nodes) list.push_back({node});
  return list;
}

// Four nodes of a torus are a ring for their collectives, as for those of tasks.
TEST(ProgramCollectives, AreAmongTheRanksOfAGroup) {
  const std::string text = every_call("torus:3x3", {6}, [](RunRequest& request) {
    request.traffic.group = GroupRequest{};
    request.traffic.group->listed = numbers({1, 4, 5, 8});
  });
  EXPECT_THAT(text, StartsWith(expected_refusals("ring:4")));
  EXPECT_THAT(text, Not(HasSubstr("broken")));
}

// Whatever the nodes, the routers and the places of the ranks: what is sent is what arrives, on
// both models in the same cycles.
TEST(ProgramCollectives, BringWhatWasSentUnderEveryModelOfANode) {
  const std::vector<const Algorithm*> all = called_algorithms();
  const RandomCases cases(30);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Draw draw(seed);
    const auto shape = draw.one_of<std::string>(
        {"hypercube:3", "hypercube:2", "ring:6", "ring:4", "torus:4x2", "torus:3x3", "mesh:2x4"});
    const auto nodes = static_cast<int>(parse_topology(shape)->node_count());
    std::vector<Call> calls;
    std::vector<int> work;
    for (int i = 0; i < 12; ++i) {
      const Algorithm& one =
          *all[static_cast<std::size_t>(draw.below(static_cast<int>(all.size())))];
      const int root = has_root(one.operation) ? draw.below(nodes) : 0;
      const auto length =
          static_cast<std::size_t>(draw.below(3) == 0 ? draw.below(4) : draw.below(60));
      calls.push_back({one.operation, std::string(draw.below(4) == 0 ? "" : one.name),
                       static_cast<std::uint32_t>(root), length});
      work.push_back(draw.below(40));
    }
    std::ostringstream said;
    const auto body = [&](Processor& self) {
      for (std::size_t i = 0; i < calls.size(); ++i) {
        self.compute(work[(i + self.rank()) % work.size()]);
        try {
          carry_out(self, calls[i]);
        } catch (const std::invalid_argument&) {  // it is for another fabric, on all ranks
        }
      }
    };
    const auto change = [&draw, shape](RunRequest& request) {
      request.node.ts = draw.one_of<Cycle>({0, 1, 12});
      request.node.tr = draw.one_of<Cycle>({0, 4});
      request.node.model.send_blocks = draw.below(3) == 0;
      request.node.model.receive_occupies = draw.below(3) == 0;
      request.node.model.startup_per_port = draw.below(3) == 0;
      request.node.model.ts_per_flit = draw.below(2);
      request.node.model.tr_per_flit = draw.below(2);
      if (draw.below(3) == 0) request.fabric.ports = 1;
      if (draw.below(3) == 0) request.traffic.place = PlaceRequest{PlaceRequest::Kind::random};
    };
    EXPECT_THAT(outcome(shape, body, said, change),
                testing::AllOf(Not(HasSubstr("broken")), Not(HasSubstr("waits"))))
        << "seed " << seed << " on " << shape;
  }
}

// Each rank adds in the order of the plan, so that all have the same bits.
TEST(ProgramCollectives, RoundDoublesAlikeAtAllRanks) {
  for (const std::string shape : {"hypercube:3", "ring:5", "torus:3x4", "mesh:3x3", "torus:4x4"}) {
    std::ostringstream said;
    std::vector<double> first;
    const auto compare = [&](Processor& self, const std::string& name, std::size_t length) {
      std::vector<double> values;
      for (std::size_t i = 0; i < length; ++i) {
        const double one = 3 + 7.0 * self.rank() + 1.7 * static_cast<double>(i);
        values.push_back(std::pow(10, self.rank() % 5) / one);
      }
      self.allreduce(values, name);
      if (self.rank() == 0) first = values;
      self.barrier();
      const bool is_same = std::memcmp(first.data(), values.data(), length * sizeof(double)) == 0;
      if (!is_same) said << name << " at " << self.rank() << "; ";
      self.barrier();
    };
    const auto body = [&](Processor& self) {
      for (const Algorithm* const one : called_algorithms()) {
        if (one->operation != Operation::allreduce) continue;
        try {
          compare(self, std::string(one->name), 20);
          compare(self, std::string(one->name), 1);
        } catch (const std::invalid_argument&) {  // it is for another fabric
        }
      }
    };
    EXPECT_THAT(outcome(shape, body, said), StartsWith("makespan")) << shape;
  }
}

TEST(ProgramCollectives, AddIntegersModulo2To64AndDoublesAsTheyAre) {
  std::ostringstream said;
  const auto body = [&](Processor& self) {
    Integers large{INT64_MAX};
    self.allreduce(large);
    std::vector<double> reals{0.5, -1e300};
    self.allreduce(reals);
    if (self.rank() == 2) said << large[0] << " " << reals[0] << " " << reals[1] << "; ";
    const std::vector<double> mine =
        self.reduce_scatter(std::vector<double>(8, self.rank() + 0.25));
    if (mine != std::vector<double>(2, 7)) throw std::logic_error("not 0.25 + .. + 3.25");
  };
  EXPECT_THAT(outcome("hypercube:2", body, said), StartsWith("-4 2 -4e+300; makespan"));
}

TEST(ProgramCollectives, MoveValuesOfAnyType) {
  struct Pair {
    float value;
    std::uint8_t rank;
  };
  std::ostringstream said;
  const auto body = [&](Processor& self) {
    const auto me = static_cast<std::uint8_t>(self.rank());
    const std::vector<Pair> mine{{me / 2.0F, me}};
    const std::vector<Pair> all = self.allgather_values(mine);
    for (std::size_t i = 0; i < all.size(); ++i) require(all[i].rank == i, "allgather");
    const std::vector<Pair> own = self.scatter_values(2, all, 1);
    require(own.size() == 1 && own[0].rank == me, "scatter");
    require(self.gather_values(1, own).size() == (me == 1 ? 6U : 0U), "gather");
    const std::vector<Pair> got = self.alltoall_values(std::vector<Pair>(6, mine[0]));
    for (std::size_t i = 0; i < got.size(); ++i) require(got[i].rank == i, "alltoall");
  };
  EXPECT_THAT(outcome("torus:2x3", body, said), Not(HasSubstr("broken")));
}

// ---- What does not fit ----

std::string words_of(const Body& body, const std::string& shape = "hypercube:2") {
  std::ostringstream said;
  return outcome(shape, body, said);
}

TEST(ProgramCollectives, NameLengthsThatDoNotFit) {
  EXPECT_THAT(
      words_of([](Processor& self) { self.scatter(1, Bytes(self.rank() == 1 ? 30 : 0), 8); }),
      HasSubstr("broken rank 1: scatter: the root has 30 bytes, not 4 blocks of 8 bytes"));
  EXPECT_THAT(
      words_of([](Processor& self) {
        self.scatter(0, Bytes(8), self.rank() == 0 ? SIZE_MAX / 2 + 3 : 2);
      }),
      HasSubstr(
          "broken rank 0: scatter: the root has 8 bytes, not 4 blocks of 9223372036854775810 bytes"));
  EXPECT_THAT(
      words_of([](Processor& self) { self.alltoall(Bytes(30)); }),
      HasSubstr(
          "alltoall: 30 bytes cannot be cut into 4 blocks of the same length, one for each rank"));
  EXPECT_THAT(
      words_of([](Processor& self) { self.reduce_scatter(Integers(7)); }),
      HasSubstr(
          "reduce_scatter: 7 values cannot be cut into 4 blocks of the same length, one for each rank"));
}

TEST(ProgramCollectives, NameRanksWhoseLengthsDiffer) {
  EXPECT_THAT(
      words_of([](Processor& self) {
        std::vector<double> values(self.rank() == 2 ? 5 : 4);
        self.allreduce(values);
      }),
      HasSubstr(
          "broken rank 2 calls allreduce of 5 doubles by rabenseifner where rank 0 calls allreduce of 4 doubles by rabenseifner, as collective 1 of both"));
  EXPECT_THAT(
      words_of([](Processor& self) { self.gather(3, Bytes(1 + self.rank() / 3)); }),
      HasSubstr(
          "broken rank 3 calls gather of 2 bytes of each rank with root 3 by exchange-gather where rank 0 calls gather of 1 byte of each rank"));
  EXPECT_THAT(
      words_of([](Processor& self) {
        self.scatter(0, Bytes(self.rank() == 0 ? 16 : 0), self.rank() == 1 ? 5 : 4);
      }),
      HasSubstr(
          "broken rank 1 calls scatter of 5 bytes for each rank with root 0 by exchange-scatter where rank 0 calls scatter of 4 bytes"));
  EXPECT_THAT(
      words_of([](Processor& self) { self.alltoall(Bytes(self.rank() == 1 ? 8 : 4)); }),
      HasSubstr(
          "broken rank 1 calls alltoall of 2 bytes for each pair by xor-alltoall where rank 0 calls alltoall of 1 byte for each pair"));
  EXPECT_THAT(
      words_of([](Processor& self) {
        self.rank() == 1 ? void(self.allgather(Bytes(4))) : void(self.alltoall(Bytes(4)));
      }),
      HasSubstr(
          "broken rank 1 calls allgather of 4 bytes of each rank by exchange-allgather where rank 0 calls alltoall of 1 byte"));
}

TEST(ProgramCollectives, NameWhatCannotCarryThemOut) {
  const auto said_of = [](const std::string& algorithm, const std::string& shape) {
    return words_of([&](Processor& self) { self.allgather(Bytes(4), algorithm); }, shape);
  };
  EXPECT_THAT(said_of("ring-allgather", "mesh:2x2"), HasSubstr("ring-allgather"));
  EXPECT_THAT(said_of("ring-allgathre", "ring:4"), HasSubstr("did you mean 'ring-allgather'"));
  EXPECT_THAT(said_of("exchange-alltoall", "hypercube:2"),
              HasSubstr("exchange-alltoall is an algorithm for alltoall, not for allgather"));
  EXPECT_THAT(words_of([](Processor& self) {
                Integers values(2);
                self.allreduce(values, "join-allreduce");
              }),
              HasSubstr("join-allreduce sends worms to several nodes"));
  EXPECT_THAT(
      words_of([](Processor& self) {
        Bytes data(9);
        self.broadcast(0, data, "esbt");
      }),
      HasSubstr(
          "algorithm esbt: it broadcasts in pieces, and only the root knows how long they are; programs take those that send the message whole"));
  EXPECT_THAT(words_of([](Processor& self) { self.gather(4, Bytes(1)); }),
              HasSubstr("the root is rank 4, but ranks are 0..3"));
  EXPECT_THAT(words_of([](Processor& self) { self.scatter(Processor::host, Bytes(1), 1); }),
              HasSubstr("the root of a collective is a rank, not the host"));
}

}  // namespace
}  // namespace allport::test
