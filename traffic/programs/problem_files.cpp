// SPDX-License-Identifier: Apache-2.0
#include "traffic/programs/problem_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <stdexcept>
#include <string_view>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/words.h"

namespace allport {

namespace {

[[noreturn]] void refuse(const ProblemText& file, const std::string& what) {
  throw std::invalid_argument(shown_path(file.name) + ": " + what);
}
[[noreturn]] void refuse(const ProblemText& file, std::size_t line, const std::string& what) {
  throw std::invalid_argument(fmt::format("{}:{}: {}", shown_path(file.name), line, what));
}

// Its lines, without their ends; an end of the last one begins no other line.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

constexpr std::string_view blanks = " \t\r\n\v\f";

// The words of a line, up to a comment.
std::vector<std::string_view> words_of(std::string_view line) {
  line = line.substr(0, line.find('#'));
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t begin = line.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return words;
    line.remove_prefix(begin);
    const std::size_t end = std::min(line.find_first_of(blanks), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

bool read_number(std::string_view word, std::int64_t low, std::int64_t high, std::int32_t& value) {
  std::int64_t number = 0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  const bool is_number = error == std::errc{} && stop == word.data() + word.size();
  if (!is_number || number < low || number > high) return false;
  value = static_cast<std::int32_t>(number);
  return true;
}

// The numbers of a line.
struct NumberRow {
  std::size_t line = 0;
  Values numbers;
};

// The numbers of each line that has some; a line has `count`, called `names`, in low .. high.
std::vector<NumberRow> read_numbers(const ProblemText& file, std::size_t count, const char* names,
                                    std::int64_t low, std::int64_t high) {
  std::vector<NumberRow> rows;
  const std::vector<std::string_view> lines = lines_of(file.text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::vector<std::string_view> words = words_of(lines[i]);
    if (words.empty()) continue;
    if (words.size() != count) {
      refuse(file, i + 1,
             fmt::format("it has {}, and must have {}: {}", counted(words.size(), "word"), count,
                         names));
    }
    Values row(count);
    for (std::size_t j = 0; j < count; ++j) {
      if (read_number(words[j], low, high, row[j])) continue;
      refuse(file, i + 1,
             fmt::format("{} must be a whole number {}..{}", in_quotes(words[j]), low, high));
    }
    rows.push_back({i + 1, std::move(row)});
  }
  return rows;
}

// The header and the numbers of a PGM; a comment goes to the end of its line.
class PgmReader {
 public:
  explicit PgmReader(const ProblemText& file) : file_(file) {}

  GreyImage read() {
    if (file_.text.compare(0, 2, "P2") != 0 && file_.text.compare(0, 2, "P5") != 0) {
      refuse(file_, "it does not begin with P2 or P5: it is no PGM image");
    }
    const bool is_raw = file_.text[1] == '5';
    at_ = 2;
    const std::int32_t width = number("the width", 1, ProblemLimits::side);
    const std::int32_t height = number("the height", 1, ProblemLimits::side);
    if (width != height) {
      refuse(file_, line(),
             fmt::format("the image is {} wide and {} high, and must be as wide as high", width,
                         height));
    }
    const std::int32_t greatest = number("the greatest value", 1, 65535);
    GreyImage image{static_cast<std::uint32_t>(width), {}};
    const std::size_t count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    if (is_raw) {
      read_raw(count, greatest, image.values);
    } else {
      for (std::size_t i = 0; i < count; ++i) {
        image.values.push_back(number(fmt::format("value {} of {}", i + 1, count), 0, greatest));
      }
    }
    if (is_raw) return image;
    if (!next_word().empty()) {
      refuse(file_, line(), fmt::format("there is more than the {}", counted(count, "value")));
    }
    return image;
  }

 private:
  // The line in which the last word ends.
  std::size_t line() const {
    const auto end = file_.text.begin() + static_cast<std::ptrdiff_t>(at_);
    return static_cast<std::size_t>(std::count(file_.text.begin(), end, '\n')) + 1;
  }

  // The next word behind blanks and comments; empty: there is none.
  std::string_view next_word() {
    const std::string& text = file_.text;
    while ((at_ = std::min(text.find_first_not_of(blanks, at_), text.size())) < text.size() &&
           text[at_] == '#') {
      at_ = std::min(text.find('\n', at_), text.size());
    }
    const std::size_t end = std::min(text.find_first_of(blanks, at_), text.size());
    const std::string_view word = std::string_view(text).substr(at_, end - at_);
    at_ = end;
    return word;
  }

  std::int32_t number(const std::string& what, std::int64_t low, std::int64_t high) {
    const std::string_view word = next_word();
    std::int32_t value = 0;
    if (word.empty()) refuse(file_, line(), "the file ends before " + what);
    if (read_number(word, low, high, value)) return value;
    refuse(file_, line(),
           fmt::format("{} is {}, and must be a whole number {}..{}", what, in_quotes(word), low,
                       high));
  }

  // One blank, and then a byte for each value, or two, the higher one first.
  void read_raw(std::size_t count, std::int32_t greatest, Values& values) {
    const std::size_t width = greatest > 255 ? 2 : 1;
    const std::size_t begin = std::min(at_ + 1, file_.text.size());
    const std::size_t bytes = file_.text.size() - begin;
    if (bytes != count * width) {
      refuse(file_, fmt::format("{} {} its head, and must be {}", counted(bytes, "byte"),
                                bytes == 1 ? "follows" : "follow", count * width));
    }
    for (std::size_t i = 0; i < count; ++i) {
      std::int32_t value = 0;
      for (std::size_t j = 0; j < width; ++j) {
        value = value * 256 + static_cast<unsigned char>(file_.text[begin + i * width + j]);
      }
      if (value > greatest) {
        refuse(file_, fmt::format("value {} of {} is {}, and must be 0..{}", i + 1, count, value,
                                  greatest));
      }
      values.push_back(value);
    }
  }

  const ProblemText& file_;
  std::size_t at_ = 0;
};

}  // namespace

GreyImage read_pgm(const ProblemText& file) { return PgmReader(file).read(); }

std::string pgm_text(const GreyImage& image) {
  constexpr std::int32_t most = 65535;
  const std::int32_t greatest =
      std::max(1, *std::max_element(image.values.begin(), image.values.end()));
  GreyImage scaled = image;
  std::string head = "P2\n";
  if (greatest > most) {
    head += fmt::format("# each value is {} by {} of the one computed\n", most, greatest);
    for (std::int32_t& one : scaled.values) {
      one = static_cast<std::int32_t>((std::int64_t{one} * most + greatest / 2) / greatest);
    }
  }
  return head + fmt::format("{0} {0}\n{1}\n", image.side, std::min(greatest, most)) +
         rows_text(scaled);
}

std::string rows_text(const GreyImage& image) {
  std::string text;
  for (std::size_t i = 0; i < image.values.size(); ++i) {
    text += std::to_string(image.values[i]);
    text += (i + 1) % image.side == 0 ? '\n' : ' ';
  }
  return text;
}

namespace {

// Notes where a maze starts or ends, at most once.
void add_end(const ProblemText& file, std::size_t line, const char* what, std::uint32_t cell,
             std::vector<std::uint32_t>& found) {
  found.push_back(cell);
  if (found.size() == 1) return;
  refuse(file, line, fmt::format("here is a second {0}, and a maze has one {0}", what));
}

// What `program` writes has the labels of the cells behind the maze and an empty line.
void drop_labels(std::vector<std::string_view>& lines) {
  const auto empty = std::find(lines.begin(), lines.end(), std::string_view());
  const auto side = static_cast<std::size_t>(empty - lines.begin());
  const bool has_labels = side > 0 && lines.size() == 2 * side + 1 && lines.front().size() == side;
  if (has_labels) lines.erase(empty, lines.end());
}

}  // namespace

Maze read_maze(const ProblemText& file) {
  std::vector<std::string_view> lines = lines_of(file.text);
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  drop_labels(lines);
  const std::size_t side = lines.size();
  if (side < 1 || side > ProblemLimits::side) {
    refuse(file, fmt::format("it has {}; a maze must have 1..{}", counted(side, "line"),
                             ProblemLimits::side));
  }
  Maze maze;
  maze.side = static_cast<std::uint32_t>(side);
  std::vector<std::uint32_t> starts;
  std::vector<std::uint32_t> targets;
  for (std::size_t i = 0; i < side; ++i) {
    if (lines[i].size() != lines.front().size()) {
      refuse(file, i + 1,
             fmt::format("it has {}, and line 1 has {}; all lines of a maze have the same number",
                         counted(lines[i].size(), "cell"), lines.front().size()));
    }
    for (std::size_t j = 0; j < lines[i].size(); ++j) {
      const char cell = lines[i][j];
      const auto number = static_cast<std::uint32_t>(i * side + j);
      if (cell == 's') add_end(file, i + 1, "start", number, starts);
      if (cell == 't') add_end(file, i + 1, "target", number, targets);
      if (std::string_view("#. *st").find(cell) == std::string_view::npos) {
        refuse(
            file, i + 1,
            fmt::format(
                "cell {} is {}; a cell is # (blocked), . or a space (free), * (free, on a path), s (start) or t (target)",
                j + 1, in_quotes(lines[i].substr(j, 1))));
      }
      maze.blocked.push_back(cell == '#');
    }
  }
  if (lines.front().size() != side) {
    refuse(file, side,
           fmt::format("the maze ends after {} of {}, and must be as wide as high",
                       counted(side, "line"), counted(lines.front().size(), "cell")));
  }
  if (starts.empty() || targets.empty()) {
    refuse(file, side,
           fmt::format("the maze ends without a {}, and must have one s and one t",
                       starts.empty() ? "start" : "target"));
  }
  maze.start = starts.front();
  maze.target = targets.front();
  return maze;
}

std::string maze_text(const Maze& maze, const MazeRun& run) {
  const std::size_t cells = maze.blocked.size();
  std::string path(cells, '.');
  std::string labels(cells, '.');
  for (std::size_t i = 0; i < cells; ++i) {
    if (maze.blocked[i]) path[i] = labels[i] = '#';
    if (run.labels[i] < MazeLabel::start) {
      labels[i] = "^<v>"[static_cast<std::size_t>(run.labels[i])];
    }
  }
  for (const std::uint32_t cell : path_of(maze, run)) path[cell] = '*';
  path[maze.target] = 't';
  path[maze.start] = labels[maze.start] = 's';
  std::string text;
  for (const std::string* one : {&path, &labels}) {
    if (!text.empty()) text += '\n';
    for (std::size_t i = 0; i < cells; i += maze.side) {
      text.append(*one, i, maze.side);
      text += '\n';
    }
  }
  return text;
}

LoadBalance read_loads(const ProblemText& file) {
  LoadBalance problem;
  std::int32_t item = 0;
  for (const NumberRow& row :
       read_numbers(file, 1, "the items of a rank", 0, ProblemLimits::load)) {
    if (problem.loads.size() == ProblemLimits::ranks) {
      refuse(file, row.line,
             fmt::format("here are more than {} loads, the most of a file", ProblemLimits::ranks));
    }
    Values load(static_cast<std::size_t>(row.numbers.front()));
    for (std::int32_t& one : load) one = item++;
    problem.loads.push_back(std::move(load));
  }
  if (problem.loads.empty()) refuse(file, "it has no line with a load");
  return problem;
}

std::string loads_text(const std::vector<Values>& loads) {
  std::string text;
  for (const Values& load : loads) text += fmt::format("{}\n", load.size());
  return text;
}

Knapsack read_objects(const ProblemText& file, std::uint32_t capacity) {
  Knapsack problem{{}, {}, capacity};
  std::int64_t sum = 0;
  for (const NumberRow& row :
       read_numbers(file, 2, "the profit and the weight of an object", 1, ProblemLimits::object)) {
    if (problem.profits.size() == ProblemLimits::objects) {
      refuse(
          file, row.line,
          fmt::format("here are more than {} objects, the most of a file", ProblemLimits::objects));
    }
    problem.profits.push_back(row.numbers[0]);
    problem.weights.push_back(row.numbers[1]);
    sum += row.numbers[0];
    if (sum <= INT32_MAX) continue;
    refuse(file, row.line,
           fmt::format("the profits up to here are {} together, and must be below 2^31", sum));
  }
  if (problem.profits.empty()) refuse(file, "it has no line with an object");
  return problem;
}

std::string objects_text(const Knapsack& problem, const std::vector<std::size_t>& chosen) {
  std::int64_t profit = 0;
  std::int64_t weight = 0;
  std::string lines;
  for (const std::size_t one : chosen) {
    profit += problem.profits[one];
    weight += problem.weights[one];
    lines += fmt::format("{} {} {}\n", one + 1, problem.profits[one], problem.weights[one]);
  }
  return fmt::format("# {}, profit {}, weight {} of {}\n", counted(chosen.size(), "object"), profit,
                     weight, problem.capacity) +
         lines;
}

}  // namespace allport
