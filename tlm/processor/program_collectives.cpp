// SPDX-License-Identifier: Apache-2.0
// This file has the collectives of a program: a rank carries out its part of a plan with the bytes
// that it has.
#include <cstring>
#include <stdexcept>

#include "rtl_model/base/words.h"
#include "tlm/processor/block_store.h"
#include "tlm/processor/program_rank.h"

namespace allport {

namespace {

[[noreturn]] void reject(const std::string& what) { throw std::invalid_argument(what); }

void add_doubles(unsigned char* sum, const unsigned char* other, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += sizeof(double)) {
    double a = 0;
    double b = 0;
    std::memcpy(&a, sum + at, sizeof a);
    std::memcpy(&b, other + at, sizeof b);
    a += b;
    std::memcpy(sum + at, &a, sizeof a);
  }
}

}  // namespace

ProgramWorkload::Rank::Part ProgramWorkload::Rank::begin(CalledCollective call,
                                                         std::string_view algorithm,
                                                         const Contribution& given) {
  if (is_host()) reject("the host takes part in no collective");
  if (call.root == host) reject("the root of a collective is a rank, not the host");
  require_rank("the root", call.root);
  call.algorithm = all_.plans_->name_of(call.operation, algorithm);
  std::shared_ptr<const PlannedCall> plan = all_.plans_->plan(call);
  const std::uint32_t place = collectives_++ & 0x7fffffffU;
  const std::uint32_t number = all_.calls_.note(number_, place, call);
  const std::uint32_t first_tag = next_tag_;
  next_tag_ += plan->messages.most_of_a_pair;
  BlockValues values(plan, number_, given.data, given.bytes, given.add);
  return {std::move(plan), place, number, first_tag, std::move(values)};
}

void ProgramWorkload::Rank::post_receives(const Part& part) {
  taken_.clear();
  takes_part_ = true;
  std::uint32_t receive = 0;
  for (const std::uint32_t number : part.plan->messages.receives[number_]) {
    ++receive;
    const CollectiveMessage& message = part.plan->messages.messages[number];
    const std::uint32_t held = all_.matching_.post(Matching::context(number_, true), message.from,
                                                   tag_of(part, message), receive);
    if (held != Matching::none) taken_.push_back({receive, held});
  }
}

// Takes the first message that has come for the part over.
void ProgramWorkload::Rank::take_next(Part& part) {
  const auto [receive, held] = taken_.front();
  const std::uint32_t sent_call = all_.held_[held].envelope.call;
  ReceivedMessage message = take(held);
  if (sent_call != part.call) {
    throw std::logic_error("its collective " + std::to_string(part.place + 1) + " is " +
                           in_words(all_.calls_.call(part.call)) + ", and that of rank " +
                           std::to_string(message.from) + " is " +
                           in_words(all_.calls_.call(sent_call)));
  }
  const std::uint32_t number = part.plan->messages.receives[number_][receive - 1];
  part.values.receive(number, std::move(message.bytes));
  part.received.insert(number);
}

// Whether there is a message to be sent, and all that it waits for has come.
bool ProgramWorkload::Rank::can_send(Part& part) const {
  const CollectiveMessages& plan = part.plan->messages;
  if (part.sent == plan.sends[number_].size()) return false;
  const std::uint32_t number = plan.sends[number_][part.sent];
  const std::size_t count = plan.first_wait[number + 1] - plan.first_wait[number];
  for (; part.awaited < count; ++part.awaited) {
    if (part.received.count(plan.waits[plan.first_wait[number] + part.awaited]) == 0) return false;
  }
  return true;
}

void ProgramWorkload::Rank::send_next(Part& part) {
  const std::uint32_t number = part.plan->messages.sends[number_][part.sent++];
  part.awaited = 0;
  const CollectiveMessage& message = part.plan->messages.messages[number];
  const Bytes bytes = part.values.message(number);
  send_on(bytes.data(),
          {number_, message.to, tag_of(part, message), bytes.size(), part.call, part.place},
          message.ties == allport::default_ties ? default_ties(message.to) : message.ties);
}

// What the next message waits for, or what is missing at the end.
std::uint32_t ProgramWorkload::Rank::awaited_message(Part& part) const {
  const CollectiveMessages& plan = part.plan->messages;
  if (part.sent < plan.sends[number_].size()) {
    return plan.waits[plan.first_wait[plan.sends[number_][part.sent]] + part.awaited];
  }
  const std::vector<std::uint32_t>& receives = plan.receives[number_];
  while (part.received.count(receives[part.complete]) > 0) ++part.complete;
  return receives[part.complete];
}

// What has come is taken over before the next message goes, in the order in which it came.
ProgramWorkload::Rank::Bytes ProgramWorkload::Rank::carry_out(CalledCollective call,
                                                              std::string_view algorithm,
                                                              const Contribution& given) {
  Part part = begin(std::move(call), algorithm, given);
  const CollectiveMessages& plan = part.plan->messages;
  post_receives(part);
  while (part.sent < plan.sends[number_].size() ||
         part.received.size() < plan.receives[number_].size()) {
    if (!taken_.empty()) {
      take_next(part);
    } else if (can_send(part)) {
      send_next(part);
    } else {
      wait_for(plan.messages[awaited_message(part)].from, any);
    }
  }
  takes_part_ = false;
  wait_until_sent();
  return part.values.result();
}

void ProgramWorkload::Rank::broadcast(std::uint32_t root, Bytes& data, std::string_view algorithm) {
  Bytes brought = carry_out({Operation::bcast, root}, algorithm, {data.data(), data.size()});
  if (number_ != root) data = std::move(brought);
}

ProgramWorkload::Rank::Bytes ProgramWorkload::Rank::scatter(std::uint32_t root, const Bytes& blocks,
                                                            std::size_t block_bytes,
                                                            std::string_view algorithm) {
  const bool fits = blocks.size() % size() == 0 && blocks.size() / size() == block_bytes;
  if (rank() == root && !fits) {
    reject("scatter: the root has " + counted(blocks.size(), "byte") + ", not " +
           counted(size(), "block") + " of " + counted(block_bytes, "byte"));
  }
  return carry_out({Operation::scatter, root, {}, Values::bytes, block_bytes}, algorithm,
                   {blocks.data(), blocks.size()});
}

ProgramWorkload::Rank::Bytes ProgramWorkload::Rank::gather(std::uint32_t root, const Bytes& block,
                                                           std::string_view algorithm) {
  return carry_out({Operation::gather, root, {}, Values::bytes, block.size()}, algorithm,
                   {block.data(), block.size()});
}

ProgramWorkload::Rank::Bytes ProgramWorkload::Rank::allgather(const Bytes& block,
                                                              std::string_view algorithm) {
  return carry_out({Operation::allgather, 0, {}, Values::bytes, block.size()}, algorithm,
                   {block.data(), block.size()});
}

// The length of a block where `length` values are cut into one for each rank.
std::size_t ProgramWorkload::Rank::block_of(std::size_t length, const char* what,
                                            const char* value) const {
  if (length % size() == 0) return length / size();
  reject(std::string(what) + ": " + counted(length, value) + " cannot be cut into " +
         counted(size(), "block") + " of the same length, one for each rank");
}

ProgramWorkload::Rank::Bytes ProgramWorkload::Rank::alltoall(const Bytes& blocks,
                                                             std::string_view algorithm) {
  const std::size_t block = block_of(blocks.size(), "alltoall", "byte");
  return carry_out({Operation::alltoall, 0, {}, Values::bytes, block}, algorithm,
                   {blocks.data(), blocks.size()});
}

template <class T>
std::vector<T> ProgramWorkload::Rank::sum_up(Operation operation, std::uint32_t root,
                                             const std::vector<T>& values,
                                             std::string_view algorithm) {
  constexpr bool is_real = std::is_floating_point_v<T>;
  const std::size_t count = operation == Operation::reduce_scatter
                                ? block_of(values.size(), "reduce_scatter", "value")
                                : values.size();
  Bytes sums = carry_out(
      {operation, root, {}, is_real ? Values::doubles : Values::integers, count}, algorithm,
      {values.data(), values.size() * sizeof(T), is_real ? add_doubles : add_integers});
  return ReceivedMessage{root, 0, std::move(sums)}.as<T>();
}

void ProgramWorkload::Rank::reduce(std::uint32_t root, std::vector<double>& values,
                                   std::string_view algorithm) {
  values = sum_up(Operation::reduce, root, values, algorithm);
}
void ProgramWorkload::Rank::reduce(std::uint32_t root, std::vector<std::int64_t>& values,
                                   std::string_view algorithm) {
  values = sum_up(Operation::reduce, root, values, algorithm);
}
void ProgramWorkload::Rank::allreduce(std::vector<double>& values, std::string_view algorithm) {
  values = sum_up(Operation::allreduce, 0, values, algorithm);
}
void ProgramWorkload::Rank::allreduce(std::vector<std::int64_t>& values,
                                      std::string_view algorithm) {
  values = sum_up(Operation::allreduce, 0, values, algorithm);
}
std::vector<double> ProgramWorkload::Rank::reduce_scatter(const std::vector<double>& values,
                                                          std::string_view algorithm) {
  return sum_up(Operation::reduce_scatter, 0, values, algorithm);
}
std::vector<std::int64_t> ProgramWorkload::Rank::reduce_scatter(
    const std::vector<std::int64_t>& values, std::string_view algorithm) {
  return sum_up(Operation::reduce_scatter, 0, values, algorithm);
}

void ProgramWorkload::Rank::barrier(std::string_view algorithm) {
  carry_out({Operation::barrier}, algorithm, {});
}

}  // namespace allport
