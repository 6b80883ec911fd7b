// SPDX-License-Identifier: Apache-2.0
// A GOAL file [Hoefler10] has the tasks of each rank and what depends on what, as text
// (docs/guide/replay.md). The language is that of the compiler of LogGOPSim; besides, a line may
// hold several statements and end with a comment, options come in any order, and a dependency may
// name a label that comes later in its block.
#include <cctype>
#include <charconv>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <unordered_map>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/words.h"
#include "traffic/tasks/workload_format.h"

namespace allport {

namespace {

struct Token {
  enum class Kind { word, number, symbol, end };
  Kind kind = Kind::end;
  std::string_view text{};
  std::uint32_t line = 1;

  bool is(std::string_view wanted) const { return kind != Kind::end && text == wanted; }
};

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The words, numbers and symbols of the text, one after another.
class Scanner {
 public:
  explicit Scanner(const TraceFile& file) : file_(file), text_(file.text) { advance(); }

  const Token& next() const { return next_; }
  Token take() {
    const Token token = next_;
    advance();
    return token;
  }
  [[noreturn]] void reject(std::uint32_t line, const std::string& why) const {
    throw std::invalid_argument(shown_path(file_.name) + ":" + std::to_string(line) + ": " + why);
  }
  // Refuses what comes next, where `wanted` should be.
  [[noreturn]] void expected(const std::string& wanted) const {
    reject(next_.line,
           "expected " + wanted + ", found " +
               (next_.kind == Token::Kind::end ? "the end of the file" : in_quotes(next_.text)));
  }

 private:
  char at(std::size_t place) const { return place < text_.size() ? text_[place] : '\0'; }

  void skip_comment() {
    const std::uint32_t begun = line_;
    for (place_ += 2; at(place_) != '*' || at(place_ + 1) != '/'; ++place_) {
      if (place_ >= text_.size()) reject(begun, "the comment that begins here has no end");
      if (text_[place_] == '\n') ++line_;
    }
    place_ += 2;
  }

  void skip_blanks() {
    while (place_ < text_.size()) {
      const char c = text_[place_];
      if (c == '#' || (c == '/' && at(place_ + 1) == '/')) {
        place_ = std::min(text_.find('\n', place_), text_.size());
      } else if (c == '/' && at(place_ + 1) == '*') {
        skip_comment();
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        line_ += c == '\n' ? 1 : 0;
        ++place_;
      } else {
        return;
      }
    }
  }

  void advance() {
    skip_blanks();
    const std::size_t begin = place_;
    next_ = {Token::Kind::end, {}, line_};
    if (begin >= text_.size()) return;
    const char c = text_[begin];
    if (is_letter(c)) {
      next_.kind = Token::Kind::word;
      while (is_letter(at(place_)) || is_digit(at(place_))) ++place_;
    } else if (is_digit(c) || (c == '-' && is_digit(at(begin + 1)))) {
      next_.kind = Token::Kind::number;
      for (++place_; is_digit(at(place_));) ++place_;
    } else {
      next_.kind = Token::Kind::symbol;
      ++place_;
    }
    next_.text = text_.substr(begin, place_ - begin);
  }

  const TraceFile& file_;
  std::string_view text_;
  std::size_t place_ = 0;
  std::uint32_t line_ = 1;
  Token next_;
};

class GoalReader {
 public:
  GoalReader(const TraceFile& file, const TraceScale& scale) : in_(file), scale_(scale) {
    graph_.files = {file.name};
  }

  TaskGraph read() {
    while (in_.next().kind != Token::Kind::end) {
      if (in_.next().is("num_ranks")) {
        read_ranks();
      } else if (in_.next().is("rank")) {
        read_rank();
      } else {
        in_.expected("num_ranks or rank");
      }
    }
    if (graph_.ranks == 0) in_.reject(in_.next().line, "num_ranks is missing");
    return std::move(graph_);
  }

 private:
  struct Link {
    Token task;
    Token on;
    bool on_start;
  };

  std::uint64_t number(const std::string& what, std::uint64_t low, std::uint64_t high) {
    if (in_.next().kind != Token::Kind::number) in_.expected(what);
    const Token token = in_.take();
    std::uint64_t value = 0;
    const auto [end, error] =
        std::from_chars(token.text.data(), token.text.data() + token.text.size(), value);
    if (error != std::errc{} || end != token.text.data() + token.text.size() || value < low ||
        value > high) {
      in_.reject(token.line,
                 what + " must be " + range_in_words(low, high) + ", not " + shown(token.text, 40));
    }
    return value;
  }
  bool takes(std::string_view word) {
    if (!in_.next().is(word)) return false;
    in_.take();
    return true;
  }

  void read_ranks() {
    const Token token = in_.take();
    const auto ranks = static_cast<std::uint32_t>(
        number("the number of ranks", 1, std::numeric_limits<std::uint32_t>::max() - 1));
    if (graph_.ranks != 0) in_.reject(token.line, "num_ranks is given twice");
    graph_.ranks = ranks;
  }

  void read_rank() {
    const Token begin = in_.take();
    if (graph_.ranks == 0) in_.reject(begin.line, "num_ranks must come before the first rank");
    rank_ = static_cast<std::uint32_t>(number("a rank", 0, graph_.ranks - 1));
    const auto [before, is_new] = block_of_.emplace(rank_, begin.line);
    if (!is_new) {
      in_.reject(begin.line, "rank " + std::to_string(rank_) + " has a block already, in line " +
                                 std::to_string(before->second));
    }
    if (!takes("{")) in_.expected("{");
    labels_.clear();
    links_.clear();
    while (!in_.next().is("}")) {
      if (in_.next().kind == Token::Kind::end) {
        in_.reject(in_.next().line, "the file ends within the block of rank " +
                                        std::to_string(rank_) + ", which begins in line " +
                                        std::to_string(begin.line));
      }
      read_statement();
    }
    in_.take();
    link();
  }

  static bool begins_task(const Token& token) {
    return token.is("send") || token.is("recv") || token.is("calc");
  }

  void read_statement() {
    if (begins_task(in_.next())) return read_task();
    if (in_.next().kind != Token::Kind::word) in_.expected("send, recv, calc, a label or }");
    const Token label = in_.take();
    if (takes(":")) {
      if (!begins_task(in_.next())) in_.expected("send, recv or calc");
      const auto [before, is_new] =
          labels_.emplace(label.text, static_cast<std::uint32_t>(graph_.tasks.size()));
      if (!is_new) {
        in_.reject(label.line, "label " + in_quotes(label.text) + " is given already, in line " +
                                   std::to_string(graph_.tasks[before->second].origin.line));
      }
      return read_task();
    }
    const bool on_start = in_.next().is("irequires");
    if (!on_start && !in_.next().is("requires")) in_.expected(":, requires or irequires");
    in_.take();
    if (in_.next().kind != Token::Kind::word) in_.expected("a label");
    links_.push_back({label, in_.take(), on_start});
  }

  void read_task() {
    if (graph_.tasks.size() >= std::numeric_limits<std::uint32_t>::max()) {
      in_.reject(in_.next().line, "there are more than 2^32 tasks");
    }
    const Token what = in_.take();
    Task task;
    task.rank = rank_;
    task.origin.line = what.line;
    if (what.is("calc")) {
      read_calc(task);
    } else {
      read_message(what, task);
    }
    graph_.tasks.push_back(task);
  }

  auto rejecting(const Task& task) const {
    return [&](const char* why) { in_.reject(task.origin.line, why); };
  }

  void read_calc(Task& task) {
    const std::uint64_t time = number("a time in ns", 0, std::numeric_limits<std::int64_t>::max());
    task.amount =
        scaled([&] { return scale_.of_nanoseconds(static_cast<double>(time)); }, rejecting(task));
    if (takes("cpu")) task.cpu = read_cpu();
  }

  std::uint16_t read_cpu() { return static_cast<std::uint16_t>(number("a cpu", 0, 255)); }

  void read_message(const Token& what, Task& task) {
    const bool is_send = what.is("send");
    task.kind = is_send ? TaskKind::send : TaskKind::receive;
    const std::uint64_t bytes = number("a length", 0, TraceScale::most_bytes);
    task.amount = scaled([&] { return scale_.of_bytes(bytes); }, rejecting(task));
    if (!takes("b")) in_.expected("b, for bytes, after the length");
    if (!takes(is_send ? "to" : "from")) in_.expected(is_send ? "to" : "from");
    const bool is_of_any = !is_send && takes("-1");
    task.peer =
        is_of_any ? any_rank : static_cast<std::uint32_t>(number("a rank", 0, graph_.ranks - 1));
    task.tag = 0;
    read_options(is_send, task);
  }

  void read_options(bool is_send, Task& task) {
    bool has_tag = false;
    bool has_cpu = false;
    bool has_nic = false;
    const auto once = [&](bool& has, const Token& token) {
      if (has) in_.reject(token.line, in_quotes(token.text) + " is given twice");
      has = true;
    };
    for (;;) {
      const Token token = in_.next();
      if (takes("tag")) {
        once(has_tag, token);
        const bool is_any = !is_send && takes("-1");
        task.tag = is_any ? any_tag : static_cast<std::uint32_t>(number("a tag", 0, any_tag - 1));
      } else if (takes("cpu")) {
        once(has_cpu, token);
        task.cpu = read_cpu();
      } else if (takes("nic")) {
        once(has_nic, token);
        task.nic = static_cast<std::uint16_t>(number("a nic", 0, 255));
      } else {
        return;
      }
    }
  }

  std::uint32_t task_of(const Token& label) const {
    const auto found = labels_.find(label.text);
    if (found != labels_.end()) return found->second;
    in_.reject(label.line, "rank " + std::to_string(rank_) + " has no task with the label " +
                               in_quotes(label.text));
  }
  void link() {
    for (const Link& link : links_) {
      graph_.dependencies.push_back({task_of(link.task), task_of(link.on), link.on_start});
    }
  }

  Scanner in_;
  const TraceScale& scale_;
  TaskGraph graph_;
  std::uint32_t rank_ = 0;
  std::unordered_map<std::uint32_t, std::uint32_t> block_of_;  // the line of a rank's block
  std::unordered_map<std::string_view, std::uint32_t> labels_;
  std::vector<Link> links_;
};

ApplicationTrace read_goal(const std::vector<TraceFile>& files, const TraceScale& scale,
                           int /*flit_bytes*/) {
  ApplicationTrace trace;
  trace.graph = GoalReader(files.front(), scale).read();
  return trace;
}

bool begins_goal(std::string_view line, std::string_view /*text*/) {
  const std::string_view word = line.substr(0, line.find_first_of(" \t\r"));
  return word == "num_ranks" || word == "rank";
}

}  // namespace

// Times are nanoseconds.
WorkloadFormat goal_format() {
  return {"GOAL",      "GOAL file", "GOAL files", "num_ranks N", WorkloadFormat::Files::one,
          begins_goal, read_goal};
}

}  // namespace allport
