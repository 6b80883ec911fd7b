// SPDX-License-Identifier: Apache-2.0
// How several threads decide a cycle of a fabric together, and when they do.
#include <algorithm>
#include <stdexcept>
#include <string>

#include "rtl_model/systemc/fabric_part.h"

namespace allport {

std::string Fabric::why_whole() const {
  if (erring_links_ != nullptr) return RouterParts::whole_by_errors;
  if (has_models_) return "there are models in the place of routers";
  if (!observers_.whole.empty()) return RouterParts::whole_by_observers;
  if (!why_no_team_.empty()) return why_no_team_;
  return "too few routers had something to do at once";
}

// How many threads decide the present cycle. Where few routers are awake, to wait for one another
// takes longer than they do; a few cycles in which many are do not pay for the first thread, with
// which everything is slower, even while it sleeps.
int Fabric::threads_for(Cycle now) {
  constexpr std::size_t span = 32;  // cycles
  const bool is_whole = erring_links_ != nullptr || has_models_ || !observers_.whole.empty();
  if (parts_.size() == 1 || is_whole) return 1;
  std::size_t busy = 0;
  for (const auto& part : parts_) {
    busy += part->awake_q.size();
    for (const auto& line : part->arrivals_q) busy += line.on(now).size();
  }
  recent_ += busy - recent_ / span;
  if (rests_.has_rest(decided_.cycles)) return 1;
  const std::size_t steady = std::min(busy, recent_ / span);
  const auto threads = static_cast<int>(std::min(steady / RouterParts::enough, parts_.size()));
  return threads > 1 && has_team() ? threads : 1;
}

// Makes the team when it is first needed. A machine that gives no threads has one.
bool Fabric::has_team() {
  if (team_ != nullptr || !why_no_team_.empty()) return team_ != nullptr;
  try {
    team_ = std::make_unique<Team>(parts_of_routers_.size());
  } catch (const std::runtime_error& error) {
    why_no_team_ = error.what();
  }
  return team_ != nullptr;
}

void Fabric::decide_together(int threads, Cycle now) {
  ++decided_.together;
  for (CycleObserver* observer : observers_.cycles) observer->on_cycle(now);
  team_->run([&](int member) {
    if (member >= threads) return;
    for (auto i = static_cast<std::size_t>(member); i < parts_.size();
         i += static_cast<std::size_t>(threads)) {
      accept_all(*parts_[i], now);
      decide_all(*parts_[i], now);
      if (are_apart_ && reception_limit_ == 0) serve_apart(*parts_[i], now + 1);
    }
  });
  // Where the machine has other work for its cores, threads that wait for one another in each cycle
  // take many times as long as one; then one goes on for a while.
  rests_.note(decided_.cycles, team_->was_kept_waiting());
}

}  // namespace allport
