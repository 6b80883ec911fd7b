// SPDX-License-Identifier: Apache-2.0
#include "tlm/worm/calendar.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "rtl_model/base/bits.h"

namespace allport {

namespace {

constexpr std::array<const char*, 3> phase_names{"reception", "injection", "switching"};

}  // namespace

WormCalendar::WormCalendar() = default;

void WormCalendar::clear() {
  for (std::size_t word = 0; word < filled_.size(); ++word) {
    for (const int bit : bits(filled_[word])) {
      pages_[word * 64 + static_cast<std::size_t>(bit)].clear();
    }
  }
  filled_.fill(0);
  filled_words_ = 0;
  distant_ = {};
  posted_far_ = 0;
  present_ = 0;
}

void WormCalendar::put(Cycle moment, WormEvent event) {
  const std::size_t at = page(moment);
  if (pages_[at].empty()) {
    filled_[at / 64] |= std::uint64_t{1} << at % 64;
    filled_words_ |= std::uint64_t{1} << at / 64;
  }
  pages_[at].push_back(event);
}

void WormCalendar::post(Cycle moment, WormEvent event) {
  const auto ahead = static_cast<std::uint64_t>(moment - present_);  // of what is past, very large
  if (ahead < std::uint64_t{pages}) {
    put(moment, event);
  } else {
    post_far(moment, event);
  }
}

// Posts what has no page, because it is distant or past.
void WormCalendar::post_far(Cycle moment, WormEvent event) {
  if (moment >= present_) {
    distant_.push({moment, posted_far_++, event});
    return;
  }
  const WormPhase phase = phase_of(moment);
  const std::string name = phase_names[static_cast<std::size_t>(phase)];
  throw std::invalid_argument("an event of worms in the phase of " + name + " of cycle " +
                              std::to_string(cycle_of(moment)) + " is past: it must be in cycle " +
                              std::to_string(first_open(phase)) + " or later");
}

void WormCalendar::take_all(std::vector<std::pair<Cycle, WormEvent>>& taken) {
  while (filled_words_ != 0) {
    const Cycle moment = next_moment();
    for (const WormEvent event : pages_[page(moment)]) taken.emplace_back(moment, event);
    finish_page(moment);
  }
  for (; !distant_.empty(); distant_.pop()) {
    taken.emplace_back(distant_.top().moment, distant_.top().event);
  }
  clear();
}

Cycle WormCalendar::next_moment() const {
  if (filled_words_ == 0) return distant_.empty() ? never : distant_.top().moment;
  const std::size_t begin = page(present_);
  std::size_t word = begin / 64;
  std::uint64_t bits = filled_[word] & ~std::uint64_t{0} << begin % 64;
  if (bits == 0) {  // after it, around the end, and finally in the low part of the same word
    const std::uint64_t behind =
        word == words - 1 ? 0 : filled_words_ & ~std::uint64_t{0} << (word + 1);
    word = static_cast<std::size_t>(__builtin_ctzll(behind != 0 ? behind : filled_words_));
    bits = filled_[word];
  }
  const std::size_t at = word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits));
  return present_ + static_cast<Cycle>((at - begin) % std::size_t{pages});
}

std::vector<WormEvent>& WormCalendar::turn_to(Cycle moment) {
  present_ = moment;
  while (!distant_.empty() && distant_.top().moment < present_ + pages) {
    put(distant_.top().moment, distant_.top().event);
    distant_.pop();
  }
  return pages_[page(moment)];
}

void WormCalendar::finish_page(Cycle moment) {
  const std::size_t at = page(moment);
  pages_[at].clear();
  filled_[at / 64] &= ~(std::uint64_t{1} << at % 64);
  if (filled_[at / 64] == 0) filled_words_ &= ~(std::uint64_t{1} << at / 64);
}

}  // namespace allport
