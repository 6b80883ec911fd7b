// SPDX-License-Identifier: Apache-2.0
// Is the model as fast as it was? The tests count instructions, not time: they are the same on
// every machine with the same compiler.
#include "tests/floors/floor.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

const Floor floor_of_1000{1000, "systemc", 500, "a case"};

TEST(Floor, HoldsWithinATenth) {
  EXPECT_EQ(floor_of_1000.broken_by(1000), "");
  EXPECT_EQ(floor_of_1000.broken_by(1099), "");
  EXPECT_EQ(floor_of_1000.broken_by(901), "");
}

TEST(Floor, IsBrokenByAModelThatBecameSlower) {
  EXPECT_EQ(
      floor_of_1000.broken_by(1105),
      "a case on systemc takes 1105.0 instructions per flit-hop, 10.5 % more than the 1000.0 of tests/floors/instructions.txt: find out why, or record it with scripts/floors");
}

TEST(Floor, IsBrokenByAModelThatBecameMuchFaster) {
  EXPECT_THAT(floor_of_1000.broken_by(899), HasSubstr("10.1 % less"));
}

TEST(Floors, AreReadFromLines) {
  std::istringstream file("# figures\n12.5 systemc 500 8x8 torus uniform 0.2 L16\n");

  const std::vector<Floor> floors = read_floors(file);

  ASSERT_EQ(floors.size(), 1U);
  EXPECT_EQ(floors[0].figure, 12.5);
  EXPECT_EQ(floors[0].model, "systemc");
  EXPECT_EQ(floors[0].cycles, 500);
  EXPECT_EQ(floors[0].name, "8x8 torus uniform 0.2 L16");
  std::istringstream torn("12.5 systemc\n");
  EXPECT_THROW(read_floors(torn), std::runtime_error);
}

// The figures of a case on `model`, and on `base` for as many cycles.
std::pair<double, double> figures_of(const std::string& model, const std::string& base) {
  std::ifstream file(ALLPORT_FLOORS);
  const std::vector<Floor> floors = read_floors(file);
  for (const Floor& one : floors) {
    for (const Floor& other : floors) {
      const bool is_same = one.name == other.name && one.cycles == other.cycles;
      if (is_same && one.model == model && other.model == base) return {one.figure, other.figure};
    }
  }
  ADD_FAILURE() << "no case is recorded on " << model << " and " << base;
  return {};
}

// With their channels, which `--explain` alone does not ask for.
TEST(Floors, OfAnExplainedRunAreAtMostTwiceThoseOfTheSameRunWithout) {
  const auto [explained, plain] = figures_of("explained", "systemc");
  EXPECT_LE(explained, 2 * plain);
}

TEST(Floors, OfANetworkThatIsDrivenAreAtMostAFifthMoreThanThoseOfARunOfWorms) {
  const auto [driven, run] = figures_of("network", "worm");
  EXPECT_LE(driven, 1.2 * run);
}

TEST(Floors, AreRecordedInTheirPlaces) {
  std::istringstream file("# figures\n12.5 systemc 500 a case\n7 rtl 20 another\n");

  EXPECT_EQ(with_figures(file, {13.26, 6}),
            "# figures\n13.3 systemc 500 a case\n6.0 rtl 20 another\n");
}

class Speed : public Cli {
 protected:
  double measured(const Floor& floor) const {
    const nlohmann::json rows =
        json("bench --instructions --json - --models " + floor.model + " --cases '" + floor.name +
             "' --cycles " + std::to_string(floor.cycles));
    return rows.at(0).at("instructions_per_flit_hop").get<double>();
  }
};

// With ALLPORT_RECORD_FLOORS set the figures are recorded instead (scripts/floors).
TEST_F(Speed, IsThatOfTheRecordedInstructions) {
  if (!ALLPORT_IS_RELEASE) GTEST_SKIP() << "the figures are those of the release build";
  std::ifstream file(ALLPORT_FLOORS);
  const std::vector<Floor> floors = read_floors(file);
  ASSERT_EQ(floors.size(), 8U);

  std::vector<double> figures;
  for (const Floor& floor : floors) figures.push_back(measured(floor));

  if (std::getenv("ALLPORT_RECORD_FLOORS") != nullptr) {
    std::ifstream old(ALLPORT_FLOORS);
    const std::string text = with_figures(old, figures);
    std::ofstream(ALLPORT_FLOORS) << text;
    return;
  }
  for (std::size_t i = 0; i < floors.size(); ++i) EXPECT_EQ(floors[i].broken_by(figures[i]), "");
}

// The same messages on the same routes, so that they differ in how routers find these.
TEST_F(Speed, ByATableIsAtMostATenthLessThanByTheRoutesThatAreBuiltIn) {
  if (!ALLPORT_IS_RELEASE) GTEST_SKIP() << "the figures are those of the release build";
  for (const char* model : {"systemc", "worm"}) {
    const double built_in = measured({0, model, 300, "8x8 torus uniform 0.2 L16"});
    const double by_table = measured({0, model, 300, "8x8 torus by table uniform 0.2 L16"});
    EXPECT_LE(by_table, 1.1 * built_in) << model;
  }
}

// From start to end; of the floors above only the simulation proper counts.
TEST_F(Speed, OfASmallRunIsNotThatOfItsStart) {
  if (!ALLPORT_IS_RELEASE) GTEST_SKIP() << "the figures are those of the release build";
  const Outcome run = shell(
      "valgrind --tool=callgrind --callgrind-out-file=/dev/null $program run --topology hypercube:3 --algorithm wsort");

  ASSERT_EQ(run.status, 0) << run.err;
  const std::string label = "Collected : ";
  const std::size_t place = run.err.find(label);
  ASSERT_NE(place, std::string::npos) << run.err;
  constexpr long most = 18000000;  // 31 million while every command made the options of all
  EXPECT_LT(std::stol(run.err.substr(place + label.size())), most);
}

}  // namespace
}  // namespace allport::test
