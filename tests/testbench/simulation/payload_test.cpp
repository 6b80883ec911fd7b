// SPDX-License-Identifier: Apache-2.0
// Messages of any length arrive with the bytes with which they were sent, in flits of any size.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/forked.h"
#include "tests/support/message_bench.h"

namespace allport::test {
namespace {

std::vector<unsigned char> bytes_of(const tlm::tlm_generic_payload& message) {
  return {message.get_data_ptr(), message.get_data_ptr() + message.get_data_length()};
}

// The nodes that received unchanged the bytes that node 0 sent to node 6 of a 3-cube.
std::string receivers(MessageKind kind, std::size_t bytes, int flit_bytes) {
  return forked([&] {
    MessageBench bench("hypercube:3", {}, flit_bytes);
    tlm::tlm_generic_payload& message = bench.pool.allocate(bytes);
    message.set_address(6);
    message_extension(message)->kind = kind;
    fill_payload(message, bytes);
    const auto sent = bytes_of(message);
    bench.send(0, 0, message);
    std::vector<bool> has(8);
    for (std::size_t node = 0; node < 8; ++node) {
      bench.processors[node]->on_message = [&, node](tlm::tlm_generic_payload& received) {
        has[node] = bytes_of(received) == sent;
      };
    }
    bench.run();
    std::string text;
    for (std::size_t node = 0; node < 8; ++node) {
      if (has[node]) text += std::to_string(node);
    }
    return text;
  });
}

TEST(Payload, ArrivesUnchangedWhateverItsLengthAndTheSizeOfAFlit) {
  for (int flit_bytes = 1; flit_bytes <= 8; ++flit_bytes) {
    for (const std::size_t bytes : {1, 2, 7, 8, 9, 16, 33, 1000}) {
      const std::string what =
          std::to_string(bytes) + " bytes in flits of " + std::to_string(flit_bytes);
      EXPECT_EQ(receivers(MessageKind::unicast, bytes, flit_bytes), "6") << what;
      EXPECT_EQ(receivers(MessageKind::deposit, bytes, flit_bytes), "46") << what;
      EXPECT_EQ(receivers(MessageKind::tree, bytes, flit_bytes), "1234567") << what;
    }
  }
}

}  // namespace
}  // namespace allport::test
