// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/faults/fault_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/words.h"
#include "testbench/processes/interrupt.h"

namespace allport {

namespace {

std::vector<FaultRow> rows_of(const LinkGraph& graph, std::vector<LinkSet> sets,
                              const FaultlessRun& run, const RunChanges& run_changes) {
  std::vector<Change> changes;
  for (const LinkSet& links : sets) {
    changes.push_back({{"missing_links", graph.in_words(links), "", ""}});
  }
  std::vector<TriedChange> outcomes = run_changes(changes);
  std::vector<FaultRow> rows;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    FaultRow row;
    row.links = std::move(sets[i]);
    const auto gained = gain(run.account, outcomes[i].account, run.goal);
    if (gained) row.cost = *gained == 0 ? 0 : -*gained;  // no -0
    row.tried = std::move(outcomes[i]);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

bool FaultRow::is_within_chance() const {
  return over_seeds &&
         (!over_seeds->half_width || std::abs(over_seeds->mean) <= *over_seeds->half_width);
}

bool FaultsFound::has_fault() const {
  return smallest.links.size() <= options.links ||
         std::any_of(rows.begin(), rows.end(), [](auto& row) { return !row.has_number(); });
}

FaultsFound find_faults(const LinkGraph& graph, const FaultOptions& options,
                        const std::optional<FaultlessRun>& run, const RunChanges& run_changes) {
  if (options.links > graph.links().size()) {
    throw std::invalid_argument(
        fmt::format("{} has {}", graph.topology().name(), counted(graph.links().size(), "link")));
  }
  FaultsFound found;
  found.options = options;
  found.run = run;
  found.smallest = graph.smallest_cut();
  const std::size_t least = found.smallest.links.size();
  if (least == 0) {
    throw std::invalid_argument(fmt::format(
        "{} is in pieces as it is: no ways lead from the others to node {} and back",
        graph.topology().name(), graph.topology().node_name(found.smallest.cut_off.front())));
  }
  if (least <= std::min<std::size_t>(options.links, 2)) {
    found.cuts = graph.cuts(std::min<std::size_t>(options.links, 2), most_cuts_kept);
  }
  LinkSets sets = link_sets(graph.links().size(), options.links, options.budget, options.seed);
  if (options.must_draw && !sets.are_drawn) {
    throw std::invalid_argument(fmt::format(
        "{} tried, so there is nothing that --seed would draw; leave it out",
        sets.sets.size() == 1 ? "the only set of links is"
                              : fmt::format("all {} sets of links are", sets.sets.size())));
  }
  found.all_sets = sets.all;
  found.are_drawn = sets.are_drawn;
  found.sets = sets.sets.size();
  if (least <= options.links) {
    const auto cuts_nodes_off = [&graph](const LinkSet& links) {
      give_up_if_interrupted();
      return !graph.cut_off(links).empty();
    };
    sets.sets.erase(std::remove_if(sets.sets.begin(), sets.sets.end(), cuts_nodes_off),
                    sets.sets.end());
  }
  found.cutting = found.sets - sets.sets.size();
  if (!run) return found;
  const std::size_t wanted = sets.sets.size();
  found.rows = rows_of(graph, std::move(sets.sets), *run, run_changes);
  found.was_stopped = found.rows.size() < wanted;
  sort_rows(found);
  return found;
}

void sort_rows(FaultsFound& found) {
  const auto merit = [&found](const FaultRow& row) {
    if (row.over_seeds) return row.over_seeds->mean;
    if (row.cost) return *row.cost;
    const double value = row.tried.account.value.value_or(0);
    return found.run && is_more_better(found.run->goal) ? -value : value;
  };
  const auto rank = [](const FaultRow& row) {
    if (!row.has_number()) return 0;
    return row.is_within_chance() ? 2 : 1;
  };
  std::stable_sort(found.rows.begin(), found.rows.end(), [&](const FaultRow& a, const FaultRow& b) {
    return rank(a) != rank(b) ? rank(a) < rank(b) : merit(a) > merit(b);
  });
}

}  // namespace allport
