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
  static constexpr std::uint32_t no_send = ~std::uint32_t{0};

  /// `flow`, whose unicasts are those of `sends`, must outlive it.
  SendFlow(const Sends& sends, const BlockFlow& flow, StopFlag stop);

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
  // The send of a unicast; no_send: it has no valid route.
  std::uint32_t number_of(std::uint32_t unicast) const {
    if (sends_.have_own_indices()) return unicast < sends_.size() ? unicast : no_send;
    return unicast < numbers_.size() ? numbers_[unicast] : no_send;
  }
  // Adds to what a node knows the marks that arrive with what `send` waits for.
  void learn(std::uint32_t send, Marks& known) const;

  const Sends& sends_;
  const BlockFlow& flow_;
  StopFlag stop_;
  std::vector<std::uint32_t> numbers_;  // by unicast: sends; empty: they have the same numbers
  std::size_t node_count_ = 0;
  bool is_trivial_ = true;
  std::vector<std::uint32_t> ranks_;  // places in the order of execution
  std::size_t stuck_from_ = 0;        // the place of the first that cannot be carried out
  std::vector<std::uint32_t> order_;  // of execution; empty until marks are followed
  std::vector<Marks> known_;          // by send; empty until marks are followed
  std::vector<Marks> arrives_;        // by send: known and own
};

inline void SendFlow::learn(std::uint32_t send, Marks& known) const {
  for (const std::uint32_t reception : flow_.waits_for(sends_.index_of(send))) {
    const std::uint32_t arrival = number_of(reception);
    if (arrival != no_send) known |= arrives_[arrival];
  }
}

template <typename Own>
void SendFlow::follow(Own own) {
  if (is_trivial_) return;
  heed(stop_);
  order_.resize(ranks_.size());
  for (std::uint32_t send = 0; send < order_.size(); ++send) order_[ranks_[send]] = send;
  known_.resize(sends_.size());
  arrives_.resize(sends_.size());
  std::vector<Marks> of_node(node_count_);
  for (std::size_t place = 0; place < order_.size(); ++place) {
    const std::uint32_t send = order_[place];
    Marks& known = of_node[index(sends_[send].u)];
    if (place < stuck_from_) learn(send, known);
    known_[send] = known;
    arrives_[send] = own(send);
    arrives_[send] |= known;
  }
}

}  // namespace allport
