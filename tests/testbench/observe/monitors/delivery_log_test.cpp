// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/monitors/delivery_log.h"

#include <gtest/gtest.h>

#include <string>

namespace allport::test {
namespace {

// FNV-1a, 64 bits, as published (Fowler, Noll, Vo).
std::string fnv_1a(const std::string& text) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char byte : text) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 1099511628211U;
  }
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

Delivery delivery(std::size_t source, std::size_t destination, int message, Cycle head,
                  Cycle tail) {
  return {node_id(source), node_id(destination), message, head, tail};
}

TEST(DeliveryLog, DigestsOneLineADeliverySortedAsNumbers) {
  DeliveryLog log;
  log.add(delivery(10, 1, 0, 5, 6));
  log.add(delivery(9, 1, 0, 7, 8));
  log.add(delivery(9, 0, 3, 40, 50));

  log.end_trial();

  EXPECT_EQ(log.digest(), fnv_1a("9 0 3 40 50\n9 1 0 7 8\n10 1 0 5 6\n"));
}

TEST(DeliveryLog, DigestsTrialAfterTrial) {
  DeliveryLog log;
  log.add(delivery(5, 1, 0, 2, 3));
  log.end_trial();
  log.clear();
  log.add(delivery(0, 1, 0, 2, 3));
  log.end_trial();

  EXPECT_EQ(log.digest(), fnv_1a("5 1 0 2 3\n0 1 0 2 3\n"));
  EXPECT_EQ(log.deliveries().size(), 1U);  // of the last trial
}

TEST(DeliveryLog, OfNothingHasTheDigestOfNothing) {
  DeliveryLog log;
  log.end_trial();

  EXPECT_EQ(log.digest(), "cbf29ce484222325");
}

TEST(DeliveryLog, ChangesItsDigestWithEveryNumber) {
  const Delivery base = delivery(1, 2, 3, 4, 5);
  const auto digest_of = [](const Delivery& one) {
    DeliveryLog log;
    log.add(one);
    log.end_trial();
    return log.digest();
  };
  for (const Delivery& other :
       {delivery(0, 2, 3, 4, 5), delivery(1, 0, 3, 4, 5), delivery(1, 2, 0, 4, 5),
        delivery(1, 2, 3, 0, 5), delivery(1, 2, 3, 4, 0)}) {
    EXPECT_NE(digest_of(other), digest_of(base));
  }
}

}  // namespace
}  // namespace allport::test
