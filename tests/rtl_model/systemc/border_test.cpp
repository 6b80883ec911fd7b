// SPDX-License-Identifier: Apache-2.0
// Two processes, joined by nothing but a socket, decide one fabric together: each has all of it,
// decides its own parts and serves its own terminals. What every terminal sees, and in which cycle,
// is the same as in one process. By night more cases are drawn, and under the thread sanitizer.
#include "rtl_model/systemc/border.h"

#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/properties/reference/random_cases.h"
#include "tests/rtl_model/systemc/drawn_messages.h"
#include "tests/support/forked.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

/// One end of a stream of bytes.
class Stream {
 public:
  explicit Stream(int file) : file_(file) {}
  template <class Item>
  void put(const Item& item) const {
    put(&item, sizeof item);
  }
  template <class Item>
  void put(const std::vector<Item>& items) const {
    put(items.size());
    put(items.data(), items.size() * sizeof(Item));
  }
  template <class Item>
  void get(Item& item) const {
    get(&item, sizeof item);
  }
  template <class Item>
  void get(std::vector<Item>& items) const {
    std::size_t size = 0;
    get(size);
    items.resize(size);
    get(items.data(), size * sizeof(Item));
  }

 private:
  void put(const void* bytes, std::size_t size) const {
    const auto* from = static_cast<const char*>(bytes);
    while (size > 0) {
      const ssize_t some = send(file_, from, size, MSG_NOSIGNAL);
      if (some <= 0) throw std::runtime_error("the other side is gone");
      from += some;
      size -= static_cast<std::size_t>(some);
    }
  }
  void get(void* bytes, std::size_t size) const {
    auto* to = static_cast<char*>(bytes);
    while (size > 0) {
      const ssize_t some = read(file_, to, size);
      if (some <= 0) throw std::runtime_error("the other side is gone");
      to += some;
      size -= static_cast<std::size_t>(some);
    }
  }

  const int file_;
};

/// What is done to what a side sends before it goes, in every window.
using Fault = std::function<void(Border::Crossing&)>;

/// The border between two processes. `sides`: that of each part, 0 or 1.
class StreamBorder final : public Border {
 public:
  StreamBorder(Stream stream, int side, std::vector<int> sides, Fault fault)
      : stream_(stream), side_(side), sides_(std::move(sides)), fault_(std::move(fault)) {}

  bool is_here(std::size_t part) const override { return sides_[part] == side_; }

  Cycle exchange(Cycle last, Cycle next, const std::vector<Crossing>& sent,
                 Crossing& received) override {
    Crossing all;
    const auto add = [](auto& to, const auto& from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    for (const Crossing& one : sent) {
      add(all.flits, one.flits);
      add(all.credits, one.credits);
      add(all.acks, one.acks);
    }
    if (fault_) fault_(all);
    Cycle other = 0;
    // One side writes first, or both could wait for room in the socket.
    if (side_ == 0) put(last, next, all);
    get(last, other, received);
    if (side_ == 1) put(last, next, all);
    return std::min(next, other);
  }

 private:
  void put(Cycle last, Cycle next, const Crossing& all) const {
    stream_.put(last);
    stream_.put(next);
    stream_.put(all.flits);
    stream_.put(all.credits);
    stream_.put(all.acks);
  }
  void get(Cycle last, Cycle& next, Crossing& all) const {
    Cycle other = 0;
    stream_.get(other);
    if (other != last) throw std::runtime_error("the sides are in different windows");
    stream_.get(next);
    stream_.get(all.flits);
    stream_.get(all.credits);
    stream_.get(all.acks);
  }

  const Stream stream_;
  const int side_;
  const std::vector<int> sides_;
  const Fault fault_;
};

struct BorderCase {
  std::string topology;
  With config{};
  std::vector<int> sides{0, 1};  // of each part
  int longest = 8;               // message, in flits
  FabricPace pace = FabricPace::calls;
  int count = 6;                // messages for each node
  int cycles = 60;              // in which they begin
  bool has_one_source = false;  // node 0, and who answers it
  bool has_threads = false;     // whether several decide cycles at side 0
  Fault fault{};                // of side 1

  std::vector<DrawnMessage> messages(const Blueprint& blueprint, std::uint64_t seed) const {
    const auto nodes = static_cast<int>(blueprint.routing.topology().node_count());
    auto messages = drawn_messages(blueprint, count * nodes, longest, cycles, seed);
    if (!has_one_source) return messages;
    for (DrawnMessage& message : messages) {
      message.source = 0;
      if (message.destination == 0) message.destination = static_cast<std::size_t>(nodes - 1);
    }
    return messages;
  }
  std::string alone(std::uint64_t seed) const {
    return forked([&] {
      const Blueprint blueprint(topology, config);
      return fate_of(blueprint, messages(blueprint, seed), {}).text();
    });
  }
  std::string by_two(std::uint64_t seed) const {
    return forked([&] {
      std::array<int, 2> ends{};
      if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) throw std::runtime_error("socket");
      const pid_t child = fork();
      if (child == 0) {
        close(ends[0]);
        try {
          const Stream stream(ends[1]);
          const Fate fate = side(1, stream, seed);
          stream.put(fate.flit_hops);
          stream.put(fate.seen);
        } catch (const std::exception&) {
          _exit(1);
        }
        _exit(0);
      }
      close(ends[1]);
      const Stream stream(ends[0]);
      Fate fate = side(0, stream, seed);
      Fate other;
      stream.get(other.flit_hops);
      stream.get(other.seen);
      waitpid(child, nullptr, 0);
      if (fate.flit_hops == 0 || other.flit_hops == 0) return std::string("a side does nothing");
      if ((fate.together > 0) != has_threads) return std::string("threads are not as expected");
      fate.flit_hops += other.flit_hops;
      fate.seen.insert(fate.seen.end(), other.seen.begin(), other.seen.end());
      return fate.text();
    });
  }

 private:
  Fate side(int number, Stream stream, std::uint64_t seed) const {
    const Blueprint blueprint(topology, config);
    StreamBorder border(stream, number, sides, number == 1 ? fault : Fault{});
    const RouterParts parts(blueprint.routing.topology().router_count(),
                            static_cast<int>(sides.size()));
    return fate_of(blueprint, messages(blueprint, seed), parts, pace, &border);
  }
};

void expect_same(const BorderCase& one, std::uint64_t seed) {
  const std::string alone = one.alone(seed);
  ASSERT_THAT(alone, HasSubstr(" out "));
  EXPECT_EQ(one.by_two(seed), alone) << one.topology << " seed " << seed;
}

constexpr std::uint64_t seed = 20261129;

TEST(Border, HasTwoProcessesDecideOneFabric) {
  expect_same({"torus:4x4"}, seed);
  expect_same({"hypercube:4", With().ports(2).depth(2)}, seed);
  expect_same({"mesh:5x3"}, seed);
  expect_same({"ring:7", With().depth(8)}, seed);
}

TEST(Border, HasWindowsOfTheDelaysOfLinks) {
  expect_same({"torus:4x4", With().link_delay(3)}, seed);
  expect_same({"hypercube:4", With().link_delay({0, 1, 2, 5})}, seed);
  expect_same({"mesh:4x4x2", With().link_delay({4, 2, 1})}, seed);
}

TEST(Border, CutsNarrowChannelsAndPipelines) {
  expect_same({"torus:4x4", With().phits({2, 4})}, seed);
  expect_same({"mesh:4x4", With().phits({3, 3}).link_delay(2)}, seed);
  expect_same({"hypercube:4", With().pipeline(1, 1, 2).link_delay(1)}, seed);
}

TEST(Border, CutsInManyWays) {
  for (const std::vector<int>& sides : std::vector<std::vector<int>>{
           {0, 0, 1, 1}, {0, 1, 0, 1}, {1, 0, 0, 0, 1}, {1, 0}, {0, 0, 0, 0, 0, 0, 1}}) {
    expect_same({"torus:4x4", With().link_delay(1), sides}, seed);
    expect_same({"hypercube:4", {}, sides}, seed);
  }
}

TEST(Border, PassesAcknowledgementsOfCircuits) {
  expect_same({"torus:4x4", With().switching(Switching::circuit)}, seed);
  expect_same({"mesh:4x4", With().switching(Switching::circuit).link_delay(2)}, seed);
  expect_same({"hypercube:4", With().switching(Switching::cut_through).depth(8)}, seed);
}

TEST(Border, KeepsTheClockOfTheKernelToo) {
  BorderCase one{"torus:4x4", With().link_delay(1), {0, 0, 1, 1}};
  one.pace = FabricPace::kernel;
  expect_same(one, seed);
  one.has_one_source = true;  // side 1 has nothing to do at first
  one.count = 1;
  expect_same(one, seed);
}

// Where nothing is due at either side for a while, windows begin later.
TEST(Border, LeavesOutTheCyclesInWhichNothingIsDue) {
  for (const int delay : {0, 1, 7}) {
    BorderCase one{"torus:4x4", With().link_delay(delay).depth(2)};
    one.count = 2;
    one.cycles = 4000;
    expect_same(one, seed);
  }
}

TEST(Border, HasThreadsAtEachSide) {
  BorderCase one{"torus:24x24", With().depth(2), {0, 0, 1, 1}};
  one.count = 4;
  one.cycles = 30;
  one.has_threads = true;
  expect_same(one, seed);
}

TEST(Border, DrawnCases) {
  const RandomCases cases(6);
  for (std::uint64_t drawn = cases.first; drawn < cases.end; ++drawn) {
    Draw draw(drawn);
    With config;
    config.depth(2 + draw.below(5)).link_delay(draw.below(4));
    const std::string topology =
        draw.one_of<std::string>({"torus:4x4", "torus:3x5", "hypercube:3", "hypercube:5",
                                  "mesh:4x5", "mesh:3x3x3", "ring:9"});
    std::vector<int> sides{draw.below(2)};
    for (int more = draw.below(5); more > 0; --more) sides.push_back(draw.below(2));
    sides.push_back(1 - sides.front());
    BorderCase one{topology, config, sides, 1 + draw.below(12)};
    one.cycles = draw.one_of<int>({20, 100, 1000});
    expect_same(one, drawn);
  }
}

// What is lost or late is seen: the comparison above is none of what two processes have in common.
TEST(Border, ShowsWhatIsLostOrLate) {
  const auto lose = [](auto Border::Crossing::*kind) -> Fault {
    return [kind, crossed = 0](Border::Crossing& sent) mutable {
      for (std::size_t i = 0; i < (sent.*kind).size(); ++i) {
        if (++crossed % 10 == 0)
          (sent.*kind).erase((sent.*kind).begin() + static_cast<std::ptrdiff_t>(i));
      }
    };
  };
  const auto delay = [](auto Border::Crossing::*kind) -> Fault {
    return [kind, crossed = 0](Border::Crossing& sent) mutable {
      for (auto& due : sent.*kind) {
        if (++crossed >= 10) ++due.cycle;
      }
    };
  };
  const auto expect_seen = [](BorderCase one, const std::vector<Fault>& faults) {
    const std::string alone = one.alone(seed);
    ASSERT_EQ(one.by_two(seed), alone);
    for (const Fault& fault : faults) {
      one.fault = fault;
      EXPECT_NE(one.by_two(seed), alone) << "fault " << &fault - faults.data();
    }
  };
  expect_seen({"torus:4x4", With().link_delay(1).depth(2)},
              {lose(&Border::Crossing::flits), delay(&Border::Crossing::flits),
               lose(&Border::Crossing::credits), delay(&Border::Crossing::credits)});
  expect_seen({"torus:4x4", With().link_delay(1).switching(Switching::circuit)},
              {lose(&Border::Crossing::acks), delay(&Border::Crossing::acks)});
}

TEST(Border, RefusesWhatComesTooLateOrTooEarly) {
  BorderCase one{"torus:4x4"};
  const auto all_in = [](Cycle cycle) -> Fault {
    return [cycle](Border::Crossing& sent) {
      for (auto& due : sent.flits) due.cycle = cycle;
    };
  };
  one.fault = all_in(0);
  EXPECT_THAT(one.by_two(seed),
              HasSubstr("exception: border: what is due in cycle 0 came at the end of cycle"));
  one.fault = all_in(5000);
  EXPECT_THAT(one.by_two(seed),
              HasSubstr("exception: border: what is due in cycle 5000 came at the end of cycle"));
}

TEST(Border, IsNotThatOfAFabricThatErrs) {
  for (const bool errs_first : {false, true}) {
    EXPECT_EQ(forked([&] {
                const Blueprint blueprint("torus:4x4", {});
                Fabric fabric("fabric", blueprint.config, blueprint.routing,
                              sc_core::sc_time(1, sc_core::SC_NS), nullptr, FabricPace::calls,
                              RouterParts(16, 2));
                StreamBorder border(Stream(-1), 0, {0, 1}, {});
                if (errs_first) fabric.err({}, 1);
                fabric.share(border);
                fabric.err({}, 1);
                return std::string("taken");
              }),
              errs_first ? "exception: a fabric that errs has no border"
                         : "exception: a fabric with a border does not err");
  }
}

}  // namespace
}  // namespace allport::test
