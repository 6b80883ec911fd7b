// SPDX-License-Identifier: Apache-2.0
// A SendFlow knows which of up to 512 marks each send of a schedule of blocks depends on. A send
// bears marks of its own; a send that waits for its reception depends on these and on all it
// depended on, and so do the sends that follow in that program. One pass over the schedule settles
// 512 marks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rtl_model/base/stop_flag.h"
#include "traffic/schedule/block_flow.h"
#include "traffic/schedule/delivery_tree.h"

namespace allport {

/// One bit for each mark.
class Marks {
 public:
  static constexpr std::size_t count = 512;

  void set(std::size_t mark) { words_[mark / 64] |= std::uint64_t{1} << mark % 64; }
  bool has(std::size_t mark) const { return (words_[mark / 64] >> mark % 64 & 1U) != 0; }
  Marks& operator|=(const Marks& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
    return *this;
  }
  /// The marks that are here and not in `other`.
  Marks without(const Marks& other) const {
    Marks rest = *this;
    for (std::size_t i = 0; i < words_.size(); ++i) rest.words_[i] &= ~other.words_[i];
    return rest;
  }
  bool empty() const {
    std::uint64_t any = 0;
    for (const std::uint64_t word : words_) any |= word;
    return any == 0;
  }

 private:
  std::array<std::uint64_t, count / 64> words_{};
};

class SendFlow {
 public:
  SendFlow(const std::vector<Send>& sends, const BlockFlow& flow, StopFlag stop);

  /// Whether no send waits for anything.
  bool is_trivial() const { return is_trivial_; }
  /// The place of each send in an order in which they may be carried out; sends that never can be
  /// carried out come last.
  const std::vector<std::uint32_t>& ranks() const { return ranks_; }

  /// Follows the marks: `own(send)` are those that `send` bears.
  template <typename Own>
  void follow(Own own);
  /// The marks on which `send` depends, as last followed.
  const Marks& known_to(std::uint32_t send) const { return known_[send]; }

 private:
  const std::vector<Send>& sends_;
  StopFlag stop_;
  std::size_t node_count_ = 0;
  bool is_trivial_ = true;
  std::vector<std::uint32_t> order_;  // of execution
  std::vector<std::uint32_t> ranks_;
  std::vector<std::vector<std::uint32_t>> waits_for_;  // by send: sends
  std::vector<Marks> known_;                           // by send
  std::vector<Marks> arrives_;                         // by send: known and own
};

template <typename Own>
void SendFlow::follow(Own own) {
  if (is_trivial_) return;
  heed(stop_);
  std::vector<Marks> of_node(node_count_);
  for (const std::uint32_t send : order_) {
    Marks& known = of_node[index(sends_[send].u)];
    for (const std::uint32_t reception : waits_for_[send]) known |= arrives_[reception];
    known_[send] = known;
    arrives_[send] = own(send);
    arrives_[send] |= known;
  }
}

}  // namespace allport
