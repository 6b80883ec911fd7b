// SPDX-License-Identifier: Apache-2.0
// WidePayloads keeps the bytes of messages whose flits are wider than the data lines of a flit. In
// place of its bytes such a flit carries their name, by which the receiver finds them here: a flit
// that is lost, doubled, swapped or damaged on its way is seen in the bytes as if it had carried
// them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <unordered_map>
#include <vector>

#include "rtl_model/base/range.h"
#include "rtl_model/router/flit.h"

namespace allport {

/// Whether flits of `flit_bytes` payload bytes carry names in place of them.
constexpr bool carries_names(int flit_bytes) { return flit_bytes > limits::router_flit_bytes.high; }
/// Bytes on the data lines of a flit of `flit_bytes` payload bytes.
constexpr int carried_bytes(int flit_bytes) {
  return carries_names(flit_bytes) ? limits::router_flit_bytes.high : flit_bytes;
}

class WidePayloads {
 public:
  /// What a flit carries: the message in the upper half, the place of the flit in the lower.
  using Name = std::uint64_t;

  /// Keeps the `bytes` bytes at `data` of message `id`, in `flits` flits, until `copies` receivers
  /// have released them. The names of the flits stay where they are until then.
  const std::vector<Name>& keep(MessageId id, const unsigned char* data, std::size_t bytes,
                                int flits, std::size_t copies) {
    Kept& kept = kept_[id];
    kept = {{data, data + bytes}, {}, copies};
    for (int flit = 0; flit < flits; ++flit) {
      kept.names.push_back(static_cast<Name>(id) << 32 | static_cast<Name>(flit));
    }
    return kept.names;
  }

  /// Writes the bytes of a flit of `flit_bytes` to `to`, `room` of them at most; returns whether
  /// there are bytes of that name.
  bool fetch(Name name, std::size_t flit_bytes, unsigned char* to, std::size_t room) const {
    const auto found = kept_.find(static_cast<MessageId>(name >> 32));
    const std::size_t at = (name & 0xffffffffU) * flit_bytes;
    if (found == kept_.end() || at >= found->second.bytes.size()) return false;
    const std::size_t rest = found->second.bytes.size() - at;
    std::memcpy(to, found->second.bytes.data() + at, std::min(room, std::min(rest, flit_bytes)));
    return true;
  }

  /// Notes that a receiver has all of message `id`.
  void release(MessageId id) {
    const auto found = kept_.find(id);
    if (found != kept_.end() && --found->second.copies == 0) kept_.erase(found);
  }
  std::size_t size() const { return kept_.size(); }
  void clear() { kept_.clear(); }

 private:
  struct Kept {
    std::vector<unsigned char> bytes;
    std::vector<Name> names;  // by flit
    std::size_t copies = 0;   // receivers that do not have them yet
  };
  std::unordered_map<MessageId, Kept> kept_;
};

}  // namespace allport
