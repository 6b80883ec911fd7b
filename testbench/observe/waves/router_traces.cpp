// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/waves/router_traces.h"

#include <utility>

#include "rtl_model/topology/channel_words.h"
#include "testbench/observe/waves/wave_names.h"

namespace allport {

namespace {

Trace trace(const std::string& label, const std::string& scope, const WaveVariable& variable,
            TraceFormat format) {
  return {label, scope + "." + ranged_name(variable.name, variable.width), format};
}

// One of the two models of a router, SystemC or RTL.
struct Side {
  const char* scope;
  const char* router_mark;  // its mark in labels of routers
  const char* port_mark;
  bool is_twin = false;
};
constexpr Side only_side{wave::fabric_scope, "", ""};
constexpr Side systemc_side{wave::fabric_scope, " SystemC", ""};
constexpr Side rtl_side{wave::twin_scope, " RTL", " RTL", true};

std::string scope_of(const Side& side, NodeId node) {
  return std::string(side.scope) + "." + router_scope(node);
}

// The traces of one router, in the order in which a flit passes them.
class RouterTraces {
 public:
  RouterTraces(GtkwWriter& out, const Fabric& fabric, const ShownRouter& router, const Side& side)
      : out_(out),
        config_(fabric.config()),
        topology_(fabric.routing().topology()),
        router_(router.activity),
        side_(side),
        shows_allocation_(side.is_twin ? router.activity.twin_shows_allocation
                                       : router.activity.shows_allocation),
        scope_(scope_of(side, router.activity.node)),
        is_open_(router.is_open),
        has_ports_(router.has_ports) {}

  void write() {
    const bool has_contention = router_.first_contention >= 0 && shows_allocation_;
    Trace first = trace("flits", scope_, wave::flits, TraceFormat::flits);
    Trace second = trace("contention", scope_, wave::contention, TraceFormat::flits);
    if (has_contention && !is_open_) std::swap(first, second);
    first.label = label();
    if (!has_ports_) return out_.add(first);
    out_.open_group(first, !is_open_);
    if (has_contention) out_.add(second);
    for (int i = 0; i < config_.internal_ports; ++i) write_input(config_.external_ports + i);
    for (int input = 0; input < config_.external_ports; ++input) write_input(input);
    if (router_.has_join) write_join();
    for (int output = 0; output < config_.ports(); ++output) write_output(output);
    out_.close_group();
  }

 private:
  std::string label() const;
  std::string beyond(bool is_input, int port) const;
  void write_channel(const std::string& scope) const;
  void write_mark(const std::string& scope, int port, const WaveVariable& mark) const;
  void write_ack(const std::string& scope, int vc) const;
  void write_input(int input);
  void write_join();
  void write_output(int output);

  GtkwWriter& out_;
  const RouterConfig& config_;
  const Topology& topology_;
  const RouterActivity& router_;
  const Side& side_;
  const bool shows_allocation_;
  const std::string scope_;
  const bool is_open_;
  const bool has_ports_;
};

// The label with the address in binary on a hypercube, the name on a graph, and the coordinates
// elsewhere.
std::string RouterTraces::label() const {
  std::string place;
  const std::size_t dimensions = topology_.dimension_count();
  for (std::size_t i = 0; i < dimensions; ++i) {
    const std::size_t dimension = topology_.is_hypercube() ? dimensions - 1 - i : i;
    if (i > 0 && !topology_.is_hypercube()) place += ',';
    place += std::to_string(topology_.coordinate(router_.node, dimension));
  }
  if (topology_.is_graph()) place = topology_.node_name(router_.node);
  if (!topology_.is_hypercube()) place = "(" + place + ")";
  const bool has_mark = !is_open_ && router_.first_contention >= 0;
  return router_scope(router_.node) + " " + place + (router_.is_source ? " source" : "") +
         side_.router_mark +
         (has_mark ? ", contention from " + std::to_string(router_.first_contention) : "");
}

// ` 4 -> 5 (+x)` behind the name of a port.
std::string RouterTraces::beyond(bool is_input, int port) const {
  if (!config_.is_external(port)) return "";
  const Channel channel{router_.node, port_id(static_cast<std::size_t>(port))};
  return " " +
         (is_input ? incoming_in_words(topology_, channel) : link_in_words(topology_, channel));
}

void RouterTraces::write_channel(const std::string& scope) const {
  out_.add(trace("flit", scope, wave::flit, TraceFormat::flits));
  out_.add(trace("vc", scope, wave::vc, TraceFormat::decimal));
  out_.add(trace("data", scope, wave::data, TraceFormat::hexadecimal));
}

// Writes what retry shows of the external port `port`, whose scope is `scope`.
void RouterTraces::write_mark(const std::string& scope, int port, const WaveVariable& mark) const {
  if (!config_.retry || !config_.is_external(port)) return;
  out_.add(trace(mark.name, scope, mark, TraceFormat::bit));
}

// Writes the acknowledgement of VC `vc` of the port `scope`.
void RouterTraces::write_ack(const std::string& scope, int vc) const {
  if (config_.switching != Switching::circuit) return;
  const std::string name = vc_scope(vc);
  out_.add(trace(name + " ack", scope + "." + name, wave::ack, TraceFormat::bit));
}

void RouterTraces::write_input(int input) {
  if (!is_shown_input(router_, config_, input)) return;
  const bool differs = differs_at(router_, true, input);
  const std::string name = input_scope(config_, input);
  const std::string scope = scope_ + "." + name;
  out_.open_group(trace(name + beyond(true, input) + side_.port_mark, scope, wave::message,
                        TraceFormat::messages),
                  !differs);
  write_channel(scope);
  write_mark(scope, input, wave::error);
  for (int vc = 0; vc < config_.vcs_of(input); ++vc) {
    const std::string buffer = scope + "." + vc_scope(vc) + ".buffer";
    const std::string label = vc_scope(vc) + " buffer ";
    out_.add(trace(label + "message", buffer, wave::message, TraceFormat::messages));
    out_.add(trace(label + "front", buffer, wave::front, TraceFormat::flits));
    out_.add(trace(label + "count", buffer, wave::count, TraceFormat::decimal));
    write_ack(scope, vc);
  }
  out_.close_group();
  for (int vc = 0; vc < config_.vcs_of(input); ++vc) {
    const auto channel_vc = static_cast<std::size_t>(config_.channel_vc(input, vc));
    if (!router_.has_waited[channel_vc]) continue;
    const std::string buffer = scope + "." + vc_scope(vc) + ".buffer";
    out_.add(trace(name + " " + vc_scope(vc) + " buffer" + side_.port_mark, buffer, wave::message,
                   TraceFormat::messages));
  }
}

void RouterTraces::write_join() {
  const std::string scope = scope_ + "." + wave::join_scope;
  out_.open_group(trace(std::string(wave::join_scope) + side_.port_mark, scope, wave::message,
                        TraceFormat::messages),
                  true);
  out_.add(trace("expected inputs", scope, wave::expected, TraceFormat::bit));
  out_.add(trace("arrived", scope, wave::arrived, TraceFormat::bit));
  out_.add(trace("held", scope, wave::held, TraceFormat::decimal));
  out_.add(trace("ready", scope, wave::ready, TraceFormat::bit));
  out_.close_group();
}

void RouterTraces::write_output(int output) {
  if (!is_shown_output(router_, output)) return;
  const bool differs = differs_at(router_, false, output);
  const std::string name = output_scope(config_, output);
  const std::string scope = scope_ + "." + name;
  out_.open_group(trace(name + beyond(false, output) + side_.port_mark, scope, wave::message,
                        TraceFormat::messages),
                  !differs);
  write_channel(scope);
  write_mark(scope, output, wave::nack);
  for (int vc = 0; vc < config_.vcs_of(output); ++vc) {
    const std::string vc_name = vc_scope(vc);
    std::string vc_path = scope;
    vc_path.append(".").append(vc_name);
    if (shows_allocation_) {
      out_.add(trace(vc_name + " owner", vc_path, wave::owner_message, TraceFormat::messages));
      out_.add(trace(vc_name + " owner_q", vc_path, wave::owner_q, TraceFormat::decimal));
    }
    out_.add(trace(vc_name + " credits_q", vc_path, wave::credits_q, TraceFormat::decimal));
    out_.add(trace(vc_name + " credit", vc_path, wave::credit, TraceFormat::bit));
    write_ack(scope, vc);
  }
  out_.close_group();
  if (router_.output_contention[static_cast<std::size_t>(output)] && shows_allocation_) {
    out_.add(
        trace(name + " contention" + side_.port_mark, scope, wave::contention, TraceFormat::flits));
  }
}

}  // namespace

int write_switching(GtkwWriter& out, const Fabric& fabric) {
  if (fabric.config().switching == Switching::wormhole) return 0;
  out.add(trace("switching", wave::fabric_scope, wave::switching, TraceFormat::decimal));
  return 1;
}

void write_router(GtkwWriter& out, const Fabric& fabric, const ShownRouter& router) {
  if (!router.activity.has_twin) {
    RouterTraces(out, fabric, router, only_side).write();
    return;
  }
  const NodeId node = router.activity.node;
  out.add(trace(router_scope(node) + " difference", scope_of(rtl_side, node), wave::difference,
                TraceFormat::bit));
  RouterTraces(out, fabric, router, systemc_side).write();
  RouterTraces(out, fabric, router, rtl_side).write();
}

}  // namespace allport
