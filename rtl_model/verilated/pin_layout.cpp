// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/verilated/pin_layout.h"

#include <algorithm>
#include <string>

namespace allport {

int index_width(std::size_t count) {
  int width = 1;
  while ((std::size_t{1} << width) < count) ++width;
  return width;
}

std::uint64_t get_bits(const std::uint32_t* words, std::size_t offset, int width) {
  std::uint64_t value = 0;
  for (int done = 0; done < width;) {
    const std::size_t at = offset + static_cast<std::size_t>(done);
    const int take = std::min(width - done, 32 - static_cast<int>(at % 32));
    const std::uint64_t mask = (std::uint64_t{1} << take) - 1;
    value |= (words[at / 32] >> at % 32 & mask) << done;
    done += take;
  }
  return value;
}

void put_bits(std::uint32_t* words, std::size_t offset, int width, std::uint64_t value) {
  for (int done = 0; done < width;) {
    const std::size_t at = offset + static_cast<std::size_t>(done);
    const int take = std::min(width - done, 32 - static_cast<int>(at % 32));
    const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << take) - 1);
    const auto part = static_cast<std::uint32_t>(value >> done) & mask;
    words[at / 32] = (words[at / 32] & ~(mask << at % 32)) | part << at % 32;
    done += take;
  }
}

namespace {

// The inverse of JoinTag::bits().
JoinTag to_join(std::uint64_t bits) {
  return {static_cast<int>(bits & JoinTag::max_tag), static_cast<JoinOperation>(bits >> 11 & 7),
          static_cast<LaneType>(bits >> 14 & 3)};
}

}  // namespace

static_assert(max_carried_length == (1 << PinLayout::length_bits) - 1);

PinLayout::PinLayout(const RouterConfig& config, const Routing& routing, int payload, int data,
                     int via, PinGroups groups)
    : ports(config.ports()),
      vc_width(index_width(static_cast<std::size_t>(config.vcs))),
      length_width(config.heads_carry_length() ? length_bits : 0),
      join_width(groups == PinGroups::joins ? join_bits : 0),
      max_via(via),
      payload_bits(payload),
      data_width(data > 0 ? data : payload + message_bits) {
  const Topology& topology = routing.topology();
  if (routing.table() != nullptr) {  // an address is a number, and a message has no ties
    address_width = index_width(topology.node_count());
    flit_width = 2 + vc_width + header_width() + data_width;
    return;
  }
  if (!topology.is_hypercube() || groups != PinGroups::none)
    tie_width = static_cast<int>(topology.dimension_count());
  for (const int side : topology.sides()) {
    const int width = index_width(static_cast<std::size_t>(side));
    coordinates_.push_back({width, side});
    address_width += width;
    is_plain_ = is_plain_ && side == 1 << width;
  }
  flit_width = 2 + vc_width + header_width() + data_width;
}

std::uint32_t PinLayout::address(NodeId node) const {
  auto rest = static_cast<std::uint32_t>(index(node));
  if (is_plain_) return rest;
  std::uint32_t address = 0;
  int shift = 0;
  for (const Field& field : coordinates_) {
    const auto side = static_cast<std::uint32_t>(field.side);
    address |= rest % side << shift;
    rest /= side;
    shift += field.width;
  }
  return address;
}

NodeId PinLayout::node(std::uint32_t address) const {
  if (is_plain_) return static_cast<NodeId>(address);
  std::uint32_t node = 0;
  std::uint32_t stride = 1;
  for (const Field& field : coordinates_) {
    node += (address & ((1U << field.width) - 1)) * stride;
    stride *= static_cast<std::uint32_t>(field.side);
    address >>= field.width;
  }
  return static_cast<NodeId>(node);
}

// Missing entries are 0, so that the whole field is written.
void PinLayout::pack_via(ViaList via, std::size_t at, std::uint32_t* words) const {
  std::uint64_t count = 0;
  for (int i = 0; i < max_via; ++i) {
    const bool is_there = !via.empty();
    put_bits(words, at, address_width, is_there ? address(via.front()) : 0);
    at += static_cast<std::size_t>(address_width);
    if (!is_there) continue;
    via = via.rest();
    ++count;
  }
  if (!via.empty()) {
    const std::string text = "a list of destinations is longer than the " +
                             std::to_string(max_via) + " that the pins have room for";
    SC_REPORT_FATAL("/allport/pin_layout", text.c_str());
  }
  put_bits(words, at, count_width(), count);
}

ViaList PinLayout::unpack_via(const std::uint32_t* words, std::size_t at) const {
  const auto width = static_cast<std::size_t>(address_width);
  const auto entries = static_cast<std::size_t>(max_via);
  const std::uint64_t count = get_bits(words, at + entries * width, count_width());
  std::vector<NodeId> nodes;
  for (std::size_t i = 0; i < std::min<std::uint64_t>(count, entries); ++i) {
    nodes.push_back(
        node(static_cast<std::uint32_t>(get_bits(words, at + i * width, address_width))));
  }
  return ViaList(nodes);
}

void PinLayout::pack(const Flit& flit, int port, std::uint32_t* words) const {
  std::size_t at = static_cast<std::size_t>(port) * static_cast<std::size_t>(flit_width);
  const auto put = [&](int width, std::uint64_t value) {
    put_bits(words, at, width, value);
    at += static_cast<std::size_t>(width);
  };
  put(payload_bits, flit.data);
  put(message_bits, static_cast<std::uint32_t>(flit.message));
  for (int rest = data_width - payload_bits - message_bits; rest > 0; rest -= 64) {
    put(std::min(rest, 64), 0);
  }
  put(address_width, flit.head ? address(flit.address) : 0);
  std::uint64_t top = flit.head ? flit.ties : 0;
  int shift = tie_width;
  if (max_via > 0) {
    put(tie_width, top);
    pack_via(flit.via, at, words);
    at += static_cast<std::size_t>(via_width());
    top = 0;
    shift = 0;
  }
  const auto append = [&](int width, std::uint64_t value) {
    top |= value << shift;
    shift += width;
  };
  append(join_width, join_width > 0 ? flit.join.bits() : 0);
  append(length_width, length_width > 0 ? flit.length : 0);
  append(3, static_cast<std::uint64_t>(flit.kind));
  append(vc_width, index(flit.vc));
  append(1, flit.tail ? 1 : 0);
  append(1, flit.head ? 1 : 0);
  put(shift, top);
}

Flit PinLayout::unpack(const std::uint32_t* words, int port) const {
  return unpack_at(words, static_cast<std::size_t>(port) * static_cast<std::size_t>(flit_width),
                   vc_width);
}

Flit PinLayout::unpack_stored(const std::uint32_t* words, int port) const {
  const auto stored_width = static_cast<std::size_t>(flit_width - vc_width);
  return unpack_at(words, static_cast<std::size_t>(port) * stored_width, 0);
}

Flit PinLayout::unpack_at(const std::uint32_t* words, std::size_t at, int width_of_vc) const {
  const auto get = [&](int width) {
    const std::uint64_t value = get_bits(words, at, width);
    at += static_cast<std::size_t>(width);
    return value;
  };
  Flit flit;
  flit.data = get(payload_bits);
  flit.message = static_cast<MessageId>(get(message_bits));
  at += static_cast<std::size_t>(data_width - payload_bits - message_bits);
  flit.address = node(static_cast<std::uint32_t>(get(address_width)));
  if (max_via > 0) {
    flit.ties = static_cast<TieMask>(get(tie_width));
    flit.via = unpack_via(words, at);
    at += static_cast<std::size_t>(via_width());
  }
  const int tie_bits = max_via > 0 ? 0 : tie_width;
  std::uint64_t top = get(tie_bits + join_width + length_width + 3 + width_of_vc + 2);
  const auto take = [&](int width) {
    const std::uint64_t value = top & ((std::uint64_t{1} << width) - 1);
    top >>= width;
    return value;
  };
  flit.ties |= static_cast<TieMask>(take(tie_bits));
  flit.join = to_join(take(join_width));
  flit.length = static_cast<std::uint16_t>(take(length_width));
  flit.kind = static_cast<MessageKind>(take(3));
  flit.vc = vc_id(take(width_of_vc));
  flit.tail = take(1) != 0;
  flit.head = take(1) != 0;
  return flit;
}

}  // namespace allport
