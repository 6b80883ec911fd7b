// SPDX-License-Identifier: Apache-2.0
#include "testbench/show/timeline/fill.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "testbench/observe/explain/patience.h"

namespace allport {

namespace {

/// The flits of the messages on a channel, one after another.
class Flits {
 public:
  Flits(const History& history, FabricChannels::Number channel)
      : history_(history), crossing_(history.first(channel)) {}

  void go_on(int flits = 1) {
    flit_ += flits;
    if (flit_ < history_[crossing_].length) return;
    crossing_ = history_.after(crossing_);
    flit_ = 0;
  }
  Cycle arrival() const { return crossing_ == 0 ? not_yet : history_.arrived(crossing_, flit_); }
  /// A flit is in the buffer up to and including the cycle in which it leaves.
  Cycle departure() const {
    const Cycle left = crossing_ == 0 ? not_yet : history_.left(crossing_, flit_);
    return left == not_yet ? not_yet : left + 1;
  }
  /// The flits from this one on, all of its message, that arrive in successive cycles.
  int arriving() const { return history_.sent_in_row_from(crossing_, flit_); }
  /// The same for those that leave; 1 where they leave by several branches.
  int departing() const {
    const CrossingIndex branch = history_[crossing_].onward;
    const bool is_only = history_[branch].sibling == 0;
    return is_only ? history_.sent_in_row_from(branch, flit_) : 1;
  }

 private:
  const History& history_;
  CrossingIndex crossing_;
  int flit_ = 0;
};

}  // namespace

void write_fill(const History& history, FabricChannels::Number channel, const std::string& name,
                NodeProcess& process) {
  Flits in(history, channel);
  Flits out = in;
  if (in.arrival() == not_yet) return;
  TimelineFile& file = process.file();
  const std::optional<TimelineTrack> counter = file.add_counter(process.process(), name, "flits");
  if (!counter) return;
  std::int64_t fill = 0;
  for (std::int64_t shown = 0; std::min(in.arrival(), out.departure()) != not_yet; shown = fill) {
    Patience::heed();
    const Cycle now = std::min(in.arrival(), out.departure());
    if (in.arrival() == out.departure()) {  // nothing changes as long as both go on
      const int steady = std::min(in.arriving(), out.departing());
      in.go_on(steady);
      out.go_on(steady);
      continue;
    }
    for (; in.arrival() == now; in.go_on()) ++fill;
    for (; out.departure() == now; out.go_on()) --fill;
    if (fill != shown) file.count(*counter, now, fill);
  }
}

}  // namespace allport
