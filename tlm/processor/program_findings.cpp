// SPDX-License-Identifier: Apache-2.0
// This file has what is said of programs that went wrong.
#include <algorithm>
#include <tuple>

#include "rtl_model/base/circle.h"
#include "rtl_model/base/words.h"
#include "tlm/processor/program_rank.h"

namespace allport {

std::string ProgramWorkload::name_of(std::uint32_t rank) {
  return rank == Processor::host ? "the host" : "rank " + std::to_string(rank);
}

std::string ProgramWorkload::finding(bool is_over) const {
  if (std::string fault = calls_.fault(); !fault.empty()) return fault;
  if (!problems_.empty()) return problems_.front();
  if (std::string fault = lonely_call(); !fault.empty()) return fault;
  return is_over ? unreceived_message() : "";
}

// A collective that a rank calls and that another one has ended without.
std::string ProgramWorkload::lonely_call() const {
  const auto call = calls_.first_incomplete();
  if (!call) return {};
  for (std::uint32_t rank = 0; rank < size_; ++rank) {
    const std::uint32_t count = ranks_[rank]->collectives();
    if (!ranks_[rank]->has_ended() || count > call->place) continue;
    return name_of(call->rank) + " calls " + in_words(calls_.call(call->call)) + " as collective " +
           std::to_string(call->place + 1) + ", but " + name_of(rank) + " calls only " +
           std::to_string(count);
  }
  return {};
}

std::string ProgramWorkload::unreceived_message() const {
  std::vector<bool> is_free(held_.size(), false);
  for (const std::uint32_t place : free_held_) is_free[place] = true;
  const Envelope* first = nullptr;
  std::size_t count = 0;
  for (std::size_t i = 0; i < held_.size(); ++i) {
    if (is_free[i]) continue;
    ++count;
    const Envelope& one = held_[i].envelope;
    if (first == nullptr ||
        std::tie(one.from, one.to, one.tag) < std::tie(first->from, first->to, first->tag)) {
      first = &one;
    }
  }
  if (first == nullptr) return {};
  const std::string which = first->is_of_collective()
                                ? "a message of " + in_words(calls_.call(first->call)) +
                                      ", its collective " + std::to_string(first->place + 1) + ","
                                : "a message with tag " + std::to_string(first->tag);
  return name_of(first->from) + " sends " + name_of(first->to) + " " + which +
         " that nobody receives" +
         (count == 1 ? ""
                     : ", and there " + std::string(count == 2 ? "is " : "are ") +
                           counted(count - 1, "other such message"));
}

TaskStandstill ProgramWorkload::standstill() const {
  constexpr std::size_t most_others = 8;
  TaskStandstill standstill;
  standstill.unended = ranks_.size() - ended_;
  const auto first = std::find_if(ranks_.begin(), ranks_.end(),
                                  [](const auto& rank) { return !rank->has_ended(); });
  if (first == ranks_.end()) return standstill;
  const auto start = static_cast<std::uint32_t>(first - ranks_.begin());
  const WaitingWay way = follow_waits(start, [this](std::uint32_t rank) {
    const std::uint32_t next = ranks_[rank]->awaited();
    if (next == Processor::any || ranks_[place_of(next)]->has_ended()) return no_vertex;
    return static_cast<std::uint32_t>(place_of(next));
  });
  standstill.is_circle = way.is_circle;
  std::vector<bool> is_on_way(ranks_.size(), false);
  for (const std::uint32_t one : way.vertices) is_on_way[one] = true;
  std::size_t others = 0;
  for (std::size_t one = 0; one < ranks_.size(); ++one) {
    if (ranks_[one]->has_ended() || is_on_way[one]) continue;
    if (others++ < most_others) standstill.waits.push_back(ranks_[one]->wait_in_words());
  }
  if (others > most_others) {
    standstill.waits.push_back(counted(others - most_others, "other program") + " of " +
                               std::to_string(ranks_.size()) + " " +
                               (others - most_others == 1 ? "waits" : "wait") + " for ever too");
  }
  for (const std::uint32_t one : way.vertices) {
    standstill.waits.push_back(ranks_[one]->wait_in_words());
  }
  return standstill;
}

}  // namespace allport
