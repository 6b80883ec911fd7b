// SPDX-License-Identifier: Apache-2.0
// The package's fields of a flit are those that PinLayout puts on the pins, and come back as they
// were.
#include <Vflit_fields.h>

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "rtl_model/systemc/fabric.h"
#include "tests/twin/units/unit_bench.h"

namespace allport::test {
namespace {

// As in flit_fields.sv.
struct FieldShape {
  const char* topology;
  int vcs;
  Switching switching;
  int max_via;
  PinGroups groups = PinGroups::none;
};
constexpr std::array<FieldShape, 6> field_shapes{
    {{"hypercube:3", 1, Switching::wormhole, 0},
     {"torus:4x5", 4, Switching::cut_through, 3},
     {"mesh:3x2000x2", 16, Switching::circuit, 15},
     {"mesh:70", 3, Switching::store_and_forward, 1},
     {"hypercube:10", 2, Switching::wormhole, 0, PinGroups::trees},
     {"torus:4x3x5", 4, Switching::cut_through, 3, PinGroups::joins}}};
constexpr int data_width = 64;

Flit random_flit(Dice& dice, const FieldShape& shape, const PinLayout& layout, std::size_t nodes) {
  const auto node = [&] { return node_id(static_cast<std::size_t>(dice.bits() % nodes)); };
  Flit flit;
  flit.head = true;
  flit.tail = dice.chance(50);
  flit.vc = vc_id(static_cast<std::size_t>(dice.below(shape.vcs)));
  flit.kind = static_cast<MessageKind>(dice.below(shape.groups == PinGroups::joins ? 8 : 6));
  flit.address = node();
  flit.ties = static_cast<TieMask>(dice.mask(layout.tie_width, 50));
  if (shape.groups == PinGroups::joins) {
    flit.join = JoinTag(dice.below(JoinTag::max_tag + 1),
                        values_of<JoinOperation>()[static_cast<std::size_t>(dice.below(6))],
                        values_of<LaneType>()[static_cast<std::size_t>(dice.below(3))]);
  }
  if (buffers_messages(shape.switching)) flit.length = static_cast<std::uint16_t>(dice.below(4097));
  std::vector<NodeId> via;
  for (int i = dice.below(shape.max_via + 1); i > 0; --i) via.push_back(node());
  flit.via = ViaList(via);
  return flit;
}

/// Compares `fields`, from the lowest bit up: address, ties, via, count, tag, length, kind, vc,
/// tail, head.
template <class Pin>
void expect_fields(const Pin& fields, const Flit& flit, const PinLayout& layout) {
  std::size_t at = 0;
  const auto next = [&](int width) {
    const std::uint64_t bits = get_bits(fields.m_storage, at, width);
    at += static_cast<std::size_t>(width);
    return bits;
  };
  EXPECT_EQ(next(48), layout.address(flit.address));
  EXPECT_EQ(next(10), flit.ties);
  const std::vector<NodeId> via = flit.via.nodes();
  for (std::size_t i = 0; i < 15; ++i) {
    EXPECT_EQ(next(48), i < via.size() ? layout.address(via[i]) : 0) << "entry " << i;
  }
  EXPECT_EQ(next(4), via.size());
  EXPECT_EQ(next(16), flit.join.bits());
  EXPECT_EQ(next(13), flit.length);
  EXPECT_EQ(next(3), static_cast<std::uint64_t>(flit.kind));
  EXPECT_EQ(next(4), index(flit.vc));
  EXPECT_EQ(next(1) != 0, flit.tail);
  EXPECT_EQ(next(1) != 0, flit.head);
}

TEST(FlitFieldsUnit, AreThoseOfThePinsAndComeBack) {
  Clocked<Vflit_fields> rtl;
  Dice dice(1);
  for (std::size_t u = 0; u < field_shapes.size(); ++u) {
    const FieldShape& shape = field_shapes[u];
    const auto topology = parse_topology(shape.topology);
    const Routing routing(topology, Routing::default_order(*topology));
    FabricConfig fabric;
    fabric.vcs = shape.vcs;
    fabric.switching = shape.switching;
    const PinLayout layout(router_config(fabric, routing), routing, 32, data_width, shape.max_via,
                           shape.groups);
    for (int round = 0; round < 300; ++round) {
      SCOPED_TRACE(std::string(shape.topology) + ", round " + std::to_string(round));
      const Flit flit = random_flit(dice, shape, layout, topology->node_count());
      std::array<std::uint32_t, 16> words{};
      layout.pack(flit, 0, words.data());
      clear(rtl.bits_i[u]);
      const int control_width = layout.flit_width - data_width;
      for (int i = 0; i < control_width; ++i) {
        put(rtl.bits_i[u], i, 1,
            get_bits(words.data(), static_cast<std::size_t>(data_width + i), 1));
      }
      rtl.settle();
      expect_fields(rtl.fields_o[u], flit, layout);
      ASSERT_FALSE(testing::Test::HasFailure()) << flit;
      for (int i = 0; i < control_width; ++i) {
        ASSERT_EQ(get(rtl.bits_o[u], i), get(rtl.bits_i[u], i)) << "bit " << i << ", " << flit;
      }
    }
  }
}

}  // namespace
}  // namespace allport::test
