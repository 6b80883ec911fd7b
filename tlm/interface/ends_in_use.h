// SPDX-License-Identifier: Apache-2.0
// EndsInUse are the ends of the virtual channels of one node, numbered from 0. Each is made when it
// is used for the first time: of the many ports of a large cube most never carry a message.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "rtl_model/base/fetch_ahead.h"

namespace allport {

template <class End>
class EndsInUse {
 public:
  explicit EndsInUse(std::size_t count) : ends_(count) {}

  /// The end `place`; null: it was never used.
  End* find(std::size_t place) { return ends_[place].get(); }
  const End* find(std::size_t place) const { return ends_[place].get(); }
  /// Fetches into the cache where the end `place` is, and once that is there the end itself.
  void fetch_place(std::size_t place) const { fetch(&ends_[place]); }
  void fetch_end(std::size_t place) const { fetch(ends_[place].get(), sizeof(End)); }
  /// The end `place`, made of `parts` if it is used for the first time.
  template <class... Parts>
  End& use(std::size_t place, const Parts&... parts) {
    std::unique_ptr<End>& end = ends_[place];
    if (end == nullptr) end = std::make_unique<End>(parts...);
    return *end;
  }
  void reset() {
    for (const auto& end : ends_) {
      if (end != nullptr) end->reset();
    }
  }

 private:
  std::vector<std::unique_ptr<End>> ends_;
};

}  // namespace allport
