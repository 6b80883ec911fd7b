// SPDX-License-Identifier: Apache-2.0
// A DeliveryLog has the deliveries of a run and their digest: FNV-1a (64 bits) over one line
// `source destination message head tail` for each, sorted as numbers, trial after trial. Equal
// digests mean equal cycles everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "testbench/results/results.h"

namespace allport {

class DeliveryLog {
 public:
  void add(const Delivery& delivery) { deliveries_.push_back(delivery); }
  void reserve(std::size_t deliveries) { deliveries_.reserve(deliveries); }
  /// Ends a trial: sorts its deliveries and adds them to the digest.
  void end_trial();
  /// Starts the next trial.
  void clear() { deliveries_.clear(); }

  const std::vector<Delivery>& deliveries() const { return deliveries_; }
  /// Hands over those of the trial that has ended, of which there may be millions.
  std::vector<Delivery> take() { return std::exchange(deliveries_, {}); }
  /// The digest as 16 lower-case hexadecimal digits.
  std::string digest() const;

 private:
  std::vector<Delivery> deliveries_;
  std::uint64_t hash_ = 0xcbf29ce484222325U;
};

}  // namespace allport
