// SPDX-License-Identifier: Apache-2.0
#include "traffic/programs/rank.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>

namespace allport {

namespace conversation {

struct Envelope {
  std::uint32_t from;  // the rank whose message it is
  std::uint32_t tag;
  Values values;
  std::uint64_t bytes;
  std::uint32_t last;      // the rank that handed it over: the sender, or the last that forwarded
  std::uint32_t wire_tag;  // the tag under which it did
};

// A rank's forwarding of a message, in the sender's order.
struct Forwarding {
  std::uint32_t rank;
  std::uint32_t from;
  std::uint32_t to;
  std::uint32_t tag;
  std::uint64_t bytes;
};

}  // namespace conversation

namespace {

// Tags of forwarded messages: the sender, and the number of the message.
constexpr std::uint32_t forwarded = std::uint32_t{1} << 31;

constexpr std::uint64_t max_messages = std::uint64_t{1} << 24;

}  // namespace

/// What the ranks share.
class Conversation {
 public:
  Conversation(std::uint32_t ranks, bool has_host, const ProgramCosts& costs)
      : costs_(costs),
        ranks_(ranks),
        boxes_(ranks + (has_host ? 1 : 0)),
        tasks_(boxes_.size()),
        forwardings_(ranks),
        left_(parties()) {}

  const ProgramCosts& costs() const { return costs_; }
  std::uint32_t size() const { return ranks_; }
  /// The ranks, and the host.
  std::uint32_t parties() const { return static_cast<std::uint32_t>(boxes_.size()); }
  /// Whether a message between the two goes over the host's channel.
  bool is_transfer(std::uint32_t a, std::uint32_t b) const { return a == ranks_ || b == ranks_; }
  std::vector<Task>& tasks(std::uint32_t rank) { return tasks_[rank]; }

  void send(std::uint32_t from, std::uint32_t to, const Values& values, std::uint32_t tag,
            int value_bytes);
  conversation::Envelope receive(std::uint32_t rank, std::uint32_t from, std::uint32_t tag);
  void run(std::uint32_t rank, const RankProgram& program);
  /// Ends all ranks, those that have not begun too; `error` is what rethrow() throws.
  void end(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    fail(std::move(error));
  }
  TaskGraph graph() const;
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  struct Box {
    std::deque<conversation::Envelope> messages;
    std::condition_variable arrived;
    bool waits = false;
    std::uint32_t from = 0;  // what it waits for
    std::uint32_t tag = 0;
  };
  struct Ended {};  // thrown in a rank when another one has failed

  static auto find(Box& box, std::uint32_t from, std::uint32_t tag) {
    return std::find_if(
        box.messages.begin(), box.messages.end(),
        [&](const conversation::Envelope& one) { return one.from == from && one.tag == tag; });
  }
  void fail(std::exception_ptr error) {
    if (!error_) error_ = std::move(error);
    for (Box& box : boxes_) box.arrived.notify_all();
  }
  std::string name_of(std::uint32_t rank) const {
    return rank == ranks_ && parties() > ranks_ ? "the host" : fmt::format("rank {}", rank);
  }
  // All that are left wait: the caller, `rank`, has just begun to.
  void require_somebody_works(std::uint32_t rank);
  std::uint32_t first_hop(conversation::Envelope& envelope, std::uint32_t to);

  const ProgramCosts costs_;
  const std::uint32_t ranks_;
  std::mutex mutex_;
  std::vector<Box> boxes_;                // by rank, then that of the host
  std::vector<std::vector<Task>> tasks_;  // the same
  std::vector<std::vector<conversation::Forwarding>> forwardings_;  // by sender
  std::uint32_t left_;                                              // ranks that have not ended
  std::uint32_t waiting_ = 0;
  std::uint64_t sent_ = 0;  // messages, of all ranks
  std::exception_ptr error_;
};

void Conversation::require_somebody_works(std::uint32_t rank) {
  if (waiting_ < left_) return;
  const Box& box = boxes_[rank];
  fail(std::make_exception_ptr(std::runtime_error(fmt::format(
      "the program deadlocks: {} waits for a message of {} with tag {}, and all other ranks wait or have ended",
      name_of(rank), name_of(box.from), box.tag))));
}

// Lets the ranks on the way, the lowest dimension first, forward the message; the rank to which the
// sender hands it.
std::uint32_t Conversation::first_hop(conversation::Envelope& envelope, std::uint32_t to) {
  std::uint32_t here = envelope.from;
  std::vector<conversation::Forwarding>& list = forwardings_[envelope.from];
  const auto next_of = [to](std::uint32_t node) {
    const std::uint32_t bits = node ^ to;
    return node ^ (bits & (~bits + 1));
  };
  const std::uint32_t first = next_of(here);
  if (first == to) return to;
  if (list.size() >= Rank::most_forwarded) {
    throw std::runtime_error(fmt::format("rank {} sends more than {} messages that are forwarded",
                                         here, Rank::most_forwarded));
  }
  envelope.wire_tag =
      forwarded + envelope.from * Rank::most_forwarded + static_cast<std::uint32_t>(list.size());
  for (std::uint32_t next = first; next != to; next = next_of(next)) {
    list.push_back({next, here, next_of(next), envelope.wire_tag, envelope.bytes});
    here = next;
  }
  envelope.last = here;
  return first;
}

void Conversation::send(std::uint32_t from, std::uint32_t to, const Values& values,
                        std::uint32_t tag, int value_bytes) {
  const std::lock_guard lock(mutex_);
  if (error_) throw Ended{};
  if (to >= parties() || to == from) {
    throw std::runtime_error(
        fmt::format("{} sends to {} of {}", name_of(from), name_of(to), size()));
  }
  if (++sent_ > max_messages) {
    throw std::runtime_error(fmt::format("the program sends more than {} messages", max_messages));
  }
  const std::uint64_t bytes = std::max<std::uint64_t>(
      1, values.size() *
             static_cast<std::uint64_t>(value_bytes == 0 ? costs_.value_bytes : value_bytes));
  conversation::Envelope envelope{from, tag, values, bytes, from, tag};
  Task task;
  task.kind = TaskKind::send;
  task.rank = from;
  const bool is_forwarded = costs_.forwards && !is_transfer(from, to);
  task.peer = is_forwarded ? first_hop(envelope, to) : to;
  task.tag = envelope.wire_tag;
  task.amount = bytes;
  tasks_[from].push_back(task);
  Box& box = boxes_[to];
  box.messages.push_back(std::move(envelope));
  if (box.waits && box.from == from && box.tag == tag) {
    box.waits = false;
    --waiting_;
    box.arrived.notify_one();
  }
}

conversation::Envelope Conversation::receive(std::uint32_t rank, std::uint32_t from,
                                             std::uint32_t tag) {
  std::unique_lock lock(mutex_);
  Box& box = boxes_[rank];
  if (find(box, from, tag) == box.messages.end()) {
    box.waits = true;
    box.from = from;
    box.tag = tag;
    ++waiting_;
    require_somebody_works(rank);
    box.arrived.wait(lock, [&] { return !box.waits || error_; });
  }
  if (error_) throw Ended{};
  const auto found = find(box, from, tag);
  conversation::Envelope envelope = std::move(*found);
  box.messages.erase(found);
  Task task;
  task.kind = TaskKind::receive;
  task.rank = rank;
  task.peer = envelope.last;
  task.tag = envelope.wire_tag;
  task.amount = envelope.bytes;
  tasks_[rank].push_back(task);
  return envelope;
}

void Conversation::run(std::uint32_t rank, const RankProgram& program) {
  Rank self(*this, rank);
  std::exception_ptr error;
  try {
    program(self);
  } catch (const Ended&) {
    return;
  } catch (...) {
    error = std::current_exception();
  }
  const std::lock_guard lock(mutex_);
  --left_;
  if (error) {
    fail(error);
    return;
  }
  for (std::uint32_t other = 0; other < parties() && left_ > 0 && waiting_ == left_; ++other) {
    if (boxes_[other].waits) return require_somebody_works(other);
  }
}

TaskGraph Conversation::graph() const {
  TaskGraph graph;
  graph.ranks = size();
  if (parties() > size()) graph.host = costs_.host;
  const auto add = [&graph](const Task& task, bool is_chained) {
    const auto number = static_cast<std::uint32_t>(graph.tasks.size());
    graph.tasks.push_back(task);
    if (!is_chained) return;
    const bool is_order = graph.tasks[number - 1].kind == TaskKind::send;
    graph.dependencies.push_back({number, number - 1, false, is_order});
  };
  for (const std::vector<Task>& list : tasks_) {
    for (const Task& task : list) add(task, &task != &list.front());
  }
  for (const std::vector<conversation::Forwarding>& list : forwardings_) {
    for (const conversation::Forwarding& one : list) {
      Task task;
      task.kind = TaskKind::receive;
      task.cpu = 1;
      task.rank = one.rank;
      task.peer = one.from;
      task.tag = one.tag;
      task.amount = one.bytes;
      add(task, false);
      task.kind = TaskKind::send;
      task.peer = one.to;
      add(task, true);
    }
  }
  return graph;
}

std::uint32_t Rank::size() const { return all_.size(); }

void Rank::compute(double microseconds) {
  microseconds_ += microseconds;
  const auto cycles =
      static_cast<std::uint64_t>(std::llround(microseconds_ / all_.costs().cycle_us));
  Task task;
  task.rank = rank_;
  task.amount = cycles - cycles_;
  cycles_ = cycles;
  if (task.amount > 0) all_.tasks(rank_).push_back(task);
}

void Rank::send(std::uint32_t to, const Values& values, std::uint32_t tag, int value_bytes) {
  all_.send(rank_, to, values, tag, value_bytes);
}

Values Rank::receive(std::uint32_t from, std::uint32_t tag) {
  conversation::Envelope message = all_.receive(rank_, from, tag);
  if (all_.is_transfer(rank_, from)) return std::move(message.values);
  const ProgramCosts& costs = all_.costs();
  compute(costs.copy_us + costs.copy_us_per_byte * static_cast<double>(message.bytes));
  return std::move(message.values);
}

TaskGraph record(std::uint32_t ranks, const ProgramCosts& costs, const RankProgram& program,
                 const RankProgram& host_program) {
  Conversation all(ranks, host_program != nullptr, costs);
  std::vector<std::thread> threads;
  threads.reserve(all.parties());
  for (std::uint32_t rank = 0; rank < all.parties(); ++rank) {
    const RankProgram& own = rank == ranks ? host_program : program;
    try {
      threads.emplace_back([&all, &own, rank] { all.run(rank, own); });
    } catch (const std::system_error& error) {
      all.end(std::make_exception_ptr(
          std::runtime_error(fmt::format("a program of {} ranks: rank {} has no thread ({})", ranks,
                                         rank, error.code().message()))));
      break;
    } catch (...) {  // no memory for one more
      all.end(std::current_exception());
      break;
    }
  }
  for (std::thread& one : threads) one.join();
  all.rethrow();
  return all.graph();
}

}  // namespace allport
