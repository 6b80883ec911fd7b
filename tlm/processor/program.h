// SPDX-License-Identifier: Apache-2.0
// A Program on a node (docs/programs.md) says what a processor computes, sends and receives, in
// C++, with real data in its messages. A program is a function of its processor; it runs in a
// thread of its own, and its time passes only in the calls of Processor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "rtl_model/base/ids.h"

namespace allport {

/// What a message has brought:
///
///   const ReceivedMessage message = self.receive();
///   for (const double value : message.as<double>()) sum_of[message.from] += value;
struct ReceivedMessage {
  std::uint32_t from = 0;            ///< the rank of its sender, or Processor::host
  std::uint32_t tag = 0;             ///< 0 .. 2^31 - 1, as its sender gave it
  std::vector<unsigned char> bytes;  ///< as many as its sender gave; maybe none

  /// The bytes as numbers of type T; throws std::length_error unless they are a whole number of
  /// these.
  template <class T>
  std::vector<T> as() const {
    static_assert(std::is_trivially_copyable_v<T>);
    if (bytes.size() % sizeof(T) != 0) {
      throw std::length_error("a message of " + std::to_string(bytes.size()) +
                              " bytes is not a whole number of values of " +
                              std::to_string(sizeof(T)) + " bytes");
    }
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
};

/// The processor of a rank, as its program sees it. Ranks are 0 .. size() - 1, tags 0 .. 2^31 - 1.
/// A wrong rank, tag or time throws std::invalid_argument, one sentence.
class Processor {
 public:
  using Bytes = std::vector<unsigned char>;
  /// The rank or tag of a receive that takes any.
  static constexpr std::uint32_t any = UINT32_MAX;
  /// The rank of the host, if there is one: it sends and receives over a channel of its own, one
  /// transfer at a time, and takes part in no collective.
  static constexpr std::uint32_t host = UINT32_MAX - 1;

  virtual ~Processor() = default;

  virtual std::uint32_t rank() const = 0;
  virtual std::uint32_t size() const = 0;
  /// The present cycle; the programs begin in cycle 0.
  virtual Cycle now() const = 0;
  /// Computes for `cycles` cycles, 0 .. 10^12; a run ends by cycle 10^18. A program that computes
  /// for 0 cycles 1,000,000 times in one cycle gets std::logic_error, for no time passes in that.
  virtual void compute(Cycle cycles) = 0;
  /// Sends `bytes` bytes at `data` to rank `to` (no bytes: a message of one flit). Returns when the
  /// message is prepared, or, with --send blocking, when its tail has left.
  virtual void send(std::uint32_t to, const void* data, std::size_t bytes,
                    std::uint32_t tag = 0) = 0;
  /// Returns the message that rank `from` sent first of those with tag `tag`, and waits for it; of
  /// several ranks that of the rank whose next such message came first (docs/programs.md).
  virtual ReceivedMessage receive(std::uint32_t from = any, std::uint32_t tag = any) = 0;
  /// The message that receive would return in one of the next `limit` cycles (0 .. 10^12), or in
  /// the present one. Nothing is returned after `limit` cycles without it. A program that asks
  /// 1,000,000 times in one cycle in vain gets std::logic_error, for no time passes in that.
  virtual std::optional<ReceivedMessage> try_receive_for(Cycle limit, std::uint32_t from = any,
                                                         std::uint32_t tag = any) = 0;
  /// The same without waiting: what is there in the present cycle.
  std::optional<ReceivedMessage> try_receive(std::uint32_t from = any, std::uint32_t tag = any) {
    return try_receive_for(0, from, tag);
  }
  /// A server's receive: the message that receive would return, or nothing, as soon as nobody is
  /// left to ask: every program has ended, or waits in this call itself, and no message is under
  /// way. It is the simulator that knows this; no message of a real machine tells it.
  ///
  ///   while (const auto request = self.receive_or_end()) answer(*request);
  virtual std::optional<ReceivedMessage> receive_or_end(std::uint32_t from = any,
                                                        std::uint32_t tag = any) = 0;

  /// Collectives: all ranks must call them, in the same order, with the same root, algorithm and
  /// lengths (of a broadcast, the root alone knows it). A rank that takes a message of another call
  /// throws std::logic_error, and that ranks do not agree is a finding of the run, which names two
  /// of them. `algorithm` is one of `allport list` for the operation and for the fabric of the
  /// ranks, whose messages go to one rank each, planned as for tasks (docs/programs.md); empty: the
  /// usual one. Throws std::invalid_argument, one sentence, for another one, and where blocks do
  /// not have the lengths that are named here. What has no byte is not sent.
  ///
  /// Gives `data` of rank `root`, of any length, to all others, by an algorithm that does not cut
  /// it.
  virtual void broadcast(std::uint32_t root, Bytes& data, std::string_view algorithm = {}) = 0;
  /// Returns at each rank its own of the size() blocks of `block_bytes` bytes each that `blocks` of
  /// rank `root` has one after another, by rank; that of other ranks is not looked at.
  virtual Bytes scatter(std::uint32_t root, const Bytes& blocks, std::size_t block_bytes,
                        std::string_view algorithm = {}) = 0;
  /// Returns at rank `root` the blocks of all ranks, equally long, one after another, by rank;
  /// nothing at others.
  virtual Bytes gather(std::uint32_t root, const Bytes& block, std::string_view algorithm = {}) = 0;
  /// The same at all ranks.
  virtual Bytes allgather(const Bytes& block, std::string_view algorithm = {}) = 0;
  /// Gossip: `blocks` are size() blocks of the same length, one after another, that of rank i for
  /// rank i. Returns those that all ranks have for this one, by rank.
  virtual Bytes alltoall(const Bytes& blocks, std::string_view algorithm = {}) = 0;
  /// Adds what all ranks have in `values`, which must be equally long, at rank `root`; afterwards
  /// the values of other ranks are sums of some of them. An algorithm adds in an order of its own,
  /// which does not depend on the time: doubles are rounded alike in each run, and integers are
  /// added modulo 2^64.
  virtual void reduce(std::uint32_t root, std::vector<double>& values,
                      std::string_view algorithm = {}) = 0;
  virtual void reduce(std::uint32_t root, std::vector<std::int64_t>& values,
                      std::string_view algorithm = {}) = 0;
  /// The same at all ranks.
  virtual void allreduce(std::vector<double>& values, std::string_view algorithm = {}) = 0;
  virtual void allreduce(std::vector<std::int64_t>& values, std::string_view algorithm = {}) = 0;
  /// Cuts `values`, equally long at all ranks, into size() blocks of the same length, and returns
  /// the sum of that of this rank.
  virtual std::vector<double> reduce_scatter(const std::vector<double>& values,
                                             std::string_view algorithm = {}) = 0;
  virtual std::vector<std::int64_t> reduce_scatter(const std::vector<std::int64_t>& values,
                                                   std::string_view algorithm = {}) = 0;
  /// Returns when all ranks have called it.
  virtual void barrier(std::string_view algorithm = {}) = 0;

  // The same for values of any type that is bytes alone:
  template <class T>
  void send(std::uint32_t to, const std::vector<T>& values, std::uint32_t tag = 0) {
    static_assert(std::is_trivially_copyable_v<T>);
    send(to, values.data(), values.size() * sizeof(T), tag);
  }
  template <class T>
  std::vector<T> receive_values(std::uint32_t from = any, std::uint32_t tag = any) {
    return receive(from, tag).as<T>();
  }
  template <class T>
  void broadcast_values(std::uint32_t root, std::vector<T>& values,
                        std::string_view algorithm = {}) {
    Bytes data = bytes_of(values);
    broadcast(root, data, algorithm);
    values = values_of<T>(std::move(data));
  }
  /// Blocks of `count` values.
  template <class T>
  std::vector<T> scatter_values(std::uint32_t root, const std::vector<T>& blocks, std::size_t count,
                                std::string_view algorithm = {}) {
    return values_of<T>(scatter(root, bytes_of(blocks), count * sizeof(T), algorithm));
  }
  template <class T>
  std::vector<T> gather_values(std::uint32_t root, const std::vector<T>& block,
                               std::string_view algorithm = {}) {
    return values_of<T>(gather(root, bytes_of(block), algorithm));
  }
  template <class T>
  std::vector<T> allgather_values(const std::vector<T>& block, std::string_view algorithm = {}) {
    return values_of<T>(allgather(bytes_of(block), algorithm));
  }
  template <class T>
  std::vector<T> alltoall_values(const std::vector<T>& blocks, std::string_view algorithm = {}) {
    return values_of<T>(alltoall(bytes_of(blocks), algorithm));
  }

 private:
  template <class T>
  static Bytes bytes_of(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    Bytes bytes(values.size() * sizeof(T));
    if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
  }
  template <class T>
  static std::vector<T> values_of(Bytes bytes) {
    return ReceivedMessage{0, 0, std::move(bytes)}.as<T>();
  }
};

/// What a rank runs.
class Program {
 public:
  /// Bytes of the stack of a program's thread.
  static constexpr std::size_t default_stack = std::size_t{1} << 20;
  static constexpr std::size_t least_stack = std::size_t{1} << 17;
  static constexpr std::size_t most_stack = std::size_t{1} << 30;

  virtual ~Program() = default;
  /// The stack of run() in bytes, least_stack .. most_stack; what is not touched takes no memory.
  /// Large local variables need more; a page behind it is guarded, so that what goes beyond ends
  /// the process with SIGSEGV. It is asked for once, before the programs begin.
  virtual std::size_t stack_bytes() const { return default_stack; }
  /// Is called once, in cycle 0; the rank has ended when it returns. An exception ends it too, and
  /// is a finding of the run.
  virtual void run(Processor& self) = 0;
};

}  // namespace allport
