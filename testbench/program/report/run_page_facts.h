// SPDX-License-Identifier: Apache-2.0
// These are the facts that the head of a run's page and its sections tell, and how both name
// places.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "testbench/plan/plan_run.h"
#include "testbench/plan/verdict.h"
#include "testbench/program/report/run_page.h"
#include "testbench/results/json.h"
#include "testbench/results/results.h"
#include "testbench/show/page/html.h"
#include "testbench/simulation/run_session.h"

namespace allport {

struct RunPageFacts {
  RunPageFacts(const RunPlan& plan, const SessionResults& session, const StaticVerdict& verdict,
               RunPageParts parts);

  const Topology& topology() const { return plan.routing.topology(); }

  /// What a row of a table is about: a channel or a node, unless it is in a block of them ..
  RowSubject subject(const Resource& place) const;
  /// .. of a message of the trial that is drawn ..
  RowSubject subject(const MessageName& message, int trial) const;
  /// .. and of a message at a place: of the place, if the message is not drawn by itself.
  RowSubject subject(const Resource& place, const MessageName& message, int trial) const;
  bool is_drawn(int trial) const;

  /// `injection channel 0 of node 5 (+x)`, of a cube `(dimensions 0, 2)`: with the directions that
  /// an injection channel serves.
  std::string place_in_words(const Resource& place, bool with_vc = true) const;

  /// The object under `keys` in the JSON of the run; it is empty where there is none.
  const Json& in_run(std::initializer_list<const char*> keys) const;
  const Json& to_bound() const { return in_run({"explanation", "to_bound"}); }
  bool is_at_bound() const;
  /// What may help, the same list wherever the page tells it: by the cycles at stake, of a deadlock
  /// those first that end every circle of waits for certain, or the one that was found.
  std::vector<AdvisedChange> changes() const;

  /// That more may be at stake than is beyond the bound; empty: it is not.
  std::string beyond_the_bound() const;

  /// How much longer the run takes than its bound, in a sentence; empty: it has none.
  std::string bound_in_words() const;

  const RunPlan& plan;
  const SessionResults& session;
  const Results& results;
  const Explanation& explanation;
  const StaticVerdict& verdict;
  RunPageParts parts;
  const std::string found;  ///< what the report says of the results
  const std::string ended;  ///< and of the end of the run
};

/// `12.5 %`
std::string share_in_words(Cycle part, Cycle whole);
/// The same of a share that is known, rounded as the scripts of the page do it.
std::string percent_in_words(double share);

}  // namespace allport
