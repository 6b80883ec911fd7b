// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/monitors/join_checker.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "rtl_model/topology/group_routes.h"
#include "tlm/message/join_result.h"
#include "tlm/message/message.h"

namespace allport {

namespace {

using Bytes = JoinChecker::Bytes;

template <class Lane>
Lane lane_at(const Bytes& bytes, std::size_t at) {
  Lane lane{};
  std::memcpy(&lane, bytes.data() + at, sizeof lane);
  return lane;
}

// Numbers in the order of float32, so that neighbours differ by one; both zeros are 0.
std::int64_t place_of(float number) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &number, sizeof bits);
  const auto magnitude = static_cast<std::int64_t>(bits & 0x7fffffffU);
  return bits >> 31 != 0 ? -magnitude : magnitude;
}

std::uint64_t units_between(float a, float b) {
  return static_cast<std::uint64_t>(std::abs(place_of(a) - place_of(b)));
}

}  // namespace

bool JoinChecker::is_right(MessageId id, const Bytes& bytes) {
  const auto known = joins_.find(id);
  if (known != joins_.end()) return bytes == known->second.received;
  if (log_.joins().of(id).size() != group_size(routing_.topology(), log_[id].group)) return false;
  Join join{join_result(id, log_, routing_), bytes};
  if (join.received != join.by_port && !may_yield(id, join)) return false;
  joins_.emplace(id, std::move(join));
  return true;
}

// Whether it may yield these bytes, which are not those of the order of ports.
bool JoinChecker::may_yield(MessageId id, const Join& join) const {
  const JoinTag tag = log_[id].join;
  if (order_ == CombineOrder::port || join.received.size() != join.by_port.size()) return false;
  if (tag.type() != LaneType::float32 || tag.operation() != JoinOperation::sum) return false;
  for (std::size_t at = 0; at < join.received.size(); at += sizeof(float)) {
    if (!is_possible_sum(id, at, lane_at<float>(join.received, at))) return false;
  }
  return true;
}

// Whether some order of the additions may yield `sum` in the lane at byte `at`. Of numbers whose
// partial sums may be too large for float32 nothing is known.
bool JoinChecker::is_possible_sum(MessageId id, std::size_t at, float sum) const {
  long double exact = 0;
  long double magnitude = 0;
  for (const auto& [node, contribution] : log_.joins().of(id)) {
    const auto number = static_cast<long double>(lane_at<float>(contribution, at));
    exact += number;
    magnitude += std::abs(number);
  }
  if (!(magnitude < std::numeric_limits<float>::max())) return true;
  const auto additions = static_cast<long double>(log_.joins().of(id).size() - 1);
  const long double errors = additions * std::numeric_limits<float>::epsilon() / 2;
  const long double bound = errors / (1 - errors) * magnitude;
  return std::abs(static_cast<long double>(sum) - exact) <= bound * 1.000001L;
}

void JoinChecker::add_to(CombineResults& results) const {
  std::map<std::tuple<NodeId, int, int>, std::uint64_t> checksums;  // by name, not by time
  for (const auto& [id, join] : joins_) {
    const MessageRecord& record = log_[id];
    checksums[{record.source, record.collective, record.order}] =
        payload_checksum(join.received.data(), join.received.size());
    const auto lane = static_cast<std::size_t>(lane_bytes(record.join.type()));
    results.lanes += join.received.size() / lane;
    for (std::size_t at = 0; at < join.received.size(); at += lane) {
      if (std::equal(join.received.begin() + static_cast<std::ptrdiff_t>(at),
                     join.received.begin() + static_cast<std::ptrdiff_t>(at + lane),
                     join.by_port.begin() + static_cast<std::ptrdiff_t>(at))) {
        continue;
      }
      ++results.differing_lanes;
      results.largest_difference = std::max(
          results.largest_difference,
          units_between(lane_at<float>(join.received, at), lane_at<float>(join.by_port, at)));
    }
  }
  Bytes all;
  for (const auto& [name, checksum] : checksums) {
    for (int byte = 0; byte < 8; ++byte) {
      all.push_back(static_cast<unsigned char>(checksum >> 8 * byte));
    }
  }
  results.checksums.push_back(payload_checksum(all.data(), all.size()));
}

}  // namespace allport
