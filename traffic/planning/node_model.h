// SPDX-License-Identifier: Apache-2.0
// A NodeModel is how a processor and its ports spend their time on messages (docs/programs.md,
// "Node models"). The default is the rule of docs/timing.md, section 4.
#pragma once

#include <optional>

#include "rtl_model/base/ids.h"

namespace allport {

struct NodeModel {
  Cycle ts_per_flit = 0;  ///< added to ts for each flit of the message, 0 .. 10^9 cycles
  Cycle tr_per_flit = 0;  ///< added to tr for each flit of the message, 0 .. 10^9 cycles
  /// Whether a send lasts until the tail is on the injection channel; otherwise until the message
  /// is prepared.
  bool send_blocks = false;
  /// Whether to take a message over keeps the processor busy; otherwise it is a delay, and any
  /// number of messages have it at once.
  bool receive_occupies = false;
  /// Whether each injection port prepares messages of its own, beside the processor; otherwise the
  /// processor prepares all messages one after another.
  bool startup_per_port = false;
  /// Whether a port passes no flit in a cycle in which one comes on it.
  bool is_half_duplex = false;
  /// Whether all ports together pass one flit in a cycle, and take one.
  bool shares_bandwidth = false;

  /// Whether processors work by the plain rule.
  bool has_plain_processors() const {
    return ts_per_flit == 0 && tr_per_flit == 0 && !send_blocks && !receive_occupies &&
           !startup_per_port;
  }
  /// Whether some ports cannot send or receive in every cycle.
  bool limits_ports() const { return is_half_duplex || shares_bandwidth; }
  /// How they are limited, in the words of the options.
  const char* port_limit() const { return is_half_duplex ? "--duplex half" : "--bandwidth shared"; }
  /// Cycles from the last flit of a message of `flits` flits to the message in hand, where `tr` are
  /// those of any message.
  Cycle takeover(Cycle tr, Cycle flits) const { return tr + tr_per_flit * flits; }
  bool is_default() const { return has_plain_processors() && !limits_ports(); }
};

/// How the nodes of a run spend their time.
struct NodeParameters {
  Cycle ts = 0;      ///< start-up time of a message at its sender, 0 .. 10^9 cycles
  Cycle tr = 0;      ///< time from the last flit to the message in hand, 0 .. 10^9 cycles
  Cycle jitter = 0;  ///< largest random delay at an injection port, 0 .. 10^9 cycles
  Cycle skew = 0;    ///< latest random start of a processor, 0 .. 10^9 cycles
  std::optional<Cycle> barrier;   ///< cycles between two collectives; none: no barrier
  bool barrier_messages = false;  ///< whether a barrier of messages is between two
  NodeModel model;                ///< how processors and ports spend their time on messages
};

}  // namespace allport
