// SPDX-License-Identifier: Apache-2.0
// Time-independent traces of SimGrid [Desprez11] say what each rank of an MPI program computed and
// communicated, one action a line (docs/guide/replay.md). read_simgrid() understands them as
// SimGrid's replay does.
#include <algorithm>
#include <cctype>
#include <deque>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>

#include "rtl_model/base/names.h"
#include "rtl_model/base/quote.h"
#include "traffic/tasks/simgrid_action.h"
#include "traffic/tasks/workload_format.h"

namespace allport {

namespace {

constexpr std::int64_t any_source_number = -555;  // MPI_ANY_SOURCE and MPI_ANY_TAG of SimGrid
constexpr std::int64_t any_tag_number = -444;
constexpr std::int64_t largest_tag = (std::int64_t{1} << 31) - 1;

// What of a past task a rank's next one waits for.
enum class Awaited : std::uint8_t { start, handed_over, end };

struct Rank {
  using Request = std::tuple<std::int64_t, std::int64_t, std::int64_t>;  // source, target, tag

  std::map<std::uint32_t, Awaited> point;  // of its program, by task
  std::map<Request, std::deque<std::uint32_t>> requests;
  std::set<std::uint32_t> pending;  // tasks of its requests
  std::uint64_t element_bytes = 1;
  TaskOrigin last{};  // line
  bool is_begun = false;
  bool is_over = false;
};

class SimgridReader {
 public:
  SimgridReader(const std::vector<TraceFile>& files, const TraceScale& scale)
      : files_(files), scale_(scale) {}

  ApplicationTrace read() {
    for (const TraceFile& file : files_) trace_.graph.files.push_back(file.name);
    for_each_line([&](const SimgridAction& action) { count(action); });
    require_ranks();
    for_each_line([&](const SimgridAction& action) { read(action); });
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) require_end(rank);
    return std::move(trace_);
  }

 private:
  template <class Use>
  void for_each_line(const Use& use) {
    for (std::uint32_t i = 0; i < files_.size(); ++i) {
      const std::string_view text = files_[i].text;
      std::uint32_t number = 1;
      for (std::size_t begin = 0; begin < text.size(); ++number) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        auto words = SimgridAction::words_of(text.substr(begin, end - begin));
        if (!words.empty()) use(SimgridAction(files_[i], {i, number}, std::move(words)));
        begin = end + 1;
      }
    }
  }

  void count(const SimgridAction& action) {
    const auto [found, is_new] = file_of_.emplace(action.rank(), action.origin().file);
    if (is_new || found->second == action.origin().file) return;
    action.reject("rank " + std::to_string(action.rank()) + " has lines in " +
                  shown_path(files_[found->second].name) + " already");
  }

  void require_ranks() {
    if (file_of_.empty()) {
      throw std::invalid_argument(shown_path(files_.front().name) + ": there is no action in it");
    }
    std::uint32_t next = 0;
    for (const auto& [rank, file] : file_of_) {
      if (rank != next) {
        throw std::invalid_argument(shown_path(files_[file].name) + ": rank " +
                                    std::to_string(next) + " has no line, and rank " +
                                    std::to_string(rank) + " has; ranks must be 0, 1, ..");
      }
      ++next;
    }
    ranks_.resize(file_of_.size());
    trace_.graph.ranks = static_cast<std::uint32_t>(ranks_.size());
  }

  void require_end(std::size_t rank) const {
    if (ranks_[rank].is_over) return;
    throw std::invalid_argument(in_words(ranks_[rank].last, trace_.graph.files) + ": rank " +
                                std::to_string(rank) +
                                " ends here without finalize, so the trace is torn");
  }

  std::uint32_t add(const SimgridAction& action, Task task) {
    const auto number = static_cast<std::uint32_t>(trace_.graph.tasks.size());
    task.rank = action.rank();
    task.origin = action.origin();
    trace_.graph.tasks.push_back(task);
    for (const auto& [on, awaited] : of(action).point) {
      const bool is_order =
          awaited != Awaited::end && trace_.graph.tasks[on].kind == TaskKind::send;
      trace_.graph.dependencies.push_back({number, on, awaited == Awaited::start, is_order});
    }
    return number;
  }
  Rank& of(const SimgridAction& action) { return ranks_[action.rank()]; }

  void read(const SimgridAction& action) {
    Rank& rank = of(action);
    rank.last = action.origin();
    if (rank.is_over) action.reject("the rank has an action after its finalize");
    const std::string_view name = action.name();
    if (name == "init") return begin(action);
    if (!rank.is_begun) action.reject("the first action of a rank must be init");
    if (name == "finalize") {
      action.require_count(0, 0);
      rank.is_over = true;
    } else if (name == "compute" || name == "sleep") {
      compute(action);
    } else if (name == "send" || name == "isend" || name == "recv" || name == "irecv") {
      transfer(action);
    } else if (name == "sendRecv") {
      exchange(action);
    } else if (name == "wait" || name == "test") {
      wait(action);
    } else if (name == "waitall") {
      wait_for_all(action);
    } else if (!says_nothing(name)) {
      collective(action);
    }
  }

  // Actions that SimGrid's replay passes over.
  static bool says_nothing(std::string_view name) {
    return name == "comm_size" || name == "comm_split" || name == "comm_dup" || name == "location";
  }

  void begin(const SimgridAction& action) {
    action.require_count(0, 1);
    Rank& rank = of(action);
    if (rank.is_begun) action.reject("the rank has an init already");
    rank.is_begun = true;
    rank.element_bytes = action.count() == 0 ? 1 : 8;
  }

  static auto rejecting(const SimgridAction& action) {
    return [&](const char* why) { action.reject(why); };
  }
  Cycle cycles(const SimgridAction& action, double flops) const {
    return scaled([&] { return scale_.of_flops(flops); }, rejecting(action));
  }
  std::uint64_t bytes(const SimgridAction& action, std::uint64_t unscaled) const {
    return scaled([&] { return scale_.of_bytes(unscaled); }, rejecting(action));
  }

  void compute(const SimgridAction& action) {
    action.require_count(1, 1);
    Task task;
    if (action.name() == "compute") {
      task.amount = cycles(action, action.real(0, "a number of operations"));
    } else {
      const double seconds = action.real(0, "a time in seconds");
      task.amount = scaled([&] { return scale_.of_nanoseconds(1e9 * seconds); }, rejecting(action));
    }
    of(action).point = {{add(action, task), Awaited::end}};
  }

  std::uint32_t peer(const SimgridAction& action, std::size_t i, bool may_be_any) const {
    if (may_be_any && action.word(i) == std::to_string(any_source_number)) return any_rank;
    return static_cast<std::uint32_t>(
        action.integer(i, "a rank", 0, static_cast<std::int64_t>(ranks_.size()) - 1));
  }
  static std::uint32_t tag(const SimgridAction& action, std::size_t i, bool may_be_any) {
    if (may_be_any && action.word(i) == std::to_string(any_tag_number)) return any_tag;
    return static_cast<std::uint32_t>(action.integer(i, "a tag", 0, largest_tag));
  }

  void transfer(const SimgridAction& action) {
    action.require_count(3, 4);
    Rank& rank = of(action);
    Task task;
    const bool is_send = action.name() == "send" || action.name() == "isend";
    task.kind = is_send ? TaskKind::send : TaskKind::receive;
    task.peer = peer(action, 0, !is_send);
    task.tag = tag(action, 1, !is_send);
    const bool is_open = !is_send && action.word(2) == "-1";  // of a length that is not known
    const std::uint64_t element = action.datatype(3, rank.element_bytes);
    task.amount = is_open ? any_length : bytes(action, action.elements(2) * element);
    const std::uint32_t number = add(action, task);
    if (action.name().front() != 'i') {
      rank.point = {{number, is_send ? Awaited::handed_over : Awaited::end}};
      return;
    }
    rank.point = {{number, Awaited::start}};
    const std::int64_t own = action.rank();
    const std::int64_t other = task.peer == any_rank ? any_source_number : task.peer;
    const std::int64_t tag = task.tag == any_tag ? any_tag_number : task.tag;
    rank.requests[is_send ? Rank::Request{own, other, tag} : Rank::Request{other, own, tag}]
        .push_back(number);
    rank.pending.insert(number);
  }

  void exchange(const SimgridAction& action) {
    action.require_count(4, 6);
    Rank& rank = of(action);
    Task receive;
    receive.kind = TaskKind::receive;
    receive.amount = bytes(action, action.elements(2) * action.datatype(5, rank.element_bytes));
    receive.peer = peer(action, 3, true);
    receive.tag = 0;
    Task send;
    send.kind = TaskKind::send;
    send.amount = bytes(action, action.elements(0) * action.datatype(4, rank.element_bytes));
    send.peer = peer(action, 1, false);
    send.tag = 0;
    const std::uint32_t received = add(action, receive);
    rank.point = {{add(action, send), Awaited::handed_over}, {received, Awaited::end}};
  }

  // A test never waits: its request is left to a later wait.
  void wait(const SimgridAction& action) {
    action.require_count(3, 3);
    Rank& rank = of(action);
    const auto end = static_cast<std::int64_t>(ranks_.size()) - 1;
    const Rank::Request request{action.integer(0, "a rank", any_source_number, end),
                                action.integer(1, "a rank", 0, end),
                                action.integer(2, "a tag", any_tag_number, largest_tag)};
    const auto found = rank.requests.find(request);
    if (found == rank.requests.end()) {
      action.reject("the rank has no isend or irecv before this with that source, target and tag");
    }
    if (action.name() == "test" || found->second.empty()) return;
    const std::uint32_t task = found->second.front();
    found->second.pop_front();
    rank.pending.erase(task);
    rank.point[task] = Awaited::end;
  }

  void wait_for_all(const SimgridAction& action) {
    action.require_count(0, 1);  // the number of requests
    Rank& rank = of(action);
    for (const std::uint32_t task : rank.pending) rank.point[task] = Awaited::end;
    for (auto& [request, tasks] : rank.requests) tasks.clear();
    rank.pending.clear();
  }

  void collective(const SimgridAction& action) {
    CollectiveCall call;
    double flops = 0;
    const Rank& rank = of(action);
    if (!read_simgrid_collective(action, trace_.graph.ranks, rank.element_bytes, call, flops)) {
      refuse(action);
    }
    for (std::uint64_t& length : call.sends) length = bytes(action, length);
    for (std::uint64_t& length : call.receives) length = bytes(action, length);
    Task task;
    task.amount = cycles(action, flops);
    call.task = add(action, task);
    of(action).point = {{call.task, Awaited::end}};
    trace_.calls.push_back(std::move(call));
  }

  [[noreturn]] static void refuse(const SimgridAction& action) {
    std::vector<std::string_view> names{"init",      "finalize",   "compute",  "sleep",
                                        "send",      "isend",      "recv",     "irecv",
                                        "sendRecv",  "wait",       "test",     "waitall",
                                        "comm_size", "comm_split", "comm_dup", "location"};
    names.insert(names.end(), simgrid_collectives().begin(), simgrid_collectives().end());
    action.reject(unknown_name("action", action.name(), names));
  }

  const std::vector<TraceFile>& files_;
  const TraceScale& scale_;
  ApplicationTrace trace_;
  std::map<std::uint32_t, std::uint32_t> file_of_;  // by rank
  std::vector<Rank> ranks_;
};

ApplicationTrace read_simgrid(const std::vector<TraceFile>& files, const TraceScale& scale,
                              int /*flit_bytes*/) {
  return SimgridReader(files, scale).read();
}

bool begins_simgrid(std::string_view line, std::string_view /*text*/) {
  const auto words = SimgridAction::words_of(line);
  return words.size() >= 2 &&
         std::all_of(words[0].begin(), words[0].end(),
                     [](unsigned char c) { return std::isdigit(c) != 0; }) &&
         std::isalpha(static_cast<unsigned char>(words[1].front())) != 0;
}

}  // namespace

// Computing is in floating-point operations, sleep in seconds.
WorkloadFormat simgrid_format() {
  return {"SimGrid",        "trace of SimGrid",         "time-independent traces of SimGrid",
          "RANK ACTION ..", WorkloadFormat::Files::any, begins_simgrid,
          read_simgrid};
}

}  // namespace allport
