// SPDX-License-Identifier: Apache-2.0
// A fabric in parts does what it does whole, whether its parts are decided one after the other, as
// those of a small fabric are, or by several threads.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "rtl_model/router/router_parts.h"
#include "tests/rtl_model/systemc/drawn_messages.h"
#include "tests/support/forked.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::uint64_t seed = 20261129;

struct PartsCase {
  std::string topology;
  With config{};
  int messages = 6;  // for each node
  int cycles = 60;   // in which they begin
  int longest = 8;   // flits

  // What its fate is in `parts` parts, and in a last line whether several threads decided cycles.
  std::string in_parts(int parts, FabricPace pace = FabricPace::calls) const {
    return forked([&] {
      const Blueprint blueprint(topology, config);
      const std::size_t routers = blueprint.routing.topology().router_count();
      const auto drawn =
          drawn_messages(blueprint, messages * static_cast<int>(routers), longest, cycles, seed);
      Fate fate = fate_of(blueprint, drawn, RouterParts(routers, parts), pace);
      return fate.text() + (fate.together > 0 ? "\ntogether" : "\nalone");
    });
  }
};

std::string without_last_line(const std::string& text) { return text.substr(0, text.rfind('\n')); }

TEST(FabricParts, DoWhatTheFabricDoesWhole) {
  for (const PartsCase& one :
       {PartsCase{"torus:3x3", With().depth(2)}, PartsCase{"hypercube:4", With().link_delay(2)},
        PartsCase{"mesh:5x3", With().phits({2, 3})},
        PartsCase{"torus:4x4", With().switching(Switching::circuit)}}) {
    const std::string whole = one.in_parts(1);
    ASSERT_THAT(whole, HasSubstr(" out "));
    for (const int parts : {2, 3, 7, 256}) EXPECT_EQ(one.in_parts(parts), whole) << one.topology;
    EXPECT_EQ(one.in_parts(3, FabricPace::kernel), whole) << one.topology;
  }
}

TEST(FabricParts, AreDecidedByThreadsWhereThereIsEnoughToDo) {
  for (const PartsCase& one : {PartsCase{"torus:16x16", With().depth(2), 4, 30},
                               PartsCase{"hypercube:8", With().link_delay(1), 3, 10}}) {
    const std::string whole = one.in_parts(1);
    EXPECT_THAT(whole, Not(HasSubstr("together")));
    for (const int parts : {2, 7}) {
      const std::string split = one.in_parts(parts);
      EXPECT_THAT(split, HasSubstr("\ntogether"));
      EXPECT_EQ(without_last_line(split), without_last_line(whole)) << one.topology << " " << parts;
    }
  }
}

// A thread is not worth its while for a burst.
TEST(FabricParts, AreNotDecidedByThreadsInAFewBusyCycles) {
  const PartsCase burst{"torus:16x16", {}, 2, 1, 1};
  EXPECT_THAT(burst.in_parts(2), HasSubstr("\nalone"));
  EXPECT_THAT((PartsCase{"torus:16x16", {}, 12, 60, 8}.in_parts(2)), HasSubstr("\ntogether"));
}

TEST(RouterParts, AreAsManyAsMayHaveEnoughToDo) {
  EXPECT_EQ(RouterParts::most_useful(64, 256), 1);    // 8x8 torus
  EXPECT_EQ(RouterParts::most_useful(64, 384), 1);    // 6-cube
  EXPECT_GE(RouterParts::most_useful(256, 1024), 2);  // 16x16 torus
  EXPECT_EQ(RouterParts::most_useful(1, 0), 1);       // a router alone
  EXPECT_EQ(RouterParts::most_useful(std::size_t{1} << 18, 1 << 22), RouterParts::most);
}

}  // namespace
}  // namespace allport::test
