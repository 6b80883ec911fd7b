// SPDX-License-Identifier: Apache-2.0
#include "testbench/network/network_lines.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "rtl_model/base/names.h"
#include "rtl_model/base/quote.h"
#include "rtl_model/base/run_end.h"
#include "testbench/network/network_results.h"
#include "testbench/plan/option_values.h"
#include "testbench/results/json.h"

namespace allport {

namespace {

constexpr std::string_view separators = " \t\r";
constexpr Range any{std::numeric_limits<std::int64_t>::min(),
                    std::numeric_limits<std::int64_t>::max()};

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (;;) {
    const std::size_t begin = line.find_first_not_of(separators);
    if (begin == std::string_view::npos) return words;
    line.remove_prefix(begin);
    const std::size_t end = std::min(line.find_first_of(separators), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

// The words behind the name of a command, read one by one. Of a number that is none it is told what
// it may be; what is wrong with another one the network says, which knows why.
class Words {
 public:
  Words(const std::vector<std::string_view>& words, const Network& network,
        NetworkLines::Spaces& spaces)
      : words_(words), network_(network), spaces_(spaces) {}

  NetworkLines::Spaces& spaces() const { return spaces_; }

  bool is_over() const { return next_ == words_.size(); }
  std::string_view next(const char* what) {
    if (is_over()) throw std::invalid_argument(fmt::format("{}: it is missing", what));
    return words_[next_++];
  }
  std::int64_t number(const char* what, const Range& range) { return number(what, range, range); }
  Cycle cycle(const char* what) { return number(what, {network_.now(), last_cycle}, any); }
  NodeId node(const char* what) {
    const auto last = static_cast<std::int64_t>(network_.topology().node_count()) - 1;
    return node_id(static_cast<std::size_t>(
        number(what, {0, last}, {0, std::numeric_limits<std::uint32_t>::max()})));
  }
  int message_class() {
    return static_cast<int>(
        number("class", {0, limits::classes.high - 1}, {0, std::numeric_limits<int>::max()}));
  }
  std::uint64_t bytes() {
    return static_cast<std::uint64_t>(
        number("bytes", {0, limits::bytes.high}, {0, std::numeric_limits<std::int64_t>::max()}));
  }
  std::uint64_t any_number(const char* what) {
    const std::string_view word = next(what);
    return named(what, [&] { return parse_seed(word); });
  }
  void end() const {
    if (is_over()) return;
    throw std::invalid_argument(
        fmt::format("{}: {} takes no further word", in_quotes(words_[next_]), words_.front()));
  }

 private:
  // A number of `read`; of anything else it is told that it is none of `told`.
  std::int64_t number(const char* what, const Range& told, const Range& read) {
    const std::string_view word = next(what);
    return named(what, [&] {
      try {
        return parse_integer(word, read);
      } catch (const std::invalid_argument&) {
        return parse_integer(word, told);
      }
    });
  }

  template <class Read>
  static auto named(const char* what, Read read) -> decltype(read()) {
    try {
      return read();
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(fmt::format("{}: {}", what, error.what()));
    }
  }

  const std::vector<std::string_view>& words_;
  const Network& network_;
  NetworkLines::Spaces& spaces_;
  std::size_t next_ = 1;
};

struct TimedSend {
  NetworkMessage message;
  Cycle at = 0;
};

DimensionMask free_of(std::string_view text) {
  DimensionMask free = 0;
  for (const std::string_view item : parse_list(text)) {
    std::int64_t dimension = 0;
    try {
      dimension = parse_integer(item, {0, 31});
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(fmt::format("free: {}", error.what()));
    }
    const DimensionMask one = DimensionMask{1} << dimension;
    if ((free & one) != 0) {
      throw std::invalid_argument(fmt::format("free: dimension {} is there twice", item));
    }
    free |= one;
  }
  return free;
}

// `SOURCE DESTINATION BYTES`, of trees and path worms `SOURCE BYTES`, then `at CYCLE`, `user
// NUMBER`, `class NUMBER`, `flits NUMBER` in place of bytes that are 0, and of a tree `free
// DIMENSIONS`, in any order.
TimedSend read_sending(Words& words, const Network& network, MessageKind kind) {
  const bool is_tree = kind == MessageKind::tree;
  TimedSend sending;
  sending.at = network.now();
  NetworkMessage& message = sending.message;
  message.source = words.node("source");
  message.kind = kind;
  if (!goes_to_all(kind)) message.destination = words.node("destination");
  message.bytes = words.bytes();
  std::vector<std::string_view> given;
  while (!words.is_over()) {
    const std::string_view word = words.next("option");
    if (std::find(given.begin(), given.end(), word) != given.end()) {
      throw std::invalid_argument(fmt::format("{}: it is given twice", in_quotes(word)));
    }
    given.push_back(word);
    if (word == "at") {
      sending.at = words.cycle("at");
    } else if (word == "user") {
      message.user = words.any_number("user");
    } else if (word == "class") {
      message.message_class = words.message_class();
    } else if (word == "flits") {
      message.flits = words.number("flits", limits::flits);
    } else if (word == "free" && is_tree) {
      message.free = free_of(words.next("free"));
    } else {
      std::vector<std::string_view> known{"at", "user", "class", "flits"};
      if (is_tree) known.push_back("free");
      throw std::invalid_argument(unknown_name("option of a message", word, known));
    }
  }
  return sending;
}

Json json_of(const std::vector<NetworkDelivery>& deliveries) {
  Json list = Json::array();
  for (const NetworkDelivery& one : deliveries) {
    list.push_back({{"id", one.id},
                    {"user", one.user},
                    {"source", index(one.source)},
                    {"destination", index(one.destination)},
                    {"port", one.port},
                    {"class", one.message_class},
                    {"injected", one.injected},
                    {"head", one.head},
                    {"tail", one.tail}});
  }
  return list;
}

void send(Words& words, Network& network, MessageKind kind, Json& answer) {
  const TimedSend sending = read_sending(words, network, kind);
  answer["id"] = network.send(sending.message, sending.at);
}

void try_send(Words& words, Network& network, Json& answer) {
  const TimedSend sending = read_sending(words, network, MessageKind::unicast);
  const auto id = network.try_send(sending.message, sending.at);
  answer["id"] = id ? Json(*id) : Json();
}

void advance(Words& words, Network& network, bool stops, Json& answer) {
  const Cycle to = words.cycle("cycle");
  words.end();
  const auto& deliveries = stops ? network.advance_to_delivery(to) : network.advance(to);
  answer["now"] = network.now();
  answer["deliveries"] = json_of(deliveries);
}

// Leaves the call that lets cycles pass.
struct SpaceFound {};

// Up to a reception, or to room for what `try-send` refused: then nothing has been received, since
// the call ends at the first reception.
void advance_to_event(Words& words, Network& network, Json& answer) {
  const Cycle to = words.cycle("cycle");
  words.end();
  NetworkLines::Spaces& spaces = words.spaces();
  answer["now"] = network.now();
  answer["deliveries"] = Json::array();
  if (spaces.found.empty() || to < network.now()) {
    spaces.is_awaited = true;
    try {
      answer["deliveries"] = json_of(network.advance_to_delivery(to));
    } catch (const SpaceFound&) {
    } catch (...) {
      spaces.is_awaited = false;
      throw;
    }
    spaces.is_awaited = false;
  }
  answer["now"] = network.now();
  if (spaces.found.empty()) return;
  const NetworkLines::Spaces::Space space = spaces.found.front();
  spaces.found.pop_front();
  answer["space"] = {{"node", index(space.node)}, {"class", space.message_class}};
}

void tell_expected(Words& words, Network& network, Json& answer) {
  const NodeId source = words.node("source");
  const NodeId destination = words.node("destination");
  const std::uint64_t bytes = words.bytes();
  words.end();
  answer["cycles"] = network.expected(source, destination, bytes);
}

void tell_lookahead(Words& words, Network& network, Json& answer) {
  const NodeId source = words.node("source");
  const NodeId destination = words.node("destination");
  words.end();
  answer["cycles"] = network.lookahead(source, destination);
}

void tell_queued(Words& words, Network& network, Json& answer) {
  const NodeId node = words.node("node");
  const int message_class = words.is_over() ? 0 : words.message_class();
  words.end();
  answer["flits"] = network.queued(node, message_class);
}

void take(Words& words, Network& network, Json& answer) {
  const std::uint64_t id = words.any_number("message");
  const NodeId node = words.node("node");
  words.end();
  network.take(id, node);
  answer["taken"] = id;
}

void wait_for(Words& words, Network& network, Json& answer) {
  const NodeId node = words.node("node");
  const int message_class = words.message_class();
  const std::uint64_t id = words.any_number("message");
  words.end();
  network.waits_for(node, message_class, id);
  answer["awaited"] = id;
}

void tell_next(Words& words, Network& network, Json& answer) {
  words.end();
  const Cycle next = network.next_event();
  answer["cycle"] = next == Network::never ? Json() : Json(next);
}

void tell_deadlock(Words& words, Network& network, Json& answer) {
  words.end();
  const auto deadlock = network.deadlock();
  if (!deadlock) {
    answer["deadlock"] = Json();
    return;
  }
  Json circle = Json::array();
  for (const NetworkDeadlock::Wait& wait : deadlock->circle) {
    circle.push_back({{"id", wait.message}, {"held_by", wait.held_by}, {"words", wait.words}});
  }
  answer["deadlock"] = {
      {"cycle", deadlock->cycle}, {"messages", deadlock->messages}, {"circle", std::move(circle)}};
}

void tell_results(Words& words, Network& network, Json& answer) {
  words.end();
  answer["results"] = results_json(network);
}

void tell_explanation(Words& words, Network& network, Json& answer) {
  const std::string_view what = words.is_over() ? "all" : words.next("messages");
  words.end();
  answer["results"] = explained_json(network, parse_explained(what));
}

struct LineCommand {
  std::string_view name;
  void (*run)(Words& words, Network& network, Json& answer);
};

constexpr std::array<LineCommand, 19> line_commands{{
    {"send", [](Words& w, Network& n, Json& a) { send(w, n, MessageKind::unicast, a); }},
    {"send-tree", [](Words& w, Network& n, Json& a) { send(w, n, MessageKind::tree, a); }},
    {"send-deposit", [](Words& w, Network& n, Json& a) { send(w, n, MessageKind::deposit, a); }},
    {"send-path", [](Words& w, Network& n, Json& a) { send(w, n, MessageKind::path, a); }},
    {"try-send", try_send},
    {"advance", [](Words& w, Network& n, Json& a) { advance(w, n, false, a); }},
    {"advance-to-delivery", [](Words& w, Network& n, Json& a) { advance(w, n, true, a); }},
    {"advance-to-event", advance_to_event},
    {"next", tell_next},
    {"now",
     [](Words& w, Network& n, Json& a) {
       w.end();
       a["now"] = n.now();
     }},
    {"lookahead", tell_lookahead},
    {"expected", tell_expected},
    {"queued", tell_queued},
    {"idle",
     [](Words& w, Network& n, Json& a) {
       w.end();
       a["idle"] = n.is_idle();
     }},
    {"take", take},
    {"waits-for", wait_for},
    {"deadlock", tell_deadlock},
    {"results", tell_results},
    {"explain", tell_explanation},
}};

const LineCommand& line_command(std::string_view name) {
  std::vector<std::string_view> names;
  for (const LineCommand& one : line_commands) {
    if (one.name == name) return one;
    names.push_back(one.name);
  }
  throw std::invalid_argument(unknown_name("command", name, names));
}

}  // namespace

NetworkLines::NetworkLines(Network network)
    : network_(std::move(network)), spaces_(std::make_unique<Spaces>()) {
  network_.on_space([spaces = spaces_.get()](NodeId node, int message_class) {
    spaces->found.push_back({node, message_class});
    if (spaces->is_awaited) throw SpaceFound();
  });
}

std::string NetworkLines::failure(const std::string& sentence) {
  has_failed_ = true;
  const Json answer{{"line", line_}, {"error", sentence}};
  return answer.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string NetworkLines::answer(std::string_view line) {
  ++line_;
  if (line.size() > longest) {
    return failure(fmt::format("the line is longer than {} bytes", longest));
  }
  const std::vector<std::string_view> words = words_of(line);
  if (words.empty()) return {};
  try {
    Json answer{{"line", line_}};
    Words behind(words, network_, *spaces_);
    line_command(words.front()).run(behind, network_, answer);
    return answer.dump();
  } catch (const std::invalid_argument& error) {
    return failure(error.what());
  }
}

std::string NetworkLines::answer_torn() {
  ++line_;
  return failure("the input ends within the line, which is not obeyed");
}

}  // namespace allport
