// SPDX-License-Identifier: Apache-2.0
#include "traffic/tasks/matching.h"

#include <algorithm>
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
  posted_count_ = arrival_count_ = waiting_ = 0;
  queues_.clear();
  fronts_.clear();
  messages_.clear();
  posted_.clear();
  free_messages_.clear();
  free_posted_.clear();
}

std::uint32_t Matching::send(std::uint32_t receiver, std::uint32_t from, std::uint32_t tag,
                             const Sent& sent) {
  const std::uint32_t ticket = place_in(messages_, free_messages_);
  messages_[ticket].key = {receiver, from, tag};
  messages_[ticket].sent = sent;
  add_to_line(ticket, of_tag);
  if (has_any_) add_to_line(ticket, of_sender);
  return ticket;
}

// Nearly always at the end: only what is sent in one cycle may be told in another order.
void Matching::add_to_line(std::uint32_t ticket, Line line) {
  Message& message = messages_[ticket];
  const Key key = line_key(message.key, line);
  Queue& queue = queues_[key];
  message.lines[line] = &queue;
  std::uint32_t before = queue.last_message;
  while (before != none && message.sent < messages_[before].sent) {
    before = messages_[before].links[line].before;
  }
  const std::uint32_t after =
      before == none ? queue.first_message : messages_[before].links[line].after;
  message.links[line] = {before, after};
  if (before == none && after != none) note_front(after, key, false);
  (before == none ? queue.first_message : messages_[before].links[line].after) = ticket;
  (after == none ? queue.last_message : messages_[after].links[line].before) = ticket;
}

void Matching::take_out_of_line(std::uint32_t ticket, Line line) {
  const auto [before, after] = messages_[ticket].links[line];
  const Key key = line_key(messages_[ticket].key, line);
  Queue& queue = *messages_[ticket].lines[line];
  (before == none ? queue.first_message : messages_[before].links[line].after) = after;
  (after == none ? queue.last_message : messages_[after].links[line].before) = before;
  if (before == none) {
    note_front(ticket, key, false);
    if (after != none) note_front(after, key, true);
  }
  erase_if_empty(queue, key);
}

// Whether the message, if it has come, is the first of its line: then receives of any sender may
// take it.
void Matching::note_front(std::uint32_t ticket, const Key& line, bool is_front) {
  const std::uint64_t arrival = messages_[ticket].arrival;
  if (!has_any_ || arrival == 0) return;
  if (is_front) {
    fronts_[fronts_key(line)].insert({arrival, ticket});
    return;
  }
  const auto found = fronts_.find(fronts_key(line));
  found->second.erase({arrival, ticket});
  if (found->second.empty()) fronts_.erase(found);
}

std::uint32_t Matching::take(std::uint32_t ticket) {
  take_out_of_line(ticket, of_tag);
  if (has_any_) take_out_of_line(ticket, of_sender);
  free_messages_.push_back(ticket);
  --waiting_;
  return messages_[ticket].number;
}

void Matching::erase_if_empty(const Queue& queue, const Key& key) {
  if (queue.first_message == none && queue.first_receive == none) queues_.erase(key);
}

// The first message of a line, if it has come.
std::uint32_t Matching::first_arrived(const Key& line) const {
  const auto found = queues_.find(line);
  if (found == queues_.end()) return none;
  const std::uint32_t first = found->second.first_message;
  return first != none && messages_[first].arrival > 0 ? first : none;
}

std::uint32_t Matching::front_for(const Key& wanted) const {
  if (wanted.from != any) return first_arrived(wanted);
  const auto found = fronts_.find(wanted);
  return found == fronts_.end() ? none : found->second.begin()->second;
}

std::uint32_t Matching::post(std::uint32_t receiver, std::uint32_t from, std::uint32_t tag,
                             std::uint32_t receive) {
  const Key key{receiver, from, tag};
  const std::uint32_t ticket = front_for(key);
  if (ticket != none) return take(ticket);
  const std::uint32_t place = place_in(posted_, free_posted_);
  posted_[place] = {receive, none, posted_count_++};
  Queue& queue = queues_[key];
  (queue.last_receive == none ? queue.first_receive : posted_[queue.last_receive].next) = place;
  queue.last_receive = place;
  return none;
}

void Matching::withdraw(std::uint32_t receiver, std::uint32_t from, std::uint32_t tag) {
  const Key key{receiver, from, tag};
  Queue& queue = queues_.at(key);
  const std::uint32_t last = queue.last_receive;
  std::uint32_t before = none;
  for (std::uint32_t one = queue.first_receive; one != last; one = posted_[one].next) before = one;
  (before == none ? queue.first_receive : posted_[before].next) = none;
  queue.last_receive = before;
  free_posted_.push_back(last);
  erase_if_empty(queue, key);
}

std::uint32_t Matching::take_receive(Queue& queue) {
  const std::uint32_t place = queue.first_receive;
  queue.first_receive = posted_[place].next;
  if (queue.first_receive == none) queue.last_receive = none;
  free_posted_.push_back(place);
  return posted_[place].receive;
}

void Matching::note_arrival(std::uint32_t ticket, std::uint32_t message) {
  Message& one = messages_[ticket];
  one.number = message;
  one.arrival = ++arrival_count_;
  ++waiting_;
  if (has_any_) {
    for (const Line line : {of_tag, of_sender}) {
      if (one.links[line].before == none) note_front(ticket, line_key(one.key, line), true);
    }
  }
  put_in_order(ticket);
  match_all(ticket);
}

// A message is in order when all before it in its line are.
void Matching::put_in_order(std::uint32_t ticket) {
  in_order_.clear();
  const std::uint32_t before = messages_[ticket].links[of_tag].before;
  if (before != none && !messages_[before].is_in_order) return;
  for (; ticket != none; ticket = messages_[ticket].links[of_tag].after) {
    Message& one = messages_[ticket];
    if (one.arrival == 0 || one.is_in_order) return;
    one.is_in_order = true;
    in_order_.push_back(one.number);
  }
}

// Where a message is taken, the one behind it may be there already.
void Matching::match_all(std::uint32_t ticket) {
  matched_.clear();
  if (!has_any_) return match_line(*messages_[ticket].lines[of_tag]);
  const Key key = messages_[ticket].key;
  tags_.assign(1, key.tag);
  while (match_first(key.receiver, key.from)) {
  }
}

// Without receives of any, those of a sender and tag are all that want its messages.
void Matching::match_line(Queue& queue) {
  while (queue.first_receive != none && queue.first_message != none) {
    const std::uint32_t ticket = queue.first_message;
    if (messages_[ticket].arrival == 0) return;
    const std::uint32_t receive = take_receive(queue);
    const bool is_last = queue.first_receive == none;
    matched_.emplace_back(receive, take(ticket));
    if (is_last) return;
  }
}

// Gives the first message of a line to the receive posted first of those that want it: of several
// messages the one sent first. Only lines in which the first message has changed are looked at.
bool Matching::match_first(std::uint32_t receiver, std::uint32_t from) {
  fronts_of_lines_.clear();
  const auto add = [this](std::uint32_t ticket) {
    if (ticket != none) fronts_of_lines_.push_back(ticket);
  };
  add(first_arrived({receiver, from, any}));
  for (const std::uint32_t tag : tags_) add(first_arrived({receiver, from, tag}));
  std::sort(
      fronts_of_lines_.begin(), fronts_of_lines_.end(),
      [this](std::uint32_t a, std::uint32_t b) { return messages_[a].sent < messages_[b].sent; });
  for (const std::uint32_t ticket : fronts_of_lines_) {
    const std::optional<Key> wish = first_wish(ticket);
    if (!wish) continue;
    const std::uint32_t tag = messages_[ticket].key.tag;
    if (std::find(tags_.begin(), tags_.end(), tag) == tags_.end()) tags_.push_back(tag);
    Queue& wishes = queues_.at(*wish);
    const std::uint32_t receive = take_receive(wishes);
    erase_if_empty(wishes, *wish);
    matched_.emplace_back(receive, take(ticket));
    return true;
  }
  return false;
}

// Under which key the receive was posted that takes a message which is the first of its tag.
std::optional<Matching::Key> Matching::first_wish(std::uint32_t ticket) const {
  const auto [receiver, from, tag] = messages_[ticket].key;
  const bool is_first = messages_[ticket].links[of_sender].before == none;
  const std::array<Key, 4> keys{
      {{receiver, from, tag}, {receiver, any, tag}, {receiver, from, any}, {receiver, any, any}}};
  const std::size_t count = is_first ? 4 : 2;
  std::optional<Key> first;
  std::uint64_t number = UINT64_MAX;
  for (std::size_t i = 0; i < count; ++i) {
    const auto found = queues_.find(keys[i]);
    if (found == queues_.end() || found->second.first_receive == none) continue;
    const Posted& posted = posted_[found->second.first_receive];
    if (posted.number >= number) continue;
    number = posted.number;
    first = keys[i];
  }
  return first;
}

}  // namespace allport
