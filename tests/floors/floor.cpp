// SPDX-License-Identifier: Apache-2.0
#include "tests/floors/floor.h"

#include <iomanip>
#include <sstream>
#include <stdexcept>

namespace allport::test {

namespace {

constexpr double tolerance = 0.1;

bool is_comment(const std::string& line) { return line.empty() || line.front() == '#'; }

Floor parse_floor(const std::string& line) {
  Floor floor;
  std::istringstream words(line);
  words >> floor.figure >> floor.model >> floor.cycles >> std::ws;
  std::getline(words, floor.name);
  if (floor.figure > 0 && floor.cycles > 0 && !floor.name.empty()) return floor;
  throw std::runtime_error("no floor: '" + line + "'");
}

std::string rounded(double number) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(1) << number;
  return text.str();
}

}  // namespace

std::string Floor::broken_by(double measured) const {
  const double excess = measured / figure - 1;
  if (excess <= tolerance && excess >= -tolerance) return "";
  return name + " on " + model + " takes " + rounded(measured) + " instructions per flit-hop, " +
         rounded(100 * (excess > 0 ? excess : -excess)) + " % " + (excess > 0 ? "more" : "less") +
         " than the " + rounded(figure) + " of tests/floors/instructions.txt" +
         (excess > 0 ? ": find out why, or " : ": well done, now ") +
         "record it with scripts/floors";
}

std::vector<Floor> read_floors(std::istream& file) {
  std::vector<Floor> floors;
  for (std::string line; std::getline(file, line);) {
    if (!is_comment(line)) floors.push_back(parse_floor(line));
  }
  return floors;
}

std::string with_figures(std::istream& file, const std::vector<double>& figures) {
  std::string text;
  std::size_t next = 0;
  for (std::string line; std::getline(file, line);) {
    if (!is_comment(line)) line.replace(0, line.find(' '), rounded(figures.at(next++)));
    text += line + "\n";
  }
  return text;
}

}  // namespace allport::test
