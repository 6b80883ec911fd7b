// SPDX-License-Identifier: Apache-2.0
#include "testbench/conformance/router_kit.h"

#include <algorithm>
#include <array>
#include <optional>

#include "rtl_model/router/pin_kinds.h"
#include "testbench/conformance/bench_messages.h"

namespace allport {

namespace {

constexpr int random_messages = 3000;  // messages in each round of random traffic
constexpr int slowest_credit = 40;     // cycles that a sink keeps a credit at most

class Kit : private SheetRows {
 public:
  explicit Kit(const RouterUnderTest& router)
      : router_(router),
        layout_(router.config, router.routing, router.payload_bits, router.data_width,
                router.max_via),
        messages_(messages_at({})) {}

  std::vector<SheetRow> run() {
    for (const NodeId node : tried_nodes(router_.routing.topology())) {
      node_ = node;
      messages_ = messages_at(node);
      test_reset();
      test_latency();
      test_rate();
      test_gaps();
      test_traffic();
      test_lost_credit();
      test_kind("reception", MessageKind::deposit);
      test_kind("lists", MessageKind::multidestination);
      test_kind("labels", MessageKind::label);
      test_kind("paths", MessageKind::path);
      test_kind("replication", MessageKind::tree);
    }
    pass("pins", "all present, " + std::to_string(router_.data_width) + " data bits" +
                     (is_judged("wormhole", Verdict::passed)
                          ? "; outputs change at the edge of the clock only"
                          : ""));
    return rows();
  }

 private:
  BenchMessages messages_at(NodeId node) const {
    return {router_.config,  router_.routing, node,
            router_.max_via, PinGroups::none, router_.declared.has_ties};
  }
  PinBench bench(std::uint32_t state_seed, std::uint64_t seed) const {
    return {router_.libraries.at(node_).create(state_seed),
            router_.config,
            layout_,
            node_,
            seed,
            cycles_per_flit()};
  }
  // Many times the cycles of a lone flit whose credit comes back as late as possible.
  Cycle cycles_per_flit() const {
    constexpr Cycle slack = 16;
    return slack * (2 * router_.declared.most_hop_cycles + slowest_credit +
                    router_.config.replication_delay);
  }
  void take(const PinBench& bench, const std::string& during) {
    if (bench.offence()) blame(*bench.offence(), during);
  }
  void blame(const Offence& offence, const std::string& during) {
    if (offence.is_mixing && is_judged("gaps", Verdict::failed)) {
      skip(offence.check, "not judged: gaps failed first");
      return;
    }
    fail(offence.check,
         offence.what + " (cycle " + std::to_string(offence.cycle) + ", " + during + ")");
  }

  void test_reset();
  std::vector<std::uint32_t> trace(PinBench& bench) const;
  void test_latency();
  std::string declared_cycles() const;
  std::string cycles_seen(Cycle least, Cycle most) const;
  void test_rate();
  void test_gaps();
  std::optional<Offence> meet(const BenchMessage& way, const std::vector<BenchMessage>& ways,
                              Cycle pause) const;
  void test_traffic();
  void test_lost_credit();
  std::string lose_credits(const BenchMessage& way, PinBench& one) const;
  void test_kind(const std::string& check, MessageKind kind);
  // No message is longer than a buffer that must hold it, or than the router takes.
  int flits(int wanted) const {
    const int depth = router_.config.buffer_depth;
    const int longest = router_.config.longest_message;
    const int most = longest > 0 ? std::min(wanted, longest) : wanted;
    return buffers_messages(router_.config.switching) ? std::min(most, depth) : most;
  }
  // The only output, or among several the one that an empty router takes.
  static int output_of(const BenchMessage& way) {
    return way.is_choice ? 63 - __builtin_clzll(way.outputs) : __builtin_ctzll(way.outputs);
  }
  bool run_random(PinBench& one, const std::vector<MessageKind>& kinds, std::uint64_t seed);
  void test_branching(const std::string& check, MessageKind kind);

  const RouterUnderTest& router_;
  PinLayout layout_;
  NodeId node_{};  // node of the router
  BenchMessages messages_;
};

// The output pins in 200 cycles of traffic; data without valid does not count.
std::vector<std::uint32_t> Kit::trace(PinBench& bench) const {
  std::vector<std::uint32_t> trace;
  SplitMix64 generator(router_.seed);
  for (int cycle = 0; cycle < 200 && !bench.offence(); ++cycle) {
    if (cycle % 4 == 0) {
      if (const auto message =
              messages_.draw(MessageKind::unicast, flits(1 + cycle / 4 % 5), generator)) {
        bench.submit(*message);
      }
    }
    bench.step();
    const PinModel::Outputs& outputs = bench.model().outputs();
    for (int port = 0; port < layout_.ports; ++port) {
      const auto bit = static_cast<std::size_t>(port);
      const bool is_valid = get_bit(outputs.valid_o, bit);
      trace.push_back((is_valid ? 1U : 0U) | (get_bit(outputs.credit_o, bit) ? 2U : 0U));
      if (!is_valid) continue;
      const Flit flit = layout_.unpack(outputs.flit_o, port);
      trace.push_back(static_cast<std::uint32_t>(flit.data));
      trace.push_back(static_cast<std::uint32_t>(index(flit.vc)) << 8 | (flit.head ? 2U : 0U) |
                      (flit.tail ? 1U : 0U));
    }
  }
  return trace;
}

void Kit::test_reset() {
  PinBench first = bench(1, router_.seed);
  const std::vector<std::uint32_t> one = trace(first);
  for (std::uint32_t state = 2; state <= 8; ++state) {
    PinBench other = bench(state, router_.seed);
    if (one == trace(other)) continue;
    fail("reset", "two runs that differ only in what is not reset show different outputs");
    return;
  }
  take(first, "after reset");
  first.reset();
  if (first.offence()) {
    take(first, "at a reset in the middle");
  } else if (trace(first) != one) {
    fail("reset", "after a reset in the middle, the same traffic gives different outputs");
  }
  pass("reset",
       "outputs low afterwards, whatever the state before; a reset in the middle starts afresh");
}

void Kit::test_latency() {
  int ways = 0;
  const int length = flits(5);
  const bool is_stored = router_.config.switching == Switching::store_and_forward;
  // Cycles until its tail has come, beyond those that its pipeline takes meanwhile.
  const Cycle meanwhile = router_.config.head_delay();
  const Cycle behind = is_stored ? std::max<Cycle>(length - 1 - meanwhile, 0) : 0;
  Cycle least = router_.declared.most_hop_cycles;
  Cycle most = router_.declared.hop_cycles;
  for (const BenchMessage& way : messages_.all_ways(length)) {
    PinBench one = bench(1, router_.seed);
    const std::uint32_t number = one.submit(way);
    const bool is_clean = one.drain();
    take(one, "one message alone");
    if (!is_clean) return;
    const int output = output_of(way);
    const Cycle hop = one.head_on(number, output) - one.sent(number);
    ++ways;
    least = std::min(least, hop - behind);
    most = std::max(most, hop - behind);
    if (least >= router_.declared.hop_cycles && most <= router_.declared.most_hop_cycles) continue;
    fail("latency",
         "from input " + std::to_string(way.input) + " to output " + std::to_string(output) +
             " the head took " + std::to_string(hop) + " cycles, declared " + declared_cycles() +
             (is_stored ? " behind the tail of " + std::to_string(length) + " flits" : ""));
    return;
  }
  pass("latency",
       cycles_seen(least, most) + ", " + std::to_string(ways) + " ways through the router");
}

// `2`, `2..4`
std::string Kit::declared_cycles() const {
  std::string words = std::to_string(router_.declared.hop_cycles);
  if (router_.declared.most_hop_cycles == router_.declared.hop_cycles) return words;
  return words + ".." + std::to_string(router_.declared.most_hop_cycles);
}

// What was measured, and what of it is left for the router behind its adapter.
std::string Kit::cycles_seen(Cycle least, Cycle most) const {
  const auto range = [&](Cycle less) {
    std::string words = std::to_string(least - less);
    return least == most ? words : words + ".." + std::to_string(most - less);
  };
  const Cycle adapter = router_.declared.adapter_cycles;
  std::string words = range(0) + " cycle(s) a hop";
  if (adapter == 0) return words;
  return words + ", the router's own " + range(adapter) + " and " + std::to_string(adapter) +
         " of its adapter";
}

void Kit::test_rate() {
  const int length = flits(64);
  // A circuit's second flit waits for the acknowledgement, which takes as long as the flit.
  const bool is_circuit = router_.config.switching == Switching::circuit;
  const int fastest = length + (is_circuit ? 2 * router_.declared.most_hop_cycles : 0);
  const std::vector<BenchMessage> ways = messages_.all_ways(length);
  Cycle slowest = 0;
  for (const BenchMessage& way : ways) {
    PinBench one = bench(1, router_.seed);
    const std::uint32_t number = one.submit(way);
    const bool is_clean = one.drain();
    take(one, std::to_string(length) + " flits alone");
    if (!is_clean) return;
    const int output = output_of(way);
    slowest = std::max(slowest, one.tail_on(number, output) - one.head_on(number, output) + 1);
  }
  const std::string detail =
      std::to_string(length) + " flits in " + std::to_string(slowest) + " cycles at worst";
  const int enough = 2 * router_.declared.most_hop_cycles;
  if (slowest <= fastest || router_.config.buffer_depth < enough) {
    pass("rate", slowest <= fastest ? "one flit per cycle"
                                    : detail + ": buffers of fewer than " + std::to_string(enough) +
                                          " flits need not do more");
  } else {
    fail("rate", detail + ", though buffers of " + std::to_string(router_.config.buffer_depth) +
                     " allow one per cycle");
  }
}

// What happens where the message `way` waits for `pause` cycles behind its second flit while
// messages from all other inputs ask for its output.
std::optional<Offence> Kit::meet(const BenchMessage& way, const std::vector<BenchMessage>& ways,
                                 Cycle pause) const {
  PinBench one = bench(1, router_.seed);
  one.pause(one.submit(way), 2, pause);
  while (one.sent(0) < 0 && one.step()) {
  }
  for (Cycle cycle = 0; cycle <= router_.declared.most_hop_cycles; ++cycle) one.step();
  for (int i = 0; i < router_.config.vcs; ++i) {  // they may take another VC
    for (const BenchMessage& other : ways) {
      if (other.input != way.input && other.outputs == way.outputs) one.submit(other);
    }
  }
  one.drain();
  return one.offence();
}

// A message keeps its output VC while it waits for its next flit. Whether the same messages mix
// without a gap too tells this fault from others, which are those of the row `wormhole`.
void Kit::test_gaps() {
  const int length = flits(4);
  if (router_.config.switching == Switching::store_and_forward || length < 3) {
    skip("gaps", length < 3 ? "messages of fewer than 3 flits have no gap"
                            : "the whole message has come before its head leaves");
    return;
  }
  const Cycle pause = 4 * router_.declared.most_hop_cycles + 16;
  const std::vector<BenchMessage> ways = messages_.all_ways(length);
  for (const BenchMessage& way : ways) {
    const std::optional<Offence> offence = meet(way, ways, pause);
    if (!offence) continue;
    const std::optional<Offence> without = meet(way, ways, 0);
    if (!offence->is_mixing || without) {
      const Offence& fault = without ? *without : *offence;
      skip("gaps", "not judged: " + fault.check + " fails here");
      blame(fault, without ? "messages for one output" : "with a gap inside a message");
    } else {
      fail("gaps", "a gap inside a message lets another one in: one from input " +
                       std::to_string(way.input) + " waits for " + std::to_string(pause) +
                       " cycles behind its second flit, and then on " + offence->what + " (cycle " +
                       std::to_string(offence->cycle) + "); without the gap they do not mix");
    }
    return;
  }
  pass("gaps", "a message keeps its output while it waits for its next flit");
}

// Keeps the router busy with random messages; at most one at a time has several branches, because
// two such messages may block one another for good in any router.
bool Kit::run_random(PinBench& one, const std::vector<MessageKind>& kinds, std::uint64_t seed) {
  SplitMix64 generator(seed);
  for (int i = 0; i < random_messages; ++i) {
    const MessageKind kind = kinds[generator.next() % kinds.size()];
    const auto message =
        messages_.draw(kind, flits(1 + static_cast<int>(generator.next() % 7)), generator);
    if (!message) return true;
    const bool is_branching =
        !message->is_choice && (message->outputs & (message->outputs - 1)) != 0;
    while (one.open_messages() > 40 || (is_branching && one.open_branching() > 0)) {
      if (!one.step()) return false;
    }
    one.submit(*message);
    if (generator.next() % 2 == 0 && !one.step()) return false;
  }
  return one.drain();
}

void Kit::test_traffic() {
  constexpr std::array manners{BenchManners{0, 0}, BenchManners{30, 6},
                               BenchManners{5, slowest_credit}};
  Cycle cycles = 0;
  std::uint64_t flits = 0;
  for (std::size_t i = 0; i < manners.size(); ++i) {
    PinBench one = bench(1, router_.seed + i);
    one.behave(manners[i]);
    const bool is_clean = run_random(one, {MessageKind::unicast}, router_.seed + i);
    take(one, "random unicasts");
    if (!is_clean) return;
    cycles += one.now();
    flits += one.flits_out();
  }
  const std::string during =
      std::to_string(flits) + " flits in " + std::to_string(cycles) + " cycles";
  pass("wormhole", "right outputs, classes, order and payload, no mixing: " + during);
  pass("credits", "no flit sent without one, each credit back exactly once");
  if (router_.config.switching == Switching::wormhole) {
    skip("switching", "wormhole needs nothing but credits");
  } else {
    pass("switching", router_.config.switching == Switching::circuit
                          ? "each acknowledgement went back once, to the owner"
                          : "no head left without room for its message, or before it might");
  }
  pass("codes", "no reserved code on any pin");
  pass("progress", "never stood still for " + std::to_string(PinBench::patience) + " cycles");
}

// What a router does wrong whose messages from the input of `way` find no credits at their output;
// empty: nothing. What comes out is compared all the time, and an offence of it is left to the
// caller.
std::string Kit::lose_credits(const BenchMessage& way, PinBench& one) const {
  const int output = output_of(way);
  const std::string where = "output " + std::to_string(output);
  one.keep_credits(way.outputs);
  // More flits than the buffers beyond have places.
  const int places = router_.config.vcs_of(output) * router_.config.buffer_depth *
                     static_cast<int>(__builtin_popcountll(way.outputs));
  std::vector<std::uint32_t> stopped;
  for (int flits_sent = 0; flits_sent <= places; flits_sent += way.flits) {
    stopped.push_back(one.submit(way));
  }
  for (Cycle cycle = 0; cycle < PinBench::patience && one.step(); ++cycle) {
  }
  std::vector<std::uint32_t> others;
  for (const BenchMessage& other : messages_.all_ways(flits(5))) {
    const bool is_apart = other.input != way.input && (other.outputs & way.outputs) == 0;
    if (is_apart) others.push_back(one.submit(other));
  }
  const auto is_there = [&](std::uint32_t message) { return one.has_left(message); };
  const Cycle most =
      PinBench::patience + static_cast<Cycle>(others.size()) * flits(5) * cycles_per_flit();
  for (Cycle cycle = 0; cycle < most && one.step(); ++cycle) {
    if (std::all_of(others.begin(), others.end(), is_there)) break;
  }
  if (one.offence()) return {};
  if (!std::all_of(others.begin(), others.end(), is_there)) {
    return "without credits of " + where +
           " messages from other inputs to other outputs stand still as well";
  }
  one.give_credits();
  one.drain();
  if (!one.offence() || one.offence()->check != "progress") return {};
  return "messages that waited for credits of " + where + " are lost: " + one.offence()->what;
}

// A link that loses credits stops its channel and no other one, and nothing is lost there.
void Kit::test_lost_credit() {
  constexpr const char* check = "lost_credit";
  for (const char* before : {"wormhole", "credits", "switching", "codes", "progress"}) {
    if (!is_judged(before, Verdict::failed)) continue;
    skip(check, std::string("not judged: ") + before + " failed first");
    return;
  }
  PortMask tried = 0;
  for (const BenchMessage& way : messages_.all_ways(flits(router_.config.buffer_depth + 2))) {
    if ((way.outputs & ~tried) == 0 || !router_.config.is_external(output_of(way))) continue;
    tried |= way.outputs;
    PinBench one = bench(1, router_.seed);
    std::string fault = lose_credits(way, one);
    if (const auto& offence = one.offence(); fault.empty() && offence) {
      if (offence->check == "model" || offence->check == "pins") {
        take(one, "where credits are lost");
        return;
      }
      fault = offence->what + " (cycle " + std::to_string(offence->cycle) +
              ", where credits of output " + std::to_string(output_of(way)) + " are lost)";
    }
    if (fault.empty()) continue;
    fail(check, fault);
    return;
  }
  if (tried == 0) {
    skip(check, "no message leaves by an external output");
    return;
  }
  pass(check, "the channel stood, the others did not, and nothing was lost");
}

void Kit::test_branching(const std::string& check, MessageKind kind) {
  for (std::uint64_t i = 0; i < 2; ++i) {
    PinBench one = bench(1, router_.seed + i);
    one.behave(i == 0 ? BenchManners{0, 0} : BenchManners{20, 9});
    run_random(one, {kind, MessageKind::unicast}, router_.seed + 7 + i);
    if (!one.offence()) continue;
    const std::string& offended = one.offence()->check;
    if ((offended == "wormhole" || offended == "progress") &&
        is_judged(offended, Verdict::passed)) {  // the offence occurs only with these worms
      fail(check, one.offence()->what + " (cycle " + std::to_string(one.offence()->cycle) + ")");
    } else {
      skip(check, "not judged: " + offended + " failed first");
      take(one, "with " + check);
    }
    return;
  }
  pass(check,
       kind == MessageKind::tree      ? "every branch of a tree worm took each flit once"
       : kind == MessageKind::deposit ? "every node on the way got its copy of a deposit worm"
       : kind == MessageKind::path    ? "path worms kept to their path, with a copy at every node"
                                      : "every stop got its copy and was taken off the list");
}

void Kit::test_kind(const std::string& check, MessageKind kind) {
  const std::string worms = std::string(to_string(kind)) + " worms";
  const std::string fault = pin_kind_fault(kind, router_.config.switching, router_.routing);
  if (goes_to_all(kind) && !router_.routing.topology().is_hypercube()) {
    skip(check, worms + " are for hypercubes");
  } else if (kind == MessageKind::label &&
             router_.routing.topology().kind() != TopologyKind::mesh) {
    skip(check, worms + " are for meshes");
  } else if (!router_.declared.has(kind)) {
    skip(check, "the router declares that it has no " + worms);
  } else if (!fault.empty()) {
    skip(check, fault);
  } else {
    test_branching(check, kind);
  }
}

}  // namespace

std::vector<NodeId> tried_nodes(const Topology& topology) {
  return {busiest_node(topology), node_id(topology.node_count() - 1), NodeId{}};
}

std::vector<SheetRow> test_router(const RouterUnderTest& router) { return Kit(router).run(); }

}  // namespace allport
