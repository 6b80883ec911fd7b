// SPDX-License-Identifier: Apache-2.0
// Matching finds out which receive takes which message, by the rule of MPI: a message goes to the
// receive posted first of those that want its sender and tag; a receive takes the message that came
// first of those it wants. Whoever is too early waits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace allport {

class Matching {
 public:
  static constexpr std::uint32_t none = UINT32_MAX;
  /// The rank or tag of a receive that takes any.
  static constexpr std::uint32_t any = UINT32_MAX;

  /// Forgets everything. `has_any`: whether there will be receives of any rank or any tag.
  void reset(bool has_any);
  /// Posts `receive` (any number of the caller's) at `receiver`. Returns the message that it takes,
  /// or `none`: then it waits.
  std::uint32_t post(std::uint32_t receiver, std::uint32_t from, std::uint32_t tag,
                     std::uint32_t receive);
  /// Notes that `message` (any number of the caller's) has come. Returns the receive that takes it,
  /// or `none`: then it waits.
  std::uint32_t arrive(std::uint32_t receiver, std::uint32_t from, std::uint32_t tag,
                       std::uint32_t message);
  /// The number of messages that wait.
  std::uint64_t waiting_messages() const { return waiting_; }

 private:
  struct Key {
    std::uint32_t receiver = 0;
    std::uint32_t from = 0;
    std::uint32_t tag = 0;
    friend bool operator==(const Key& a, const Key& b) {
      return a.receiver == b.receiver && a.from == b.from && a.tag == b.tag;
    }
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };
  struct List {  // of places in a pool, where 0 is no place
    std::uint32_t first = 0;
    std::uint32_t last = 0;
  };
  struct Queue {
    List receives;
    List messages;
  };
  struct Posted {
    std::uint32_t receive = 0;
    std::uint32_t next = 0;
    std::uint64_t number = 0;  // in the order in which they were posted
  };
  struct Arrived {
    std::uint32_t message = none;  // none: it has been taken
    std::uint32_t lists = 0;       // number of lists it is in
  };
  struct Listed {  // an arrived message in a list
    std::uint32_t arrived = 0;
    std::uint32_t next = 0;
  };
  template <class Pool>
  static void append(List& list, Pool& pool, std::uint32_t place);
  std::uint32_t take_message(const Key& key);
  void add_message(const Key& key, std::uint32_t arrived);
  void drop(std::uint32_t arrived);
  void erase_if_empty(const Key& key);

  bool has_any_ = false;
  std::uint64_t posted_count_ = 0;
  std::uint64_t waiting_ = 0;
  std::unordered_map<Key, Queue, Hash> queues_;
  std::vector<Posted> posted_{1};
  std::vector<Arrived> arrived_{1};
  std::vector<Listed> listed_{1};
  std::vector<std::uint32_t> free_posted_;
  std::vector<std::uint32_t> free_arrived_;
  std::vector<std::uint32_t> free_listed_;
};

}  // namespace allport
