// SPDX-License-Identifier: Apache-2.0
// A Unit is a part of a router. Its SystemC module gives it its place and its name in the
// hierarchy; the module is kept apart, so that the registers of a router's units lie together
// (docs/decisions/0008-state-lies-together.md).
#pragma once

#include <memory>
#include <systemc>

#include "rtl_model/router/router_config.h"
#include "rtl_model/systemc/language.h"
#include "rtl_model/systemc/state_arena.h"

namespace allport {

class Unit {
 public:
  const char* name() const { return place_->name(); }

 protected:
  /// `arena` holds its state; null: an arena of its own does. `config` must outlive the unit.
  Unit(const sc_core::sc_module_name& name, const RouterConfig& config, StateArena* arena)
      : config_(config), place_(std::make_unique<Place>(name, arena)) {}

  StateArena& arena() { return place_->arena != nullptr ? *place_->arena : place_->own_arena; }

  const RouterConfig& config_;

 private:
  struct Place : sc_core::sc_module {
    Place(const sc_core::sc_module_name& name, StateArena* given) : sc_module(name), arena(given) {}
    StateArena* arena;
    StateArena own_arena;  // for a unit that stands alone
  };

  std::unique_ptr<Place> place_;
};

}  // namespace allport
