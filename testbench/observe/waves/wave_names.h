// SPDX-License-Identifier: Apache-2.0
// This header has the names of scopes and variables in a wave and the meaning of their values, in
// one place for the recorder and the viewer's save file.
//
//   fabric.router_5.input_2.{flit message vc data}          also injection_0
//   fabric.router_5.input_2.vc_0.buffer.{count front message}
//   fabric.router_5.input_2.vc_0.ack                        in circuit mode; also of outputs
//   fabric.router_5.output_2.{flit message vc data contention}    also ejection_0
//   fabric.router_5.output_2.vc_0.{owner_q owner_message credits_q credit}
//   fabric.router_5.input_2.error, fabric.router_5.output_2.nack    if channels have retry
//   fabric.router_5.{flits contention}
//   fabric.router_5.join.{message expected arrived ready held}    in a run with joins
//   rtl.router_5.difference and all of the above: its twin
#pragma once

#include <string>

#include "rtl_model/router/router_config.h"
#include "testbench/results/results.h"

namespace allport {

/// Kind of a flit, as the value of `flit` and `front`.
enum class WaveFlit { none, head, body, tail, single };

struct WaveVariable {
  const char* name;
  int width;
};

namespace wave {
constexpr WaveVariable flit{"flit", 3};         ///< kind of the flit on the channel
constexpr WaveVariable message{"message", 32};  ///< message to which it belongs; z: no flit
constexpr WaveVariable vc{"vc", 4};             ///< virtual channel on which it travels; z: no flit
constexpr WaveVariable data{"data", 64};        ///< payload of the flit; z: no flit
constexpr WaveVariable count{"count", 13};  ///< flits in the buffer, including this cycle's arrival
constexpr WaveVariable front{"front", 3};   ///< kind of the first flit in the buffer
constexpr WaveVariable owner_q{"owner_q", 11};              ///< input VC that owns it; z: free
constexpr WaveVariable owner_message{"owner_message", 32};  ///< message that owns it; z: free
constexpr WaveVariable credits_q{"credits_q", 13};          ///< credits at the start of the cycle
constexpr WaveVariable credit{"credit", 1};                 ///< a credit is on the wire
constexpr WaveVariable ack{"ack", 1};                       ///< an acknowledgement is on the wire
constexpr WaveVariable error{"error", 1};                   ///< the flit on the channel is in error
constexpr WaveVariable nack{"nack", 1};            ///< a nack is on the wire: the channel repeats
constexpr WaveVariable switching{"switching", 2};  ///< the mode, as numbered in Switching
constexpr WaveVariable contention{"contention", 16};  ///< pairs of messages in this cycle
constexpr WaveVariable flits{"flits", 8};  ///< flits on all output channels of a router; z: none
constexpr WaveVariable difference{"difference", 1};  ///< the twins differ in this cycle
constexpr WaveVariable expected{"expected", 32};     ///< inputs at which a join expects operands
constexpr WaveVariable arrived{"arrived", 32};  ///< those of them at whose front the operand is
constexpr WaveVariable ready{"ready", 1};       ///< the join takes part in this cycle
constexpr WaveVariable held{"held", 12};        ///< cycles until it does, all being there; else z
/// The scope of the fabric's routers.
constexpr const char* fabric_scope = "fabric";
/// The scope of a router's join unit.
constexpr const char* join_scope = "join";
/// The scope of their twins.
constexpr const char* twin_scope = "rtl";
}  // namespace wave

/// `router_5`
std::string router_scope(NodeId node);
/// `input_2` or `injection_0`
std::string input_scope(const RouterConfig& config, int input);
/// `output_2` or `ejection_0`
std::string output_scope(const RouterConfig& config, int output);
/// `vc_0`
std::string vc_scope(int vc);

/// The name of a message on screen: source>destination #order, for a tree worm `5>* #0`.
std::string wave_text(const MessageName& name);

}  // namespace allport
