// SPDX-License-Identifier: Apache-2.0
// A wave must show a machine that keeps the contract: the rules of docs/router.md that connect one
// cycle to the next, checked in every cycle of waves of random traffic, from the waves alone.
#include <gtest/gtest.h>

#include <optional>
#include <ostream>

#include "rtl_model/base/split_mix.h"
#include "testbench/observe/waves/wave_recorder.h"
#include "tests/rtl_model/systemc/fabric_bench.h"
#include "tests/testbench/observe/waves/wave_bench.h"

namespace allport::test {
namespace {

struct ConsistencyCase {
  const char* topology;
  With config;
};

std::ostream& operator<<(std::ostream& out, const ConsistencyCase& example) {
  return out << example.topology;
}

class WaveConsistency : public testing::TestWithParam<ConsistencyCase> {
 protected:
  WaveConsistency() : bench(GetParam().topology, GetParam().config) {
    WaveOptions options;
    options.path = folder / "w.vcd";
    recorder = std::make_unique<WaveRecorder>(bench.fabric, options, letter_name);
    send_random_worms();
    bench.run();
    recorder->finish(bench.fabric.cycle() + 5);
    wave = VcdReader::from_file(folder / "w.vcd");
  }

  // Bursts with pauses between them that are long enough for the fabric to sleep.
  void send_random_worms() {
    SplitMix64 random(7);
    const Routing& routing = bench.blueprint.routing;
    const std::size_t nodes = bench.fabric.node_count();
    std::map<std::pair<std::size_t, int>, Cycle> free;  // of an injection port
    for (int i = 0; i < 60; ++i) {
      const std::size_t source = random.next() % nodes;
      const std::size_t destination = (source + 1 + random.next() % (nodes - 1)) % nodes;
      const auto hop = routing.route(node_id(source), node_id(destination), 0);
      const int port = static_cast<int>(index(hop->port)) % config().internal_ports;
      const Worm worm{static_cast<char>('A' + i), destination,
                      static_cast<int>(1 + random.next() % 6)};
      Cycle& from = free[{source, port}];
      from = std::max(
          from, static_cast<Cycle>(static_cast<std::size_t>(i) / 20 * 200 + random.next() % 25));
      bench.send(from, source, port, worm);
      from += worm.flits;
    }
  }

  const RouterConfig& config() const { return bench.blueprint.config; }
  std::uint64_t value(const std::string& name, Cycle cycle) const {
    return wave.at(name, cycle).value_or(~std::uint64_t{0});
  }
  static std::string router(std::size_t node) { return "fabric.router_" + std::to_string(node); }
  /// Whether there is a flit of VC `vc` on `channel` in `cycle`.
  bool carries(const std::string& channel, int vc, Cycle cycle) const {
    return value(channel + ".flit", cycle) != 0 &&
           value(channel + ".vc", cycle) == static_cast<std::uint64_t>(vc);
  }
  std::optional<std::size_t> neighbour(std::size_t node, int port) const {
    const auto to = bench.blueprint.routing.topology().neighbour(
        node_id(node), port_id(static_cast<std::size_t>(port)));
    if (!to) return std::nullopt;
    return index(*to);
  }
  int arrival_port(std::size_t node, int port) const {
    return static_cast<int>(index(bench.blueprint.routing.topology().arrival_port(
        node_id(node), port_id(static_cast<std::size_t>(port)))));
  }

  template <class Check>
  void for_each_link(const Check& check) {
    for (std::size_t node = 0; node < bench.fabric.node_count(); ++node) {
      for (int port = 0; port < config().external_ports; ++port) {
        const auto to = neighbour(node, port);
        if (!to) continue;
        check(router(node) + ".output_" + std::to_string(port),
              router(*to) + ".input_" + std::to_string(arrival_port(node, port)));
        if (HasFailure()) return;
      }
    }
  }

  TemporaryFolder folder;
  FabricBench bench;
  std::unique_ptr<WaveRecorder> recorder;
  VcdReader wave;
};

TEST_P(WaveConsistency, WhatLeavesARouterArrivesAtItsNeighbour) {
  const Cycle delay = config().longest_hop() - 1;
  int flits = 0;
  for_each_link([&](const std::string& output, const std::string& input) {
    for (Cycle cycle = 0; cycle + delay < wave.last(); ++cycle) {
      for (const char* field : {".flit", ".message", ".vc", ".data"}) {
        ASSERT_EQ(wave.at(output + field, cycle), wave.at(input + field, cycle + delay))
            << output << " -> " << input << field << " in cycle " << cycle;
      }
      if (value(output + ".flit", cycle) != 0) ++flits;
    }
  });
  EXPECT_EQ(static_cast<std::uint64_t>(flits), bench.fabric.flit_hops());
}

TEST_P(WaveConsistency, ABufferCountsItsArrivalsAndTheCreditsItGivesBack) {
  const Cycle delay = config().link_delay;
  for_each_link([&](const std::string& output, const std::string& input) {
    for (int vc = 0; vc < config().vcs; ++vc) {
      const std::string name = "." + vc_scope(vc);
      for (Cycle cycle = 0; cycle + 1 + delay < wave.last(); ++cycle) {
        // A flit that leaves in this cycle has its credit on the link in the next one.
        const auto left = value(output + name + ".credit", cycle + 1 + delay);
        const auto arrived = carries(input, vc, cycle + 1) ? 1U : 0U;
        ASSERT_EQ(value(input + name + ".buffer.count", cycle + 1),
                  value(input + name + ".buffer.count", cycle) - left + arrived)
            << input << name << " in cycle " << cycle + 1;
      }
    }
  });
}

TEST_P(WaveConsistency, ACreditCounterCountsCreditsAndFlits) {
  for_each_link([&](const std::string& output, const std::string&) {
    for (int vc = 0; vc < config().vcs; ++vc) {
      const std::string name = output + "." + vc_scope(vc);
      for (Cycle cycle = 0; cycle + 1 < wave.last(); ++cycle) {
        const auto sent = carries(output, vc, cycle + 1) ? 1U : 0U;
        ASSERT_EQ(value(name + ".credits_q", cycle + 1),
                  value(name + ".credits_q", cycle) + value(name + ".credit", cycle) - sent)
            << name << " in cycle " << cycle + 1;
      }
      EXPECT_EQ(value(name + ".credits_q", wave.last()),
                static_cast<std::uint64_t>(config().buffer_depth));
    }
  });
}

TEST_P(WaveConsistency, AVirtualChannelCarriesItsOwnerOnly) {
  for_each_link([&](const std::string& output, const std::string&) {
    for (Cycle cycle = 1; cycle < wave.last(); ++cycle) {
      const auto kind = static_cast<WaveFlit>(value(output + ".flit", cycle));
      if (kind == WaveFlit::none) continue;
      const std::string owner = output + "." +
                                vc_scope(static_cast<int>(value(output + ".vc", cycle))) +
                                ".owner_message";
      const bool begins = kind == WaveFlit::head || kind == WaveFlit::single;
      const bool ends = kind == WaveFlit::tail || kind == WaveFlit::single;
      const auto message = wave.at(output + ".message", cycle);
      // The owner was decided in the previous cycle: given then or earlier, taken back by the tail.
      if (!begins) {
        ASSERT_EQ(wave.at(owner, cycle - 1), message) << owner << " before " << cycle;
      }
      ASSERT_EQ(wave.at(owner, cycle), ends ? std::nullopt : message) << owner << " in " << cycle;
    }
  });
}

TEST_P(WaveConsistency, ABufferShowsTheFlitThatItsCounterCounts) {
  for_each_link([&](const std::string&, const std::string& input) {
    for (int vc = 0; vc < config().vcs; ++vc) {
      const std::string buffer = input + "." + vc_scope(vc) + ".buffer";
      for (Cycle cycle = 0; cycle < wave.last(); ++cycle) {
        const bool is_empty = value(buffer + ".count", cycle) == 0;
        ASSERT_EQ(value(buffer + ".front", cycle) == 0, is_empty) << buffer << " in " << cycle;
        ASSERT_EQ(!wave.at(buffer + ".message", cycle), is_empty) << buffer << " in " << cycle;
      }
    }
  });
}

TEST_P(WaveConsistency, ARouterCountsTheFlitsOnItsOutputs) {
  for (std::size_t node = 0; node < bench.fabric.node_count(); ++node) {
    for (Cycle cycle = 0; cycle < wave.last(); ++cycle) {
      std::uint64_t flits = 0;
      for (int output = 0; output < config().ports(); ++output) {
        if (config().is_external(output) && !neighbour(node, output)) continue;
        const std::string name = router(node) + "." + output_scope(config(), output) + ".flit";
        if (value(name, cycle) != 0) ++flits;
      }
      ASSERT_EQ(wave.at(router(node) + ".flits", cycle).value_or(0), flits) << node << ' ' << cycle;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Fabrics, WaveConsistency,
    testing::Values(ConsistencyCase{"hypercube:3", With()},
                    ConsistencyCase{"hypercube:3", With().depth(1).ports(1)},
                    ConsistencyCase{"hypercube:3", With().depth(3).link_delay(2).vcs(2)},
                    ConsistencyCase{"torus:4x3", With().depth(2)},
                    ConsistencyCase{"torus:4x3", With().vcs(4).link_delay(1).ports(2)},
                    ConsistencyCase{"torus:4x3", With().phits({3, 3}).link_delay(1).depth(2)},
                    ConsistencyCase{"mesh:3x3", With().link_delay(40)}));

}  // namespace
}  // namespace allport::test
