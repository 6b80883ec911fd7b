// SPDX-License-Identifier: Apache-2.0
// A Unit is a part of a router: a class with plain members, whose registers lie together with those
// of the router's other units (docs/decisions/0008-state-lies-together.md). Only the router is a
// SystemC module; in reports a unit has the name that it would have below it.
#pragma once

#include <memory>
#include <string>
#include <systemc>

#include "rtl_model/router/router_config.h"
#include "rtl_model/systemc/language.h"
#include "rtl_model/systemc/state_arena.h"

namespace allport {

/// Where a unit stands.
struct UnitPlace {
  StateArena* arena = nullptr;                 ///< holds its state; null: an arena of its own does
  const sc_core::sc_object* router = nullptr;  ///< whose part it is; null: it stands alone
};

class Unit {
 public:
  /// Its name in the hierarchy: `fabric.router_5.crossbar`.
  std::string name() const {
    return router_ == nullptr ? name_ : std::string(router_->name()) + "." + name_;
  }

 protected:
  /// `name`, `config` and what `place` names must outlive the unit.
  Unit(const char* name, const RouterConfig& config, UnitPlace place)
      : config_(config),
        name_(name),
        router_(place.router),
        own_arena_(place.arena == nullptr ? std::make_unique<StateArena>() : nullptr),
        arena_(place.arena == nullptr ? own_arena_.get() : place.arena) {}

  StateArena& arena() { return *arena_; }

  const RouterConfig& config_;

 private:
  const char* name_;
  const sc_core::sc_object* router_;
  std::unique_ptr<StateArena> own_arena_;
  StateArena* arena_;
};

}  // namespace allport
