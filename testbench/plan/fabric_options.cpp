// SPDX-License-Identifier: Apache-2.0
// The options of the tables [fabric] and [router].
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "rtl_model/base/quote.h"
#include "rtl_model/graphs/link_attributes.h"
#include "rtl_model/router/link_errors.h"
#include "testbench/plan/cut_off.h"
#include "testbench/plan/missing_nodes.h"
#include "testbench/plan/option_fields.h"
#include "testbench/plan/place_values.h"

namespace allport::option_fields {

namespace {

OptionField topology() {
  const auto place = at(&RunRequest::fabric, &FabricRequest::topology);
  OptionField field = shape(place, shapes);
  field.set = [=](RunRequest& request, Text text) {
    place(request) = read_topology(text);
    request.fabric.whole = nullptr;
    request.fabric.missing_nodes.reset();
    request.fabric.gone.clear();
    request.fabric.cut_off.clear();
    request.fabric.missing_channels.reset();
  };
  field.get = [=](const RunRequest& request) {
    const FabricRequest& fabric = request.fabric;
    const Topology* const whole = (fabric.whole ? fabric.whole : fabric.topology).get();
    return whole == nullptr ? Json() : Json(whole->name());
  };
  field.words.emplace_back("graph:");
  return field;
}

// The orders, and the rules of tables.
const std::vector<std::string_view>& routings() {
  static const std::vector<std::string_view> words = [] {
    std::vector<std::string_view> list = names_of<RoutingOrder>();
    list.erase(std::find(list.begin(), list.end(), to_string(RoutingOrder::table)));
    list.insert(list.end(), {"table:dimension", "table:updown", "table:shortest", "table:fattree",
                             "table:dragonfly", "table:"});
    return list;
  }();
  return words;
}

OptionField routing() {
  return {[](RunRequest& request, Text text) {
            FabricRequest& fabric = request.fabric;
            constexpr Text table = "table:";
            fabric.table.reset();
            if (text.substr(0, table.size()) == table) {
              fabric.table = parse_table(text.substr(table.size()));
              fabric.routing = RoutingOrder::table;
            } else {
              fabric.routing = value_named<RoutingOrder>(parse_word("routing", text, routings()));
            }
          },
          [](const RunRequest& request) {
            const FabricRequest& fabric = request.fabric;
            if (fabric.table) return Json("table:" + fabric.table->rule);
            return fabric.routing ? Json(to_string(*fabric.routing)) : Json();
          },
          routings()};
}

// The upper bound depends on the topology.
OptionField ports() {
  return {[](RunRequest& request, Text text) {
            request.fabric.ports.reset();
            if (text == "all") return;
            try {
              request.fabric.ports = static_cast<int>(parse_integer(text, {-32768, 32767}));
            } catch (const std::invalid_argument&) {
              throw std::invalid_argument(in_quotes(text) + " must be all or a number of ports");
            }
          },
          [](const RunRequest& request) {
            return request.fabric.ports ? Json(*request.fabric.ports) : Json();
          },
          {"all"}};
}

OptionField missing_links() {
  return {[](RunRequest& request, Text text) {
            FabricRequest& fabric = request.fabric;
            fabric.missing = parse_missing_links(text, fabric.topology.get());
            take_out_cut_off(request);
          },
          [](const RunRequest& request) {
            return request.fabric.missing ? Json(request.fabric.missing->text) : Json();
          },
          {"random:", "random-cut:"}};
}

// Of the fabric that has been chosen before.
OptionField missing_nodes() {
  return {[](RunRequest& request, Text text) {
            const FabricRequest& fabric = request.fabric;
            const Topology* const whole = (fabric.whole ? fabric.whole : fabric.topology).get();
            if (whole == nullptr) {
              throw std::invalid_argument(
                  fmt::format("--topology is missing: give {}", fabrics_in_words));
            }
            take_out_nodes(request, parse_missing_nodes(text, *whole));
          },
          [](const RunRequest& request) {
            const auto& missing = request.fabric.missing_nodes;
            return missing ? Json(missing->text) : Json();
          },
          {"random:", "random-cut:"}};
}

OptionField link_delay() {
  return {
      [](RunRequest& request, Text text) {
        RouterRequest& router = request.router;
        router.link_delay = 0;
        router.link_delays.clear();
        for (const Text item : parse_list(text)) {
          router.link_delays.push_back(static_cast<int>(parse_integer(item, limits::link_delay)));
        }
        if (router.link_delays.size() > 1) return;
        router.link_delay = router.link_delays.front();
        router.link_delays.clear();
      },
      [](const RunRequest& request) {
        const RouterRequest& router = request.router;
        return router.link_delays.empty() ? Json(router.link_delay) : Json(router.link_delays);
      }};
}

OptionField link_width() {
  return {[](RunRequest& request, Text text) {
            std::vector<int>& widths = request.router.link_widths;
            widths.clear();
            for (const Text item : parse_list(text)) {
              widths.push_back(static_cast<int>(parse_bytes(item, limits::flit_bytes)));
            }
          },
          [](const RunRequest& request) { return one_or_list(request.router.link_widths); }};
}

OptionField link_attributes() {
  return {[](RunRequest& request, Text text) {
            request.router.link_attributes = parse_link_attributes(text);
          },
          [](const RunRequest& request) {
            const auto& attributes = request.router.link_attributes;
            return attributes == nullptr ? Json() : Json(attributes->path);
          }};
}

template <class Member>
auto router(Member member) {
  return at(&RunRequest::router, member);
}

template <class Member>
auto errors(Member member) {
  return at(&RunRequest::router, &RouterRequest::errors, member);
}

OptionField error_places(ErrorPlaces LinkErrorRequest::*member, ErrorPlaces (*parse)(Text)) {
  const auto place = errors(member);
  return {[=](RunRequest& request, Text text) { place(request) = parse(text); },
          [=](const RunRequest& request) { return text_or_null(place(request).text); }};
}

}  // namespace

Options fabric_options() {
  return {
      {"fabric", "topology", "SHAPE",
       "hypercube:N, torus:KxK[xK..], mesh:KxK[xK..], ring:K or graph:FILE (required)", topology(),
       use::all, Told::always},
      {"fabric", "routing", "ORDER",
       "hypercubes: descending or ascending e-cube, or adaptive; else dimension-ordered; or a table: table:dimension, table:updown[:ROOT], table:shortest, table:fattree, table:dragonfly or table:FILE",
       routing(), use::all, Told::always, "descending, or dimension-ordered"},
      {"fabric", "ports", "K",
       "internal ports of a node: all, or 1 to the number of external ports", ports(), use::all,
       Told::always, "all"},
      {"fabric", "missing_links", "LINKS",
       "links that are missing: u-v or, one way, 'u>v', separated by commas, random:N[:SEED], random-cut:N[:SEED] (which may cut the fabric apart), or a file; no message may cross them",
       missing_links(), use::planning | use::show | use::network | use::tasks,
       Told::where_it_differs},
      {"fabric", "missing_nodes", "NODES",
       "nodes that are missing, with their routers and links: a list, random:N[:SEED], random-cut:N[:SEED], or a file; what is left is a graph",
       missing_nodes(), use::all, Told::where_it_differs},
      {"fabric", "replan", "",
       "plan around what is missing, on the part of the fabric that holds the source, or the largest: messages go by tables, and collectives leave out whoever is gone",
       flag(at(&RunRequest::fabric, &FabricRequest::replan)), use::all, Told::where_it_differs},
  };
}

Options router_options() {
  return {
      {"router", "vcs", "N", "virtual channels of an external channel",
       unless_zero(integer(router(&RouterRequest::vcs), limits::vcs)),
       use::all & ~use::schedule & ~use::steps, Told::always,
       "for each message class 1; 2 on rings, tori and with adaptive"},
      {"router", "classes", "C",
       "message classes, which have virtual channels of their own: each --vcs / C of them; schedule lines and tasks say which class a message has",
       integer(router(&RouterRequest::classes), limits::classes),
       use::runs | use::replay | use::network, Told::where_it_differs},
      {"router", "vc_use", "RULE",
       "rings and tori: whether messages that never cross the wraparound channel of a dimension use one class of virtual channels (strict) or both (balanced)",
       word("rule of VC use", router(&RouterRequest::vc_use)),
       use::simulations | use::tasks | use::check | use::show | use::fit | use::network,
       Told::where_it_differs},
      {"router", "buffer_depth", "FLITS",
       "depth of the buffer of each virtual channel; a router of your own may declare the only one",
       integer(router(&RouterRequest::buffer_depth), limits::buffer_depth),
       use::simulations | use::tasks | use::fit | use::network, Told::always},
      {"router", "link_delay", "CYCLES",
       "registers added to each external channel; a list gives those of dimension 0, 1, ..",
       link_delay(), use::all & ~use::steps, Told::always},
      {"router", "link_width", "BYTES",
       "bytes that an external channel carries in a cycle, by default those of a flit; a list gives those of dimension 0, 1, ..; a flit occupies the channel for ceil(flit bytes / width) cycles",
       link_width(), use::all & ~use::steps, Told::where_it_differs},
      {"router", "link_attributes", "FILE",
       "table of links with a delay (cycles) and a width (bytes a cycle) of their own, u,v,delay,width[,from_port]: both ways, and without from_port all links between u and v",
       link_attributes(), use::all & ~use::steps, Told::where_it_differs},
      {"router", "replication_delay", "CYCLES",
       "how long a router holds a tree flit before it branches",
       integer(router(&RouterRequest::replication_delay), limits::replication_delay),
       use::simulations | use::tasks | use::network, Told::always},
      {"router", "combine_delay", "CYCLES",
       "how long a router holds the flits of a join where contributions meet",
       integer(router(&RouterRequest::combine_delay), limits::combine_delay),
       use::simulations | use::tasks, Told::where_it_differs},
      {"router", "route_delay", "CYCLES",
       "how long a head waits for its route before it asks for a virtual channel",
       integer(router(&RouterRequest::route_delay), limits::pipeline_delay),
       use::planning | use::tasks | use::fit | use::network, Told::where_it_differs},
      {"router", "vc_delay", "CYCLES",
       "how long a head waits from getting a virtual channel until it asks for the switch",
       integer(router(&RouterRequest::vc_delay), limits::pipeline_delay),
       use::planning | use::tasks | use::fit | use::network, Told::where_it_differs},
      {"router", "crossbar_delay", "CYCLES", "registers between the switch and each output channel",
       integer(router(&RouterRequest::crossbar_delay), limits::pipeline_delay),
       use::planning | use::tasks | use::fit | use::network, Told::where_it_differs},
      {"router", "retry", "",
       "external channels repeat what comes in error: the receiver discards it, and the output that sent it is busy with the replay",
       flag(router(&RouterRequest::retry)), use::simulations | use::tasks, Told::where_it_differs},
      {"router", "flit_errors", "ERROR,..",
       "flits in error, with --retry: NODE.PORT@CYCLE (the sender's output, the cycle at the receiving end), or a file of them",
       error_places(&LinkErrorRequest::flits, parse_flit_errors), use::simulations | use::tasks,
       Told::where_it_differs},
      {"router", "flit_error_rate", "Q",
       "share of the flits on external channels that come in error, with --retry: 0..0.5, drawn by --seed",
       decimal(errors(&LinkErrorRequest::flit_rate), 0, LinkErrors::most_rate),
       use::simulations | use::tasks, Told::where_it_differs, "0"},
      {"router", "bit_error_rate", "B",
       "share of the bits that do, in its place: a flit of n bits is in error with 1 - (1 - B)^n, 0..0.5",
       decimal(errors(&LinkErrorRequest::bit_rate), 0, LinkErrors::most_rate),
       use::simulations | use::tasks, Told::where_it_differs, "0"},
      {"router", "lose_credit", "CREDIT,..",
       "credits that are lost: NODE.PORT.VC@CYCLE (the sender's output, the cycle in which it would see the credit), or @+CYCLE for the next one from then on",
       error_places(&LinkErrorRequest::credits, parse_lost_credits), use::simulations | use::tasks,
       Told::where_it_differs},
      {"router", "combine", "ORDER",
       "order in which a router combines the operands of a join: port (that of its ports, always the same) or arrival (that in which their flits came; systemc)",
       word("order of combining", router(&RouterRequest::combine_order)),
       use::simulations | use::tasks, Told::where_it_differs},
      {"router",
       "join_vcs",
       "N",
       "virtual channels beside --vcs: 0 (joins and trees use those of all), 1 (they share one of their own) or 2 (one for joins, one for trees)",
       integer(router(&RouterRequest::join_vcs), limits::join_vcs),
       use::simulations | use::tasks | use::check | use::network,
       Told::where_it_differs,
       {},
       "vcs"},
      {"router", "switching", "MODE",
       "when flits move on: wormhole, cut-through, store-and-forward or circuit",
       word("switching mode", router(&RouterRequest::switching)),
       use::planning | use::replay | use::fit | use::network, Told::always},
  };
}

}  // namespace allport::option_fields
