// SPDX-License-Identifier: Apache-2.0
// An Explainer explains the latencies of a run: it is notified of the receptions, and when a trial
// is over it walks back from each (docs/explain.md).
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rtl_model/base/stop_flag.h"
#include "testbench/observe/explain/critical_path.h"
#include "testbench/observe/explain/explained_trial.h"
#include "testbench/observe/explain/movement.h"
#include "testbench/observe/explain/roots.h"
#include "testbench/observe/monitors/measurement_window.h"
#include "testbench/results/explanation.h"
#include "tlm/message/message_log.h"

namespace allport {

class Explainer {
 public:
  /// All references must outlive it; `tr`: cycles to take a message over. An interrupt, which sets
  /// `stop`, cuts the explanation short (patience.h).
  Explainer(const ExplainRequest& request, const RouterConfig& config, const Routing& routing,
            const MessageLog& log, Cycle tr, StopFlag stop)
      : request_(request),
        channels_(config, routing.topology()),
        routing_(routing),
        log_(log),
        tr_(tr),
        stop_(stop),
        movement_(channels_) {}

  /// What the machine writes while it runs.
  Movement& movement() { return movement_; }
  /// Starts a run of several trials.
  void begin_run();
  /// Starts a trial.
  void reset();
  /// Notes that a receiver has a message.
  void receive(const Reception& reception);
  /// Explains the receptions of a trial of `collectives` that took `cycles` cycles.
  void explain(int trial, const std::vector<PlannedCollective>& collectives, Cycle cycles);
  /// Explains a pattern that took `cycles` cycles: the messages created in `window`, and what the
  /// channels do in it unless they are looked at in stretches.
  void explain_pattern(const MeasurementWindow& window, Cycle cycles);
  /// Explains all that ranks do in a run of `cycles` cycles.
  void explain_ranks(Cycle cycles);
  /// Explains the messages of a network that is driven, in cycle `now`: a message whose tail is on
  /// its ejection channel then is under way unless its reception has been noted.
  void explain_so_far(Cycle now);
  /// What has been found in the run.
  Explanation result();
  /// Calls `show` with the last trial, which took `cycles` cycles. `collectives`: its own; null: it
  /// was one of a pattern.
  void show(const std::vector<PlannedCollective>* collectives, Cycle cycles,
            const std::function<void(const ShownTrial&)>& show) const;

 private:
  struct Trial;
  using Place = FabricChannels::Number;

  MessageAccount account_of(const Reception& reception, const Trial& trial) const;
  std::optional<CauseSum> add(const Reception& reception, Trial& trial);
  void count_ties(const MessageAccount& account);
  void sort_receptions();
  std::vector<bool> slowest_of(const MeasurementWindow& window, Trial& trial) const;
  void explain_window(const MeasurementWindow& window, Trial& trial);
  void finish(Trial& trial, Cycle cycles, const MeasurementWindow& span,
              const std::vector<Reception>* told = nullptr);
  void add_roots(Trial& trial);
  void add_channels(Trial& trial, Cycle cycles, const MeasurementWindow& span);
  void add_waits(const Waits::List& list, Trial& trial);
  Place physical(Place channel) const;
  bool is_asked_for(const Reception& reception) const;
  void note_nearest(const Reception& reception);
  void list(const Reception& reception, const MessageAccount& account, const Waits::List& waits);
  void drop_quick_ones();
  void find_path(const std::vector<PlannedCollective>& collectives, Trial& trial);
  PathMessage path_message(const Reception& reception, const Waits::List& list,
                           const Trial& trial) const;

  const ExplainRequest request_;
  const FabricChannels channels_;
  const Routing& routing_;
  const MessageLog& log_;
  const Cycle tr_;
  const StopFlag stop_;
  Movement movement_;
  std::vector<Reception> receptions_;
  // Of the run so far:
  Explanation explanation_;
  Cycle longest_ = -1;  // the latency of the path found
  std::map<std::pair<Place, Cause>, Cycle> roots_;
  std::unordered_map<Place, CauseSum> waits_;  // by the first VC of a channel
  std::vector<SourceWaits> sources_;
};

}  // namespace allport
