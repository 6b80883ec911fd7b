// SPDX-License-Identifier: Apache-2.0
// A network as the interconnect of a GPU (docs/examples/gpgpu_sim): under a driver that knows every
// packet, beside a run of the same schedule, and call by call. ALLPORT_CASES is the number of
// packets (scripts/nightly).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "docs/examples/gpgpu_sim/allport_icnt.h"
#include "docs/examples/gpgpu_sim/allport_mode.h"
#include "docs/examples/gpgpu_sim/driver/crossbar_mode.h"
#include "docs/examples/gpgpu_sim/driver/gpu_driver.h"
#include "docs/examples/gpgpu_sim/driver/icnt_wrapper.h"
#include "testbench/plan/plan_run.h"
#include "testbench/simulation/simulate.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/testbench/network/network_cases.h"
#include "traffic/tasks/schedule_tasks.h"

namespace allport::test {
namespace {

const std::string mesh = "topology=mesh:8x8 classes=2 vcs=4 flit-bytes=40";
const std::string tight_torus =
    "topology=torus:8x8 classes=2 vcs=4 buffer-depth=2 flit-bytes=40 queue-limit=4 "
    "reception-limit=4";

// The pointers are those of a network of these options.
void set_mode(const std::string& options) {
  const std::string file = testing::TempDir() + "gpgpu_sim_" +
                           testing::UnitTest::GetInstance()->current_test_info()->name() + ".icnt";
  std::ofstream(file) << options << "\n";
  allport_mode(file.c_str());
}

DriverOptions heavy_load(std::size_t requests, std::uint64_t seed) {
  DriverOptions options;
  options.requests = requests;
  options.rate = 0.3;
  options.has_lines = true;
  options.pops = 0.3;
  options.held = 4;
  options.seed = seed;
  return options;
}

std::string sentence_of_run(const DriverOptions& options) {
  try {
    GpuDriver(options).run();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(GpgpuSim, LosesNothingUnderBackPressure) {
  const RandomCases cases(20000);
  for (const std::string& options : {mesh + " queue-limit=16 reception-limit=16", tight_torus}) {
    set_mode(options);
    GpuDriver driver(heavy_load((cases.end - cases.first) / 4, cases.first));
    ASSERT_NO_THROW(driver.run()) << options;
    EXPECT_EQ(driver.packets().size(), (cases.end - cases.first) / 4 * 2) << options;
    EXPECT_GT(driver.refusals(), 0) << options;
  }
}

// The cycles of the receptions in `allport run` of what was pushed, in the order of the pushes.
std::vector<Cycle> receptions_of_a_run(const std::string& options,
                                       const std::vector<DrivenPacket>& packets) {
  const NetworkRequest network = read_network_request(options);
  RunRequest request;
  request.fabric = network.fabric;
  request.router = network.router;
  request.message.flit_bytes = network.flit_bytes;
  request.model = Model::worm;
  const std::size_t nodes = network.fabric.topology->node_count();
  std::vector<std::vector<std::size_t>> sent(nodes);  // by node
  std::vector<TimedUnicast> schedule;
  for (std::size_t i = 0; i < packets.size(); ++i) {
    const DrivenPacket& one = packets[i];
    TimedUnicast timed;
    timed.unicast.u = node_id(one.source);
    timed.unicast.v = node_id(one.destination);
    timed.unicast.order = static_cast<int>(sent[one.source].size());
    timed.flits = (static_cast<int>(one.bytes) + network.flit_bytes - 1) / network.flit_bytes;
    timed.at = one.at;
    timed.message_class = one.is_reply ? 1 : 0;
    sent[one.source].push_back(i);
    schedule.push_back(timed);
  }
  request.traffic.graph = std::make_shared<TaskGraph>(
      schedule_tasks(schedule, "schedule", 1, network.flit_bytes, nodes));
  const Results results = simulate(plan(request));
  EXPECT_TRUE(results.is_complete());
  std::vector<Cycle> receptions(packets.size());
  for (const Delivery& one : results.deliveries) {
    receptions.at(sent[index(one.source)].at(static_cast<std::size_t>(one.message))) = one.tail;
  }
  return receptions;
}

TEST(GpgpuSim, WithoutAReceptionLimitHasTheCyclesOfARunOfTheSameSchedule) {
  const RandomCases cases(4000);
  for (const char* limit : {"", " queue-limit=16"}) {
    set_mode(mesh + limit);
    DriverOptions options = heavy_load((cases.end - cases.first) / 4, cases.first);
    options.is_eager = true;
    GpuDriver driver(options);
    ASSERT_NO_THROW(driver.run());
    std::vector<Cycle> popped;
    for (const DrivenPacket& one : driver.packets()) popped.push_back(one.popped);
    ASSERT_EQ(popped, receptions_of_a_run(mesh, driver.packets())) << limit;
  }
}

TEST(GpgpuSim, DriverTakesAnIdealCrossbar) {
  crossbar_mode();
  EXPECT_EQ(sentence_of_run(heavy_load(2000, 1)), "nothing was thrown");
}

// A wrong interconnect: what it pops is changed at the hundredth packet.
void* (*true_pop)(unsigned output);
int pops;
void* kept;

TEST(GpgpuSim, DriverNoticesAPacketThatIsLost) {
  set_mode(mesh);
  true_pop = icnt_pop;
  pops = 0;
  icnt_pop = [](unsigned output) {
    void* const data = true_pop(output);
    return data != nullptr && ++pops == 100 ? nullptr : data;
  };
  EXPECT_EQ(sentence_of_run(heavy_load(200, 1)),
            "nothing was popped for 100000 cycles: 200 requests were sent, and 199 replies came");
}

TEST(GpgpuSim, DriverNoticesAPacketThatComesTwice) {
  set_mode(mesh);
  true_pop = icnt_pop;
  pops = 0;
  kept = nullptr;
  icnt_pop = [](unsigned output) {
    if (kept != nullptr && output == 60) return std::exchange(kept, nullptr);
    void* const data = true_pop(output);
    if (data != nullptr && output == 60 && ++pops == 10) kept = data;
    return data;
  };
  EXPECT_THAT(sentence_of_run(heavy_load(500, 1)),
              testing::EndsWith(" at device 60: it has come before, or was not sent yet"));
}

TEST(GpgpuSim, DriverNoticesAPacketThatComesToAnotherDevice) {
  set_mode(mesh);
  true_pop = icnt_pop;
  icnt_pop = [](unsigned output) { return true_pop(output == 57 ? 58 : output); };
  EXPECT_THAT(sentence_of_run(heavy_load(500, 1)),
              testing::EndsWith(" at device 57: it was sent to another one"));
}

TEST(GpgpuSim, DriverNoticesAPacketThatNobodyWaitsFor) {
  set_mode(mesh);
  icnt_busy = [] { return true; };
  EXPECT_EQ(sentence_of_run(heavy_load(10, 1)), "the interconnect is busy after the last reply");
}

// --- Call by call

TEST(AllportIcnt, PopsInTheOrderOfCycleAndPort) {
  const std::string options = "topology=mesh:4x4 classes=2";
  AllportIcnt icnt(options);
  icnt.create(15, 1);
  Network network = network_of(options);
  Draw draw(1);
  std::vector<int> numbers(300);
  for (int i = 0; i < 300; ++i) {
    const auto source = static_cast<unsigned>(draw.below(15));
    numbers[static_cast<std::size_t>(i)] = i;
    icnt.push(source, 15, &numbers[static_cast<std::size_t>(i)], 4);
    network.send(unicast(source, 15, 1, static_cast<std::uint64_t>(i)), network.now());
  }
  std::vector<std::tuple<Cycle, int, int>> expected;
  for (const NetworkDelivery& one : network.advance(10000)) {
    expected.emplace_back(one.tail, one.port, static_cast<int>(one.user));
  }
  std::sort(expected.begin(), expected.end());
  icnt.drain();
  EXPECT_TRUE(icnt.busy());  // nothing is popped
  for (const auto& one : expected) {
    void* const data = icnt.pop(15);
    ASSERT_NE(data, nullptr);
    ASSERT_EQ(*static_cast<int*>(data), std::get<2>(one));
  }
  EXPECT_EQ(icnt.pop(15), nullptr);
  EXPECT_FALSE(icnt.busy());
}

TEST(AllportIcnt, HoldsBackWhatIsNotPopped) {
  AllportIcnt icnt(
      "topology=mesh:2 ports=1 classes=2 vcs=2 buffer-depth=2 queue-limit=4 reception-limit=2");
  icnt.create(1, 1);
  int data = 0;
  const auto push_all = [&] {
    int count = 0;
    for (int cycle = 0; cycle < 100; ++cycle) {
      for (; icnt.has_buffer(0, 4); ++count) icnt.push(0, 1, &data, 4);
      icnt.transfer();
    }
    return count;
  };
  // The reception buffer has room for two flits, those of three channels for two each at most, and
  // the queue for four.
  EXPECT_THAT(push_all(), testing::AllOf(testing::Ge(6), testing::Le(12)));
  icnt.drain();
  EXPECT_EQ(push_all(), 0);
  EXPECT_TRUE(icnt.busy());
  EXPECT_EQ(icnt.pop(1), &data);
  EXPECT_EQ(push_all(), 1);
  EXPECT_EQ(icnt.pop(0), nullptr);
  icnt.push(1, 0, &data, 4);  // replies have a class of their own
  icnt.drain();
  EXPECT_EQ(icnt.pop(0), &data);
}

TEST(AllportIcnt, TellsOfAKernelAndOfAll) {
  AllportIcnt icnt("topology=mesh:4x4 classes=2 flit-bytes=8 queue-limit=100");
  icnt.create(12, 4);
  EXPECT_EQ(icnt.flit_size(), 8U);
  int data = 0;
  const auto printed = [](const auto& call) {
    testing::internal::CaptureStdout();
    call();
    return testing::internal::GetCapturedStdout();
  };
  icnt.push(0, 15, &data, 20);  // three flits, six hops
  EXPECT_THAT(printed([&] { icnt.display_state(stdout); }),
              "allport: cycle 0\nallport: device 0: 3 flits wait to be sent, 0 packets to be "
              "popped\n");
  icnt.drain();
  EXPECT_THAT(printed([&] { icnt.display_state(stdout); }),
              "allport: cycle 10\nallport: device 15: 0 flits wait to be sent, 1 packets to be "
              "popped\n");
  const std::string of_a_packet =
      "_cycles = 10\n"
      "K_request_packets_sent = 1\nK_request_flits_sent = 3\nK_request_packets_received = 1\n"
      "K_request_latency_mean = 9.00\nK_request_latency_max = 9\n"
      "K_reply_packets_sent = 0\nK_reply_flits_sent = 0\nK_reply_packets_received = 0\n";
  const auto named = [&](const std::string& key) {
    std::string text = key + of_a_packet;
    for (std::size_t at; (at = text.find("K_")) != std::string::npos;) text.replace(at, 1, key);
    return text;
  };
  EXPECT_EQ(printed([&] { icnt.display_stats(); }), named("allport"));
  icnt.init();
  EXPECT_THAT(printed([&] { icnt.display_stats(); }),
              testing::StartsWith("allport_cycles = 0\nallport_request_packets_sent = 0\n"));
  EXPECT_EQ(printed([&] { icnt.display_overall_stats(); }), named("allport_overall"));
  icnt.push(15, 0, &data, 8);
  icnt.drain();
  EXPECT_THAT(
      printed([&] { icnt.display_stats(); }),
      testing::EndsWith("allport_request_packets_received = 0\n"
                        "allport_reply_packets_sent = 1\nallport_reply_flits_sent = 1\n"
                        "allport_reply_packets_received = 1\n"
                        "allport_reply_latency_mean = 7.00\nallport_reply_latency_max = 7\n"));
}

TEST(AllportIcnt, ThatIsMadeAnewIsEmpty) {
  AllportIcnt icnt("topology=mesh:2 classes=2");
  icnt.create(1, 1);
  int data = 0;
  icnt.push(0, 1, &data, 4);
  icnt.create(1, 1);
  EXPECT_FALSE(icnt.busy());
  icnt.drain();
  EXPECT_EQ(icnt.pop(1), nullptr);
}

TEST(WrongUseOfAllportIcnt, IsASentence) {
  EXPECT_EQ(sentence_of_call([] { AllportIcnt("topology=mesh:8x8"); }),
            "classes 1: must be 2, one for requests and one for replies");
  EXPECT_EQ(sentence_of_call([] { AllportIcnt("topology=mesh:8x8 classes=2 vcs=3"); }),
            sentence_of_call([] { network_of("topology=mesh:8x8 classes=2 vcs=3"); }));
  AllportIcnt icnt("topology=mesh:2x2 classes=2 queue-limit=4");
  int data = 0;
  EXPECT_EQ(sentence_of_call([&] { icnt.pop(0); }), "device 0: there are 0");
  EXPECT_EQ(sentence_of_call([&] { icnt.create(3, 2); }),
            "3 shaders and 2 memory partitions: mesh:2x2 has 4 nodes");
  EXPECT_EQ(sentence_of_call([&] { icnt.create(4294967295U, 2); }),
            "4294967295 shaders and 2 memory partitions: mesh:2x2 has 4 nodes");
  icnt.create(2, 1);
  EXPECT_EQ(sentence_of_call([&] { icnt.has_buffer(3, 4); }), "device 3: there are 3");
  EXPECT_EQ(sentence_of_call([&] { icnt.push(3, 0, &data, 4); }), "device 3: there are 3");
  EXPECT_EQ(sentence_of_call([&] { icnt.push(0, 3, &data, 4); }), "device 3: there are 3");
  EXPECT_EQ(sentence_of_call([&] { icnt.push(0, 1, &data, 4); }),
            "device 0 to device 1: a packet goes from a shader to a memory partition, or back");
  EXPECT_EQ(sentence_of_call([&] { icnt.has_buffer(0, 17); }),
            "a packet of 17 bytes: the queue of a device has room for 4 flits of 4 bytes");
  icnt.push(0, 2, &data, 12);
  EXPECT_FALSE(icnt.has_buffer(0, 8));
  EXPECT_TRUE(icnt.has_buffer(0, 4));
  EXPECT_EQ(sentence_of_call([&] { icnt.push(0, 2, &data, 8); }),
            "flits 2: the queue of node 0 has room for 1 at present; send it in a later cycle");
  icnt.drain();
  EXPECT_EQ(icnt.pop(2), &data);
  EXPECT_EQ(icnt.pop(2), nullptr);
}

}  // namespace
}  // namespace allport::test
