// SPDX-License-Identifier: Apache-2.0
#include "traffic/tasks/matching.h"

#include <array>

namespace allport {

namespace {

// A free place of the pool.
template <class Pool>
std::uint32_t place_in(Pool& pool, std::vector<std::uint32_t>& free) {
  if (free.empty()) {
    pool.emplace_back();
    return static_cast<std::uint32_t>(pool.size() - 1);
  }
  const std::uint32_t place = free.back();
  free.pop_back();
  pool[place] = {};
  return place;
}

}  // namespace

std::size_t Matching::Hash::operator()(const Key& key) const {
  std::uint64_t mixed = (std::uint64_t{key.receiver} << 32 | key.from) * 0x9e3779b97f4a7c15U;
  mixed = (mixed ^ mixed >> 29 ^ key.tag) * 0xbf58476d1ce4e5b9U;
  return mixed ^ mixed >> 32;
}

void Matching::reset(bool has_any) {
  has_any_ = has_any;
  posted_count_ = waiting_ = 0;
  queues_.clear();
  posted_.assign(1, {});
  arrived_.assign(1, {});
  listed_.assign(1, {});
  free_posted_.clear();
  free_arrived_.clear();
  free_listed_.clear();
}

template <class Pool>
void Matching::append(List& list, Pool& pool, std::uint32_t place) {
  (list.first == 0 ? list.first : pool[list.last].next) = place;
  list.last = place;
}

// Messages that another list has given away are left in this one until they are its first.
std::uint32_t Matching::take_message(const Key& key) {
  const auto found = queues_.find(key);
  if (found == queues_.end()) return none;
  List& list = found->second.messages;
  while (list.first != 0) {
    const std::uint32_t place = list.first;
    const std::uint32_t arrived = listed_[place].arrived;
    list.first = listed_[place].next;
    free_listed_.push_back(place);
    const std::uint32_t message = arrived_[arrived].message;
    arrived_[arrived].message = none;
    drop(arrived);
    if (message == none) continue;
    --waiting_;
    erase_if_empty(key);
    return message;
  }
  erase_if_empty(key);
  return none;
}

void Matching::drop(std::uint32_t arrived) {
  if (--arrived_[arrived].lists == 0) free_arrived_.push_back(arrived);
}

void Matching::erase_if_empty(const Key& key) {
  const auto found = queues_.find(key);
  if (found->second.messages.first == 0 && found->second.receives.first == 0) queues_.erase(found);
}

void Matching::add_message(const Key& key, std::uint32_t arrived) {
  const std::uint32_t place = place_in(listed_, free_listed_);
  listed_[place].arrived = arrived;
  ++arrived_[arrived].lists;
  append(queues_[key].messages, listed_, place);
}

std::uint32_t Matching::post(std::uint32_t receiver, std::uint32_t from, std::uint32_t tag,
                             std::uint32_t receive) {
  const Key key{receiver, from, tag};
  const std::uint32_t message = take_message(key);
  if (message != none) return message;
  const std::uint32_t place = place_in(posted_, free_posted_);
  posted_[place].receive = receive;
  posted_[place].number = posted_count_++;
  append(queues_[key].receives, posted_, place);
  return none;
}

std::uint32_t Matching::arrive(std::uint32_t receiver, std::uint32_t from, std::uint32_t tag,
                               std::uint32_t message) {
  const std::array<Key, 4> keys{
      {{receiver, from, tag}, {receiver, from, any}, {receiver, any, tag}, {receiver, any, any}}};
  const std::size_t count = has_any_ ? 4 : 1;
  const Key* first = nullptr;
  std::uint64_t number = UINT64_MAX;
  for (std::size_t i = 0; i < count; ++i) {
    const auto found = queues_.find(keys[i]);
    if (found == queues_.end() || found->second.receives.first == 0) continue;
    const Posted& posted = posted_[found->second.receives.first];
    if (posted.number >= number) continue;
    number = posted.number;
    first = &keys[i];
  }
  if (first == nullptr) {
    const std::uint32_t arrived = place_in(arrived_, free_arrived_);
    arrived_[arrived].message = message;
    for (std::size_t i = 0; i < count; ++i) add_message(keys[i], arrived);
    ++waiting_;
    return none;
  }
  List& list = queues_[*first].receives;
  const std::uint32_t place = list.first;
  const std::uint32_t receive = posted_[place].receive;
  list.first = posted_[place].next;
  free_posted_.push_back(place);
  erase_if_empty(*first);
  return receive;
}

}  // namespace allport
