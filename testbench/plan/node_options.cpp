// SPDX-License-Identifier: Apache-2.0
// The options of the table [node].
#include <stdexcept>
#include <string>

#include "testbench/plan/option_fields.h"

namespace allport::option_fields {

namespace {

OptionField barrier() {
  return {[](RunRequest& request, Text text) {
            request.node.barrier.reset();
            request.node.barrier_messages = text == "messages";
            if (text == "none" || request.node.barrier_messages) return;
            try {
              request.node.barrier = parse_integer(text, limits::node_cycles);
            } catch (const std::invalid_argument& error) {
              throw std::invalid_argument(std::string(error.what()) + ", none or messages");
            }
          },
          [](const RunRequest& request) {
            if (request.node.barrier_messages) return Json("messages");
            return request.node.barrier ? Json(*request.node.barrier) : Json("none");
          },
          {"none", "messages"}};
}

OptionField preset() {
  return {[](RunRequest& request, Text text) { request.node.preset = &find_machine_preset(text); },
          [](const RunRequest& request) {
            const MachinePreset* const preset = request.node.preset;
            return preset == nullptr ? Json() : Json(preset->name);
          },
          preset_names()};
}

template <class Member>
auto node(Member member) {
  return at(&RunRequest::node, member);
}

template <class Member>
auto model(Member member) {
  return at(&RunRequest::node, &NodeRequest::model, member);
}

}  // namespace

Options node_options() {
  constexpr unsigned timed = use::all & ~use::steps & ~use::network;
  constexpr unsigned processors = use::simulations | use::tasks;
  return {
      {"node", "ts", "CYCLES", "time to prepare a message at its sender, one at a time",
       integer(node(&NodeRequest::ts), limits::node_cycles), timed, Told::always},
      {"node", "tr", "CYCLES", "time from the last flit until the processor has the message",
       integer(node(&NodeRequest::tr), limits::node_cycles), timed, Told::always},
      {"node", "ts_per_flit", "CYCLES", "added to --ts for each flit of the message",
       integer(model(&NodeModel::ts_per_flit), limits::node_cycles), processors | use::fit,
       Told::where_it_differs},
      {"node", "tr_per_flit", "CYCLES", "added to --tr for each flit of the message",
       integer(model(&NodeModel::tr_per_flit), limits::node_cycles), processors | use::fit,
       Told::where_it_differs},
      {"node", "send", "WHEN",
       "when a send is over: nwrite (the message is prepared) or blocking (its tail has left)",
       either("way of sending", model(&NodeModel::send_blocks), "nwrite", "blocking"),
       processors | use::fit, Told::where_it_differs},
      {"node", "receive", "HOW",
       "what --tr is: delay (any number of messages at once) or occupies (the processor does nothing else)",
       either("way of receiving", model(&NodeModel::receive_occupies), "delay", "occupies"),
       processors, Told::where_it_differs},
      {"node", "startup", "HOW",
       "who prepares messages: serial (the processor, one at a time) or per-port (each injection port, beside the processor)",
       either("way of starting up", model(&NodeModel::startup_per_port), "serial", "per-port"),
       processors, Told::where_it_differs},
      {"node", "duplex", "HOW",
       "what a port of a node does in a cycle: full (it sends a flit and receives one) or half (one of both, and a flit that comes goes first)",
       either("duplex", model(&NodeModel::is_half_duplex), "full", "half"), processors,
       Told::where_it_differs},
      {"node", "bandwidth", "HOW",
       "what the ports of a node can do together: private (each has its own channels) or shared (they send one flit in a cycle, and receive one)",
       either("bandwidth of ports", model(&NodeModel::shares_bandwidth), "private", "shared"),
       processors, Told::where_it_differs},
      {"node",
       "clock",
       "GHZ",
       "clock rate of the fabric in GHz, by which reports give microseconds and GB/s",
       unless_zero(decimal(node(&NodeRequest::clock_ghz), 0.000001, 1000)),
       processors,
       Told::where_it_differs,
       {},
       "barrier"},
      {"node",
       "jitter",
       "CYCLES",
       "largest random delay of a message at its injection port",
       integer(node(&NodeRequest::jitter), limits::node_cycles),
       use::simulations,
       Told::always,
       {},
       "tr"},
      {"node",
       "skew",
       "CYCLES",
       "latest random start of a node: each draws from 0..CYCLES, once in each trial, and prepares nothing before",
       integer(node(&NodeRequest::skew), limits::node_cycles),
       use::simulations,
       Told::where_it_differs,
       {},
       "jitter"},
      {"node", "barrier", "CYCLES",
       "what separates several collectives: none (they start at once), a number of cycles, or messages (a barrier of messages, hypercubes only)",
       barrier(), use::simulations, Told::always},
      {"node", "preset", "NAME",
       "machine whose parameters become the defaults and whose clock gives microseconds; see `allport list`",
       preset(), processors | use::fit, Told::where_it_differs},
  };
}

}  // namespace allport::option_fields
