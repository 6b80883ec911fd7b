// SPDX-License-Identifier: Apache-2.0
// The bits of a flit and of an address lie where docs/bring-your-own-router.md draws them.
#include "rtl_model/verilated/pin_layout.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rtl_model/base/split_mix.h"
#include "tests/support/blueprint.h"

namespace allport::test {
namespace {

using Bits = std::vector<bool>;  // lowest first

Bits bits_of(const std::vector<std::uint32_t>& words) {
  Bits bits;
  for (const std::uint32_t word : words) {
    for (int i = 0; i < 32; ++i) bits.push_back((word >> i & 1U) != 0);
  }
  return bits;
}

void append(Bits& bits, int width, std::uint64_t value) {
  for (int i = 0; i < width; ++i) bits.push_back(i < 64 && (value >> i & 1U) != 0);
}

std::vector<std::uint32_t> random_words(std::size_t count, SplitMix64& generator) {
  std::vector<std::uint32_t> words(count);
  for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(generator.next());
  return words;
}

TEST(PinBits, AreReadAsOneByOne) {
  SplitMix64 generator(1);
  for (int i = 0; i < 5000; ++i) {
    const auto words = random_words(5, generator);
    const int width = 1 + static_cast<int>(generator.next() % 64);
    const std::size_t offset = generator.next() % (160U - static_cast<std::size_t>(width) + 1U);
    const Bits bits = bits_of(words);
    std::uint64_t value = 0;
    for (int bit = width - 1; bit >= 0; --bit) {
      value = value << 1 | std::uint64_t{bits[offset + static_cast<std::size_t>(bit)]};
    }
    ASSERT_EQ(get_bits(words.data(), offset, width), value) << width << " bits from " << offset;
    ASSERT_EQ(get_bit(words.data(), offset), bits[offset]) << offset;
  }
}

TEST(PinBits, AreWrittenAsOneByOneAndNoOthers) {
  SplitMix64 generator(2);
  for (int i = 0; i < 5000; ++i) {
    auto words = random_words(5, generator);
    const int width = 1 + static_cast<int>(generator.next() % 64);
    const std::size_t offset = generator.next() % (160U - static_cast<std::size_t>(width) + 1U);
    const std::uint64_t value = generator.next();  // bits above `width` are not written
    Bits bits = bits_of(words);
    for (int bit = 0; bit < width; ++bit) {
      bits[offset + static_cast<std::size_t>(bit)] = (value >> bit & 1U) != 0;
    }
    put_bits(words.data(), offset, width, value);
    ASSERT_EQ(bits_of(words), bits) << width << " bits from " << offset;
    put_bit(words.data(), offset);
    bits[offset] = true;
    ASSERT_EQ(bits_of(words), bits) << offset;
  }
}

TEST(IndexWidth, IsTheSmallestThatTellsThingsApartAndAtLeastOne) {
  EXPECT_EQ(index_width(1), 1);
  EXPECT_EQ(index_width(2), 1);
  EXPECT_EQ(index_width(3), 2);
  EXPECT_EQ(index_width(4), 2);
  EXPECT_EQ(index_width(5), 3);
  EXPECT_EQ(index_width(16), 4);
  EXPECT_EQ(index_width(17), 5);
  EXPECT_EQ(index_width(65536), 16);
}

struct LayoutCase {
  const char* name;
  const char* topology;
  std::vector<int> vcs;
  int address_width;
  int tie_width;
};

void PrintTo(const LayoutCase& one, std::ostream* out) { *out << one.topology; }

const std::vector<int> all_vcs{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
const std::vector<int> even_vcs{2, 4, 6, 8, 10, 12, 14, 16};

class PinLayouts : public testing::TestWithParam<LayoutCase> {};

TEST_P(PinLayouts, HaveTheWidthsOfTheContract) {
  for (const int vcs : GetParam().vcs) {
    const Blueprint blueprint(GetParam().topology, With().vcs(vcs));
    for (const int payload : {8, 32, 64}) {
      const PinLayout layout(blueprint.config, blueprint.routing, payload);
      EXPECT_EQ(layout.ports, blueprint.config.external_ports + blueprint.config.internal_ports);
      EXPECT_EQ(layout.address_width, GetParam().address_width);
      EXPECT_EQ(layout.tie_width, GetParam().tie_width);
      EXPECT_EQ(layout.vc_width, vcs <= 2 ? 1 : vcs <= 4 ? 2 : vcs <= 8 ? 3 : 4);
      EXPECT_EQ(layout.data_width, 32 + payload);
      EXPECT_EQ(layout.flit_width,
                2 + layout.vc_width + 3 + layout.tie_width + layout.address_width + 32 + payload);
    }
  }
}

TEST_P(PinLayouts, HaveTheCoordinatesOfANodeSideBySide) {
  const Blueprint blueprint(GetParam().topology);
  const PinLayout layout(blueprint.config, blueprint.routing, 8);
  const Topology& topology = blueprint.routing.topology();
  for (std::size_t i = 0; i < topology.node_count(); ++i) {
    std::uint32_t address = 0;
    int shift = 0;
    std::size_t rest = i;
    for (const int side : topology.sides()) {
      const auto length = static_cast<std::size_t>(side);
      address |= static_cast<std::uint32_t>(rest % length) << shift;
      rest /= length;
      int width = 0;
      while ((std::size_t{1} << width) < length) ++width;
      shift += width;
    }
    EXPECT_EQ(layout.address(node_id(i)), address) << "node " << i;
    EXPECT_EQ(layout.node(address), node_id(i)) << "node " << i;
  }
}

TEST_P(PinLayouts, HaveOneAddressForEachNode) {
  const Blueprint blueprint(GetParam().topology);
  const PinLayout layout(blueprint.config, blueprint.routing, 8);
  const std::size_t count = blueprint.routing.topology().node_count();
  std::size_t nodes = 0;
  for (std::uint32_t address = 0; address < 1U << layout.address_width; ++address) {
    const NodeId node = layout.node(address);
    if (index(node) >= count || layout.address(node) != address) continue;
    ++nodes;
  }
  EXPECT_EQ(nodes, count);
}

Flit random_flit(const PinLayout& layout, const Blueprint& blueprint, SplitMix64& generator) {
  Flit flit;
  flit.head = generator.next() % 2 != 0;
  flit.tail = generator.next() % 2 != 0;
  flit.vc = vc_id(generator.next() % static_cast<std::uint64_t>(blueprint.config.vcs));
  flit.data = generator.next() >> (64 - layout.payload_bits);
  flit.message = static_cast<MessageId>(generator.next());
  if (flit.head) {
    const std::size_t nodes = blueprint.routing.topology().node_count();
    flit.kind = static_cast<MessageKind>(generator.next() % 5);
    if (layout.length_width > 0) flit.length = static_cast<std::uint16_t>(generator.next() % 4097);
    std::vector<NodeId> via(generator.next() % (static_cast<std::uint64_t>(layout.max_via) + 1));
    for (NodeId& node : via) node = node_id(generator.next() % nodes);
    flit.via = ViaList(via);
    flit.address = node_id(generator.next() % nodes);
    flit.ties = static_cast<TieMask>(generator.next() >> (64 - layout.tie_width));
  }
  return flit;
}

// As section 3 of the contract draws it, from the lowest bit on.
Bits drawn(const Flit& flit, const PinLayout& layout) {
  Bits bits;
  append(bits, layout.payload_bits, flit.data);
  append(bits, 32, static_cast<std::uint32_t>(flit.message));
  append(bits, layout.data_width - layout.payload_bits - 32, 0);
  append(bits, layout.address_width, layout.address(flit.address));
  append(bits, layout.tie_width, flit.ties);
  if (layout.max_via > 0) {
    const std::vector<NodeId> via = flit.via.nodes();
    for (std::size_t i = 0; i < static_cast<std::size_t>(layout.max_via); ++i) {
      append(bits, layout.address_width, i < via.size() ? layout.address(via[i]) : 0);
    }
    append(bits, index_width(static_cast<std::size_t>(layout.max_via) + 1), via.size());
  }
  append(bits, layout.length_width, flit.length);
  append(bits, 3, static_cast<std::uint64_t>(flit.kind));
  append(bits, layout.vc_width, index(flit.vc));
  append(bits, 1, flit.tail ? 1 : 0);
  append(bits, 1, flit.head ? 1 : 0);
  return bits;
}

void expect_flits_come_back(const PinLayout& layout, const Blueprint& blueprint,
                            SplitMix64& generator) {
  const auto ports = static_cast<std::size_t>(layout.ports);
  const auto width = static_cast<std::size_t>(layout.flit_width);
  auto words = random_words((ports * width + 31) / 32, generator);
  Bits bits = bits_of(words);
  std::vector<Flit> flits;
  for (std::size_t port = 0; port < ports; ++port) {
    flits.push_back(random_flit(layout, blueprint, generator));
    layout.pack(flits.back(), static_cast<int>(port), words.data());
    const Bits slot = drawn(flits.back(), layout);
    ASSERT_EQ(slot.size(), width);
    for (std::size_t i = 0; i < width; ++i) bits[port * width + i] = slot[i];
    ASSERT_EQ(bits_of(words), bits) << "port " << port;
  }
  for (std::size_t port = 0; port < ports; ++port) {
    const Flit flit = layout.unpack(words.data(), static_cast<int>(port));
    ASSERT_EQ(flit, flits[port]) << "port " << port;
    ASSERT_EQ(flit.message, flits[port].message) << "port " << port;
  }
}

TEST_P(PinLayouts, TakeFlitsAndGiveThemBack) {
  SplitMix64 generator(3);
  for (const int vcs : GetParam().vcs) {
    const Blueprint blueprint(GetParam().topology, With().vcs(vcs));
    for (int payload = 8; payload <= 64; payload += 8) {
      const int needed = payload + PinLayout::message_bits;
      for (const int data_width : {0, needed, needed + 1, needed + 64, 200}) {
        SCOPED_TRACE(testing::Message() << vcs << " VCs, payload of " << payload
                                        << " bits, data of " << data_width << " (0: as needed)");
        const PinLayout layout(blueprint.config, blueprint.routing, payload, data_width);
        ASSERT_EQ(layout.data_width, data_width == 0 ? needed : data_width);
        expect_flits_come_back(layout, blueprint, generator);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_P(PinLayouts, HaveAListAndALengthWhereTheyAreNeeded) {
  SplitMix64 generator(4);
  const int vcs = GetParam().vcs.back();
  for (const Switching switching : switching_modes) {
    const Blueprint blueprint(GetParam().topology, With().vcs(vcs).switching(switching));
    const int length = buffers_messages(switching) ? 13 : 0;
    const PinLayout plain(blueprint.config, blueprint.routing, 32);
    EXPECT_EQ(plain.header_width(), 3 + length + plain.tie_width + plain.address_width);
    for (const int via : {1, 2, 7, 15}) {
      SCOPED_TRACE(testing::Message() << to_string(switching) << ", list of " << via);
      const PinLayout layout(blueprint.config, blueprint.routing, 32, 0, via);
      const int count = via == 1 ? 1 : via == 2 ? 2 : via == 7 ? 3 : 4;
      EXPECT_EQ(layout.flit_width, plain.flit_width + count + via * layout.address_width);
      expect_flits_come_back(layout, blueprint, generator);
      if (HasFatalFailure()) return;
    }
  }
}

std::string layout_name(const testing::TestParamInfo<LayoutCase>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Fabrics, PinLayouts,
                         testing::Values(LayoutCase{"Hypercube1", "hypercube:1", all_vcs, 1, 1},
                                         LayoutCase{"Hypercube3", "hypercube:3", all_vcs, 3, 1},
                                         LayoutCase{"Hypercube10", "hypercube:10", {1, 16}, 10, 1},
                                         LayoutCase{"Ring5", "ring:5", even_vcs, 3, 1},
                                         LayoutCase{"Torus3x5", "torus:3x5", even_vcs, 5, 2},
                                         LayoutCase{"Torus4x4", "torus:4x4", even_vcs, 4, 2},
                                         LayoutCase{"Torus3x2x7", "torus:3x2x7", even_vcs, 6, 3},
                                         LayoutCase{"Mesh5x3", "mesh:5x3", all_vcs, 5, 2},
                                         LayoutCase{"Mesh4x6x3", "mesh:4x6x3", all_vcs, 7, 3}),
                         layout_name);

TEST(PinAddress, OfTheMeshInTheContractIsTheOneItNames) {
  const Blueprint blueprint("mesh:5x3");
  const PinLayout layout(blueprint.config, blueprint.routing, 32);

  EXPECT_EQ(layout.address(node_id(7)), 10U);
  EXPECT_EQ(layout.node(10), node_id(7));
}

}  // namespace
}  // namespace allport::test
