// SPDX-License-Identifier: Apache-2.0
// CollectiveCalls notes which collectives programs call: all ranks must call the same ones in the
// same order. Messages of a collective carry which call they are of, so that a rank that takes one
// of another call knows.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "traffic/schedule/collective.h"

namespace allport {

/// What a collective moves or adds.
enum class Values { none, bytes, doubles, integers };
/// The bytes of one of them.
std::uint64_t size_of(Values values);

/// What all ranks must agree on.
struct CalledCollective {
  Operation operation = Operation::barrier;
  std::uint32_t root = 0;
  std::string algorithm{};
  Values values = Values::none;  ///< of a broadcast, whose length is the root's matter, none
  std::uint64_t count = 0;       ///< of these in the vector, or in the block of each rank or pair
};

bool operator<(const CalledCollective& a, const CalledCollective& b);

/// `broadcast with root 3 by wsort`, `allreduce of 12 doubles by rabenseifner`
std::string in_words(const CalledCollective& call);

class CollectiveCalls {
 public:
  /// Forgets everything; `ranks` ranks will call.
  void reset(std::uint32_t ranks);
  /// Notes that the collective `place` (0, 1, ..) of `rank` is `call`. Returns the number of this
  /// call among those that differ.
  std::uint32_t note(std::uint32_t rank, std::uint32_t place, const CalledCollective& call);
  const CalledCollective& call(std::uint32_t number) const { return calls_[number]; }

  /// Which two ranks do not agree on the first collective that not all call alike, in words; empty:
  /// there is none. It does not depend on who called first.
  std::string fault() const;
  /// A rank's call that not all ranks make.
  struct Incomplete {
    std::uint32_t place = 0;
    std::uint32_t rank = 0;  ///< the lowest that makes it
    std::uint32_t call = 0;
  };
  std::optional<Incomplete> first_incomplete() const;

 private:
  struct Caller {
    std::uint32_t call = 0;
    std::uint32_t rank = 0;  // the lowest that makes this call
  };
  struct Place {
    std::uint32_t count = 0;  // ranks that have called
    std::vector<Caller> callers;
  };
  std::uint32_t number_of(const CalledCollective& call);

  std::uint32_t ranks_ = 0;
  std::vector<CalledCollective> calls_;  // that differ
  std::map<CalledCollective, std::uint32_t> numbers_;
  std::map<std::uint32_t, Place> places_;  // without those that all ranks have called alike
};

}  // namespace allport
